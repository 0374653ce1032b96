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
use crate::waits::{Held, Pending, Round, Waits};
use terrace_dialect_gpu as gpu;
use terrace_dialect_sched::LoopInfo;
use terrace_ir::OpId;
use terrace_schedule_model::nest::AccessId;

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
