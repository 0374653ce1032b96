//! A nest of loops as estimates see it: which loops run and which are copies of a body, and what a body does.
//!
//! Two ways to write a tile of registers are one here: loops at `unroll` and `vector` around a body, as schedules make them, and
//! sequential loops whose variables find elements of private memory, as arrays of patterns become: compilers unroll those.

use crate::bodies::{Bodies, Body};
use crate::flat::{filled, flat, is_free};
use crate::issue;
use crate::merged::{LONG_ROW, runs_on};
use crate::squares;
use crate::steps::{is_linear, step, steps_by_one};
use crate::tasks;
use terrace_analysis::{Range, range_of};
use terrace_devices::{Costs, Device, Level, Products};
use terrace_schedule_model::nest::{Access, AccessId, BufferId, Index, LoopId, Nest, Use};
use terrace_schedule_model::nest_arena::Id;
use terrace_schedule_model::nest_combine::Combination;
use terrace_schedule_model::nest_decided::{Decided, Values};
use terrace_support::affine::{AffineExpr, Linear};

/// Elements of a tile that are counted one by one, at most
const COUNTED: i64 = 1024;

/// Places of the loops around at which rows of panels are looked at
const PLACES: i64 = 8;

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
    /// What it merges goes on in the next iteration of the innermost loop that runs
    pub carried: bool,
    /// Dimensions of the buffer along which elements before the first one are replaced
    pub guards: Vec<usize>,
    /// Copies of the body, of those that differ along these, whose elements may be replaced: they are tested or masked, others are not
    pub edges: f64,
    /// Are most of these copies such?
    pub tested: bool,
    /// One side of a copy
    pub copy: bool,
    /// Instructions of a copy in one iteration of the loops that run
    pub copied: f64,
}

/// Instructions on values at one place
#[derive(Clone, Debug)]
pub(crate) struct Compute {
    pub place: LoopsAround,
    /// Those that begin like a sum, in one copy
    pub cost: f64,
    /// Divisions and roots
    pub divisions: f64,
    /// Calls of functions
    pub calls: f64,
    /// Values that a loop merges, in one copy
    pub yields: f64,
    /// Does a function merge values?
    pub by_function: bool,
}

/// Everything below one outermost op, with what is unrolled
pub(crate) struct Unrolled<'a> {
    nest: &'a Nest,
    values: Values,
    pub moves: Vec<Transfer>,
    pub computes: Vec<Compute>,
    /// The unit that can compute its sums of products
    pub matrix: Option<Products>,
    /// Loops that are copies of a body or lanes
    flat: Vec<bool>,
    /// Iterations of each loop, on average where a bound cuts the last tile
    filled: Vec<f64>,
    /// Bytes of a vector
    vector: f64,
    device: &'a Device,
}

