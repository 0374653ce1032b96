//! Which blocks of a launch hand what they write to which block of the next one.
//!
//! ```mlir
//! gpu.launch blocks(%b0, %b1, …) in (16, 8, 1) { … memref.store %x, %part[%b0, %b1 * 128 + %t] }
//! gpu.launch blocks(%c0, …) in (8, 1, 1) { … memref.load %part[%k, %c0 * 128 + %t] }
//! ```
//!
//! A block `c0` of the second launch reads what the 16 blocks with `b1 = c0` have written: in one dimension of the buffer both are
//! within the same 128 coordinates. This is proved for each buffer; where it is not, the launches have no groups.

use crate::origin::{is_buffer, origin};
use terrace_analysis::{Range, coefficient_of, range_of, simplify_with_ranges};
use terrace_dialect_arith as arith;
use terrace_dialect_func::{Call, CallIndirect};
use terrace_dialect_gpu::Launch;
use terrace_dialect_memref as memref;
use terrace_dialect_scf as scf;
use terrace_dialect_vector as vector;
use terrace_ir::fold::constant_of;
use terrace_ir::{Ir, OpId, OpKind, Value, ValueDef};
use terrace_support::HashMap;
use terrace_support::affine::AffineExpr;

/// Axes of a grid
pub(super) type Grid = [i64; 3];

/// For each axis of the second launch's grid with several blocks, the axis of the first launch's that has the same blocks; `None` where that is not known
pub(super) fn groups(ir: &Ir, launches: [Launch; 2], grids: [Grid; 2]) -> Option<[Option<usize>; 3]> {
    let mut axes = [None; 3];
    let wanted: Vec<usize> = (0..3).filter(|axis| grids[1][*axis] > 1).collect();
    if wanted.is_empty() {
        return Some(axes);
    }
    let [first, second] = launches.map(|launch| Accesses::of(ir, launch));
    let (first, second) = (first?, second?);
    let shared = shared(ir, &first, &second)?;
    for axis in wanted {
        let same = |other: &usize| {
            let together = |(writes, reads): &(Vec<&Access>, Vec<&Access>)| {
                (0..writes[0].places.len()).any(|dim| {
                    let Some(step) = first.step(writes[0], dim, *other) else { return false };
                    writes.iter().all(|write| first.belongs(write, dim, *other, step))
                        && reads.iter().all(|read| second.belongs(read, dim, axis, step))
                })
            };
            grids[0][*other] == grids[1][axis] && !axes.contains(&Some(*other)) && shared.iter().all(together)
        };
        axes[axis] = Some((0..3).find(same)?);
    }
    Some(axes)
}

/// For each buffer, its writes in the first launch and its reads in the second; `None` where they meet in another way
fn shared<'a>(
    ir: &Ir,
    first: &'a Accesses,
    second: &'a Accesses,
) -> Option<Vec<(Vec<&'a Access>, Vec<&'a Access>)>> {
    let apart = |one: &Access, other: &Access| origin(ir, one.buffer).apart(origin(ir, other.buffer));
    let mut all: HashMap<Value, (Vec<&Access>, Vec<&Access>)> = HashMap::default();
    for one in &second.all {
        for other in first.all.iter().filter(|other| (one.writes || other.writes) && !apart(one, other)) {
            if one.writes || one.buffer != other.buffer {
                return None;
            }
            let (writes, reads) = all.entry(one.buffer).or_default();
            writes.push(other);
            reads.push(one);
        }
    }
    Some(all.into_values().collect())
}

/// A load or store of a buffer that is not the launch's own
struct Access {
    buffer: Value,
    writes: bool,
    /// Coordinates, over `d0, d1, d2` for the block and more variables
    places: Vec<AffineExpr>,
    /// Elements behind the last coordinate that are accessed too
    more: i64,
}

/// All accesses of a launch
struct Accesses {
    all: Vec<Access>,
    /// Ranges of variables
    ranges: Vec<Range>,
}

impl Accesses {
    /// `None` where an op uses memory in another way
    fn of(ir: &Ir, launch: Launch) -> Option<Accesses> {
        let body = ir.entry(launch.body(ir))?;
        let own = &ir.block_args(body)[..12];
        let sizes = [launch.grid(ir), launch.block(ir)].concat();
        let mut variables = Variables { ir, known: HashMap::default(), ranges: Vec::new() };
        for (id, size) in own.iter().zip(sizes) {
            let size = constant_of(ir, size)?.as_i64(ir.cx())?;
            let id_of = variables.variable(Range::below(size)?);
            variables.known.insert(*id, id_of);
        }
        let mut all = Vec::new();
        for op in ir.walk_below(launch.id()) {
            let Some((buffer, writes, places, more)) = access(ir, op) else {
                let uses = ir.operands(op).any(|value| is_buffer(ir, ir.ty(value)));
                // Attributions of the block and the thread have no place outside.
                let outside = ir.operands(op).any(|value| !ir.block_args(body).contains(&value));
                let calls =
                    ir.is_any(op, &[Call::DEF, CallIndirect::DEF]) || ir.kind(op) == OpKind::UNREGISTERED;
                if calls || op != launch.id() && uses && outside {
                    return None;
                }
                continue;
            };
            if ir.block_args(body).contains(&buffer) {
                continue;
            }
            let places: Option<Vec<AffineExpr>> =
                places.into_iter().map(|place| variables.expr(place)).collect();
            all.push(Access { buffer, writes, places: places?, more });
        }
        Some(Accesses { all, ranges: variables.ranges })
    }

