//! Sums of products of two panels become `sched.contract`, which matrix units compute.
//!
//! ```mlir
//! for (%k in 62 by 1 pw add, %i in 32 by 1, %j in 32 by 1) {
//!   write widen(A[%k floordiv 64, %r + %i, %k mod 64]) * widen(B[%k floordiv 4, %c + %j, %k mod 4]), C[%i, %j] combine add
//! }
//! // becomes
//! contract A[%r], B[%c] into C
//! ```
//!
//! The op takes whole panels and a whole tile, so what the loops leave out must not be seen. Groups of k that the loop lacks are
//! zeros that a copy put around its source. Zeros that a copy put into the tile just before are what the op begins with (`overwrite`). Rows and columns beyond a bound are sums that no copy takes out of the tile (`clip`).
//! The order of adding becomes free, so loops in the order of the source stay. Loops at a level of their own stay too.

use crate::skip_zeros::{Sum, Var, filled, is_zero, shape};
use terrace_diag::Reported;
use terrace_dialect_arith as arith;
use terrace_dialect_sched::access::Access;
use terrace_dialect_sched::{
    self as sched, Alloc, Bound, Builtin, Combination, Copy, For, Level, LoopInfo, Operator, Order, Read,
    Write, Yield,
};
use terrace_ir::{Builder, Effects, Ir, OpId, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::affine::AffineExpr;

/// Sums of products of two panels become one op, for matrix units
///
/// Panels are buffers with groups of consecutive coordinates of the reduction innermost, as schedules lay them out
/// (`L2[1/4,2,1%4]`). Run it before `sched-legalize`, for back ends that have the op.
#[pass("sched-contract", stats("contractions"))]
pub struct SchedContract {}

impl Pass for SchedContract {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let writes: Vec<Write> = unit.walk().filter_map(|op| Write::cast(unit, op)).collect();
        let found: Vec<Contraction> = writes.into_iter().filter_map(|write| find(unit, write)).collect();
        cx.count("contractions", found.len() as u64);
        cx.set_changed(!found.is_empty());
        for one in found {
            one.build(unit);
        }
        Ok(())
    }
}

/// A nest that is one op
struct Contraction {
    nest: OpId,
    lhs: Panel,
    rhs: Panel,
    acc: Value,
    /// The copy that fills the tile with zeros just before
    zeros: Option<Copy>,
    /// Values may differ from run to run
    free: bool,
}

/// A factor's panel from a row on
struct Panel {
    memory: Value,
    /// Indices of dimensions in front, and the row that the loops start with
    indices: Vec<Sum>,
    /// Coordinates of the reduction
    depth: i64,
    /// Elements are integers without a sign
    unsigned: bool,
}

impl Contraction {
    fn build(self, ir: &mut Ir) {
        let mut b = Builder::before(ir, self.nest);
        let mut at =
            |panel: &Panel| -> Vec<Value> { panel.indices.iter().map(|sum| index(&mut b, sum)).collect() };
        let (left, right) = (at(&self.lhs), at(&self.rhs));
        let new = sched::Contract::build(&mut b, self.lhs.memory, &left, self.rhs.memory, &right, self.acc);
        let unit = |stated: bool| stated.then(|| ir.cx().common().unit);
        let [lhs, rhs, free] = [self.lhs.unsigned, self.rhs.unsigned, self.free].map(unit);
        new.set_lhs_unsigned(ir, lhs);
        new.set_rhs_unsigned(ir, rhs);
        new.set_free(ir, free);
        if let Some(zeros) = self.zeros {
            let unit = ir.cx().common().unit;
            new.set_overwrite(ir, Some(unit));
            ir.erase(zeros.id());
        }
        ir.erase(self.nest);
    }
}

