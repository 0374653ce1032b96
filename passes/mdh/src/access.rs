//! How inputs and outputs move with each dimension, read from IR.

use terrace_dialect_arith::AddI;
use terrace_dialect_mdh::epilogue;
use terrace_dialect_mdh::operator::Operator;
use terrace_dialect_mdh::view::{CombineKind, Order, View};
use terrace_dialect_mdh::{Compute, Index, Yield};
use terrace_dialect_tensor::Extract;
use terrace_ir::{Ir, OpId, Traits, Type, Value};
use terrace_schedule_choose::access::{Access, Accesses};
use terrace_schedule_model::groups::Groups;
use terrace_support::HashSet;
use terrace_support::affine::{AffineExpr, AffineMap};

/// Elements that one step of each dimension moves by, and bytes of an element
pub(crate) fn strides(ir: &Ir, ty: Type, map: &AffineMap, dims: usize) -> (Vec<Option<i64>>, i64) {
    let cx = ir.cx();
    let shape = ty.shape(cx).unwrap_or(&[]);
    let bits = ty.scalar(cx).bit_width(cx).unwrap_or(64);
    let mut all = vec![Some(0i64); dims];
    let mut stride = 1i64;
    for (expr, size) in map.results.iter().zip(shape).rev() {
        match expr.as_linear() {
            Some(linear) => {
                for (dim, total) in all.iter_mut().enumerate() {
                    let term = linear.dim(dim).checked_mul(stride);
                    *total = total.zip(term).and_then(|(total, term)| total.checked_add(term));
                }
            }
            None => {
                for (dim, total) in all.iter_mut().enumerate().filter(|(dim, _)| expr.uses_dim(*dim as u32)) {
                    let _ = dim;
                    *total = None;
                }
            }
        }
        stride = stride.saturating_mul((*size).max(1));
    }
    (all, i64::from(bits.div_ceil(8)).max(1))
}

/// Accesses of the inputs that are buffers
fn inputs(ir: &Ir, view: &View, groups: &Groups) -> Vec<Access> {
    let distinct = view.buffers();
    let mut inputs = Vec::new();
    for input in &view.inputs {
        let Some(map) = &input.map else { continue };
        let buffer = distinct.iter().position(|value| *value == input.value).unwrap_or_default();
        let group = groups.of[inputs.len()];
        let (strides, bytes) = strides(ir, ir.ty(input.value), map, view.dims.len());
        let plain = input.other.is_none() && input.guard.is_none();
        inputs.push(Access { strides, bytes, plain, buffer, group, map: map.clone() });
    }
    inputs
}

/// Accesses of outputs, and what tiles may do with them: see [`Accesses`]
struct Outputs {
    accesses: Vec<Access>,
    tiles: bool,
    fills: bool,
}

impl Outputs {
    fn of(ir: &Ir, op: Compute, view: &View) -> Outputs {
        let dims = view.dims.len();
        let mut all = Outputs { accesses: Vec::new(), tiles: true, fills: true };
        for (n, out) in view.outputs.iter().enumerate() {
            let ty = ir.ty(ir.result(op.id(), n));
            all.tiles &= out.maps.len() == 1;
            for map in &out.maps {
                let (strides, bytes) = strides(ir, ty, map, dims);
                // Rows of digits are no vectors: their parts are computed apart (`interleaved`).
                let one = |expr: &AffineExpr| (0..dims).filter(|dim| expr.uses_dim(*dim as u32)).count() <= 1;
                all.tiles &= map.results.iter().all(|expr| has_tiles(expr, view));
                all.tiles &= map.results.last().is_none_or(one);
                let shape = ty.shape(ir.cx()).unwrap_or(&[]);
                // A tile that goes beyond a digit is within the next one.
                all.fills &= map.results.iter().zip(shape).all(|(expr, size)| {
                    let last = expr.as_linear().filter(|_| one(expr)).and_then(|linear| {
                        let last = |dim: usize| linear.dim(dim).checked_mul(view.dims[dim].size - 1);
                        (0..dims).try_fold(linear.constant, |sum, dim| sum.checked_add(last(dim)?))
                    });
                    last.and_then(|last| last.checked_add(1)) == Some(*size)
                });
                let access = Access { strides, bytes, plain: true, buffer: n, group: n, map: map.clone() };
                all.accesses.push(access);
            }
        }
        all
    }
}

