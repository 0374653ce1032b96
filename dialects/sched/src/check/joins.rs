//! Joins: pairs of accesses between which threads of a block must wait for each other, and the loop in which they would.
//!
//! Loops over threads end in a join. It needs a barrier where two accesses to one element may be made by different threads,
//! one of which writes. Whether they may hangs on who makes each along each axis: the thread of a loop's iteration, the
//! first thread, or any. What that takes from analysis, whether iterations of two loops that are apart may be at one element,
//! does not hang on levels, so that a search can ask it once and then decide for each choice of levels.
//!
//! This is the one definition: the verifier asks it of all pairs, the search of all levels, and the lowering
//! (`lowering/sched`, `sync`), which knows what lies between two accesses, of those that are left.

use super::nest::{AccessNode, LoopId, Nest, Tree, Use};
use crate::ops::{Copy, For, Kernel, LoopInfo};
use crate::space;
use terrace_analysis::{Across, Range, may_conflict_where};
use terrace_devices::{Axis, Level, Space};
use terrace_ir::{Ir, OpId, Value, ValueDef};
use terrace_support::affine::AffineExpr;

/// Two accesses to one buffer that threads share, one of which writes
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Join {
    /// The access that comes first: its place in the nest's
    pub first: usize,
    /// The one that must wait
    pub second: usize,
    /// The innermost loop around the point where it would; none: the kernel
    pub place: Option<LoopId>,
    /// The second is in a later round of this loop, which is the place
    pub round: bool,
}

/// Which threads make an access along an axis
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Who {
    /// Those of the iterations of loops that are one
    Loops {
        /// Outermost first
        loops: Vec<LoopId>,
        /// Their iterations are run in strips of so many, each by the thread of its place in the strip; 0: at once
        by: i64,
    },
    /// The first one
    First,
    /// Each, or any of them
    Any,
}

/// A loop over threads of a block, also by way of the whole grid
pub fn is_spread(level: Level) -> bool {
    level.is_thread_like() || matches!(level, Level::Global(_))
}

/// Is the body of a loop over threads run only where ids that no loop runs over are 0? Where nobody meets inside of it
pub fn runs_alone(ir: &Ir, info: &LoopInfo) -> bool {
    let meets = |op: OpId| {
        Copy::cast(ir, op).is_some_and(|copy| copy.is_collective(ir))
            || For::cast(ir, op).and_then(|inner| inner.info(ir)).is_some_and(|inner| is_spread(inner.level))
    };
    is_spread(info.level) && ir.num_results(info.op.0) == 0 && !ir.walk_below(info.op.0).any(meets)
}

/// Do bounds of a loop that is not parallel differ from thread to thread? What a kernel computes may
pub fn is_uneven(ir: &Ir, info: &LoopInfo, kernel: Option<OpId>) -> bool {
    let bounds = info.limit.iter().chain(&info.from);
    bounds.flat_map(|bound| &bound.values).any(|value| {
        let variable = match ir.value_def(*value) {
            Some(ValueDef::Arg(block, 0)) => ir
                .block_parent(block)
                .and_then(|op| For::cast(ir, op)?.info(ir))
                .filter(|own| own.iv == *value),
            _ => None,
        };
        match variable {
            Some(own) => is_spread(own.level) && own.trip() > 1,
            None => kernel.is_some_and(|kernel| is_computed(ir, *value, kernel)),
        }
    })
}

/// A value that is computed inside of an op
fn is_computed(ir: &Ir, value: Value, top: OpId) -> bool {
    let around = match ir.value_def(value) {
        Some(ValueDef::Result(op, _)) => Some(op),
        Some(ValueDef::Arg(block, _)) => ir.block_parent(block),
        None => None,
    };
    let inside = around.is_none_or(|op| op == top || ir.is_inside(op, top));
    inside && terrace_ir::fold::constant_of(ir, value).is_none()
}

