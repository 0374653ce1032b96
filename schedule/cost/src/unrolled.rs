//! A nest of loops as estimates see it: which loops run and which are copies of a body, and what a body does.
//!
//! Two ways to write a tile of registers are one here: loops at `unroll` and `vector` around a body, as schedules make them, and
//! sequential loops whose variables find elements of private memory, as arrays of patterns become: compilers unroll those.

use crate::bodies::{Bodies, Body};
use crate::issue;
use terrace_analysis::{Range, range_of};
use terrace_devices::{Device, Level, MatrixUnit};
use terrace_schedule_model::nest::{APART, Access, AccessId, BufferId, Index, LoopId, Nest, Use};
use terrace_schedule_model::nest_arena::Id;
use terrace_schedule_model::nest_combine::Combination;
use terrace_schedule_model::nest_decided::{Decided, Values};
use terrace_support::affine::AffineMap;

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

/// What stands outside of all others: a loop, or a copy at its position in the text
pub(crate) type Root = (Option<LoopId>, u32);

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

/// Instructions on values at one place
#[derive(Clone, Debug)]
pub(crate) struct Compute {
    pub place: LoopsAround,
    /// Their cost relative to a sum, in all copies: divisions and functions more
    pub cost: f64,
    /// Those that may wait for themselves, in one copy
    pub chains: f64,
}

/// Everything below one outermost op, with what is unrolled
pub(crate) struct Unrolled<'a> {
    nest: &'a Nest,
    values: Values,
    pub moves: Vec<Transfer>,
    pub computes: Vec<Compute>,
    /// Loops whose iterations are lanes
    lanes: Vec<bool>,
    /// The unit that can compute its sums of products
    pub matrix: Option<MatrixUnit>,
    /// Bytes of a vector
    vector: f64,
    device: &'a Device,
}

