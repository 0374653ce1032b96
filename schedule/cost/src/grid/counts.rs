//! What one warp does, from a nest before lowering; registers of a thread and shared bytes of a block.
//!
//! Loops at `unroll` and `vector` are copies of their body, and so are short innermost loops, which compilers unroll. Instructions
//! are those of one iteration of the other loops, times their trip counts. An access counts once for copies of the body that it does
//! not move with.

use super::copies;
use super::occupancy::WARP;
use super::requests::{self, Lanes};
use super::widths;
use crate::bodies::Bodies;
use terrace_devices::{Axis, Device, Level, Space};
use terrace_schedule_model::nest::{Access, AccessId, BufferId, Launch, LoopId, Use};
use terrace_schedule_model::nest_arena::Id;
use terrace_schedule_model::nest_combine::Combination;
use terrace_schedule_model::nest_decided::Decided;

/// Longest innermost loop that compilers unroll as a whole
const SHORT: i64 = 32;

/// Copies of a body that they make of a nest of such loops, at most: a product's step of 8×8 results by 8 stays a loop, one of 4×4 by 16 does not
const COPIES: i64 = 256;

/// Iterations of a longer one that they put into one
pub(super) const TOGETHER: f64 = 4.0;

/// Copies of a body that are counted one by one, at most
pub(super) const COUNTED: i64 = 4096;

/// Registers of a thread, at most
const MOST_REGISTERS: i64 = 255;

/// Which memory a request goes to
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// A block's
    Shared,
    /// The device's
    Device,
}

/// Requests of a warp that are alike
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// Number of the access in the nest
    pub access: usize,
    /// Which memory
    pub side: Side,
    /// It stores
    pub stores: bool,
    /// Bytes of a lane
    pub bytes: i64,
    /// Passes through shared memory, of one
    pub wavefronts: i64,
    /// Sectors of device memory, of one
    pub sectors: i64,
    /// Lines of device memory, of one
    pub lines: i64,
    /// Lanes that access
    pub lanes: usize,
    /// How many there are
    pub count: f64,
}

/// What one warp of a block does
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Counts {
    /// Iterations of the sequential loops around copies of the block
    pub steps: f64,
    /// Multiply-adds, and sums that are merged
    pub fma: f64,
    /// Other arithmetic
    pub other: f64,
    /// Loads and stores
    pub requests: Vec<Request>,
    /// Exchanges between lanes
    pub shuffles: f64,
    /// Barriers of the block
    pub barriers: f64,
    /// Instructions that compute addresses
    pub addresses: f64,
    /// Instructions of loops themselves
    pub branches: f64,
    /// Groups of loads whose results must arrive before others are issued
    pub rounds: f64,
    /// Cycles that these, barriers and exchanges wait
    pub exposed: f64,
    /// Independent sums of a thread
    pub chains: f64,
    /// Registers of a thread
    pub registers: i64,
    /// Shared bytes of a block
    pub shared_bytes: i64,
    /// Distinct bytes that the kernel reads and writes
    pub bytes: f64,
}

/// A kernel while it is counted
pub(super) struct Kernel<'a> {
    pub nest: Decided<'a>,
    pub bodies: &'a Bodies,
    launch: &'a Launch,
    pub device: &'a Device,
    /// Loops that are copies of their body
    flat: Vec<bool>,
}

/// Loops of a thread around something: those that run, and those that are copies
pub(super) struct Place {
    pub run: Vec<LoopId>,
    pub flat: Vec<LoopId>,
}

impl Counts {
    /// Of a kernel
    pub fn of(nest: Decided<'_>, bodies: &Bodies, launch: &Launch, device: &Device) -> Counts {
        let kernel = Kernel { nest, bodies, launch, device, flat: flat(&nest) };
        let mut counts = Counts { steps: 1.0, chains: 1.0, ..Counts::default() };
        kernel.arithmetic(&mut counts);
        kernel.loops(&mut counts);
        for id in nest.accesses.ids() {
            kernel.access(id, &mut counts);
        }
        let in_flight = copies::count(&kernel, &mut counts);
        kernel.trees(&mut counts);
        kernel.memory(&mut counts);
        kernel.registers(in_flight, &mut counts);
        counts
    }
}