impl Nest<'_> {
    /// All pairs inside of kernels or what may become one: in the same round of all loops around both, and from round to round
    pub fn joins(&self) -> Vec<Join> {
        self.tree.joins(self.ir)
    }

    /// May threads that differ along an axis be at one element? The same loops on both sides: only from round to round
    pub fn meets_apart(&self, join: &Join, first: &Who, second: &Who) -> bool {
        self.tree.meets_apart(self.ir, join, first, second)
    }

    /// Do threads wait for each other at a join, with the levels that the loops have?
    pub fn waits_at(&self, join: &Join, block: [i64; 3]) -> bool {
        self.tree.waits_at(self.ir, join, block)
    }

    /// Does the loop leave threads of the block out, or run for some of them longer than for others?
    pub fn is_uneven(&self, id: LoopId) -> bool {
        let info = self.info(id);
        let bounded = info.limit.is_some() || info.from.is_some();
        let Some((grid, block)) = self.kernel_sizes(id) else { return false };
        match info.level {
            Level::Thread(axis) => info.trip() != block[axis.number()] || bounded,
            Level::Global(axis) => {
                let all = grid[axis.number()].saturating_mul(block[axis.number()]);
                info.trip() != all || bounded
            }
            level if level.is_parallel() => false,
            _ => is_uneven(self.ir, info, self.loops[id].kernel),
        }
    }

    /// Are threads of the kernel counted as warps and lanes?
    pub fn has_warps(&self, kernel: OpId) -> bool {
        self.loops.iter().any(|each| {
            each.kernel == Some(kernel) && matches!(each.info.level, Level::Warp(_) | Level::Lane(_))
        })
    }

    /// Block of a kernel
    pub fn block_of(&self, kernel: OpId) -> Option<[i64; 3]> {
        Some(Kernel::cast(self.ir, kernel)?.block_size(self.ir))
    }
}

impl Tree {
    /// Does an access reach memory that threads share?
    pub fn is_shared(ir: &Ir, access: &AccessNode) -> bool {
        space::of(ir.cx(), ir.ty(access.memref)) != Space::Private
    }

    /// All pairs inside of kernels or what may become one: in the same round of all loops around both, and from round to round
    pub fn joins(&self, ir: &Ir) -> Vec<Join> {
        let mut out = Vec::new();
        for (n, a) in self.accesses.iter().enumerate() {
            if !Tree::is_shared(ir, a) {
                continue;
            }
            for (m, b) in self.accesses.iter().enumerate().skip(n) {
                let writes = a.what != Use::Read || b.what != Use::Read;
                if a.memref != b.memref || !writes || a.kernel != b.kernel {
                    continue;
                }
                let common: Vec<LoopId> =
                    self.around(a.inside).filter(|id| self.is_in(b.inside, *id)).collect();
                if a.op != b.op {
                    out.push(Join { first: n, second: m, place: common.first().copied(), round: false });
                }
                for id in common.iter().filter(|id| self.info(**id).trip() > 1) {
                    out.push(Join { first: m, second: n, place: Some(*id), round: true });
                    if n != m {
                        out.push(Join { first: n, second: m, place: Some(*id), round: true });
                    }
                }
            }
        }
        out
    }

    /// May threads that differ along an axis be at one element? The same loops on both sides: only from round to round
    pub fn meets_apart(&self, ir: &Ir, join: &Join, first: &Who, second: &Who) -> bool {
        match (first, second) {
            (Who::First, Who::First) => false,
            (Who::Loops { loops: x, by: a }, Who::Loops { loops: y, by: b }) => {
                let same = x == y && a == b && (!self.is_joined(join, x) || self.is_own(join, x));
                !same && self.may_meet(ir, join, &[(x, *a, 0), (y, *b, 1)], None)
            }
            (Who::Loops { loops, by }, Who::First) => self.may_meet(ir, join, &[(loops, *by, 0)], Some(0)),
            (Who::First, Who::Loops { loops, by }) => self.may_meet(ir, join, &[(loops, *by, 1)], Some(1)),
            (Who::Any, _) | (_, Who::Any) => self.may_meet(ir, join, &[], None),
        }
    }

