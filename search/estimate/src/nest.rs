//! A nest of loops as estimates see it: which loops run and which are copies of a body, and what a body does.
//!
//! Two ways to write a tile of registers are one here: loops at `unroll` and `vector` around a body, as schedules make them, and
//! sequential loops whose variables find elements of private memory, as arrays of patterns become: compilers unroll those.

use terrace_analysis::{Range, range_of};
use terrace_devices::Device;
use terrace_dialect_arith::MulF;
use terrace_dialect_sched::{By, Copy, For, Level, Ops, Write, Yield, read};
use terrace_ir::{Ir, OpId, Traits, Value};
use terrace_schedule_model::nest::{Access, AccessId, Index, LoopId, Nest, Use};
use terrace_schedule_model::nest_arena::Id;
use terrace_schedule_model::nest_combine::Combination;
use terrace_schedule_model::nest_decided::{Decided, Values};
use terrace_support::affine::AffineMap;

/// Bytes of a line
pub(crate) const LINE: f64 = 64.0;

/// Longest loop that is unrolled only because it walks through registers: what `sched-legalize` does
const ROW: i64 = 16;

/// Elements of a tile that are counted one by one, at most
const COUNTED: i64 = 1024;

/// Loops around something: those that run, outermost first, then those that are copies and lanes
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(crate) struct LoopsAround {
    pub run: Vec<LoopId>,
    pub flat: Vec<LoopId>,
}

/// What moves data
#[derive(Clone, Debug)]
pub(crate) struct Transfer {
    /// The access
    pub access: AccessId,
    pub place: LoopsAround,
    /// Bytes of an element
    pub bytes: f64,
    pub stores: bool,
    /// Merges what it writes
    pub merges: bool,
    /// Registers: no memory at all
    pub register: bool,
    /// Instructions of one iteration of the loops that run: what does not move with a copy of the body is there once
    pub count: f64,
    /// Moves with the lanes, if there are any
    pub lanes: bool,
    /// One side of a copy
    pub copy: bool,
}

/// An instruction on values
#[derive(Clone, Debug)]
pub(crate) struct Compute {
    pub place: LoopsAround,
    /// Its cost relative to a sum, in all copies: divisions and functions more
    pub cost: f64,
}

/// Everything below one outermost op, with what is unrolled
pub(crate) struct Unrolled {
    nest: Nest,
    values: Values,
    pub moves: Vec<Transfer>,
    pub computes: Vec<Compute>,
    /// Loops whose iterations are lanes
    lanes: Vec<bool>,
    /// Bytes of a vector
    vector: f64,
}

impl Unrolled {
    /// A nest for a processor with vectors of so many bytes; none while a level is open
    pub fn new(ir: &Ir, top: OpId, vector: i64) -> Option<Unrolled> {
        let (nest, ops) = read(ir, top);
        let values = Values::of(&nest)?;
        let decided = Decided::new(&nest, &values);
        let (flat, lanes) = (flat(&decided), lanes(&decided));
        let vector = vector.max(4) as f64;
        let mut all = Unrolled { nest, values, moves: Vec::new(), computes: Vec::new(), lanes, vector };
        for id in all.nest.accesses.ids() {
            let each = all.moved(ir, &ops, id, &flat);
            all.moves.push(each);
        }
        for op in std::iter::once(top).chain(ir.walk_below(top)) {
            all.compute(ir, &ops, op, &flat);
        }
        Some(all)
    }