impl<'a> Kernel<'a> {
    /// Loops of a thread around a place
    pub fn place(&self, inside: Option<LoopId>) -> Place {
        let mut around: Vec<LoopId> =
            self.nest.around(inside).filter(|id| !self.is_shared_out(*id)).collect();
        around.reverse();
        let (flat, run) = around.into_iter().partition(|id| self.flat[id.index()]);
        Place { run, flat }
    }

    /// Is the loop run by blocks or threads?
    fn is_shared_out(&self, id: LoopId) -> bool {
        !matches!(self.nest.level(id), Level::Seq | Level::Unroll | Level::Vector | Level::Mma)
    }

    /// Iterations of all of them
    pub fn trips(&self, loops: &[LoopId]) -> f64 {
        loops.iter().map(|id| self.nest.trip(*id).max(1) as f64).product()
    }

    pub fn threads(&self) -> i64 {
        self.launch.threads().max(1)
    }

    /// Threads that exchange values
    pub fn subgroup(&self) -> i64 {
        if self.launch.subgroup > 1 { self.launch.subgroup } else { WARP }
    }

    /// The memory of an access; none: registers
    pub fn side(&self, access: &Access) -> Option<Side> {
        match self.nest.buffer_of(access).space {
            Space::Private => None,
            Space::Shared => Some(Side::Shared),
            _ => Some(Side::Device),
        }
    }

    /// Value of a loop's variable for a lane of the first warp of the first block; none where the lane has no iteration
    fn of_lane(&self, id: LoopId, lane: i64) -> Option<i64> {
        let run = self.nest.run(id);
        let at = match run.level {
            Level::Thread(axis) | Level::Global(axis) => self.thread(lane, axis),
            Level::Lane(axis) => self.lane(lane, axis),
            _ => 0,
        };
        (at < run.trip.max(1)).then_some(at * run.tile)
    }

    fn thread(&self, number: i64, axis: Axis) -> i64 {
        let [x, y, _] = self.launch.block.map(|size| size.max(1));
        match axis {
            Axis::X => number % x,
            Axis::Y => number / x % y,
            Axis::Z => number / x / y,
        }
    }

    /// Lanes are numbered along x first
    fn lane(&self, number: i64, axis: Axis) -> i64 {
        let most = |axis: Axis| {
            let here = |id: &LoopId| self.nest.level(*id) == Level::Lane(axis);
            self.nest.loops.ids().filter(here).map(|id| self.nest.trip(id)).max().unwrap_or(1).max(1)
        };
        match axis {
            Axis::X => number % most(Axis::X),
            Axis::Y => number / most(Axis::X) % most(Axis::Y),
            Axis::Z => number / most(Axis::X) / most(Axis::Y),
        }
    }

    /// Byte that an access touches, by values of loops and of a copy's own variables
    pub fn address(
        &self,
        access: &Access,
        domain: &[i64],
        at: &dyn Fn(LoopId) -> Option<i64>,
    ) -> Option<i64> {
        let mut dims = domain.to_vec();
        dims.resize(access.domain.len(), 0);
        for index in &access.over {
            dims.push(match index.as_loop() {
                Some(id) => at(id)?,
                None => 0,
            });
        }
        let buffer = self.nest.buffer_of(access);
        let places = access.map.eval(&dims, &[])?;
        let mut address = 0i64;
        for (place, size) in places.iter().zip(&buffer.shape) {
            // A size that is not known is taken to be large.
            let size = if *size < 0 { 1 << 12 } else { *size };
            address = address.checked_mul(size)?.checked_add(*place)?;
        }
        address.checked_mul(buffer.bytes)
    }

    /// Addresses of the lanes of a warp; a lane's own copy variables, and fixed loops that are copies
    pub fn lanes(
        &self,
        access: &Access,
        domain: &dyn Fn(i64) -> Option<Vec<i64>>,
        fixed: &dyn Fn(LoopId) -> Option<i64>,
    ) -> Lanes {
        let mut lanes: Lanes = [None; WARP as usize];
        for (lane, address) in lanes.iter_mut().enumerate().take(self.threads().min(WARP) as usize) {
            let at = |id: LoopId| fixed(id).or_else(|| self.of_lane(id, lane as i64));
            *address = domain(lane as i64).and_then(|own| self.address(access, &own, &at));
        }
        lanes
    }

