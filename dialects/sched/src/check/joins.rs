//! Joins: pairs of accesses between which threads of a block must wait for each other, and the loop in which they would.
//!
//! Loops over threads end in a join. It needs a barrier where two accesses to one element may be made by different threads,
//! one of which writes. Whether they may hangs on who makes each along each axis: the thread of a loop's iteration, the
//! first thread, or any. What that takes from analysis, whether iterations of two loops that are apart may be at one element,
//! does not hang on levels, so that a search can ask it once and then decide for each choice of levels.
//!
//! The same question as the lowering's when it places barriers (`lowering/sched`, `sync`); a pair that is told here has a
//! barrier inside of its place, whatever other pairs have. Warps and lanes are not told here.

use super::nest::{AccessNode, LoopId, Nest, Use};
use crate::level::{Axis, Level};
use crate::ops::Kernel;
use crate::space::Space;
use terrace_analysis::{Across, Range, may_conflict_where};
use terrace_ir::{OpId, Value};
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

impl Nest<'_> {
    /// All pairs inside of kernels or what may become one: in the same round of all loops around both, and from round to round
    pub fn joins(&self) -> Vec<Join> {
        let mut out = Vec::new();
        let shared = |access: &AccessNode| {
            let ty = self.ir.ty(access.memref);
            Space::of(self.ir.cx(), ty) != Space::Private
        };
        for (n, a) in self.accesses.iter().enumerate() {
            if !shared(a) {
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
    pub fn meets_apart(&self, join: &Join, first: &Who, second: &Who) -> bool {
        match (first, second) {
            (Who::First, Who::First) => false,
            (Who::Loops { loops: x, by: a }, Who::Loops { loops: y, by: b }) => {
                let same = x == y && a == b && !self.is_joined(join, x);
                !same && self.may_meet(join, &[(x, *a, 0), (y, *b, 1)], None)
            }
            (Who::Loops { loops, by }, Who::First) => self.may_meet(join, &[(loops, *by, 0)], Some(0)),
            (Who::First, Who::Loops { loops, by }) => self.may_meet(join, &[(loops, *by, 1)], Some(1)),
            (Who::Any, _) | (_, Who::Any) => self.may_meet(join, &[], None),
        }
    }

    /// Do joins of these loops lie between the two: are they inside of the loop whose rounds are meant?
    fn is_joined(&self, join: &Join, loops: &[LoopId]) -> bool {
        let inside =
            |id: &LoopId| join.place.is_some_and(|place| *id != place && self.is_in(Some(*id), place));
        join.round && loops.first().is_some_and(inside)
    }

    /// Whether the two may be at one element: where iterations of the loops given differ, or, of one side's, are not the first
    fn may_meet(&self, join: &Join, apart: &[(&[LoopId], i64, usize)], not_first: Option<usize>) -> bool {
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
        let one = v.side(self, a, &relation, &digits, 0);
        let other = v.side(self, b, &relation, &digits, 1);
        may_conflict_where(&one, &other, [&holds[0], &holds[1]], v.ranges.as_slice(), &v.across).is_some()
    }

    /// Do threads wait for each other at a join, with the levels that the loops have?
    pub fn waits_at(&self, join: &Join, block: [i64; 3]) -> bool {
        let (a, b) = (&self.accesses[join.first], &self.accesses[join.second]);
        Axis::ALL.into_iter().any(|axis| {
            block[axis.number()] > 1 && self.meets_apart(join, &self.who(a, axis), &self.who(b, axis))
        })
    }

    fn who(&self, access: &AccessNode, axis: Axis) -> Who {
        let spread = |id: &LoopId| match self.info(*id).level {
            Level::Thread(own) | Level::Global(own) => own == axis,
            _ => false,
        };
        let mut around: Vec<LoopId> = self.around(access.inside).filter(spread).collect();
        around.reverse();
        let own = around.into_iter().max_by_key(|id| self.info(*id).trip() > 1);
        match own {
            _ if access.per.is_some() => Who::Any,
            Some(id) => Who::Loops { loops: vec![id], by: 0 },
            None if access.what != Use::Read || self.around(access.inside).any(|id| self.runs_alone(id)) => {
                Who::First
            }
            None => Who::Any,
        }
    }

    /// Is the body of a loop over threads run only where ids that no loop runs over are 0? Where nobody meets inside of it
    fn runs_alone(&self, id: LoopId) -> bool {
        let info = self.info(id);
        is_spread(info.level)
            && self.ir.num_results(info.op.0) == 0
            && !self.collectives.iter().any(|(_, inside, _)| self.is_in(*inside, id))
            && !(0..self.loops.len())
                .any(|other| other != id && self.is_in(Some(other), id) && is_spread(self.info(other).level))
    }

    /// Does the loop leave threads of the block out, or run for some of them longer than for others?
    pub fn is_uneven(&self, id: LoopId) -> bool {
        let info = self.info(id);
        let bounds = || info.limit.iter().chain(&info.from);
        let Some((grid, block)) = self.kernel_sizes(id) else { return false };
        match info.level {
            Level::Thread(axis) => info.trip() != block[axis.number()] || bounds().next().is_some(),
            Level::Global(axis) => {
                let all = grid[axis.number()].saturating_mul(block[axis.number()]);
                info.trip() != all || bounds().next().is_some()
            }
            level if level.is_parallel() => false,
            _ => bounds().flat_map(|bound| &bound.values).any(|value| {
                self.loop_of(*value)
                    .is_some_and(|other| is_spread(self.info(other).level) && self.info(other).trip() > 1)
            }),
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
        nest: &Nest<'_>,
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
                    let constant = terrace_ir::fold::constant_of(nest.ir, *value)
                        .and_then(|attr| attr.as_i64(nest.ir.cx()));
                    let range = constant.map_or(Range::ALL, Range::one);
                    // What is computed inside of a loop may differ from thread to thread.
                    let block = nest.ir.value_block(*value).and_then(|block| nest.ir.block_parent(block));
                    let outermost = nest.around(access.inside).last().map(|id| nest.info(id).op.0);
                    let inside = block
                        .zip(outermost)
                        .is_some_and(|(around, top)| around == top || nest.ir.is_inside(around, top));
                    match inside && constant.is_none() {
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