/// A sum as a value
fn index(b: &mut Builder<'_>, sum: &Sum) -> Value {
    let constant = |b: &mut Builder<'_>, number: i64| {
        let number = b.cx().index_attr(number);
        arith::Constant::build(b, number).result(b.read())
    };
    let mut all = None;
    for (var, factor) in &sum.terms {
        let Var::Value(value) = *var else { continue };
        let term = match factor {
            1 => value,
            _ => {
                let factor = constant(b, *factor);
                arith::MulI::build(b, value, factor).result(b.read())
            }
        };
        all = Some(match all {
            None => term,
            Some(all) => arith::AddI::build(b, all, term).result(b.read()),
        });
    }
    match (all, sum.constant) {
        (None, number) => constant(b, number),
        (Some(all), 0) => all,
        (Some(all), number) => {
            let number = constant(b, number);
            arith::AddI::build(b, all, number).result(b.read())
        }
    }
}

/// The loops around a write, inner first, and the factors that it reads
struct Body {
    loops: [LoopInfo; 3],
    factors: [Factor; 2],
}

/// What a product reads
#[derive(Clone, Copy)]
struct Factor {
    read: Read,
    unsigned: bool,
}

impl Body {
    fn of(ir: &Ir, write: Write) -> Option<Body> {
        let block = ir.block(write.id())?;
        let product = ir.defining_op(write.value(ir)).filter(|op| ir.block(*op) == Some(block))?;
        if arith::MulI::cast(ir, product).is_none() && arith::MulF::cast(ir, product).is_none() {
            return None;
        }
        let factors: Vec<Factor> = ir.operands(product).filter_map(|value| widened(ir, value)).collect();
        let [a, b] = factors[..] else { return None };
        // Two reads, two conversions, the product, the write and the end.
        if a.read == b.read || ir.block_ops(block).count() > 7 {
            return None;
        }
        let inner = plain_loop(ir, write.id())?;
        let middle = only_op(ir, inner.op.id()).then(|| plain_loop(ir, inner.op.id())).flatten()?;
        let outer = only_op(ir, middle.op.id()).then(|| plain_loop(ir, middle.op.id())).flatten()?;
        only_op(ir, outer.op.id());
        Some(Body { loops: [inner, middle, outer], factors: [a, b] })
    }

    fn by_variable(&self, variable: Value) -> Option<&LoopInfo> {
        self.loops.iter().find(|info| info.iv == variable)
    }
}

/// The read of a conversion to a wider type
fn widened(ir: &Ir, value: Value) -> Option<Factor> {
    let cast = ir.defining_op(value)?;
    let unsigned = ir.is(cast, arith::ExtUI::DEF);
    let widens = unsigned || ir.is_any(cast, &[arith::ExtSI::DEF, arith::ExtF::DEF]);
    let read = Read::cast(ir, ir.defining_op(ir.operands(cast).next()?)?)?;
    (widens && read.padding(ir).is_none()).then_some(Factor { read, unsigned })
}

/// A loop in steps of one around an op, that one thread runs in any order
fn plain_loop(ir: &Ir, op: OpId) -> Option<LoopInfo> {
    let info = For::cast(ir, ir.parent(op)?)?.info(ir)?;
    let kind = match info.kind {
        Combination::Cc => true,
        Combination::Pw => info.order != Order::Source && info.ops[..] == [Operator::Builtin(Builtin::Add)],
        Combination::Ps | Combination::Ordered => false,
    };
    let plain = info.level == Level::Seq && info.tile == 1 && info.from.is_none();
    (kind && plain && ir.num_results(info.op.id()) == 0).then_some(info)
}

/// Is it alone in its block, but for the end?
fn only_op(ir: &Ir, op: OpId) -> bool {
    let Some(block) = ir.block(op) else { return false };
    ir.block_ops(block).all(|other| other == op || Yield::cast(ir, other).is_some())
}