    /// Requests of an access, so many of them
    pub fn request(&self, id: AccessId, side: Side, bytes: i64, lanes: &Lanes, count: f64) -> Request {
        let access = &self.nest.accesses[id];
        Request {
            access: id.index(),
            side,
            stores: !access.reads(),
            bytes,
            wavefronts: requests::wavefronts(lanes, bytes),
            sectors: requests::sectors(lanes, bytes),
            lines: requests::lines(lanes, bytes),
            lanes: lanes.iter().flatten().count(),
            count,
        }
    }

    /// Instructions on values
    fn arithmetic(&self, counts: &mut Counts) {
        for body in &self.bodies.bodies {
            let place = self.place(body.inside);
            let times = self.trips(&place.run) * self.trips(&place.flat);
            let own = &body.operations;
            // Sums of a loop around another are those of the inner one; threads meet in a tree.
            let meets =
                |id: LoopId| self.is_shared_out(id) || self.nest.inside(id).any(|in_| self.gives(in_));
            let yields = if body.inside.is_some_and(meets) { 0 } else { own.yields };
            counts.fma += times * f64::from(own.merges + yields);
            counts.other += times * f64::from(own.simple + 8 * own.divisions + 20 * own.calls);
        }
    }

    /// Does a loop merge values of its iterations?
    fn gives(&self, id: LoopId) -> bool {
        self.nest.loops[id].combine.results > 0
    }

    /// Instructions of loops that run: a sum, a comparison, a branch
    fn loops(&self, counts: &mut Counts) {
        for id in self.nest.loops.ids() {
            let place = self.place(Some(id));
            if place.run.last() == Some(&id) && self.nest.trip(id) > 1 {
                counts.branches += 3.0 * self.trips(&place.run) / self.together(id);
            }
        }
    }

    /// Iterations that compilers put into one
    pub fn together(&self, id: LoopId) -> f64 {
        let short = self.nest.inside(id).all(|inner| self.flat[inner.index()] || self.is_shared_out(inner));
        let waits = self.nest.meetings.iter().any(|meeting| self.nest.is_in(meeting.around.inside, id));
        if short && !waits { TOGETHER.min(self.nest.trip(id).max(1) as f64) } else { 1.0 }
    }

    /// A read, a write, or a copy of one thread
    fn access(&self, id: AccessId, counts: &mut Counts) {
        let access = &self.nest.accesses[id];
        let Some(side) = self.side(access) else { return };
        if access.copy && (access.per.is_some() || access.together) {
            return;
        }
        let mut place = self.place(access.around.inside);
        // What does not move with an inner loop, and is not written in it, is loaded once.
        while let Some(last) = place.run.last().filter(|last| access.reads() && !self.changes(access, **last))
        {
            let _ = last;
            place.run.pop();
        }
        let times = self.trips(&place.run);
        for (bytes, lanes, number) in widths::requests(self, access, side, &place) {
            let count = number * times;
            counts.requests.push(self.request(id, side, bytes, &lanes, count));
            if matches!(access.does, Use::Merge(_)) {
                let loads = Request { stores: false, ..self.request(id, side, bytes, &lanes, count) };
                counts.requests.push(loads);
            }
            counts.addresses += if side == Side::Device { 2.0 * count } else { 0.0 };
        }
        if side == Side::Device && access.reads() {
            self.wait(&place, counts, access);
        }
    }

    /// Does the element of a read change from one iteration to the next?
    fn changes(&self, access: &Access, id: LoopId) -> bool {
        let written = |other: &Access| {
            !other.reads() && other.buffer == access.buffer && self.nest.is_in(other.around.inside, id)
        };
        access.follows(id) || self.nest.accesses.iter().any(written)
    }