/// Are tiles of its dimensions tiles of the tensor: is it one dimension, or a number of which each dimension is a digit, as in `48·g + m`?
///
/// A tile with several digits of which an inner one is not whole has gaps; the rules refuse that one (`S-REGION`).
fn has_tiles(expr: &AffineExpr, view: &View) -> bool {
    let Some(linear) = expr.as_linear() else { return false };
    let used = (0..view.dims.len()).filter(|dim| linear.dim(*dim) != 0);
    let mut digits: Vec<(i64, i64)> = used.map(|dim| (linear.dim(dim), view.dims[dim].size)).collect();
    digits.sort_unstable();
    digits.windows(2).all(|pair| {
        let [(inner, size), (outer, _)] = pair else { return true };
        *inner > 0 && inner.checked_mul(*size) == Some(*outer)
    })
}

/// Does a condition hold a coordinate against a number that the call knows?
fn ends_at_run_time(view: &View, dim: usize) -> bool {
    view.conditions
        .iter()
        .any(|condition| condition.expr.uses_dim(dim as u32) && condition.high.arity().1 > 0)
}

/// What conditions say of each dimension: see [`Accesses`]
struct Conditions {
    conditioned: Vec<bool>,
    inner: Vec<i64>,
    taps: Vec<i64>,
    masks: Vec<bool>,
    coupled: Vec<Vec<usize>>,
    uneven: Vec<bool>,
}

impl Conditions {
    fn of(view: &View) -> Conditions {
        let dims = view.dims.len();
        // Schedules are chosen for the greatest extent.
        let bounds = view.bounds_at_most();
        let uses = |e: &AffineExpr, dim: usize| e.uses_dim(dim as u32);
        let others = |dim: usize| -> Vec<usize> {
            let both = |other: usize| bounds.iter().any(|e| uses(e, dim) && uses(e, other));
            (0..dims).filter(|other| *other != dim && both(*other)).collect()
        };
        let coupled: Vec<Vec<usize>> = (0..dims).map(others).collect();
        let taps = |with: &Vec<usize>| match with.iter().any(|other| view.dims[*other].kind.kept()) {
            true => 0,
            false => with.iter().map(|other| view.dims[*other].size).product(),
        };
        let kept = |dim: usize| view.dims[dim].kind.kept();
        let shifts = |e: &AffineExpr, dim: usize| {
            let mut others = (0..dims).filter(|other| *other != dim && uses(e, *other)).peekable();
            e.as_linear().is_some() && others.peek().is_some() && !others.any(kept)
        };
        let masks = |dim: usize| bounds.iter().all(|e| !uses(e, dim) || shifts(e, dim));
        Conditions {
            conditioned: (0..dims).map(|dim| bounds.iter().any(|e| uses(e, dim))).collect(),
            inner: (0..dims).map(|dim| inner(view, &bounds, dim).unwrap_or(0)).collect(),
            taps: coupled.iter().map(taps).collect(),
            uneven: (0..dims).map(|dim| uneven(view, &bounds, dim, &coupled[dim])).collect(),
            masks: (0..dims).map(masks).collect(),
            coupled,
        }
    }
}

/// Per dimension: the body reads tensors at places that it computes, in which only the last index moves with the dimension, and that
/// one is its coordinate, shifted or not: neighbours in memory
fn gathers_on_lanes(ir: &Ir, op: Compute, view: &View, ops: &[OpId]) -> Vec<bool> {
    let reads: Vec<Extract> = ops.iter().filter_map(|op| Extract::cast(ir, *op)).collect();
    let others = ops.iter().all(|op| on_lanes(ir, *op) || Extract::cast(ir, *op).is_some());
    let args = ir.entry(op.body(ir)).map_or(&[][..], |body| ir.block_args(body));
    let along = |dim: usize| {
        let mut moves: HashSet<Value> = HashSet::default();
        for (arg, input) in args.iter().zip(&view.inputs) {
            if input.map.as_ref().is_some_and(|map| map.results.iter().any(|expr| expr.uses_dim(dim as u32)))
            {
                moves.insert(*arg);
            }
        }
        let coordinate = |value: Value| {
            let index = ir.defining_op(value).and_then(|op| Index::cast(ir, op));
            index.is_some_and(|index| index.dim(ir).as_i64(ir.cx()) == Some(dim as i64))
        };
        let mut fits = true;
        for op in ops {
            if let Some(read) = Extract::cast(ir, *op) {
                let places = read.indices(ir);
                let neighbors = |place: Value| {
                    let sum = ir.defining_op(place).and_then(|op| AddI::cast(ir, op));
                    let parts = sum.map(|sum| (sum.lhs(ir), sum.rhs(ir)));
                    coordinate(place)
                        || parts.is_some_and(|(one, other)| {
                            coordinate(one) && !moves.contains(&other)
                                || coordinate(other) && !moves.contains(&one)
                        })
                };
                let last = places.last().is_some_and(|last| !moves.contains(last) || neighbors(*last));
                let first = places.split_last().map_or(&[][..], |(_, first)| first);
                fits &= last && !first.iter().any(|place| moves.contains(place));
            }
            let own = ir.results(*op).any(coordinate);
            if own || ir.operands(*op).any(|value| moves.contains(&value)) {
                moves.extend(ir.results(*op));
            }
        }
        fits
    };
    (0..view.dims.len()).map(|dim| others && !reads.is_empty() && along(dim)).collect()
}

