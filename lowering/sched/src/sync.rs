//! Barriers: where threads of a block must have come before others go on.
//!
//! Loops over threads end in a join, and copies that a block runs together begin and end in one. A join needs a barrier only
//! between two accesses to one element by different threads, one of which writes: that question is the verifier's
//! (`schedule/rules`, `joins`). What is decided here is which accesses are left to be asked of. What has been accessed
//! since the last barrier is *pending*; a statement that clashes with it gets a barrier before, and a loop whose end clashes
//! with its next beginning gets one at the end of its body.
//!
//! Two accesses in the same thread loops are not ordered by a join: the verifier has shown that they do not disturb each other.

use crate::emit::Emit;
use std::rc::Rc;
use terrace_dialect_gpu as gpu;
use terrace_dialect_sched::{For, LoopInfo, Ops, read};
use terrace_ir::{Ir, OpId};
use terrace_schedule_model::nest::{Access, AccessId, Index, LoopId, Nest};
use terrace_schedule_model::nest_decided::{Decided, Values};
use terrace_schedule_rules::joins::{Join, waits_at};
use terrace_support::HashMap;
use terrace_support::affine::{AffineExpr, AffineMap};

/// All accesses of a kernel to memory that threads share
struct Spots {
    nest: Nest,
    /// None while a level is open: such kernels are refused before
    values: Option<Values>,
    ops: Ops,
    by_op: HashMap<OpId, Vec<AccessId>>,
    block: [i64; 3],
}

/// An access since the last barrier
#[derive(Clone, PartialEq)]
struct Pending {
    spot: AccessId,
    /// Loops of which it was an earlier round
    rounds: Vec<OpId>,
}

/// A loop being written
struct Round {
    op: OpId,
    /// What its body accesses before the first barrier in it
    first: Vec<AccessId>,
    open: bool,
    before: Held,
}

/// What is known while a kernel is written
pub(crate) struct Waits {
    spots: Rc<Spots>,
    pending: Vec<Pending>,
    rounds: Vec<Round>,
    known: HashMap<(AccessId, AccessId, Vec<OpId>), bool>,
    /// Loops around that run for some threads longer than for others
    pub uneven: u32,
    /// A barrier stands in such a loop
    pub broken: bool,
    /// A loop that says `nowait`, and whose end needs a barrier
    pub hasty: Option<OpId>,
}

impl Waits {
    pub fn new(ir: &Ir, kernel: OpId, block: [i64; 3]) -> Waits {
        let (mut nest, ops) = read(ir, kernel);
        let mut by_op: HashMap<OpId, Vec<AccessId>> = HashMap::default();
        let values = Values::of(&nest);
        if let Some(values) = &values {
            for id in nest.accesses.ids() {
                if !Decided::new(&nest, values).is_shared(&nest.accesses[id]) {
                    continue;
                }
                let staged = stage_of(ir, &nest, &ops, id);
                let (op, access) = (ops.accesses[id], &mut nest.accesses[id]);
                if let Some((round, info, depth, ahead)) = staged {
                    in_parts(access, round, info.tile, depth, ahead);
                }
                by_op.entry(op).or_default().push(id);
            }
        }
        let spots = Spots { nest, values, ops, by_op, block };
        Waits {
            spots: Rc::new(spots),
            pending: Vec::new(),
            rounds: Vec::new(),
            known: HashMap::default(),
            uneven: 0,
            broken: false,
            hasty: None,
        }
    }

    /// Must there be a barrier between what is pending and an access?
    fn clashes(&mut self, pending: &Pending, next: AccessId) -> bool {
        let key = (pending.spot, next, pending.rounds.clone());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let found = self.spots.clash(pending, next);
        self.known.insert(key, found);
        found
    }

    fn clear(&mut self) {
        self.pending.clear();
        self.rounds.iter_mut().for_each(|round| round.open = false);
        self.broken |= self.uneven > 0;
    }

    /// Has there been a barrier in this round of the innermost loop?
    fn fresh(&self) -> bool {
        self.rounds.last().is_none_or(|round| !round.open)
    }

    /// What was accessed in a loop so far belongs to an earlier round of it
    fn pass(&mut self, op: OpId) {
        let spots = &self.spots;
        for pending in &mut self.pending {
            if spots.is_inside(pending.spot, op) && !pending.rounds.contains(&op) {
                pending.rounds.push(op);
            }
        }
    }

    fn held(&self) -> Held {
        Held { pending: self.pending.clone(), open: self.rounds.iter().map(|round| round.open).collect() }
    }

    fn release(&mut self, held: Held) {
        self.merge(held.pending);
        for (round, open) in self.rounds.iter_mut().zip(held.open) {
            round.open |= open;
        }
    }