    /// Loads of one place are one round for iterations that compilers put together
    fn wait(&self, place: &Place, counts: &mut Counts, access: &Access) {
        let earlier = |other: &AccessId| {
            let other = &self.nest.accesses[*other];
            std::ptr::eq(other, access)
                || (other.reads() && !other.copy && self.side(other) == Some(Side::Device))
                    && other.around.inside == access.around.inside
        };
        let first = self.nest.accesses.ids().find(|other| earlier(other));
        if first.is_some_and(|first| std::ptr::eq(&self.nest.accesses[first], access)) {
            let together = place.run.last().map_or(1.0, |last| self.together(*last));
            let rounds = self.trips(&place.run) / together;
            counts.rounds += rounds;
            counts.exposed += rounds * self.device.costs.latency.cached;
        }
    }

    /// Values that threads merge: in shared memory, or between the lanes of a warp first
    fn trees(&self, counts: &mut Counts) {
        let shared = self.device.costs.latency.shared;
        for (id, own) in self.nest.loops.entries() {
            let level = self.nest.level(id);
            let trip = self.nest.trip(id);
            let threads = matches!(level, Level::Thread(_) | Level::Lane(_) | Level::Warp(_));
            if !threads || trip < 2 || own.combine.kind == Combination::Cc || own.combine.results == 0 {
                continue;
            }
            let place = self.place(self.nest.parent(id));
            let times = self.trips(&place.run) * self.trips(&place.flat) * own.combine.results as f64;
            let lanes = matches!(level, Level::Lane(_));
            let tree = Tree::of(trip, self.subgroup(), own.combine.mechanism, lanes);
            counts.shuffles += times * tree.shuffles;
            counts.barriers += times * tree.barriers;
            counts.exposed += times * (tree.shuffles + tree.barriers + tree.stores) * shared;
            for (stores, count) in [(true, tree.stores), (false, tree.loads)] {
                if count > 0.0 {
                    counts.requests.push(Request {
                        access: 0,
                        side: Side::Shared,
                        stores,
                        bytes: 4,
                        wavefronts: 1,
                        sectors: 0,
                        lines: 0,
                        lanes: WARP as usize,
                        count: times * count,
                    });
                }
            }
        }
    }

    /// Shared bytes, with all stages; distinct bytes of device memory
    fn memory(&self, counts: &mut Counts) {
        for (id, buffer) in self.nest.buffers.entries() {
            match buffer.space {
                Space::Private => {}
                Space::Shared => {
                    let inside = buffer.made.as_ref().and_then(|made| made.around.inside);
                    let stages = self.nest.around(inside).find_map(|id| self.nest.loops[id].stages);
                    let all = buffer.size().saturating_mul(stages.unwrap_or(1).max(1));
                    counts.shared_bytes = counts.shared_bytes.saturating_add(all);
                }
                _ => counts.bytes += self.footprint(id),
            }
        }
    }

    fn footprint(&self, id: BufferId) -> f64 {
        let uses = |reads: bool| {
            self.nest.accesses.iter().any(|access| access.buffer == id && access.reads() == reads)
        };
        let buffer = &self.nest.buffers[id];
        let known = buffer.shape.iter().all(|size| *size >= 0);
        let size = if known { buffer.size() as f64 } else { 0.0 };
        size * f64::from(u8::from(uses(true)) + u8::from(uses(false)))
    }

