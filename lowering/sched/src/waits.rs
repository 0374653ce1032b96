//! What threads of a block have accessed since the last barrier, and which accesses to come clash with it.

use crate::pipelined_copies::staged;
use std::rc::Rc;
use terrace_dialect_sched::{For, LoopInfo, Ops, read};
use terrace_ir::{Ir, OpId};
use terrace_schedule_model::nest::{Access, AccessId, Index, LoopId, Nest};
use terrace_schedule_model::nest_decided::{Decided, Values};
use terrace_schedule_rules::joins::{Join, waits_at};
use terrace_support::HashMap;
use terrace_support::affine::{AffineExpr, AffineMap};

/// All accesses of a kernel to memory that threads share
pub(crate) struct Spots {
    pub nest: Nest,
    /// None while a level is open: such kernels are refused before
    pub values: Option<Values>,
    pub ops: Ops,
    pub by_op: HashMap<OpId, Vec<AccessId>>,
    pub block: [i64; 3],
}

/// An access since the last barrier
#[derive(Clone, PartialEq)]
pub(crate) struct Pending {
    pub spot: AccessId,
    /// Loops of which it was an earlier round
    pub rounds: Vec<OpId>,
}

/// A loop being written
pub(crate) struct Round {
    pub op: OpId,
    /// What its body accesses before the first barrier in it
    pub first: Vec<AccessId>,
    pub open: bool,
    pub before: Held,
}

/// What is known while a kernel is written
pub(crate) struct Waits {
    pub spots: Rc<Spots>,
    pub pending: Vec<Pending>,
    pub rounds: Vec<Round>,
    pub known: HashMap<(AccessId, AccessId, Vec<OpId>), bool>,
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
    pub fn clashes(&mut self, pending: &Pending, next: AccessId) -> bool {
        let key = (pending.spot, next, pending.rounds.clone());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let found = self.spots.clash(pending, next);
        self.known.insert(key, found);
        found
    }

    pub fn clear(&mut self) {
        self.pending.clear();
        self.rounds.iter_mut().for_each(|round| round.open = false);
        self.broken |= self.uneven > 0;
    }

    /// Has there been a barrier in this round of the innermost loop?
    pub fn fresh(&self) -> bool {
        self.rounds.last().is_none_or(|round| !round.open)
    }

    /// What was accessed in a loop so far belongs to an earlier round of it
    pub fn pass(&mut self, op: OpId) {
        let spots = &self.spots;
        for pending in &mut self.pending {
            if spots.is_inside(pending.spot, op) && !pending.rounds.contains(&op) {
                pending.rounds.push(op);
            }
        }
    }

    pub fn held(&self) -> Held {
        Held { pending: self.pending.clone(), open: self.rounds.iter().map(|round| round.open).collect() }
    }

    pub fn release(&mut self, held: Held) {
        self.merge(held.pending);
        for (round, open) in self.rounds.iter_mut().zip(held.open) {
            round.open |= open;
        }
    }

    pub fn merge(&mut self, others: Vec<Pending>) {
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
        let Some(staged) = staged(ir, &info) else { continue };
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
    pub fn decided(&self) -> Option<Decided<'_>> {
        Some(Decided::new(&self.nest, self.values.as_ref()?))
    }

    /// Is an access inside of a loop?
    pub fn is_inside(&self, spot: AccessId, op: OpId) -> bool {
        let inside = self.nest.accesses[spot].around.inside;
        self.ops.loop_of(op).is_some_and(|id| self.nest.is_in(inside, id))
    }

    /// A thread loop around the first access that says `nowait`, and has ended before the second
    pub fn hasty(&self, old: AccessId, new: AccessId) -> Option<OpId> {
        let nest = self.decided()?;
        let (old, new) = (&nest.accesses[old], &nest.accesses[new]);
        let over = |id: &LoopId| {
            nest.is_spread(*id) && nest.loops[*id].nowait && !nest.is_in(new.around.inside, *id)
        };
        nest.around(old.around.inside).filter(over).last().map(|id| self.ops.loops[id])
    }

    /// Can they be one element, used by different threads, in an order that a join gives?
    pub fn clash(&self, pending: &Pending, next: AccessId) -> bool {
        let Some(nest) = self.decided() else { return true };
        let (a, b) = (&nest.accesses[pending.spot], &nest.accesses[next]);
        if !nest.share_memory(a, b) || (a.reads() && b.reads()) {
            return false;
        }
        // The outermost loop of which the first was an earlier round; inside of it joins of thread loops lie between the two.
        let earlier = |id: &LoopId| pending.rounds.contains(&self.ops.loops[*id]);
        let place = nest.around(a.around.inside).filter(earlier).last();
        let join = Join { first: pending.spot, second: next, place, round: place.is_some() };
        waits_at(&nest, &join, self.block)
    }

    /// Does the loop run for some threads longer than for others?
    pub fn is_uneven(&self, op: OpId) -> bool {
        let id = self.ops.loop_of(op);
        self.decided().zip(id).is_some_and(|(nest, id)| nest.has_uneven_bounds(id))
    }
}

/// What was pending at some place, and which loops had no barrier yet
pub(crate) struct Held {
    pub pending: Vec<Pending>,
    pub open: Vec<bool>,
}
