//! Barriers: where threads of a block must have come before others go on.
//!
//! Loops over threads end in a join, and copies that a block runs together begin and end in one. A join needs a barrier only
//! between two accesses to one element by different threads, one of which writes. What has been accessed since the last
//! barrier is *pending*; a statement that clashes with it gets a barrier before, and a loop whose end clashes with its next
//! beginning gets one at the end of its body. Two accesses clash unless the same element means the same thread: both are
//! written over the loops' variables, and the question for each axis of the block is one for `may_conflict`.
//!
//! Two accesses in the same thread loops are not ordered by a join: the verifier has shown that they do not disturb each other.

use crate::emit::Emit;
use std::rc::Rc;
use terrace_analysis::{Across, Range, may_conflict_where};
use terrace_dialect_sched::access::Access;
use terrace_dialect_sched::space::Space;
use terrace_dialect_sched::{Copy, For, Level, LoopInfo, Read, Write};
use terrace_dialect_upstream::gpu;
use terrace_ir::{Ir, OpId, Value, ValueDef};
use terrace_support::HashMap;
use terrace_support::affine::AffineExpr;

/// An access to memory that threads share
struct Spot {
    memref: Value,
    writes: bool,
    at: Access,
    domain: Vec<i64>,
    /// Threads run it together: any of them does it
    together: bool,
    /// Ids that no loop runs over are 0 all around it
    alone: bool,
    /// Loops around, outermost first
    loops: Vec<usize>,
}