    /// The nest as it is
    pub fn nest(&self) -> Decided<'_> {
        Decided::new(&self.nest, &self.values)
    }

    /// Iterations of a loop; borders and triangles are not seen
    pub fn trip(&self, id: LoopId) -> f64 {
        self.nest().trip(id).max(1) as f64
    }

    /// Iterations of all of them
    pub fn trips(&self, loops: &[LoopId]) -> f64 {
        loops.iter().map(|id| self.trip(*id)).product()
    }

    /// The part of what loops do that the thread with most to do has: tasks are dealt out in rounds
    pub fn share(&self, run: &[LoopId], device: &Device) -> f64 {
        let tasks: f64 =
            run.iter().filter(|id| self.level(**id) == Level::Task).map(|id| self.trip(*id)).product();
        (tasks / device.units.max(1) as f64).ceil() / tasks
    }

    /// Are its iterations lanes of vectors?
    pub fn is_lanes(&self, id: LoopId) -> bool {
        self.lanes[id.index()]
    }

    pub fn level(&self, id: LoopId) -> Level {
        self.nest().level(id)
    }

    /// Are iterations merged?
    pub fn reduces(&self, id: LoopId) -> bool {
        self.nest.loops[id].combine.kind != Combination::Cc
    }

    pub fn node(&self, each: &Transfer) -> &Access {
        &self.nest.accesses[each.access]
    }

    /// Does an access move with a loop?
    pub fn follows(&self, each: &Transfer, id: LoopId) -> bool {
        self.node(each).follows(id)
    }

    fn place(&self, inside: Option<LoopId>, flat: &[bool]) -> LoopsAround {
        let mut around: Vec<LoopId> = self.nest.around(inside).collect();
        around.reverse();
        let first = around.iter().position(|id| flat[id.index()]).unwrap_or(around.len());
        let inner = around.split_off(first);
        LoopsAround { run: around, flat: inner }
    }

    fn moved(&self, ir: &Ir, ops: &Ops, id: AccessId, flat: &[bool]) -> Transfer {
        let access = &self.nest.accesses[id];
        let place = self.place(access.around.inside, flat);
        let buffer = self.nest.buffer_of(access);
        let bytes = buffer.bytes as f64;
        let moves = |id: &&LoopId| access.follows(**id);
        // Elements that a loop finds one after the other are in memory, whatever the buffer is called.
        let within = self.nest().between_uses(access.buffer, access.around.inside);
        let register = buffer.is_private() && !place.run.iter().any(|id| within.contains(id) && moves(&id));
        let lanes: Vec<&LoopId> = place.flat.iter().filter(|id| self.is_lanes(**id)).filter(moves).collect();
        let wide: f64 = lanes.iter().map(|id| self.trip(**id)).product();
        let side_by_side = lanes.iter().all(|id| is_contiguous(access, **id));
        let vectors = if side_by_side { (wide * bytes / self.vector).ceil().max(1.0) } else { wide };
        let copies: Vec<LoopId> =
            place.flat.iter().filter(|id| !self.is_lanes(**id)).filter(moves).copied().collect();
        let count = vectors
            * match access.domain.is_empty() {
                true => self.distinct(access, &copies),
                false => self.trips(&copies) * self.instructions(ir, ops.accesses[id], access, bytes),
            };
        Transfer {
            access: id,
            bytes,
            stores: !access.reads(),
            merges: matches!(access.does, Use::Merge(_)),
            register,
            count,
            lanes: !lanes.is_empty(),
            copy: access.copy,
            place,
        }
    }

    /// Of one side of a copy: in the lanes that are given, else in those that a compiler finds
    fn instructions(&self, ir: &Ir, op: OpId, access: &Access, bytes: f64) -> f64 {
        let elements: f64 = access.domain.iter().map(|size| (*size).max(1) as f64).product();
        let Some(copy) = Copy::cast(ir, op) else { return elements };
        let asked = copy.by_levels(ir).iter().fold(1.0, |most, by| match by {
            By::Vector(n) => f64::max(most, *n as f64),
            _ => most,
        });
        let own = access.domain.len() as u32;
        let along = |at: &terrace_dialect_sched::access::Access| steps_by_one(&at.map, own.saturating_sub(1));
        let both = along(&copy.to(ir)) && copy.from(ir).is_none_or(|from| along(&from));
        let last = access.domain.last().copied().unwrap_or(1).max(1) as f64;
        let found = if both { (self.vector / bytes).min(last) } else { 1.0 };
        elements / f64::max(asked, found)
    }

    /// Different elements of an access over copies of the body
    fn distinct(&self, access: &Access, copies: &[LoopId]) -> f64 {
        let count = copies.iter().try_fold(1i64, |all, id| all.checked_mul(self.nest().trip(*id).max(1)));
        let Some(count) = count.filter(|count| *count <= COUNTED) else { return self.trips(copies) };
        let mut dims = vec![0; access.domain.len() + access.over.len()];
        let mut seen: Vec<Vec<i64>> = Vec::new();
        for number in 0..count {
            let mut number = number;
            for id in copies {
                let run = self.nest().run(*id);
                let at = number % run.trip.max(1) * run.tile;
                number /= run.trip.max(1);
                if let Some(dim) = access.dim_of(*id) {
                    dims[dim] = at;
                }
            }
            seen.extend(access.map.eval(&dims, &[]));
        }
        seen.sort_unstable();
        seen.dedup();
        seen.len().max(1) as f64
    }

    fn compute(&mut self, ir: &Ir, ops: &Ops, op: OpId, flat: &[bool]) {
        let cost = cost(ir, op);
        if cost == 0.0 {
            return;
        }
        let place = self.place(ops.around(ir, op).inside, flat);
        // Lanes of four bytes, as most are
        let copies = |id: &LoopId| match self.is_lanes(*id) {
            true => (self.trip(*id) * 4.0 / self.vector).ceil(),
            false => self.trip(*id),
        };
        let cost = cost * place.flat.iter().map(copies).product::<f64>();
        self.computes.push(Compute { place, cost });
    }

    /// Bytes, in whole lines, that an access touches while these loops run
    pub fn footprint(&self, each: &Transfer, inner: &[LoopId]) -> f64 {
        let access = self.node(each);
        let own = access.domain.iter().map(|size| Range::below((*size).max(1)).unwrap_or(Range::one(0)));
        let of_index = |index: &Index| match index.as_loop().filter(|id| inner.contains(id)) {
            Some(id) => self.nest().range(id),
            None => Range::one(0),
        };
        let ranges: Vec<Range> = own.chain(access.over.iter().map(of_index)).collect();
        let Some((last, others)) = access.map.results.split_last() else { return LINE };
        let shape = &self.nest.buffer_of(access).shape;
        let most = |n: usize| shape.get(n).map_or(f64::INFINITY, |size| (*size).max(1) as f64);
        let rows = others.iter().enumerate().map(|(n, expr)| {
            let count = range_of(expr, &ranges).map_or(f64::INFINITY, |range| range.count() as f64);
            count.min(most(n))
        });
        let rows: f64 = rows.product();
        let width = range_of(last, &ranges).map_or((f64::INFINITY, f64::INFINITY), |range| {
            (range.count() as f64, range.max() as f64 - range.min() as f64 + 1.0)
        });
        // Elements further apart than a line have one each.
        let lines = f64::min(width.0, (width.1.min(most(others.len())) * each.bytes / LINE).ceil());
        let bytes = rows * lines * LINE;
        if bytes.is_finite() { bytes } else { self.trips(inner) * LINE }
    }
}