    /// Does each of the threads of these loops have a buffer of its own, in a block's memory?
    fn is_own(&self, join: &Join, loops: &[LoopId]) -> bool {
        let memref = self.accesses[join.first].memref;
        let shared = self.buffer_of(memref).is_some_and(|buffer| buffer.space == Space::Shared);
        shared && loops.last().is_some_and(|id| !self.is_shared_across(memref, *id))
    }

    /// Do joins of these loops lie between the two: are they inside of the loop whose rounds are meant?
    fn is_joined(&self, join: &Join, loops: &[LoopId]) -> bool {
        let inside =
            |id: &LoopId| join.place.is_some_and(|place| *id != place && self.is_in(Some(*id), place));
        join.round && loops.first().is_some_and(inside)
    }

    /// Whether the two may be at one element: where iterations of the loops given differ, or, of one side's, are not the first
    fn may_meet(
        &self,
        ir: &Ir,
        join: &Join,
        apart: &[(&[LoopId], i64, usize)],
        not_first: Option<usize>,
    ) -> bool {
        let (a, b) = (&self.accesses[join.first], &self.accesses[join.second]);
        let mut v = Variables { known: Vec::new(), ranges: Vec::new(), across: Vec::new() };
        // Loops that are one, by the number of their iteration.
        let mut digits: Vec<(Value, usize, AffineExpr)> = Vec::new();
        let mut holds = [Vec::new(), Vec::new()];
        let trips = |loops: &[LoopId]| {
            loops.iter().fold(1i64, |all, id| all.saturating_mul(self.info(*id).trip().max(1)))
        };
        let at_once = |loops: &[LoopId], by: i64| if by > 0 { by } else { trips(loops) };
        let most = apart.iter().map(|(loops, by, _)| at_once(loops, *by)).max().unwrap_or(1);
        let together = apart.len() == 2;
        for (loops, by, side) in apart {
            let range = Range::below(if together { most } else { at_once(loops, *by) }).unwrap_or(Range::ALL);
            let (key, across) = if together { (2, Across::Differ) } else { (*side as u8, Across::Free) };
            let number = v.dim((None, key), range, across);
            if not_first == Some(*side) {
                holds[*side].push(AffineExpr::sub(number.clone(), AffineExpr::Constant(1)));
            }
            let mut rest = number;
            if *by > 0 {
                let last = (trips(loops) - 1).max(0) / by * by;
                let start = Range::stepped(0, last, *by).unwrap_or(Range::ALL);
                rest = AffineExpr::add(v.dim((None, *side as u8), start, Across::Free), rest);
            }
            for (place, id) in loops.iter().enumerate().rev() {
                let (trip, info) = (self.info(*id).trip().max(1), self.info(*id));
                let own = if place == 0 {
                    rest.clone()
                } else {
                    AffineExpr::modulo(rest.clone(), AffineExpr::Constant(trip))
                };
                rest = AffineExpr::floor_div(rest, AffineExpr::Constant(trip));
                digits.push((info.iv, *side, AffineExpr::mul(own, AffineExpr::Constant(info.tile))));
            }
        }
        let relation = |id: LoopId| {
            if !(self.is_in(a.inside, id) && self.is_in(b.inside, id)) {
                return None;
            }
            Some(match join.place.filter(|_| join.round) {
                Some(place) if id == place => Across::Before,
                Some(place) if self.is_in(Some(id), place) => Across::Free,
                _ => Across::Same,
            })
        };
        let one = v.side(ir, self, a, &relation, &digits, 0);
        let other = v.side(ir, self, b, &relation, &digits, 1);
        may_conflict_where(&one, &other, [&holds[0], &holds[1]], v.ranges.as_slice(), &v.across).is_some()
    }