    fn merge(&mut self, others: Vec<Pending>) {
        for other in others {
            if !self.pending.contains(&other) {
                self.pending.push(other);
            }
        }
    }
}

/// The loop of which a buffer has a part per round, how many, and how many rounds this access is ahead
fn stage_of(ir: &Ir, nest: &Nest, ops: &Ops, id: AccessId) -> Option<(LoopId, LoopInfo, i64, i64)> {
    let access = &nest.accesses[id];
    // The innermost staged loop around: loops of one iteration may stand between.
    for around in nest.around(access.around.inside) {
        let Some(info) = For::cast(ir, ops.loops[around]).and_then(|own| own.info(ir)) else { continue };
        let Some(staged) = crate::stages::staged(ir, &info) else { continue };
        let memref = ops.buffers[access.buffer];
        let Some((copy, _)) = staged.copies.iter().find(|(_, buffer)| *buffer == memref) else { continue };
        let ahead = if *copy == ops.accesses[id] { staged.depth - 1 } else { 0 };
        return Some((around, info, staged.depth, ahead));
    }
    None
}

/// The part of a round's number as one more index
fn in_parts(access: &mut Access, round: LoopId, tile: i64, depth: i64, ahead: i64) {
    let dim = access.dim_of(round).unwrap_or_else(|| {
        access.over.push(Index::Loop(round));
        access.domain.len() + access.over.len() - 1
    });
    let number = AffineExpr::floor_div(AffineExpr::Dim(dim as u32), AffineExpr::Constant(tile.max(1)));
    let number = AffineExpr::add(number, AffineExpr::Constant(ahead));
    let mut all = vec![AffineExpr::modulo(number, AffineExpr::Constant(depth))];
    all.extend(access.map.results.iter().cloned());
    let dims = (access.domain.len() + access.over.len()) as u32;
    if let Some(map) = AffineMap::new(dims, 0, all) {
        access.map = map;
    }
}

impl Spots {
    /// The kernel's nest with its levels
    fn decided(&self) -> Option<Decided<'_>> {
        Some(Decided::new(&self.nest, self.values.as_ref()?))
    }

    /// Is an access inside of a loop?
    fn is_inside(&self, spot: AccessId, op: OpId) -> bool {
        let inside = self.nest.accesses[spot].around.inside;
        self.ops.loop_of(op).is_some_and(|id| self.nest.is_in(inside, id))
    }

    /// A thread loop around the first access that says `nowait`, and has ended before the second
    fn hasty(&self, old: AccessId, new: AccessId) -> Option<OpId> {
        let nest = self.decided()?;
        let (old, new) = (&nest.accesses[old], &nest.accesses[new]);
        let over = |id: &LoopId| {
            nest.is_spread(*id) && nest.loops[*id].nowait && !nest.is_in(new.around.inside, *id)
        };
        nest.around(old.around.inside).filter(over).last().map(|id| self.ops.loops[id])
    }

    /// Can they be one element, used by different threads, in an order that a join gives?
    fn clash(&self, pending: &Pending, next: AccessId) -> bool {
        let Some(nest) = self.decided() else { return true };
        let (a, b) = (&nest.accesses[pending.spot], &nest.accesses[next]);
        if a.buffer != b.buffer || (a.reads() && b.reads()) {
            return false;
        }
        // The outermost loop of which the first was an earlier round; inside of it joins of thread loops lie between the two.
        let earlier = |id: &LoopId| pending.rounds.contains(&self.ops.loops[*id]);
        let place = nest.around(a.around.inside).filter(earlier).last();
        let join = Join { first: pending.spot, second: next, place, round: place.is_some() };
        waits_at(&nest, &join, self.block)
    }

    /// Does the loop run for some threads longer than for others?
    fn is_uneven(&self, op: OpId) -> bool {
        let id = self.ops.loop_of(op);
        self.decided().zip(id).is_some_and(|(nest, id)| nest.has_uneven_bounds(id))
    }
}