fn find(ir: &Ir, write: Write) -> Option<Contraction> {
    let adds = write.operator(ir) == Some(Operator::Builtin(Builtin::Add)) && write.clip(ir).is_none();
    let body = adds.then(|| Body::of(ir, write)).flatten()?;
    let acc = write.memref(ir);
    let (at, tile) = (write.access(ir), shape(ir, acc)?);
    let [ones @ .., rows, columns] = &tile[..] else { return None };
    let (front, rows, columns) = (ones.len(), *rows, *columns);
    let variable = |n: usize| match Sum::of(&at, front + n)?.single()? {
        Var::Value(value) => body.by_variable(value),
        Var::Own(_) => None,
    };
    let (i, j) = (variable(0)?, variable(1)?);
    let k = body.loops.iter().find(|info| info.iv != i.iv && info.iv != j.iv)?;
    let kinds = [(i, Combination::Cc), (j, Combination::Cc), (k, Combination::Pw)];
    if ones.iter().any(|size| *size != 1)
        || i.iv == j.iv
        || (i.extent, j.extent) != (rows, columns)
        || kinds.iter().any(|(one, kind)| one.kind != *kind)
    {
        return None;
    }
    let [a, b] = body.factors;
    let moves = |factor: Factor, by: &LoopInfo| factor.read.access(ir).values.contains(&by.iv);
    let (a, b) = if moves(a, i) { (a, b) } else { (b, a) };
    let (lhs, rhs) = (panel(ir, &body, a, i, k)?, panel(ir, &body, b, j, k)?);
    let depth = lhs.depth.min(rhs.depth);
    let whole = k.limit.is_none() && k.extent == depth;
    let zeros = |panel: &Panel| whole || ends_in_zeros(ir, panel.memory, k);
    let seen = [(front, i), (front + 1, j)].into_iter().all(|(n, info)| is_clipped(ir, acc, write, n, info));
    let fits = k.extent <= depth && zeros(&lhs) && zeros(&rhs) && seen;
    let nest = body.loops[2].op.id();
    let free = k.order == Order::Free;
    fits.then(|| Contraction { nest, lhs, rhs, acc, zeros: fill_before(ir, nest, acc), free })
}

/// The copy that fills a tile with zeros just before a nest
fn fill_before(ir: &Ir, nest: OpId, acc: Value) -> Option<Copy> {
    let mut before = ir.prev(nest)?;
    while Copy::cast(ir, before).is_none() && ir.effects(before) == Effects::NONE {
        before = ir.prev(before)?;
    }
    let copy = Copy::cast(ir, before).filter(|copy| copy.dst(ir) == acc && copy.from(ir).is_none())?;
    let plain = copy.operator(ir).is_none() && copy.when(ir).is_none() && copy.clip(ir).is_none();
    let (to, tile) = (copy.to(ir), shape(ir, acc)?);
    let whole = (0..tile.len()).all(|n| {
        Sum::of(&to, n).and_then(|sum| sum.single()) == Some(Var::Own(n as u32))
            && copy.sizes(ir).get(n) == Some(&tile[n])
    });
    (plain && whole && is_zero(ir, copy.src(ir))).then_some(copy)
}

/// The panel of a factor, if its rows move with a loop and its groups with that of the reduction
fn panel(ir: &Ir, body: &Body, factor: Factor, own: &LoopInfo, k: &LoopInfo) -> Option<Panel> {
    let (at, memory) = (factor.read.access(ir), factor.read.memref(ir));
    let sizes = shape(ir, memory)?;
    let [front @ .., groups, rows, group] = &sizes[..] else { return None };
    let (front, groups, rows, group) = (front.len(), *groups, *rows, *group);
    let number = at.values.iter().position(|value| *value == k.iv)?;
    let (k, size) = (AffineExpr::Dim(number as u32), AffineExpr::Constant(group));
    let split = [AffineExpr::floor_div(k.clone(), size.clone()), AffineExpr::modulo(k, size)];
    if at.map.results[front] != split[0] || at.map.results[front + 2] != split[1] {
        return None;
    }
    let offset = Sum::of(&at, front + 1)?.without(Var::Value(own.iv))?;
    let mut indices = (0..front).map(|n| Sum::of(&at, n)).collect::<Option<Vec<Sum>>>()?;
    indices.push(offset.clone());
    let outside = |sum: &Sum| {
        sum.values().is_some_and(|all| all.iter().all(|value| body.by_variable(*value).is_none()))
    };
    if !indices.iter().all(outside) {
        return None;
    }
    // Rows beyond a bound are read too.
    let (least, most) = offset.range(ir)?;
    let inside = least >= 0 && most.checked_add(own.extent)? <= rows;
    let depth = groups.checked_mul(group)?;
    inside.then_some(Panel { memory, indices, depth, unsigned: factor.unsigned })
}