/// Has an op of a body a form on lanes?
fn on_lanes(ir: &Ir, op: OpId) -> bool {
    let plain = ir.has(op, Traits::Elementwise) && ir.num_regions(op) == 0;
    plain
        || ir.has(op, Traits::ConstantLike)
        || Index::cast(ir, op).is_some()
        || Yield::cast(ir, op).is_some()
}

/// Read a computation
pub fn read(ir: &Ir, op: Compute, view: &View) -> Accesses {
    let kind =
        |test: &dyn Fn(&CombineKind) -> bool| view.dims.iter().map(|dim| test(&dim.kind)).collect::<Vec<_>>();
    let groups = view.groups_of_maps();
    let inputs = inputs(ir, view, &groups);
    let outputs = Outputs::of(ir, op, view);
    let conditions = Conditions::of(view);
    let associates = !view.in_order(ir, op) && view.order(Order::Tree).is_none();
    let named = view.dims.iter().all(|dim| match &dim.kind {
        CombineKind::Pw(operators, _) => operators.iter().all(|op| matches!(op, Operator::Builtin(_))),
        _ => true,
    });
    let body = ir.entry(op.body(ir));
    let ops: Vec<OpId> = body.map_or(Vec::new(), |body| ir.block_ops(body).collect());
    let values = op.ins(ir).into_iter().chain(op.inits(ir)).chain(ir.results(op.id()));
    let loads = inputs.iter().chain(&outputs.accesses).all(|access| access.bytes >= 1)
        && values.into_iter().all(|value| whole_bytes(ir, ir.ty(value)))
        && view.inputs.iter().all(|input| input.guard.is_none());
    Accesses {
        sizes: view.sizes(),
        kept: kind(&|kind| *kind == CombineKind::Cc),
        reduced: kind(&|kind| matches!(kind, CombineKind::Pw(..))),
        prefixes: kind(&|kind| matches!(kind, CombineKind::Ps(_))),
        conditioned: conditions.conditioned,
        open: (0..view.dims.len()).map(|dim| ends_at_run_time(view, dim)).collect(),
        inner: conditions.inner,
        taps: conditions.taps,
        masks: conditions.masks,
        coupled: conditions.coupled,
        uneven: conditions.uneven,
        inputs,
        outputs: outputs.accesses,
        buffers: view.buffers().len(),
        groups,
        outs: view.outputs.len(),
        tiles: outputs.tiles,
        fills: outputs.fills,
        reorders: associates && named,
        associates,
        updates: false,
        single: view.groups().is_some_and(|groups| groups.iter().all(|group| group.len == 1)),
        lanes: loads && ops.iter().all(|op| on_lanes(ir, *op)),
        gathers_on_lanes: match loads {
            true => gathers_on_lanes(ir, op, view, &ops),
            false => vec![false; view.dims.len()],
        },
        tuples: false,
        functions_commute: false,
        meets: false,
        harmless: ops.iter().all(|op| ir.has(*op, Traits::Pure)),
        functions: ops.iter().any(|op| ir.has(*op, Traits::LibraryCall)),
        matrix: view.narrow_products(ir, op),
        ops: ops.len() as i64,
        together: together(ir, op, view),
        followed: followed(ir, op),
        symmetric: None,
    }
}