    /// Coordinates of a block of an axis, in a dimension of an access
    fn step(&self, access: &Access, dim: usize, axis: usize) -> Option<i64> {
        coefficient_of(&access.places[dim], axis as u32).filter(|step| *step > 0)
    }

    /// Is what is accessed in a dimension always within the coordinates of the block?
    fn belongs(&self, access: &Access, dim: usize, axis: usize, step: i64) -> bool {
        let last = dim + 1 == access.places.len();
        let place = &access.places[dim];
        let ends = [place.clone(), place.clone() + (if last { access.more } else { 0 }).into()];
        let block = AffineExpr::Dim(axis as u32);
        ends.into_iter()
            .all(|end| simplify_with_ranges(&AffineExpr::floor_div(end, step.into()), &self.ranges) == block)
    }
}

/// The buffer that an op loads from or stores to, and where
fn access(ir: &Ir, op: OpId) -> Option<(Value, bool, Vec<Value>, i64)> {
    // Vectors of more dimensions are in several rows.
    let lanes = |value: Value| match ir.ty(value).shape(ir.cx()) {
        Some([lanes]) => Some(lanes - 1),
        _ => None,
    };
    if let Some(load) = memref::Load::cast(ir, op) {
        return Some((load.memref(ir), false, load.indices(ir).to_vec(), 0));
    }
    if let Some(store) = memref::Store::cast(ir, op) {
        return Some((store.memref(ir), true, store.indices(ir).to_vec(), 0));
    }
    if let Some(load) = vector::Load::cast(ir, op) {
        return Some((load.base(ir), false, load.indices(ir).to_vec(), lanes(load.result(ir))?));
    }
    let store = vector::Store::cast(ir, op)?;
    Some((store.base(ir), true, store.indices(ir).to_vec(), lanes(store.value_to_store(ir))?))
}

/// Values as expressions
struct Variables<'a> {
    ir: &'a Ir,
    known: HashMap<Value, AffineExpr>,
    ranges: Vec<Range>,
}

impl Variables<'_> {
    fn variable(&mut self, range: Range) -> AffineExpr {
        self.ranges.push(range);
        AffineExpr::Dim(self.ranges.len() as u32 - 1)
    }

    fn expr(&mut self, value: Value) -> Option<AffineExpr> {
        if let Some(expr) = self.known.get(&value) {
            return Some(expr.clone());
        }
        let expr = match self.ir.value_def(value)? {
            ValueDef::Result(op, _) => self.result(op)?,
            _ => self.induction(value)?,
        };
        self.known.insert(value, expr.clone());
        Some(expr)
    }

    fn result(&mut self, op: OpId) -> Option<AffineExpr> {
        let ir = self.ir;
        if let Some(number) = constant_of(ir, ir.result(op, 0)).and_then(|attr| attr.as_i64(ir.cx())) {
            return Some(number.into());
        }
        if ir.num_operands(op) != 2 {
            return None;
        }
        let (one, other) = (self.expr(ir.operand(op, 0))?, self.expr(ir.operand(op, 1))?);
        let number = || other.as_constant().filter(|number| *number > 0);
        let is_natural = || range_of(&one, &self.ranges).is_some_and(|range| range.min() >= 0);
        if ir.is(op, arith::AddI::DEF) {
            Some(one + other)
        } else if ir.is(op, arith::SubI::DEF) {
            Some(one + AffineExpr::mul(other, (-1).into()))
        } else if ir.is(op, arith::MulI::DEF) {
            one.as_constant().or(other.as_constant())?;
            Some(AffineExpr::mul(one, other))
        } else if ir.is_any(op, &[arith::DivUI::DEF, arith::DivSI::DEF, arith::FloorDivSI::DEF]) {
            is_natural().then_some(AffineExpr::floor_div(one, number()?.into()))
        } else if ir.is_any(op, &[arith::RemUI::DEF, arith::RemSI::DEF]) {
            is_natural().then_some(AffineExpr::modulo(one, number()?.into()))
        } else if ir.is_any(op, &[arith::MinSI::DEF, arith::MinUI::DEF]) {
            let ranges = [&one, &other].map(|expr| range_of(expr, &self.ranges));
            let [one, other] = [ranges[0]?, ranges[1]?];
            if ir.is(op, arith::MinUI::DEF) && one.min().min(other.min()) < 0 {
                return None;
            }
            Some(self.variable(Range::new(one.min().min(other.min()), one.max().min(other.max()))?))
        } else {
            None
        }
    }

    /// A loop's variable: its first value and a number of steps
    fn induction(&mut self, value: Value) -> Option<AffineExpr> {
        let ir = self.ir;
        let ValueDef::Arg(block, 0) = ir.value_def(value)? else { return None };
        let loop_ = scf::For::cast(ir, ir.block_parent(block)?)?;
        let (low, high) = (self.expr(loop_.lower_bound(ir))?, self.expr(loop_.upper_bound(ir))?);
        let length = high + AffineExpr::mul(low.clone(), (-1).into());
        let last = range_of(&length, &self.ranges)?.max() - 1;
        // Where the loop does not run, no access does.
        Some(low + self.variable(Range::new(0, last.max(0))?))
    }
}
