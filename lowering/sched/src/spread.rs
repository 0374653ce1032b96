//! Loops whose iterations the hardware of a grid runs: clusters, blocks, threads, warps, lanes.
//!
//! The loop's variable is an id times its tile. Where there are fewer iterations than ids, those without one skip the body;
//! then no thread inside may wait for them. Values that iterations give are merged by trees (`trees`).

use crate::codes;
use crate::emit::{Emit, Res, Team, Val};
use crate::state::Seat;
use terrace_analysis::Range;
use terrace_dialect_arith::{self as arith, CmpIPredicate};
use terrace_dialect_sched::combine::Group;
use terrace_dialect_sched::{Combination, For, Level, LoopInfo, Mechanism, read};
use terrace_ir::{OpId, Type, Value};
use terrace_schedule_model::nest_decided::{Decided, Values};

impl Emit<'_> {
    /// A loop at a level of the grid
    pub fn spread(&mut self, info: &LoopInfo) -> Res<()> {
        let op = info.op.0;
        let seat = self.seat_of(info)?;
        let trip = info.trip();
        if trip <= 1
            && let Some(covered) = self.shared_axis(info)
        {
            return self.one_round(info, covered);
        }
        self.check_trip(info, seat)?;
        self.depth += 1;
        let cut = (trip < seat.size).then(|| {
            let trip = self.index(trip);
            self.compare(CmpIPredicate::Slt, seat.id, trip)
        });
        let iv = self.variable_of(info, seat);
        self.bind(info.iv, Val::One(iv));
        let guard = self.happens(info, iv, cut);
        let around = self.cover(info.level, true);
        let alone = self.runs_alone(op);
        let first = if alone { self.elected() } else { None };
        let guard = self.both(guard, first);
        let outer = self.grid.as_ref().is_some_and(|grid| grid.alone);
        if let Some(grid) = &mut self.grid {
            grid.alone |= alone;
        }
        // What levels of a grid merge into memory has this one way, and the rules have looked at it.
        let atomic = matches!(info.via, Mechanism::Atomic | Mechanism::Auto);
        self.teams.push(Team { op, merges: info.kind == Combination::Pw, atomic });
        let done = self.spread_body(info, guard, seat);
        self.teams.pop();
        if let Some(grid) = &mut self.grid {
            grid.alone = outer;
        }
        if let Some(around) = around {
            self.cover(info.level, around);
        }
        self.depth -= 1;
        done
    }

    /// Where the loop's iterations run; refused where its level does not fit
    fn seat_of(&mut self, info: &LoopInfo) -> Res<Seat> {
        let op = info.op.0;
        let Some(grid) = &self.grid else {
            return self.refuse(
                op,
                &codes::LEVEL,
                format!("runs at level '{}', which there is not here", info.level),
                "levels block, thread, warp and lane stand inside of `sched.kernel`",
            );
        };
        let (in_threads, in_warps) = (grid.in_threads(), grid.in_warps());
        let misfit = match info.level {
            Level::Lane(_) => !in_warps,
            Level::Thread(_) | Level::Global(_) => in_warps,
            Level::Warp(_) => in_threads,
            _ => false,
        };
        if misfit {
            return self.refuse(
                op,
                &codes::LEVEL,
                format!("runs at level '{}', which does not fit the loops around", info.level),
                "lanes stand inside of warps, and threads not beside of them",
            );
        }
        match self.seat(info.level) {
            Some(seat) => Ok(seat),
            None => self.refuse(
                op,
                &codes::LEVEL,
                format!("runs at level '{}', which kernels have not", info.level),
                "use cluster, block, thread, warp, lane or global levels",
            ),
        }
    }

    /// Refuse a loop with more iterations than ids, or with fewer where each id must have one
    fn check_trip(&self, info: &LoopInfo, seat: Seat) -> Res<()> {
        let trip = info.trip();
        let exact = matches!(info.level, Level::Block(_) | Level::Cluster(_));
        if trip <= seat.size && !(exact && trip != seat.size) {
            return Ok(());
        }
        self.refuse(
            info.op.0,
            &codes::LEVEL,
            format!("has {trip} iterations, but the kernel has {} there", seat.size),
            if exact {
                "the grid of a kernel is as large as its block loops"
            } else {
                "make the block larger, or split the loop"
            },
        )
    }

    /// The loop's variable in this thread
    fn variable_of(&mut self, info: &LoopInfo, seat: Seat) -> Value {
        if info.tile == 1 {
            // The id's own range is that of the hardware; under the guard it is that of the loop.
            return seat.id;
        }
        let (tile, index) = (self.index(info.tile), self.cx.common().index);
        let iv = self.value(arith::MulI::DEF, &[seat.id, tile], index, &[]);
        self.declare(iv, Range::stepped(0, (seat.size - 1) * info.tile, info.tile));
        iv
    }

    /// Say whether loops around run over the level's axis; gives what was so before, if that is recorded
    fn cover(&mut self, level: Level, covered: bool) -> Option<bool> {
        let axis = level.axis().map_or(0, |axis| axis.number());
        let axes = self.grid.as_mut()?.covered_of(level)?;
        Some(std::mem::replace(&mut axes[axis], covered))
    }

    /// Is the loop's body run only where ids that no loop runs over are 0?
    fn runs_alone(&self, op: OpId) -> bool {
        let (nest, _) = read(self.ir, op);
        let first = nest.loops.ids().next();
        let alone = |values: &Values| first.is_some_and(|id| Decided::new(&nest, values).runs_alone(id));
        Values::of(&nest).as_ref().is_some_and(alone)
    }

    /// Blocks and threads along a loop's axis that other loops of its path give out; none if no other loop does
    ///
    /// A loop of one iteration is at no level, as far as the verifier goes, and may stand around loops of its own axis or inside.
    fn shared_axis(&self, info: &LoopInfo) -> Option<(bool, bool)> {
        let axis = info.level.axis()?;
        let parts = |level: Level| match level {
            Level::Block(own) => (own == axis, false),
            Level::Thread(own) => (false, own == axis),
            Level::Global(own) => (own == axis, own == axis),
            _ => (false, false),
        };
        if parts(info.level) == (false, false) {
            return None;
        }
        let around = std::iter::successors(self.ir.parent(info.op.0), |op| self.ir.parent(*op));
        let loops = around.chain(self.ir.walk_below(info.op.0)).filter_map(|op| For::cast(self.ir, op));
        let others = loops.filter_map(|other| other.info(self.ir)).filter(|other| other.trip() > 1);
        let covered =
            others.map(|other| parts(other.level)).fold((false, false), |a, b| (a.0 | b.0, a.1 | b.1));
        (covered != (false, false)).then_some(covered)
    }

    /// The one iteration of a loop whose axis other loops use too: what they do not give out, the first one does
    fn one_round(&mut self, info: &LoopInfo, (blocks, threads): (bool, bool)) -> Res<()> {
        let Some((axis, grid)) = info.level.axis().zip(self.grid.as_ref()) else { return Ok(()) };
        let axis = axis.number();
        let block =
            (!blocks && matches!(info.level, Level::Block(_) | Level::Global(_)) && grid.grid[axis] > 1)
                .then_some(grid.block_ids[axis]);
        let thread =
            (!threads && matches!(info.level, Level::Thread(_) | Level::Global(_)) && grid.block[axis] > 1)
                .then_some(grid.thread_ids[axis]);
        self.depth += 1;
        let zero = self.index(0);
        let mut guard = None;
        for id in [block, thread].into_iter().flatten() {
            let first = self.compare(CmpIPredicate::Eq, id, zero);
            guard = self.both(guard, Some(first));
        }
        self.bind(info.iv, Val::One(zero));
        let guard = self.happens(info, zero, guard);
        let seat = Seat { id: zero, size: 1, stride: 0 };
        let done = self.spread_body(info, guard, seat);
        self.depth -= 1;
        done
    }

    /// Whether the iteration of this thread happens
    fn happens(&mut self, info: &LoopInfo, iv: Value, cut: Option<Value>) -> Option<Value> {
        let mut all = cut;
        for (bound, upper) in [(&info.limit, true), (&info.from, false)] {
            let Some(place) = self.bound(bound) else { continue };
            for expr in &place.exprs {
                let (range, own) = (place.range(expr), self.range(iv));
                if (upper && range.min() > own.max()) || (!upper && range.max() <= own.min()) {
                    continue;
                }
                let bound = self.affine(&place, expr);
                let holds =
                    self.compare(if upper { CmpIPredicate::Slt } else { CmpIPredicate::Sge }, iv, bound);
                all = self.both(all, Some(holds));
            }
        }
        all
    }

    /// Barriers and exchanges so far
    fn meetings(&self) -> (u64, u64) {
        self.grid.as_ref().map_or((0, 0), |grid| (grid.barriers, grid.exchanges))
    }

    /// Refuse a body that some threads skip and others wait in
    fn nobody_waits(&self, info: &LoopInfo, before: (u64, u64)) -> Res<()> {
        let after = self.meetings();
        let spread = info.level.is_thread_like() || matches!(info.level, Level::Global(_));
        // A warp is there as a whole or not at all.
        let lanes = !matches!(info.level, Level::Warp(_)) && after.1 > before.1;
        if !spread || (after.0 == before.0 && !lanes) {
            return Ok(());
        }
        self.refuse(
            info.op.0,
            &codes::LEVEL,
            "leaves threads idle, but all threads of the block meet inside of it",
            "make its number of iterations that of the block's threads",
        )
    }

    /// The iteration of this thread, where it happens, and its value merged with those of the others
    fn spread_body(&mut self, info: &LoopInfo, guard: Option<Value>, seat: Seat) -> Res<()> {
        let Some(block) = self.body_of(info) else { return Ok(()) };
        let olds: Vec<Value> = self.ir.results(info.op.0).collect();
        if !olds.is_empty() {
            self.check_meeting(info)?;
        }
        let given = match guard {
            None => self.block_values(block)?,
            Some(guard) => {
                let types: Vec<Type> = olds.iter().map(|old| self.ir.ty(*old)).collect();
                let neutral = self.values_of_idle(info, &types)?;
                let before = self.meetings();
                let given =
                    self.choose(guard, &types, &mut |e| e.block_values(block), &mut |_| Ok(neutral.clone()))?;
                self.nobody_waits(info, before)?;
                given
            }
        };
        let inits = info.op.inits(self.ir);
        // Outside of the guard: also those without an iteration take part.
        for group in info.groups() {
            let mut merged = self.meet(info, group.operator, &given[group.values()], seat);
            if let Some(inits) = inits.get(group.values()) {
                let vals: Vec<Val> = inits.iter().map(|init| self.get(*init)).collect();
                let inits: Vec<Value> = vals.into_iter().map(|val| self.whole(val)).collect();
                merged = self.merge_tuples(group.operator, &inits, &merged);
            }
            for (old, one) in olds[group.values()].iter().zip(merged) {
                self.bind(*old, Val::One(one));
            }
        }
        Ok(())
    }

    /// Refuse values of iterations that no mechanism merges inside of a kernel
    fn check_meeting(&self, info: &LoopInfo) -> Res<()> {
        if info.kind != Combination::Pw || !info.level.is_thread_like() {
            return self.refuse(
                info.op.0,
                &codes::MECHANISM,
                format!("gives a value from iterations at level '{}', which cannot meet inside of a kernel", info.level),
                "write each block's value with `combine` and `via atomic`, or into a buffer that a second kernel merges",
            );
        }
        if info.via == Mechanism::Atomic || info.via == Mechanism::Chain {
            return self.refuse(
                info.op.0,
                &codes::MECHANISM,
                format!("merges a value 'via {}', which threads of a block cannot", info.via),
                "say `via shared` or `via shuffle`, or leave the choice open",
            );
        }
        Ok(())
    }

    /// What threads without an iteration contribute
    fn values_of_idle(&mut self, info: &LoopInfo, types: &[Type]) -> Res<Vec<Value>> {
        let groups = info.groups();
        let neutral = self.identities(&groups, types);
        let without = groups.iter().find(|group| neutral[group.values()].iter().any(Option::is_none));
        if let Some(Group { operator, .. }) = without {
            return self.refuse(
                info.op.0,
                &codes::IDENTITY,
                format!("leaves threads idle, and '{operator}' has no neutral element for them"),
                "declare `identity` in `sched.operator`",
            );
        }
        Ok(neutral.into_iter().flatten().map(|attr| self.constant(attr)).collect())
    }
}