/// Most computations that are looked at as one nest
const NEIGHBORS: usize = 16;

/// Points times ops of a computation and of those with as many points with which it exchanges elements: their loops may become one
fn together(ir: &Ir, op: Compute, view: &View) -> i64 {
    let points = |view: &View| view.sizes().iter().fold(1i64, |all, size| all.saturating_mul(*size));
    let own = points(view);
    let alike = |op: OpId| {
        Compute::cast(ir, op).filter(|op| View::read(ir, *op).is_ok_and(|view| points(&view) == own))
    };
    let (mut found, mut next, mut ops) = (vec![op], 0, 0i64);
    while let Some(one) = found.get(next).copied() {
        next += 1;
        ops += ir.entry(one.body(ir)).map_or(0, |body| ir.block_ops(body).count() as i64);
        let sources = one.ins(ir).into_iter().filter_map(|value| ir.defining_op(value));
        let users = ir.results(one.id()).flat_map(|value| ir.uses(value).map(|(user, _)| user));
        for other in sources.chain(users).filter_map(alike) {
            if found.len() < NEIGHBORS && found.iter().all(|one| one.id() != other.id()) {
                found.push(other);
            }
        }
    }
    own.saturating_mul(ops)
}

/// Does an element-wise computation take the elements of this one?
fn followed(ir: &Ir, op: Compute) -> bool {
    let users = ir.results(op.id()).flat_map(|value| ir.uses(value).map(|(user, _)| user));
    users
        .filter_map(|user| View::read(ir, Compute::cast(ir, user)?).ok())
        .any(|view| epilogue::find(ir, &view).is_some_and(|found| found.maker == op))
}

/// Number of coordinates at which all conditions hold; `None` where that is no plain interval
fn inner(view: &View, conditions: &[AffineExpr], dim: usize) -> Option<i64> {
    let (mut low, mut high) = (0, view.dims[dim].size - 1);
    for bound in conditions.iter().filter(|bound| bound.uses_dim(dim as u32)) {
        let linear = bound.as_linear()?;
        let mut least = linear.constant;
        for (other, all) in view.dims.iter().enumerate().filter(|(other, _)| *other != dim) {
            least = least.checked_add(linear.dim(other).checked_mul(all.size - 1)?.min(0))?;
        }
        match linear.dim(dim) {
            0 => return None,
            factor @ 1.. => {
                low = low.max(least.checked_neg()?.div_euclid(factor) + i64::from(least % factor != 0));
            }
            factor => high = high.min(least.div_euclid(factor.checked_neg()?)),
        }
    }
    Some((high - low + 1).max(0))
}

/// Coordinates of a dimension that are looked at
const SAMPLES: i64 = 16;

/// Is the mean work of a coordinate less than four fifths of the most?
///
/// With each other dimension that conditions couple to it, at some points of both; all else stands in the middle.
fn uneven(view: &View, conditions: &[AffineExpr], dim: usize, coupled: &[usize]) -> bool {
    let middle: Vec<i64> = view.dims.iter().map(|dim| dim.size / 2).collect();
    let samples = |dim: usize| {
        let last = view.dims[dim].size - 1;
        let count = SAMPLES.min(last + 1);
        (0..count).map(move |n| if count < 2 { 0 } else { last * n / (count - 1) })
    };
    coupled.iter().any(|other| {
        let held = |at: i64| -> i64 {
            let mut point = middle.clone();
            point[dim] = at;
            let mut count = 0;
            for there in samples(*other) {
                point[*other] = there;
                let both = |e: &&AffineExpr| e.uses_dim(dim as u32) && e.uses_dim(*other as u32);
                count += i64::from(
                    conditions
                        .iter()
                        .filter(both)
                        .all(|e| e.eval(&point, &[]).is_none_or(|value| value >= 0)),
                );
            }
            count
        };
        let work: Vec<i64> = samples(dim).map(held).collect();
        let most = work.iter().copied().max().unwrap_or(0);
        work.iter().sum::<i64>() * 5 < most * work.len() as i64 * 4
    })
}

/// Elements that lanes can load: i1 has none
fn whole_bytes(ir: &Ir, ty: Type) -> bool {
    let cx = ir.cx();
    ty.shape(cx).is_none() || ty.scalar(cx).bit_width(cx).unwrap_or(64) >= 8
}
