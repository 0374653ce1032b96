//! Joins: pairs of accesses between which threads of a block must wait for each other, and the loop in which they would.
//!
//! Loops over threads end in a join. It needs a barrier where two accesses to one element may be made by different threads,
//! one of which writes. Whether they may depends on who makes each along each axis: the thread of a loop's iteration, the
//! first thread, or any. What takes analysis, whether iterations of two loops that are apart may be at one element, does not
//! depend on levels, so that a search can ask it once and then decide for each choice of levels.
//!
//! This is the one definition: the verifier asks it of all pairs, the search of all levels, and the lowering
//! (`lowering/sched`, `sync`), which knows what lies between two accesses, of those that are left.

use terrace_analysis::{Across, Range, may_conflict_where};
use terrace_devices::{Axis, Level, Space};
use terrace_schedule_model::nest::{Access, AccessId, Around, Index, LoopId, OpaqueId};
use terrace_schedule_model::nest_arena::Id;
use terrace_schedule_model::nest_decided::Decided;
use terrace_schedule_model::nest_parts::Place;
use terrace_support::affine::AffineExpr;

/// Two accesses to one buffer that threads share, one of which writes
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Join {
    /// The access that comes first
    pub first: AccessId,
    /// The one that must wait
    pub second: AccessId,
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

/// All pairs inside of kernels or what may become one: in the same round of all loops around both, and from round to round
pub fn joins(nest: &Decided<'_>) -> Vec<Join> {
    let mut out = Vec::new();
    for (n, a) in nest.accesses.entries().filter(|(_, access)| nest.is_shared(access)) {
        for (m, b) in nest.accesses.entries().skip(n.index()) {
            if !nest.share_memory(a, b) || a.around.launch != b.around.launch || (a.reads() && b.reads()) {
                continue;
            }
            let common: Vec<LoopId> = nest.common(a.around.inside, b.around.inside).collect();
            if a.place != b.place {
                out.push(Join { first: n, second: m, place: common.first().copied(), round: false });
            }
            for id in common.iter().filter(|id| nest.trip(**id) > 1) {
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
pub fn meets_apart(nest: &Decided<'_>, join: &Join, first: &Who, second: &Who) -> bool {
    match (first, second) {
        (Who::First, Who::First) => false,
        (Who::Loops { loops: x, by: a }, Who::Loops { loops: y, by: b }) => {
            let same = x == y && a == b && (!is_joined(nest, join, x) || is_own(nest, join, x));
            !same && may_meet(nest, join, &[(x, *a, 0), (y, *b, 1)], None)
        }
        (Who::Loops { loops, by }, Who::First) => may_meet(nest, join, &[(loops, *by, 0)], Some(0)),
        (Who::First, Who::Loops { loops, by }) => may_meet(nest, join, &[(loops, *by, 1)], Some(1)),
        (Who::Any, _) | (_, Who::Any) => may_meet(nest, join, &[], None),
    }
}

/// Does each of the threads of these loops have a buffer of its own, in a block's memory?
fn is_own(nest: &Decided<'_>, join: &Join, loops: &[LoopId]) -> bool {
    let access = &nest.accesses[join.first];
    let buffer = &nest.buffers[nest.memory(access.buffer)];
    let shared = buffer.made.is_some() && buffer.space == Space::Shared;
    shared && loops.last().is_some_and(|id| !nest.is_shared_across(access.buffer, *id))
}

/// Do joins of these loops lie between the two: are they inside of the loop whose rounds are meant?
fn is_joined(nest: &Decided<'_>, join: &Join, loops: &[LoopId]) -> bool {
    let inside = |id: &LoopId| join.place.is_some_and(|place| *id != place && nest.is_in(Some(*id), place));
    join.round && loops.first().is_some_and(inside)
}

/// What stands for a loop's variable on one side
type Digit = (LoopId, usize, AffineExpr);

/// Whether the two may be at one element: where iterations of the loops given differ, or, of one side's, are not the first
fn may_meet(
    nest: &Decided<'_>,
    join: &Join,
    apart: &[(&[LoopId], i64, usize)],
    not_first: Option<usize>,
) -> bool {
    let (a, b) = (&nest.accesses[join.first], &nest.accesses[join.second]);
    let Some([at_a, at_b]) = nest.places(a, b) else { return true };
    let mut v = Variables { known: Vec::new(), ranges: Vec::new(), across: Vec::new() };
    // Loops that are one, by the number of their iteration.
    let mut digits: Vec<Digit> = Vec::new();
    let mut holds = [Vec::new(), Vec::new()];
    let trips =
        |loops: &[LoopId]| loops.iter().fold(1i64, |all, id| all.saturating_mul(nest.trip(*id).max(1)));
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
        let mut remaining = number;
        if *by > 0 {
            let last = (trips(loops) - 1).max(0) / by * by;
            let start = Range::stepped(0, last, *by).unwrap_or(Range::ALL);
            remaining = AffineExpr::add(v.dim((None, *side as u8), start, Across::Free), remaining);
        }
        for (place, id) in loops.iter().enumerate().rev() {
            let run = nest.run(*id);
            let trip = AffineExpr::Constant(run.trip.max(1));
            let own = match place {
                0 => remaining.clone(),
                _ => AffineExpr::modulo(remaining.clone(), trip.clone()),
            };
            remaining = AffineExpr::floor_div(remaining, trip);
            digits.push((*id, *side, AffineExpr::mul(own, AffineExpr::Constant(run.tile))));
        }
    }
    let relation = |id: LoopId| {
        if !(nest.is_in(a.around.inside, id) && nest.is_in(b.around.inside, id)) {
            return None;
        }
        Some(match join.place.filter(|_| join.round) {
            Some(place) if id == place => Across::Before,
            Some(place) if nest.is_in(Some(id), place) => Across::Free,
            _ => Across::Same,
        })
    };
    let one = v.side(nest, (a, &at_a), &relation, &digits, 0);
    let other = v.side(nest, (b, &at_b), &relation, &digits, 1);
    may_conflict_where(&one, &other, [&holds[0], &holds[1]], v.ranges.as_slice(), &v.across).is_some()
}

/// Do threads wait for each other at a join, with the levels that the loops have?
pub fn waits_at(nest: &Decided<'_>, join: &Join, block: [i64; 3]) -> bool {
    let (a, b) = (&nest.accesses[join.first], &nest.accesses[join.second]);
    let warps = |access: &Access| {
        nest.around(access.around.inside).any(|id| matches!(nest.level(id), Level::Warp(_)))
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
        _ => return may_meet(nest, join, &[], None),
    };
    levels.into_iter().any(|level| meets_apart(nest, join, &who(nest, a, level), &who(nest, b, level)))
}

/// Who makes an access along an axis of a level
fn who(nest: &Decided<'_>, access: &Access, level: Level) -> Who {
    let spread = |id: &LoopId| match (nest.level(*id), level) {
        (Level::Global(own), Level::Thread(axis)) => own == axis,
        (own, wanted) => own == wanted,
    };
    let mut around: Vec<LoopId> = nest.around(access.around.inside).filter(spread).collect();
    around.reverse();
    let own = around.into_iter().max_by_key(|id| nest.trip(*id) > 1);
    let alone = || nest.around(access.around.inside).any(|id| nest.runs_alone(id));
    match own {
        _ if access.together => Who::Any,
        Some(id) => Who::Loops { loops: vec![id], by: 0 },
        None if !access.reads() || alone() => Who::First,
        None => Who::Any,
    }
}

/// Is a value computed in the kernel of an access, or in what may become one, so that it may differ from thread to thread?
fn is_computed(nest: &Decided<'_>, access: &Around, value: OpaqueId) -> bool {
    let own = &nest.opaque[value];
    let root = |at: Option<LoopId>| nest.around(at).last();
    own.constant.is_none()
        && match (access.launch, root(access.inside)) {
            (Some(launch), _) => own.around.launch == Some(launch),
            (None, Some(top)) => root(own.around.inside) == Some(top),
            (None, None) => false,
        }
}

/// Variables of both accesses: common ones once, others once per side
struct Variables {
    known: Vec<(Option<Index>, u8)>,
    ranges: Vec<Range>,
    across: Vec<Across>,
}

impl Variables {
    fn dim(&mut self, key: (Option<Index>, u8), range: Range, across: Across) -> AffineExpr {
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
        nest: &Decided<'_>,
        (access, place): (&Access, &Place),
        relation: &dyn Fn(LoopId) -> Option<Across>,
        digits: &[Digit],
        side: usize,
    ) -> Vec<AffineExpr> {
        let own = side as u8;
        let mut leaves: Vec<AffineExpr> =
            Decided::domain(access).map(|range| self.dim((None, own), range, Across::Free)).collect();
        for index in &place.over {
            let digit = digits.iter().find(|(id, of, _)| Index::Loop(*id) == *index && *of == side);
            let range = nest.range_of(*index);
            leaves.push(match (digit, index) {
                (Some((_, _, expr)), _) => expr.clone(),
                (None, Index::Loop(id)) => match relation(*id) {
                    Some(across) => self.dim((Some(*index), 2), range, across),
                    None => self.dim((Some(*index), own), range, Across::Free),
                },
                (None, Index::Opaque(value)) => match is_computed(nest, &access.around, *value) {
                    true => self.dim((Some(*index), own), range, Across::Free),
                    false => self.dim((Some(*index), 2), range, Across::Same),
                },
            });
        }
        if let Some(width) = Range::below(place.width).filter(|_| place.width > 1) {
            leaves.push(self.dim((None, own), width, Across::Free));
        }
        let replace = |expr: &AffineExpr| expr.replace(&leaves, &[]).unwrap_or_else(|| expr.clone());
        place.at.iter().map(replace).collect()
    }
}