impl<'a> Unrolled<'a> {
    /// A nest for a processor; none while a level is open
    pub fn new(nest: &'a Nest, bodies: &Bodies, device: &'a Device) -> Option<Unrolled<'a>> {
        let values = Values::of(nest)?;
        let decided = Decided::new(nest, &values);
        let (flat, lanes) = (flat(&decided), lanes(&decided));
        let vector = device.vector_bytes.max(4) as f64;
        let mut all = Unrolled {
            nest,
            values,
            moves: Vec::new(),
            computes: Vec::new(),
            lanes,
            matrix: bodies.matrix,
            vector,
            device,
        };
        // Single elements outside of all loops take no time.
        let is_alone = |id: &AccessId| {
            let access = &nest.accesses[*id];
            access.around.inside.is_none() && access.around.launch.is_none() && !access.copy
        };
        let accesses = nest.accesses.ids().filter(|id| !is_alone(id));
        all.moves = accesses.map(|id| all.moved(bodies, id, &flat)).collect();
        let placed = |body: &&Body| body.inside.is_some() || !nest.launches.is_empty();
        let bodies = bodies.bodies.iter().filter(placed).filter(|body| !body.operations.is_empty());
        all.computes = bodies.map(|body| all.compute(body, &flat)).collect();
        Some(all)
    }

    /// The nest as it is
    pub fn nest(&self) -> Decided<'_> {
        Decided::new(self.nest, &self.values)
    }

    /// Iterations of a loop; borders and triangles are not seen
    pub fn trip(&self, id: LoopId) -> f64 {
        self.nest().trip(id).max(1) as f64
    }

    /// Iterations of all of them
    pub fn trips(&self, loops: &[LoopId]) -> f64 {
        loops.iter().map(|id| self.trip(*id)).product()
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

    /// All accesses of the nest
    pub fn accesses(&self) -> impl Iterator<Item = &Access> {
        self.nest.accesses.iter()
    }

    pub fn node(&self, each: &Transfer) -> &Access {
        &self.nest.accesses[each.access]
    }

    /// The buffer of an access and the first element that it touches
    pub fn first_place(&self, each: &Transfer) -> Option<(BufferId, Vec<i64>)> {
        let access = self.node(each);
        Some((access.buffer, access.map.eval(&vec![0; access.map.dims as usize], &[])?))
    }

    /// Does an access move with a loop?
    pub fn follows(&self, each: &Transfer, id: LoopId) -> bool {
        self.node(each).follows(id)
    }

    /// The outermost loop of a place, or what stands at a position outside of loops; a nest with kernels is one
    pub fn root(&self, place: &LoopsAround, position: u32) -> Root {
        match place.run.first().or(place.flat.first()) {
            _ if !self.nest.launches.is_empty() => (None, 0),
            Some(id) => (Some(*id), 0),
            None => (None, position),
        }
    }

    fn place(&self, inside: Option<LoopId>, flat: &[bool]) -> LoopsAround {
        let mut around: Vec<LoopId> = self.nest.around(inside).collect();
        around.reverse();
        let first = around.iter().position(|id| flat[id.index()]).unwrap_or(around.len());
        let inner = around.split_off(first);
        LoopsAround { run: around, flat: inner }
    }

    fn moved(&self, bodies: &Bodies, id: AccessId, flat: &[bool]) -> Transfer {
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
        let vectors = match lanes.iter().map(|id| lane_step(access, **id)).reduce(i64::max) {
            None | Some(1) => (wide * bytes / self.vector).ceil().max(1.0),
            // As many vectors as neighbors are apart, and a shuffle to join each with the ones before.
            Some(apart) if apart <= APART => {
                (wide * bytes / self.vector).ceil().max(1.0) * (2 * apart - 1) as f64
            }
            Some(_) => wide,
        };
        let copies: Vec<LoopId> =
            place.flat.iter().filter(|id| !self.is_lanes(**id)).filter(moves).copied().collect();
        let count = vectors
            * match access.domain.is_empty() {
                true => self.distinct(access, &copies),
                false => self.trips(&copies) * self.instructions(bodies, access, bytes),
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

    /// Of one side of a copy: in the lanes that are stated, else in those that a compiler finds
    fn instructions(&self, bodies: &Bodies, access: &Access, bytes: f64) -> f64 {
        let elements: f64 = access.domain.iter().map(|size| (*size).max(1) as f64).product();
        let stated = bodies.lanes.get(&access.place).map_or(1.0, |lanes| *lanes as f64);
        let last = access.domain.len().saturating_sub(1) as u32;
        let sides = || self.nest.accesses.iter().filter(|side| side.copy && side.place == access.place);
        let both = sides().all(|side| steps_by_one(&side.map, last));
        let along = |dim: usize| sides().all(|side| steps_by_one(&side.map, dim as u32));
        if stated > 1.0 && !(0..access.domain.len()).any(along) {
            // A tile that is turned: each element is taken out of its vector first.
            let of = &self.device.costs.instructions;
            return elements * (1.0 + of.stores / of.operations);
        }
        let row = access.domain.last().copied().unwrap_or(1).max(1) as f64;
        if both || stated > 1.0 {
            let found = if both { (self.vector / bytes).min(row) } else { 1.0 };
            return elements / f64::max(stated, found);
        }
        // One by one: loads, stores and the loop follow each other.
        let of = &self.device.costs.instructions;
        elements * (1.0 + of.stores / of.loads + of.stores * of.iteration)
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

    fn compute(&self, body: &Body, flat: &[bool]) -> Compute {
        let place = self.place(body.inside, flat);
        // Lanes of four bytes, as most are
        let copies = |id: &LoopId| match self.is_lanes(*id) {
            true => (self.trip(*id) * 4.0 / self.vector).ceil(),
            false => self.trip(*id),
        };
        let cost = issue::operations(&self.device.costs.instructions, &body.operations)
            * place.flat.iter().map(copies).product::<f64>();
        Compute { place, cost, chains: body.operations.chains() }
    }

    /// Bytes, in whole lines, that accesses of one buffer touch while these of their loops run, and copies of the body
    pub fn footprint(&self, group: &[&Transfer], inner: &[LoopId]) -> f64 {
        let line = self.device.costs.caches.line;
        let Some(first) = group.first() else { return 0.0 };
        let shape = &self.nest.buffer_of(self.node(first)).shape;
        let all = group.iter().map(|each| self.extents(each, inner)).reduce(|mut all, one| {
            all.iter_mut().zip(one).for_each(|(all, one)| all.join(one));
            all
        });
        let all = all.unwrap_or_default();
        let Some((last, others)) = all.split_last() else { return line };
        let most = |n: usize| shape.get(n).map_or(f64::INFINITY, |size| (*size).max(1) as f64);
        let rows: f64 = others.iter().enumerate().map(|(n, own)| own.count().min(most(n))).product();
        // Elements further apart than a line have one each; whole rows follow each other.
        let (width, row) = (last.count(), most(others.len()));
        let bytes = match width >= row {
            true => (rows * row * first.bytes / line).ceil() * line,
            false => rows * f64::min(width, (last.span().min(row) * first.bytes / line).ceil()) * line,
        };
        let trips = |each: &&Transfer| self.trips(inner) * self.trips(&each.place.flat);
        if bytes.is_finite() { bytes } else { group.iter().map(trips).fold(0.0, f64::max) * line }
    }

    /// Where an access is along each dimension of its buffer
    fn extents(&self, each: &Transfer, inner: &[LoopId]) -> Vec<Extent> {
        let access = self.node(each);
        let own = access.domain.iter().map(|size| Range::below((*size).max(1)).unwrap_or(Range::one(0)));
        let runs = |id: &LoopId| inner.contains(id) || each.place.flat.contains(id);
        let of_index = |index: &Index| match index.as_loop().filter(runs) {
            Some(id) => self.nest().range(id),
            None => Range::one(0),
        };
        let ranges: Vec<Range> = own.chain(access.over.iter().map(of_index)).collect();
        access.map.results.iter().map(|expr| Extent::of(range_of(expr, &ranges))).collect()
    }
}

/// Places along a dimension: from the least to the greatest, and how many of them
#[derive(Clone, Copy, PartialEq, Debug)]
struct Extent {
    least: f64,
    greatest: f64,
    count: f64,
}

impl Extent {
    fn of(range: Option<Range>) -> Extent {
        let Some(range) = range else {
            return Extent { least: 0.0, greatest: f64::INFINITY, count: f64::INFINITY };
        };
        Extent { least: range.min() as f64, greatest: range.max() as f64, count: range.count() as f64 }
    }

    fn span(&self) -> f64 {
        self.greatest - self.least + 1.0
    }

    fn count(&self) -> f64 {
        self.count.min(self.span())
    }

    /// Both; what is at the same places is there once
    fn join(&mut self, other: Extent) {
        if (self.least, self.greatest) != (other.least, other.greatest) {
            self.count += other.count;
        }
        self.least = self.least.min(other.least);
        self.greatest = self.greatest.max(other.greatest);
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

/// How far apart along the last dimension what neighbouring lanes of a loop access is; too far where it is not along it
fn lane_step(access: &Access, id: LoopId) -> i64 {
    access
        .dim_of(id)
        .and_then(|dim| step(&access.map, dim as u32))
        .filter(|step| *step > 0)
        .unwrap_or(i64::MAX)
}

/// Elements of the last dimension between the places of a variable's neighbouring values, if they are in one row. Judged at the first,
/// whatever quotients follow
fn step(map: &AffineMap, dim: u32) -> Option<i64> {
    let mut dims = vec![0; map.dims as usize];
    let first = map.eval(&dims, &[])?;
    *dims.get_mut(dim as usize)? = 1;
    let next = map.eval(&dims, &[])?;
    let steps: Vec<i64> = first.iter().zip(&next).map(|(a, b)| b - a).collect();
    let (last, others) = steps.split_last()?;
    others.iter().all(|step| *step == 0).then_some(*last)
}

fn steps_by_one(map: &AffineMap, dim: u32) -> bool {
    step(map, dim) == Some(1)
}
