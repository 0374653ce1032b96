//! Barriers: where threads of a block must have come before others go on.
//!
//! Loops over threads end in a join, and copies that a block runs together begin and end in one. A join needs a barrier only
//! between two accesses to one element by different threads, one of which writes: that question is the verifier's
//! (`dialects/sched`, `check/joins`). What is decided here is which accesses are left to be asked of. What has been accessed
//! since the last barrier is *pending*; a statement that clashes with it gets a barrier before, and a loop whose end clashes
//! with its next beginning gets one at the end of its body.
//!
//! Two accesses in the same thread loops are not ordered by a join: the verifier has shown that they do not disturb each other.

use crate::emit::Emit;
use std::rc::Rc;
use terrace_dialect_sched::LoopInfo;
use terrace_dialect_sched::access::Dims;
use terrace_dialect_sched::check::joins::{self, Join, is_spread};
use terrace_dialect_sched::check::nest::{AccessNode, LoopId, Tree, Use};
use terrace_dialect_upstream::gpu;
use terrace_ir::{Ir, OpId};
use terrace_support::HashMap;
use terrace_support::affine::AffineExpr;

/// All accesses of a kernel to memory that threads share
struct Spots {
    kernel: OpId,
    tree: Tree,
    by_op: HashMap<OpId, Vec<usize>>,
    block: [i64; 3],
}

/// An access since the last barrier
#[derive(Clone, PartialEq)]
struct Pending {
    spot: usize,
    /// Loops of which it was an earlier round
    rounds: Vec<OpId>,
}

/// A loop being written
struct Round {
    op: OpId,
    /// What its body accesses before the first barrier in it
    first: Vec<usize>,
    open: bool,
    before: Held,
}

/// What is known while a kernel is written
pub(crate) struct Waits {
    spots: Rc<Spots>,
    pending: Vec<Pending>,
    rounds: Vec<Round>,
    known: HashMap<(usize, usize, Vec<OpId>), bool>,
    /// Loops around that run for some threads longer than for others
    pub uneven: u32,
    /// A barrier stands in such a loop
    pub broken: bool,
    /// A loop that says `nowait`, and whose end needs a barrier
    pub hasty: Option<OpId>,
}

impl Waits {
    pub fn new(ir: &Ir, kernel: OpId, block: [i64; 3]) -> Waits {
        let mut spots = Spots { kernel, tree: Tree::new(ir, kernel), by_op: HashMap::default(), block };
        for n in 0..spots.tree.accesses.len() {
            let access = &spots.tree.accesses[n];
            if !Tree::is_shared(ir, access) {
                continue;
            }
            let op = access.op;
            if let Some((round, depth, ahead)) = stage_of(ir, &spots.tree, access) {
                in_parts(&mut spots.tree.accesses[n], &round, depth, ahead);
            }
            spots.by_op.entry(op).or_default().push(n);
        }
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
    fn clashes(&mut self, ir: &Ir, pending: &Pending, next: usize) -> bool {
        let key = (pending.spot, next, pending.rounds.clone());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let found = self.spots.clash(ir, pending, next);
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
fn stage_of(ir: &Ir, tree: &Tree, access: &AccessNode) -> Option<(LoopInfo, i64, i64)> {
    // The innermost staged loop around: loops of one iteration may stand between.
    for id in tree.around(access.inside) {
        let Some(staged) = crate::stages::staged(ir, tree.info(id)) else { continue };
        let Some((copy, _)) = staged.copies.iter().find(|(_, buffer)| *buffer == access.memref) else {
            continue;
        };
        let ahead = if *copy == access.op { staged.depth - 1 } else { 0 };
        return Some((tree.info(id).clone(), staged.depth, ahead));
    }
    None
}

/// The part of a round's number as one more index
fn in_parts(access: &mut AccessNode, info: &LoopInfo, depth: i64, ahead: i64) {
    let mut dims = Dims { own: access.domain.len() as u32, values: access.at.values.clone() };
    let number = AffineExpr::floor_div(dims.value(info.iv), AffineExpr::Constant(info.tile.max(1)));
    let number = AffineExpr::add(number, AffineExpr::Constant(ahead));
    let mut all = vec![AffineExpr::modulo(number, AffineExpr::Constant(depth))];
    all.extend(access.at.map.results.iter().cloned());
    if let Some(at) = dims.access(all) {
        access.at = at;
    }
}

impl Spots {
    /// Is an access inside of a loop?
    fn is_inside(&self, spot: usize, op: OpId) -> bool {
        self.tree.around(self.tree.accesses[spot].inside).any(|id| self.tree.info(id).op.0 == op)
    }

    /// A thread loop around the first access that says `nowait`, and has ended before the second
    fn hasty(&self, old: usize, new: usize) -> Option<OpId> {
        let (old, new) = (&self.tree.accesses[old], &self.tree.accesses[new]);
        let over = |id: &LoopId| {
            let info = self.tree.info(*id);
            is_spread(info.level) && info.nowait && !self.tree.is_in(new.inside, *id)
        };
        let all: Vec<LoopId> = self.tree.around(old.inside).filter(over).collect();
        all.last().map(|id| self.tree.info(*id).op.0)
    }

    /// Can they be one element, used by different threads, in an order that a join gives?
    fn clash(&self, ir: &Ir, pending: &Pending, next: usize) -> bool {
        let (a, b) = (&self.tree.accesses[pending.spot], &self.tree.accesses[next]);
        if a.memref != b.memref || (a.what == Use::Read && b.what == Use::Read) {
            return false;
        }
        // The outermost loop of which the first was an earlier round; inside of it joins of thread loops lie between the two.
        let earlier = |id: &LoopId| pending.rounds.contains(&self.tree.info(*id).op.0);
        let place = self.tree.around(a.inside).filter(earlier).last();
        let join = Join { first: pending.spot, second: next, place, round: place.is_some() };
        self.tree.waits_at(ir, &join, self.block)
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
        let mut next: Vec<usize> = spots.by_op.get(&op).cloned().unwrap_or_default();
        if self.ir.num_regions(op) > 0 {
            for inner in self.ir.walk_below(op).filter(|inner| !self.skipped.contains(inner)) {
                next.extend(spots.by_op.get(&inner).into_iter().flatten());
            }
        }
        let pending = waits.pending.clone();
        let mut needed = false;
        for old in &pending {
            for new in &next {
                if waits.clashes(self.ir, old, *new) {
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
                    if waits.clashes(self.ir, &old, *new) {
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
        waits.is_some_and(|waits| joins::is_uneven(self.ir, info, Some(waits.spots.kernel)))
    }
}

/// What was pending at some place, and which loops had no barrier yet
pub(crate) struct Held {
    pending: Vec<Pending>,
    open: Vec<bool>,
}