/// Loops that are copies of a body or lanes: those at such a level, and those that find elements of private memory
fn flat(nest: &Decided<'_>) -> Vec<bool> {
    let mut flat: Vec<bool> =
        nest.loops.ids().map(|id| matches!(nest.level(id), Level::Unroll | Level::Vector)).collect();
    for access in nest.accesses.iter().filter(|access| nest.buffer_of(access).is_private()) {
        let within = nest.between_uses(access.buffer, access.around.inside);
        for id in access.over.iter().filter_map(|index| index.as_loop()) {
            let run = nest.run(id);
            flat[id.index()] |= within.contains(&id) && run.level == Level::Seq && run.trip <= ROW;
        }
    }
    // A loop around one that runs is a loop.
    for id in nest.loops.ids().rev() {
        if let Some(parent) = nest.parent(id) {
            flat[parent.index()] &= flat[id.index()];
        }
    }
    flat
}

/// Loops whose iterations are lanes: those at `vector`, and innermost copies with no such loop inside, which compilers join
fn lanes(nest: &Decided<'_>) -> Vec<bool> {
    let several = |id: LoopId| nest.trip(id) > 1;
    let one = |id: LoopId| match nest.level(id) {
        Level::Vector => several(id),
        Level::Unroll => several(id) && !nest.inside(id).any(several),
        _ => false,
    };
    nest.loops.ids().map(one).collect()
}

/// The cost of an op on values relative to a sum
fn cost(ir: &Ir, op: OpId) -> f64 {
    if let Some(write) = Write::cast(ir, op) {
        return f64::from(u8::from(write.operator(ir).is_some()));
    }
    if ir.is(op, Yield::DEF) {
        let merges = ir.parent(op).and_then(|up| For::cast(ir, up)?.info(ir));
        return if merges.is_some_and(|info| info.kind != Combination::Cc) {
            ir.operands(op).count() as f64
        } else {
            0.0
        };
    }
    let float = ir.results(op).next().is_some_and(|value| ir.ty(value).is_float(ir.cx()));
    if !float || !ir.has(op, Traits::Pure) || ir.has(op, Traits::ConstantLike) {
        return 0.0;
    }
    // A product that is only merged is one instruction with the sum.
    let merged = |value: Value| {
        ir.uses(value).all(|(user, _)| {
            Write::cast(ir, user).is_some_and(|write| write.operator(ir).is_some()) || ir.is(user, Yield::DEF)
        })
    };
    let traits = ir.def(op).traits;
    match () {
        () if ir.is(op, MulF::DEF) && ir.results(op).all(merged) => 0.0,
        () if traits.has(Traits::Divides) => 8.0,
        () if traits.has(Traits::LibraryCall) => 20.0,
        () => 1.0,
    }
}

fn is_contiguous(access: &Access, id: LoopId) -> bool {
    access.dim_of(id).is_some_and(|dim| steps_by_one(&access.map, dim as u32))
}

/// Is the next element of the last dimension the one of the variable's next value? Judged at the first, whatever quotients follow
fn steps_by_one(map: &AffineMap, dim: u32) -> bool {
    let mut dims = vec![0; map.dims as usize];
    let first = map.eval(&dims, &[]);
    let Some(own) = dims.get_mut(dim as usize) else { return false };
    *own = 1;
    let (Some(first), Some(next)) = (first, map.eval(&dims, &[])) else { return false };
    let steps: Vec<i64> = first.iter().zip(&next).map(|(a, b)| b - a).collect();
    steps.split_last().is_some_and(|(last, others)| *last == 1 && others.iter().all(|step| *step == 0))
}