impl Emit<'_> {
    /// A barrier goes before an op that must see, or not disturb, what other threads did
    pub fn before_statement(&mut self, op: OpId) {
        self.separate(op);
        let Some(waits) = self.waits() else { return };
        let spots = waits.spots.clone();
        for spot in spots.by_op.get(&op).into_iter().flatten() {
            waits.merge(vec![Pending { spot: *spot, rounds: Vec::new() }]);
            for round in waits.rounds.iter_mut().filter(|round| round.open) {
                round.first.push(*spot);
            }
        }
    }

    /// The barrier alone: the op comes later
    pub fn separate(&mut self, op: OpId) {
        let Some(mut waits) = self.grid.as_mut().and_then(|grid| grid.waits.take()) else { return };
        let spots = waits.spots.clone();
        let mut next: Vec<AccessId> = spots.by_op.get(&op).cloned().unwrap_or_default();
        if self.ir.num_regions(op) > 0 {
            for inner in self.ir.walk_below(op).filter(|inner| !self.skipped.contains(inner)) {
                next.extend(spots.by_op.get(&inner).into_iter().flatten());
            }
        }
        let pending = waits.pending.clone();
        let mut needed = false;
        for old in &pending {
            for new in &next {
                if waits.clashes(old, *new) {
                    needed = true;
                    waits.hasty = waits.hasty.or_else(|| spots.hasty(old.spot, *new));
                }
            }
        }
        self.put_back(waits);
        if needed {
            self.barrier();
        }
    }

    fn waits(&mut self) -> Option<&mut Waits> {
        self.grid.as_mut().and_then(|grid| grid.waits.as_mut())
    }

    fn put_back(&mut self, waits: Waits) {
        if let Some(grid) = &mut self.grid {
            grid.waits = Some(waits);
        }
    }

    pub fn barrier(&mut self) {
        let Some(grid) = &mut self.grid else { return };
        let threads = grid.threads();
        if let Some(waits) = &mut grid.waits {
            waits.clear();
        }
        if threads > 1 {
            grid.barriers += 1;
            gpu::Barrier::build(&mut self.b());
        }
    }

    /// A barrier before memory is used that the round before has used in the same way
    pub fn barrier_between_rounds(&mut self) {
        if self.waits().is_some_and(|waits| !waits.fresh()) {
            self.barrier();
        }
    }

    /// Barriers of another's making have just been passed
    pub fn passed_barriers(&mut self) {
        if let Some(grid) = &mut self.grid {
            grid.barriers += 1;
        }
        if let Some(waits) = self.waits() {
            waits.clear();
        }
    }

    /// A sequential loop of a kernel begins
    pub fn enter_round(&mut self, info: &LoopInfo) {
        let uneven = self.is_uneven(info);
        let Some(waits) = self.waits() else { return };
        waits.uneven += u32::from(uneven);
        let before = waits.held();
        waits.rounds.push(Round { op: info.op.0, first: Vec::new(), open: true, before });
    }

    /// Its body ends: a barrier if the next round must not begin before
    pub fn end_round(&mut self) {
        let Some(mut waits) = self.grid.as_mut().and_then(|grid| grid.waits.take()) else { return };
        let mut needed = false;
        if let Some(round) = waits.rounds.last() {
            let (op, first, spots) = (round.op, round.first.clone(), waits.spots.clone());
            let inside = waits.pending.iter().filter(|old| spots.is_inside(old.spot, op));
            let pending: Vec<Pending> = inside.cloned().collect();
            for mut old in pending {
                if !old.rounds.contains(&op) {
                    old.rounds.push(op);
                }
                for new in &first {
                    if waits.clashes(&old, *new) {
                        needed = true;
                        waits.hasty = waits.hasty.or_else(|| spots.hasty(old.spot, *new));
                    }
                }
            }
        }
        self.put_back(waits);
        if needed {
            self.barrier();
        }
    }

    /// The loop is over; `runs`: it makes a round at least
    pub fn leave_round(&mut self, info: &LoopInfo, runs: bool) {
        let uneven = self.is_uneven(info);
        let Some(waits) = self.waits() else { return };
        waits.uneven = waits.uneven.saturating_sub(u32::from(uneven));
        if let Some(round) = waits.rounds.pop() {
            // Barriers inside are none for what is around if it makes no round.
            if !runs {
                waits.release(round.before);
            }
        }
        waits.pass(info.op.0);
    }

    /// A copy of a loop's body has been written: what follows of it is a later round
    pub fn next_copy(&mut self, op: OpId) {
        if let Some(waits) = self.waits() {
            waits.pass(op);
        }
    }

    /// What is pending before something that may not run
    pub fn hold(&mut self) -> Option<Held> {
        self.waits().map(|waits| waits.held())
    }

    /// It may not have run: what was pending still is
    pub fn release(&mut self, held: Option<Held>) {
        if let (Some(waits), Some(held)) = (self.waits(), held) {
            waits.release(held);
        }
    }

    /// Does the loop run for some threads longer than for others?
    fn is_uneven(&self, info: &LoopInfo) -> bool {
        let waits = self.grid.as_ref().and_then(|grid| grid.waits.as_ref());
        waits.is_some_and(|waits| waits.spots.is_uneven(info.op.0))
    }
}

/// What was pending at some place, and which loops had no barrier yet
pub(crate) struct Held {
    pending: Vec<Pending>,
    open: Vec<bool>,
}
