//! What one warp does, from a nest before lowering; registers of a thread and shared bytes of a block.
//!
//! Loops at `unroll` and `vector` are copies of their body, and so are short innermost loops, which compilers unroll. Instructions
//! are those of one iteration of the other loops, times their trip counts. An access counts once for copies of the body that it does
//! not move with.

use super::copies;
use super::kernel::{Counts, Kernel, Place, Request, Side};
use super::occupancy::WARP;
use super::requests::Lanes;
use super::updates;
use super::widths;
use crate::bodies::Bodies;
use terrace_devices::{Device, Level, Space};
use terrace_schedule_model::nest::{Access, AccessId, BufferId, Launch, LoopId, Use};
use terrace_schedule_model::nest_arena::Id;
use terrace_schedule_model::nest_combine::Combination;
use terrace_schedule_model::nest_decided::Decided;

/// Registers of a thread, at most
const MOST_REGISTERS: i64 = 255;

impl Counts {
    /// Of a kernel
    pub fn of(nest: Decided<'_>, bodies: &Bodies, launch: &Launch, device: &Device) -> Counts {
        let kernel = Kernel::of(nest, bodies, launch, device);
        let mut counts = Counts { steps: 1.0, chains: 1.0, ..Counts::default() };
        kernel.arithmetic(&mut counts);
        kernel.loops(&mut counts);
        for id in nest.accesses.ids() {
            kernel.access(id, &mut counts);
        }
        let in_flight = copies::count(&kernel, &mut counts);
        kernel.trees(&mut counts);
        updates::count(&kernel, &mut counts);
        kernel.memory(&mut counts);
        kernel.registers(in_flight, &mut counts);
        counts
    }
}

impl<'a> Kernel<'a> {
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

    /// A read, a write, or a copy of one thread
    fn access(&self, id: AccessId, counts: &mut Counts) {
        let access = &self.nest.accesses[id];
        let Some(side) = self.side(access) else { return };
        if updates::starts(access) || access.copy && (access.per.is_some() || access.together) {
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
        counts.wanted = all;
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
        if !shuffle {
            let steps = depth(trip);
            return Tree {
                shuffles: 0.0,
                barriers: 1.0 + steps,
                stores: 1.0 + steps,
                loads: 2.0 * steps + 1.0,
            };
        }
        // One value for each warp is left, which each warp exchanges again.
        let warps = (trip.max(1) as u64).div_ceil(subgroup.max(1) as u64) as i64;
        let once = if warps > 1 { 1.0 } else { 0.0 };
        let shuffles = depth(trip.min(subgroup)) + depth(warps);
        Tree { shuffles, barriers: once, stores: once, loads: once }
    }
}