/// A source's index without the variables of the copy's box, and the size that it must be below
struct Beyond {
    offset: Sum,
    size: i64,
}

impl Beyond {
    /// Does a loop run to where this ends, counted from the offset?
    fn is_limit(&self, info: &LoopInfo) -> bool {
        let Some(limit) = &info.limit else {
            return self.offset.terms.is_empty() && self.size - self.offset.constant <= info.extent;
        };
        let Bound { map, values } = limit;
        let at = Access { map: map.clone(), values: values.clone() };
        let sum = (map.results.len() == 1).then(|| Sum::of(&at, 0)?.plus(&self.offset, 1)).flatten();
        sum.is_some_and(|sum| sum.terms.is_empty() && sum.constant == self.size)
    }
}

/// Is a panel zero where the loop of the reduction does not come?
fn ends_in_zeros(ir: &Ir, memory: Value, k: &LoopInfo) -> bool {
    let Some((_, copy)) = filled(ir, memory) else { return false };
    let zero = copy.padding(ir).is_some_and(|padding| is_zero(ir, padding));
    let (Some(from), Some(sizes)) = (copy.from(ir), shape(ir, memory)) else { return false };
    let Some(front) = sizes.len().checked_sub(3) else { return false };
    let own = |n: usize| Sum::of(&copy.to(ir), n)?.single().filter(|var| is_whole(ir, copy, *var, sizes[n]));
    let [Some(outer), Some(_), Some(inner)] = [0, 1, 2].map(|n| own(front + n)) else { return false };
    let limits = shape(ir, copy.src(ir)).unwrap_or_default();
    let beyond = limits.iter().enumerate().find_map(|(n, size)| {
        let mut offset = Sum::of(&from, n)?.without(inner)?;
        let groups = offset.terms.iter().position(|term| *term == (outer, sizes[front + 2]))?;
        offset.terms.remove(groups);
        offset.values()?;
        Some(Beyond { offset, size: *size })
    });
    zero && beyond.is_some_and(|beyond| beyond.is_limit(k))
}

/// Does a variable of a copy's box run over all of a dimension?
fn is_whole(ir: &Ir, copy: Copy, var: Var, size: i64) -> bool {
    matches!(var, Var::Own(n) if copy.sizes(ir).get(n as usize) == Some(&size))
}

/// Is what lies beyond a loop's bound left out where the tile is taken from?
fn is_clipped(ir: &Ir, acc: Value, write: Write, dim: usize, info: &LoopInfo) -> bool {
    if ir.defining_op(acc).is_none_or(|op| Alloc::cast(ir, op).is_none()) {
        return false;
    }
    ir.uses(acc).all(|(op, _)| {
        let Some(copy) = Copy::cast(ir, op) else { return op == write.id() };
        let taken = copy.src(ir) == acc;
        !taken || info.limit.is_none() || clips(ir, copy, dim).is_some_and(|beyond| beyond.is_limit(info))
    })
}

/// Where a copy out of a tile drops elements along a dimension
fn clips(ir: &Ir, copy: Copy, dim: usize) -> Option<Beyond> {
    copy.clip(ir)?;
    let own = Sum::of(&copy.from(ir)?, dim)?.single()?;
    let (to, sizes) = (copy.to(ir), shape(ir, copy.dst(ir))?);
    sizes.iter().enumerate().find_map(|(n, size)| {
        let offset = Sum::of(&to, n)?.without(own)?;
        offset.values()?;
        Some(Beyond { offset, size: *size })
    })
}