impl<'a> Unrolled<'a> {
    /// A nest for a processor; none while a level is open
    pub fn new(nest: &'a Nest, bodies: &Bodies, device: &'a Device) -> Option<Unrolled<'a>> {
        let mut values = Values::of(nest)?;
        let tasks = tasks::collapsed(&Decided::new(nest, &values), bodies);
        // Tasks that tasks start run one after the other.
        let nested =
            |id: &LoopId| Decided::new(nest, &values).level(*id) == Level::Task && !tasks[id.index()];
        let nested: Vec<LoopId> = nest.loops.ids().filter(nested).collect();
        nested.into_iter().for_each(|id| values.set_level(id, Level::Seq));
        let decided = Decided::new(nest, &values);
        let flat = flat(&decided, device.costs.code.unrolled, device.vector_bytes);
        let vector = device.vector_bytes.max(4) as f64;
        let filled = filled(&decided);
        let mut all = Unrolled {
            nest,
            values,
            moves: Vec::new(),
            computes: Vec::new(),
            matrix: bodies.matrix,
            flat: Vec::new(),
            filled,
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
        all.flat = flat;
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

    /// Iterations of all of them, on average where a bound cuts the last tile
    pub fn trips(&self, loops: &[LoopId]) -> f64 {
        loops.iter().map(|id| self.filled[id.index()]).product()
    }

    /// Iterations of all of them, with those that a bound may cut
    pub fn counts(&self, loops: &[LoopId]) -> f64 {
        loops.iter().map(|id| self.trip(*id)).product()
    }

    /// Iterations of the next loop around of the same dimension
    pub fn tiles(&self, id: LoopId) -> f64 {
        let nest = self.nest();
        let dim = nest.loops[id].dim;
        let outer = nest.outside(id).find(|outer| dim.is_some() && nest.loops[*outer].dim == dim);
        outer.map_or(1.0, |outer| self.trip(outer))
    }

    /// Bytes of a vector
    pub fn vector(&self) -> f64 {
        self.vector
    }

    /// What things cost
    pub fn costs(&self) -> &Costs {
        &self.device.costs
    }

    /// Is it one loop with the loop around? Its variable is a remainder of that loop's then
    pub fn is_collapsed(&self, id: LoopId) -> bool {
        let is_task = |id: LoopId| self.level(id) == Level::Task;
        is_task(id) && self.nest.parent(id).is_some_and(is_task)
    }

    /// The innermost of these loops, with those around that are one loop with it
    pub fn one_loop<'l>(&self, run: &'l [LoopId]) -> &'l [LoopId] {
        let outer = run.iter().rev().take_while(|id| self.is_collapsed(**id)).count();
        &run[run.len().saturating_sub(outer + 1)..]
    }

    /// Does an access go on with each of these loops where the next one ends, so that quotients and remainders cancel out?
    pub fn goes_on(&self, each: &Transfer, loops: &[LoopId]) -> bool {
        // Remainders of powers of two become masks, which do not cancel in sums of three.
        let is_mask = |id: &LoopId| self.nest().trip(*id).max(1).count_ones() == 1;
        if loops.len() > 2 && loops[1..].iter().any(is_mask) {
            return false;
        }
        let strides: Option<Vec<i64>> = loops.iter().map(|id| self.offset(each, *id)).collect();
        strides.is_some_and(|strides| {
            let trips = loops[1..].iter().map(|id| self.nest().trip(*id).max(1));
            strides.windows(2).zip(trips).all(|(pair, trip)| Some(pair[0]) == pair[1].checked_mul(trip))
        })
    }

    /// Elements in memory between two iterations of a loop
    pub fn offset(&self, each: &Transfer, id: LoopId) -> Option<i64> {
        let access = self.node(each);
        let Some(dim) = access.dim_of(id) else { return Some(0) };
        let nest = self.nest();
        let shape = &nest.buffer_of(access).shape;
        let place = |dims: &[i64]| {
            let mut along = access.map.results.iter().zip(shape);
            along.try_fold(0i64, |all, (at, size)| all.checked_mul(*size)?.checked_add(at.eval(dims, &[])?))
        };
        let mut dims = vec![0; access.map.dims as usize];
        let first = place(&dims)?;
        *dims.get_mut(dim)? = nest.run(id).tile;
        place(&dims)?.checked_sub(first)
    }

    /// Elements that are written one after another before another row is, where tiles of several rows are written, or tiles that do not
    /// follow one another in memory. Pieces of a row that are written one after another are one
    pub fn short_rows(&self, pieces: &[&Transfer]) -> Option<i64> {
        let tiles: Vec<(i64, bool)> = pieces.iter().map(|each| self.written(each)).collect::<Option<_>>()?;
        let row: i64 = tiles.iter().map(|(row, _)| *row).sum();
        let short = pieces.iter().zip(&tiles).all(|(each, (_, several))| {
            let inner = each.place.run.iter().rev().find(|id| self.follows(each, **id));
            let follows = inner.is_none_or(|id| self.offset(each, *id) == Some(row));
            *several || !follows
        });
        short.then_some(row)
    }

    /// Elements of a row that one iteration of the loops that run writes, and whether it writes several rows; of a copy, or by stores of a
    /// body's copies
    fn written(&self, each: &Transfer) -> Option<(i64, bool)> {
        let access = self.node(each);
        if !each.stores || each.merges {
            return None;
        }
        if each.copy {
            let (row, others) = access.domain.split_last()?;
            return Some((*row, others.iter().any(|size| *size > 1)));
        }
        let copies = each.place.flat.iter().filter(|id| self.trip(**id) > 1.0 && access.follows(**id));
        let mut copies: Vec<(i64, i64)> =
            copies.map(|id| Some((self.offset(each, *id)?, self.trip(*id) as i64))).collect::<Option<_>>()?;
        copies.sort_unstable();
        let row = copies.iter().fold(1, |row, (offset, trip)| if *offset == row { row * trip } else { row });
        Some((row, copies.iter().map(|(_, trip)| trip).product::<i64>() > row))
    }

    /// Is it a copy of which no side is in registers?
    pub fn is_between_memories(&self, each: &Transfer) -> bool {
        let (nest, place) = (self.nest(), self.node(each).place);
        let mut sides = self.accesses().filter(|side| side.copy && side.place == place);
        each.copy && sides.all(|side| !nest.buffer_of(side).is_private())
    }

    /// Does a copy write one row, and does the next one go on where it ends?
    pub fn writes_in_order(&self, each: &Transfer) -> bool {
        let row = self.copied_row(each);
        let all: f64 = self.node(each).domain.iter().map(|size| (*size).max(1) as f64).product();
        let inner = each.place.run.iter().rev().find(|id| self.follows(each, **id));
        let next = inner.is_some_and(|id| self.offset(each, *id).is_some_and(|by| by as f64 == row));
        each.copy && row == all && next
    }

    /// Elements of a copy that follow each other in its buffer
    pub fn copied_row(&self, each: &Transfer) -> f64 {
        let access = self.node(each);
        let decided = self.nest();
        let shape = &decided.buffer_of(access).shape;
        let mut row = 1.0;
        for (dim, size) in access.domain.iter().enumerate().rev() {
            let axis = access.map.results.iter().rposition(|expr| expr.uses_dim(dim as u32));
            // Behind it all dimensions are whole.
            let next = access.domain.len() - dim;
            let Some(axis) = axis.filter(|axis| shape.len() - axis == next) else { break };
            row *= (*size).max(1) as f64;
            if *size < shape[axis] {
                break;
            }
        }
        row
    }

    /// Does no other loop run inside?
    pub fn is_innermost(&self, id: LoopId) -> bool {
        self.nest.inside(id).all(|id| self.flat[id.index()])
    }

    /// May compilers change the order of a loop's iterations? Lanes that are stated stay as they are
    pub fn is_free(&self, id: LoopId) -> bool {
        let combine = &self.nest.loops[id].combine;
        self.level(id) != Level::Vector && is_free(combine.kind, combine.order)
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
        let last = place.run.last();
        let carried =
            last.is_some_and(|id| !access.follows(*id) && (!buffer.is_private() || within.contains(id)));
        // One element is read and written like any other.
        let copy = access.copy && access.domain.iter().any(|size| *size > 1);
        let copied = match copy {
            true => {
                let copies: Vec<LoopId> = place.flat.iter().filter(moves).copied().collect();
                self.trips(&copies) * self.instructions(bodies, access, bytes)
            }
            false => 0.0,
        };
        let all: Vec<LoopId> = place.run.iter().chain(&place.flat).copied().collect();
        let ranges = self.ranges(access, &all);
        let before = |expr: &AffineExpr| range_of(expr, &ranges).is_some_and(|range| range.min() < 0);
        let guards = (0..access.map.results.len()).filter(|n| before(&access.map.results[*n]));
        let guards: Vec<usize> = guards.collect();
        let (edges, copies) =
            if guards.is_empty() { (0.0, 1.0) } else { self.edges(access, &guards, &place.flat, ranges) };
        Transfer {
            guards,
            edges,
            tested: 2.0 * edges > copies,
            access: id,
            bytes,
            stores: !access.reads(),
            merges: matches!(access.does, Use::Merge(_)),
            register,
            carried,
            copy,
            copied,
            place,
        }
    }

    /// Copies of a body whose elements along these dimensions may be replaced, of those that differ along them, and how many these are; lanes
    /// that are stated are one. None where all copies are replaced alike
    fn edges(
        &self,
        access: &Access,
        guards: &[usize],
        flat: &[LoopId],
        mut ranges: Vec<Range>,
    ) -> (f64, f64) {
        let uses = |n: usize, id: &LoopId| {
            access.dim_of(*id).is_some_and(|dim| access.map.results[n].uses_dim(dim as u32))
        };
        let several = |id: &&LoopId| self.nest().trip(**id) > 1;
        let guards: Vec<usize> =
            guards.iter().copied().filter(|n| flat.iter().filter(several).any(|id| uses(*n, id))).collect();
        let is_vector = |id: &LoopId| self.level(*id) == Level::Vector;
        let copies = flat.iter().copied().filter(|id| several(&id) && !is_vector(id));
        let copies: Vec<LoopId> = copies.filter(|id| guards.iter().any(|n| uses(*n, id))).collect();
        let count = copies.iter().try_fold(1i64, |all, id| all.checked_mul(self.nest().trip(*id).max(1)));
        let Some(count) = count.filter(|count| *count <= COUNTED) else {
            return (self.counts(&copies), self.counts(&copies));
        };
        let decided = self.nest();
        let shape = &decided.buffer_of(access).shape;
        let mut found = 0;
        for number in 0..count {
            let mut number = number;
            for id in &copies {
                let run = decided.run(*id);
                let at = number % run.trip.max(1) * run.tile;
                number /= run.trip.max(1);
                if let Some(dim) = access.dim_of(*id) {
                    ranges[dim] = Range::one(at);
                }
            }
            let replaced = |n: &usize| {
                let range = range_of(&access.map.results[*n], &ranges);
                range.is_none_or(|range| {
                    range.min() < 0 || shape.get(*n).is_some_and(|size| range.max() >= *size)
                })
            };
            found += i64::from(guards.iter().any(replaced));
        }
        (found as f64, count as f64)
    }

    /// Does it depend on a loop whether elements are replaced?
    pub fn is_guarded_along(&self, each: &Transfer, id: LoopId) -> bool {
        let access = self.node(each);
        let uses = |dim: usize| each.guards.iter().any(|n| access.map.results[*n].uses_dim(dim as u32));
        access.dim_of(id).is_some_and(uses)
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
        let of = &self.device.costs.instructions;
        let Some((from, to)) = self.turned(access) else { return elements * squares::single(of) };
        let nest = self.nest();
        let short = |row: i64| {
            let row = row as f64 * bytes;
            row < LONG_ROW * self.vector && row % self.vector != 0.0
        };
        let runs = [[from, to], [to, from]].map(|pair| runs_on(&nest, access, pair, short));
        let inner =
            access.domain.iter().enumerate().filter(|(dim, _)| !runs.iter().any(|run| run.contains(dim)));
        let times: f64 = inner.map(|(_, size)| (*size).max(1) as f64).product();
        let sizes =
            runs.map(|run| run.iter().fold(1i64, |all, dim| all.saturating_mul(access.domain[*dim].max(1))));
        times * squares::side(of, access.reads(), sizes, self.vector, bytes)
    }

    /// Dimensions of a copy along which source and destination have neighbors, where these are two
    fn turned(&self, access: &Access) -> Option<(usize, usize)> {
        let along = |stores: bool| {
            let side = |side: &&Access| side.copy && side.place == access.place && side.reads() != stores;
            let map = &self.nest.accesses.iter().find(side)?.map;
            (0..access.domain.len()).find(|dim| steps_by_one(map, *dim as u32))
        };
        along(false).zip(along(true)).filter(|(from, to)| from != to)
    }

    /// Different elements of an access over copies of the body
    pub fn distinct(&self, each: &Transfer, copies: &[LoopId]) -> f64 {
        let access = self.node(each);
        let trips = |copies: &[LoopId]| {
            copies.iter().try_fold(1i64, |all, id| all.checked_mul(self.nest().trip(*id).max(1)))
        };
        if trips(copies).is_none_or(|count| count > COUNTED) {
            return self.counts(copies);
        }
        // Copies that the access does not move with find the same elements.
        let copies: Vec<LoopId> = copies.iter().copied().filter(|id| access.dim_of(*id).is_some()).collect();
        let count = trips(&copies).unwrap_or(1);
        if count == 1 || self.is_injective(access, &copies) {
            return count as f64;
        }
        let mut dims = vec![0; access.domain.len() + access.over.len()];
        let mut seen: Vec<Vec<i64>> = Vec::new();
        for number in 0..count {
            let mut number = number;
            for id in &copies {
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

    /// Has each of these loops an index to itself, so that no two iterations of all find the same element?
    fn is_injective(&self, access: &Access, loops: &[LoopId]) -> bool {
        let Some(indices) = access.map.as_linear() else { return false };
        let dims: Vec<usize> = loops.iter().filter_map(|id| access.dim_of(*id)).collect();
        let alone = |index: &Linear, dim: usize| dims.iter().all(|of| (index.dim(*of) != 0) == (*of == dim));
        dims.iter().all(|dim| indices.iter().any(|index| alone(index, *dim)))
    }

    /// Elements between two iterations of a loop, where they are in one row
    pub fn stride(&self, each: &Transfer, id: LoopId) -> Option<f64> {
        let access = self.node(each);
        let dim = access.dim_of(id)?;
        step(&access.map, dim as u32, self.nest().run(id).tile).map(|step| step as f64)
    }

    /// Do these loops stay in one row of the buffer, wherever the others stand? A layout in panels ends rows within a dimension
    pub fn stays_in_row(&self, each: &Transfer, loops: &[LoopId]) -> bool {
        let access = self.node(each);
        if access.map.results.iter().all(is_linear) {
            return true;
        }
        let mut dims = vec![0; access.map.dims as usize];
        let dim = |id: LoopId| access.dim_of(id);
        let last = |id: LoopId| (self.nest().trip(id).max(1) - 1) * self.nest().run(id).tile;
        let others =
            || access.over.iter().filter_map(|index| index.as_loop()).filter(|id| !loops.contains(id));
        for count in 0..PLACES {
            for id in others() {
                if let Some(dim) = dim(id) {
                    dims[dim] = last(id).min(count * self.nest().run(id).tile);
                }
            }
            let first = access.map.eval(&dims, &[]);
            loops.iter().for_each(|id| {
                if let Some(dim) = dim(*id) {
                    dims[dim] = last(*id)
                }
            });
            let end = access.map.eval(&dims, &[]);
            loops.iter().for_each(|id| {
                if let Some(dim) = dim(*id) {
                    dims[dim] = 0
                }
            });
            let (Some(first), Some(end)) = (first, end) else { return false };
            let split = |at: &[i64]| at.split_last().map(|(last, rows)| (*last, rows.to_vec()));
            let (Some((a, rows)), Some((b, others))) = (split(&first), split(&end)) else { return false };
            if rows != others || b < a {
                return false;
            }
        }
        true
    }

    /// Values of a map's dimensions while these loops run
    fn ranges(&self, access: &Access, inner: &[LoopId]) -> Vec<Range> {
        let own = access.domain.iter().map(|size| Range::below((*size).max(1)).unwrap_or(Range::one(0)));
        let of_index = |index: &Index| match index.as_loop().filter(|id| inner.contains(id)) {
            Some(id) => self.nest().range(id),
            None => Range::one(0),
        };
        own.chain(access.over.iter().map(of_index)).collect()
    }

    fn compute(&self, body: &Body, flat: &[bool]) -> Compute {
        let place = self.place(body.inside, flat);
        let calls = f64::from(body.operations.calls);
        let ordered = f64::from(body.operations.ordered) * self.costs().code.ordered;
        let cost = issue::simple(&body.operations) + ordered;
        let divisions = f64::from(body.operations.divisions);
        let by_function = body.operations.functions > 0;
        Compute { place, cost, divisions, calls, yields: f64::from(body.operations.yields), by_function }
    }
}