    /// Do threads wait for each other at a join, with the levels that the loops have?
    pub fn waits_at(&self, ir: &Ir, join: &Join, block: [i64; 3]) -> bool {
        let (a, b) = (&self.accesses[join.first], &self.accesses[join.second]);
        let warps = |access: &AccessNode| {
            self.around(access.inside).any(|id| matches!(self.info(id).level, Level::Warp(_)))
        };
        let levels: Vec<Level> = match (warps(a), warps(b)) {
            (false, false) => {
                let several = Axis::ALL.into_iter().filter(|axis| block[axis.number()] > 1);
                several.map(Level::Thread).collect()
            }
            (true, true) => {
                let axes = Axis::ALL.into_iter();
                axes.flat_map(|axis| [Level::Warp(axis), Level::Lane(axis)]).collect()
            }
            // Threads are counted in another way, or not at all: any may be it.
            _ => return self.may_meet(ir, join, &[], None),
        };
        levels
            .into_iter()
            .any(|level| self.meets_apart(ir, join, &self.who(ir, a, level), &self.who(ir, b, level)))
    }

    /// Who makes an access along an axis of a level
    fn who(&self, ir: &Ir, access: &AccessNode, level: Level) -> Who {
        let spread = |id: &LoopId| match (self.info(*id).level, level) {
            (Level::Global(own), Level::Thread(axis)) => own == axis,
            (own, wanted) => own == wanted,
        };
        let mut around: Vec<LoopId> = self.around(access.inside).filter(spread).collect();
        around.reverse();
        let own = around.into_iter().max_by_key(|id| self.info(*id).trip() > 1);
        let alone = || self.around(access.inside).any(|id| runs_alone(ir, self.info(id)));
        match own {
            _ if access.together => Who::Any,
            Some(id) => Who::Loops { loops: vec![id], by: 0 },
            None if access.what != Use::Read || alone() => Who::First,
            None => Who::Any,
        }
    }
}

/// Variables of both accesses: common ones once, others once per side
struct Variables {
    known: Vec<(Option<Value>, u8)>,
    ranges: Vec<Range>,
    across: Vec<Across>,
}

impl Variables {
    fn dim(&mut self, key: (Option<Value>, u8), range: Range, across: Across) -> AffineExpr {
        let shared = key.0.is_some() || key.1 == 2;
        let known = self.known.iter().position(|other| *other == key).filter(|_| shared);
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
        ir: &Ir,
        nest: &Tree,
        access: &AccessNode,
        relation: &dyn Fn(LoopId) -> Option<Across>,
        digits: &[(Value, usize, AffineExpr)],
        side: usize,
    ) -> Vec<AffineExpr> {
        let own = side as u8;
        let mut leaves = Vec::new();
        for size in &access.domain {
            let range = Range::below(*size).unwrap_or(Range::one(0));
            leaves.push(self.dim((None, own), range, Across::Free));
        }
        for value in &access.at.values {
            let digit = digits.iter().find(|(iv, of, _)| iv == value && *of == side);
            let leaf = match (digit, nest.loop_of(*value)) {
                (Some((_, _, expr)), _) => expr.clone(),
                (None, Some(id)) => match relation(id) {
                    Some(across) => self.dim((Some(*value), 2), nest.range(id), across),
                    None => self.dim((Some(*value), own), nest.range(id), Across::Free),
                },
                (None, None) => {
                    let constant =
                        terrace_ir::fold::constant_of(ir, *value).and_then(|attr| attr.as_i64(ir.cx()));
                    let range = constant.map_or(Range::ALL, Range::one);
                    // What is computed inside of a kernel, or of what may become one, may differ from thread to thread.
                    let outermost = || nest.around(access.inside).last().map(|id| nest.info(id).op.0);
                    let top = access.kernel.or_else(outermost);
                    match top.is_some_and(|top| is_computed(ir, *value, top)) {
                        true => self.dim((Some(*value), own), range, Across::Free),
                        false => self.dim((Some(*value), 2), range, Across::Same),
                    }
                }
            };
            leaves.push(leaf);
        }
        let replace = |expr: &AffineExpr| expr.replace(&leaves, &[]).unwrap_or_else(|| expr.clone());
        access.at.map.results.iter().map(replace).collect()
    }
}