/// All accesses and loops of a kernel
struct Spots {
    kernel: OpId,
    all: Vec<Spot>,
    loops: Vec<LoopInfo>,
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

/// Which threads make an access, on one axis
#[derive(Clone, Copy, PartialEq)]
enum Who {
    /// That of the loop's iteration
    Loop(usize),
    First,
    Any,
}

impl Waits {
    pub fn new(ir: &Ir, kernel: OpId, block: [i64; 3]) -> Waits {
        let mut spots =
            Spots { kernel, all: Vec::new(), loops: Vec::new(), by_op: HashMap::default(), block };
        let mut loops: HashMap<OpId, usize> = HashMap::default();
        for op in ir.walk_below(kernel) {
            if let Some(info) = For::cast(ir, op).and_then(|inner| inner.info(ir)) {
                loops.insert(op, spots.loops.len());
                spots.loops.push(info);
            }
            for mut spot in spots_at(ir, op) {
                let mut around = ir.parent(op);
                while let Some(outer) = around.filter(|outer| *outer != kernel) {
                    spot.loops.extend(loops.get(&outer));
                    spot.alone |= loops.get(&outer).is_some_and(|id| runs_alone(ir, &spots.loops[*id]));
                    around = ir.parent(outer);
                }
                spot.loops.reverse();
                if let Some((round, depth, ahead)) = stage_of(ir, op, &spot, &spots.loops) {
                    in_parts(&mut spot, &round, depth, ahead);
                }
                spots.by_op.entry(op).or_default().push(spots.all.len());
                spots.all.push(spot);
            }
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
            let inside = spots.all[pending.spot].loops.iter().any(|id| spots.loops[*id].op.0 == op);
            if inside && !pending.rounds.contains(&op) {
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
fn stage_of(ir: &Ir, op: OpId, spot: &Spot, loops: &[LoopInfo]) -> Option<(LoopInfo, i64, i64)> {
    // The innermost staged loop around: loops of one iteration may stand between.
    for id in spot.loops.iter().rev() {
        let Some(staged) = crate::stages::staged(ir, &loops[*id]) else { continue };
        let Some((copy, _)) = staged.copies.iter().find(|(_, buffer)| *buffer == spot.memref) else {
            continue;
        };
        return Some((loops[*id].clone(), staged.depth, if *copy == op { staged.depth - 1 } else { 0 }));
    }
    None
}

/// The part of a round's number as one more index
fn in_parts(spot: &mut Spot, info: &LoopInfo, depth: i64, ahead: i64) {
    let mut dims =
        terrace_dialect_sched::access::Dims { own: spot.domain.len() as u32, values: spot.at.values.clone() };
    let number = AffineExpr::floor_div(dims.value(info.iv), AffineExpr::Constant(info.tile.max(1)));
    let number = AffineExpr::add(number, AffineExpr::Constant(ahead));
    let mut all = vec![AffineExpr::modulo(number, AffineExpr::Constant(depth))];
    all.extend(spot.at.map.results.iter().cloned());
    if let Some(at) = dims.access(all) {
        spot.at = at;
    }
}

/// Is the body of a thread loop run only where ids that no loop runs over are 0? Where nobody meets inside of it
pub(crate) fn runs_alone(ir: &Ir, info: &LoopInfo) -> bool {
    let spread = |level: Level| level.is_thread_like() || matches!(level, Level::Global(_));
    let meets = |op: OpId| {
        crate::collective::is_collective(ir, op)
            || For::cast(ir, op).and_then(|inner| inner.info(ir)).is_some_and(|inner| spread(inner.level))
    };
    spread(info.level) && ir.num_results(info.op.0) == 0 && !ir.walk_below(info.op.0).any(meets)
}

/// Accesses of one op to memory that threads share
fn spots_at(ir: &Ir, op: OpId) -> Vec<Spot> {
    let spot = |memref: Value, writes: bool, at: Access, domain: Vec<i64>, together: bool| {
        let shared = Space::of(ir.cx(), ir.ty(memref)) != Space::Private;
        shared.then_some(Spot { memref, writes, at, domain, together, alone: false, loops: Vec::new() })
    };
    let found = if let Some(read) = Read::cast(ir, op) {
        vec![spot(read.memref(ir), false, read.access(ir), Vec::new(), false)]
    } else if let Some(write) = Write::cast(ir, op) {
        vec![spot(write.memref(ir), true, write.access(ir), Vec::new(), false)]
    } else if let Some(copy) = Copy::cast(ir, op) {
        let together = crate::collective::is_collective(ir, op);
        let sizes = copy.sizes(ir);
        let from = copy.from(ir).map(|from| spot(copy.src(ir), false, from, sizes.clone(), together));
        let to = spot(copy.dst(ir), true, copy.to(ir), sizes, together);
        from.into_iter().chain([to]).collect()
    } else {
        Vec::new()
    };
    found.into_iter().flatten().collect()
}

impl Spots {
    /// Loops over threads around an access
    fn threads<'a>(&'a self, spot: &'a Spot) -> impl Iterator<Item = usize> + 'a {
        let spread = |level: Level| level.is_thread_like() || matches!(level, Level::Global(_));
        spot.loops.iter().copied().filter(move |id| spread(self.loops[*id].level))
    }

    /// Who makes an access along an axis
    fn who(&self, spot: &Spot, level: Level) -> Who {
        let fits = |id: &usize| match (self.loops[*id].level, level) {
            (Level::Global(a), Level::Thread(b)) => a == b,
            (own, wanted) => own == wanted,
        };
        let found = self.threads(spot).filter(fits).max_by_key(|id| self.loops[*id].trip() > 1);
        match found {
            _ if spot.together => Who::Any,
            Some(id) => Who::Loop(id),
            None if spot.writes || spot.alone => Who::First,
            None => Who::Any,
        }
    }

    /// A thread loop around the first access that says `nowait`, and has ended before the second
    fn hasty(&self, old: usize, new: usize) -> Option<OpId> {
        let over = |id: &usize| self.loops[*id].nowait && !self.all[new].loops.contains(id);
        self.threads(&self.all[old]).find(over).map(|id| self.loops[id].op.0)
    }

    /// Can they be one element, used by different threads, in an order that a join gives?
    fn clash(&self, ir: &Ir, pending: &Pending, next: usize) -> bool {
        let (a, b) = (&self.all[pending.spot], &self.all[next]);
        if a.memref != b.memref || !(a.writes || b.writes) {
            return false;
        }
        let (own, other): (Vec<usize>, Vec<usize>) = (self.threads(a).collect(), self.threads(b).collect());
        // Inside of this round, joins of thread loops lie between the two.
        let outermost = a.loops.iter().position(|id| pending.rounds.contains(&self.loops[*id].op.0));
        let joined = |id: &usize| outermost.is_some_and(|at| a.loops[at + 1..].contains(id));
        let warps = |all: &[usize]| all.iter().any(|id| matches!(self.loops[*id].level, Level::Warp(_)));
        let levels: Vec<Level> = match (warps(&own), warps(&other)) {
            (false, false) => axes(Level::Thread),
            (true, true) => [axes(Level::Warp), axes(Level::Lane)].concat(),
            // Threads are counted in another way, or not at all: any may be it.
            _ => return self.meet(ir, pending, next, None),
        };
        levels.into_iter().any(|level| {
            let alone = matches!(level, Level::Thread(axis) if self.block[axis.number()] <= 1);
            let pair = (self.who(a, level), self.who(b, level));
            match pair {
                _ if alone => false,
                (Who::First, Who::First) => false,
                (Who::Loop(x), Who::Loop(y)) if x == y && !joined(&x) => false,
                (Who::Any, _) | (_, Who::Any) => self.meet(ir, pending, next, None),
                (Who::Loop(x), Who::Loop(y)) => self.meet(ir, pending, next, Some((x, Some(y)))),
                (Who::Loop(x), Who::First) => self.meet(ir, pending, next, Some((x, None))),
                (Who::First, Who::Loop(y)) => self.meet(ir, pending, next, Some((y, None))),
            }
        })
    }

    /// Can they be one element? `apart`: where these two loops' iterations are run by different threads, or where this one's
    /// is not run by the first
    fn meet(&self, ir: &Ir, pending: &Pending, next: usize, apart: Option<(usize, Option<usize>)>) -> bool {
        let (a, b) = (&self.all[pending.spot], &self.all[next]);
        let mut v = Variables { known: Vec::new(), ranges: Vec::new(), across: Vec::new() };
        // Common loops: the same round, up to one of which the first access was an earlier round.
        let mut relation: HashMap<usize, Across> = HashMap::default();
        let mut later = false;
        for id in a.loops.iter().filter(|id| b.loops.contains(id)) {
            let across = if later {
                Across::Free
            } else if pending.rounds.contains(&self.loops[*id].op.0) {
                later = true;
                Across::Before
            } else {
                Across::Same
            };
            relation.insert(*id, across);
        }
        let mut pair = None;
        let mut holds = [Vec::new(), Vec::new()];
        match apart {
            Some((x, Some(y))) if self.loops[x].tile == self.loops[y].tile => {
                pair = Some((self.loops[x].iv, self.loops[y].iv));
                let (p, q) = (self.range(x), self.range(y));
                let wide = if p.max() >= q.max() { p } else { q };
                v.dim((Some(self.loops[x].iv), 2), wide, Across::Differ);
            }
            Some((x, None)) => {
                // Not the first thread.
                let (side, iv) = (usize::from(!a.loops.contains(&x)), self.loops[x].iv);
                let tile = AffineExpr::Constant(self.loops[x].tile);
                let leaf = v.dim((Some(iv), side as u8), self.range(x), Across::Free);
                holds[side].push(AffineExpr::sub(leaf, tile));
            }
            _ => {}
        }
        let one = v.side(self, ir, a, &relation, pair, 0);
        let other = v.side(self, ir, b, &relation, pair, 1);
        let found = may_conflict_where(&one, &other, [&holds[0], &holds[1]], v.ranges.as_slice(), &v.across);
        found.is_some()
    }

    fn range(&self, id: usize) -> Range {
        Emit::variable_range(&self.loops[id]).unwrap_or(Range::ALL)
    }
}

fn axes(level: fn(terrace_dialect_sched::Axis) -> Level) -> Vec<Level> {
    terrace_dialect_sched::Axis::ALL.into_iter().map(level).collect()
}

/// Variables of both accesses: common ones once, others once per side
struct Variables {
    known: Vec<(Option<Value>, u8)>,
    ranges: Vec<Range>,
    across: Vec<Across>,
}

impl Variables {
    fn dim(&mut self, key: (Option<Value>, u8), range: Range, across: Across) -> AffineExpr {
        let known = self.known.iter().position(|other| *other == key && key.0.is_some());
        let n = known.unwrap_or_else(|| {
            self.known.push(key);
            self.ranges.push(range);
            self.across.push(across);
            self.known.len() - 1
        });
        AffineExpr::Dim(n as u32)
    }

    /// An access over the variables
    fn side(
        &mut self,
        spots: &Spots,
        ir: &Ir,
        spot: &Spot,
        relation: &HashMap<usize, Across>,
        pair: Option<(Value, Value)>,
        side: u8,
    ) -> Vec<AffineExpr> {
        let mut leaves = Vec::new();
        for size in &spot.domain {
            let range = Range::below(*size).unwrap_or(Range::one(0));
            leaves.push(self.dim((None, side), range, Across::Free));
        }
        for value in &spot.at.values {
            let own = spots.loops.iter().position(|info| info.iv == *value);
            leaves.push(match (own, pair) {
                (_, Some((x, y))) if *value == x || *value == y => {
                    self.dim((Some(x), 2), Range::ALL, Across::Differ)
                }
                (Some(id), _) => match relation.get(&id) {
                    Some(across) => self.dim((Some(*value), 2), spots.range(id), *across),
                    None => self.dim((Some(*value), side), spots.range(id), Across::Free),
                },
                (None, _) => {
                    let constant =
                        terrace_ir::fold::constant_of(ir, *value).and_then(|attr| attr.as_i64(ir.cx()));
                    let inside = match ir.value_def(*value) {
                        Some(ValueDef::Result(op, _)) => ir.is_inside(op, spots.kernel),
                        Some(ValueDef::Arg(block, _)) => ir
                            .block_parent(block)
                            .is_some_and(|op| op == spots.kernel || ir.is_inside(op, spots.kernel)),
                        None => true,
                    };
                    let range = constant.map_or(Range::ALL, Range::one);
                    match inside && constant.is_none() {
                        true => self.dim((Some(*value), side), range, Across::Free),
                        false => self.dim((Some(*value), 2), range, Across::Same),
                    }
                }
            });
        }
        let replace = |expr: &AffineExpr| expr.replace(&leaves, &[]).unwrap_or_else(|| expr.clone());
        spot.at.map.results.iter().map(replace).collect()
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
            let inside =
                |old: &Pending| spots.all[old.spot].loops.iter().any(|id| spots.loops[*id].op.0 == op);
            let pending: Vec<Pending> = waits.pending.iter().filter(|old| inside(old)).cloned().collect();
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
        let Some(kernel) = self.grid.as_ref().and_then(|grid| grid.waits.as_ref()).map(|w| w.spots.kernel)
        else {
            return false;
        };
        let bounds = info.limit.iter().chain(&info.from);
        bounds.flat_map(|bound| &bound.values).any(|value| match self.ir.value_def(*value) {
            Some(ValueDef::Arg(block, 0)) => {
                let owner = self.ir.block_parent(block).and_then(|op| For::cast(self.ir, op)?.info(self.ir));
                owner.is_some_and(|owner| {
                    owner.trip() > 1
                        && (owner.level.is_thread_like() || matches!(owner.level, Level::Global(_)))
                })
            }
            Some(ValueDef::Result(op, _)) => {
                terrace_ir::fold::constant_of(self.ir, *value).is_none() && self.ir.is_inside(op, kernel)
            }
            _ => false,
        })
    }
}

/// What was pending at some place, and which loops had no barrier yet
pub(crate) struct Held {
    pending: Vec<Pending>,
    open: Vec<bool>,
}