    /// Accumulators, operands of one step, elements on their way, addresses; what has no register goes to memory and back
    fn registers(&self, in_flight: i64, counts: &mut Counts) {
        let words = |bytes: i64| (bytes.max(1) as u64).div_ceil(4) as i64;
        let private = self.nest.buffers.iter().filter(|buffer| buffer.space == Space::Private);
        let mut sums: i64 = private.map(|buffer| words(buffer.size().min(1 << 20))).sum();
        for id in self.nest.loops.ids().filter(|id| self.gives(*id)) {
            if !self.nest.inside(id).any(|inner| self.gives(inner)) {
                let copies: f64 = self.trips(&self.stated(self.nest.parent(id)));
                sums += copies as i64 * self.nest.loops[id].combine.results as i64;
            }
        }
        let mut operands: Vec<(Option<LoopId>, i64)> = Vec::new();
        for access in self.nest.accesses.iter().filter(|access| access.reads() && !access.copy) {
            if self.side(access).is_none() {
                continue;
            }
            let inside = access.around.inside;
            let moves: Vec<LoopId> =
                self.stated(inside).into_iter().filter(|id| access.follows(*id)).collect();
            let own = self.trips(&moves) as i64 * words(self.nest.buffer_of(access).bytes);
            match operands.iter_mut().find(|(place, _)| *place == inside) {
                Some((_, all)) => *all += own,
                None => operands.push((inside, own)),
            }
        }
        let operands = operands.iter().map(|(_, all)| *all).max().unwrap_or(0);
        let all = sums + operands + in_flight + self.device.costs.latency.addresses as i64;
        counts.chains = (sums.max(1)) as f64;
        counts.registers = all.min(MOST_REGISTERS);
        let spilled = (all - MOST_REGISTERS).max(0) as f64 * counts.steps;
        if spilled > 0.0 {
            let lanes: Lanes = std::array::from_fn(|lane| Some(4 * lane as i64));
            let first = AccessId::new(0);
            for stores in [true, false] {
                let own = self.request(first, Side::Device, 4, &lanes, spilled);
                counts.requests.push(Request { stores, ..own });
            }
        }
    }

    /// Loops around a place that the schedule unrolls, among threads' own
    fn stated(&self, inside: Option<LoopId>) -> Vec<LoopId> {
        let copies = |id: &LoopId| matches!(self.nest.level(*id), Level::Unroll | Level::Vector);
        self.nest.around(inside).filter(copies).collect()
    }
}

/// Steps of a merge among threads
struct Tree {
    shuffles: f64,
    barriers: f64,
    stores: f64,
    loads: f64,
}

impl Tree {
    fn of(trip: i64, subgroup: i64, mechanism: terrace_devices::Mechanism, lanes: bool) -> Tree {
        let depth = |count: i64| f64::from(64 - (count.max(1) - 1).leading_zeros().min(64));
        let shuffle = match mechanism {
            terrace_devices::Mechanism::Shuffle => true,
            terrace_devices::Mechanism::Auto => lanes,
            _ => false,
        };
        let shuffles = if shuffle { depth(trip.min(subgroup)) } else { 0.0 };
        let left = if shuffle { (trip.max(1) as u64).div_ceil(subgroup.max(1) as u64) as i64 } else { trip };
        if left < 2 {
            return Tree { shuffles, barriers: 0.0, stores: 0.0, loads: 0.0 };
        }
        let steps = depth(left);
        Tree { shuffles, barriers: 1.0 + steps, stores: 1.0 + steps, loads: 2.0 * steps + 1.0 }
    }
}

/// Loops that are copies of their body: those that say so, and short ones of which all loops inside are, as long as there are few copies
fn flat(nest: &Decided<'_>) -> Vec<bool> {
    let mut flat = vec![false; nest.loops.ids().count()];
    let mut copies = vec![1i64; flat.len()];
    let ids: Vec<LoopId> = nest.loops.ids().collect();
    for id in ids.into_iter().rev() {
        let (trip, level) = (nest.trip(id).max(1), nest.level(id));
        let inner = nest.inside(id).filter(|inner| nest.parent(*inner) == Some(id));
        let (all, most) = inner.fold((true, 1i64), |(all, most), inner| {
            let shared_out = !matches!(nest.level(inner), Level::Seq | Level::Unroll | Level::Vector);
            (all && (flat[inner.index()] || shared_out), most.max(copies[inner.index()]))
        });
        let waits = nest.meetings.iter().any(|meeting| nest.is_in(meeting.around.inside, id));
        let few = most.saturating_mul(trip) <= COPIES;
        flat[id.index()] = match level {
            Level::Unroll | Level::Vector => !waits,
            Level::Seq => all && few && !waits && trip <= SHORT,
            _ => false,
        };
        copies[id.index()] = if flat[id.index()] { most.saturating_mul(trip) } else { most };
    }
    flat
}
