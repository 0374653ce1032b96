//! GRID, second part: blocks cannot wait for each other inside of a kernel, so that none uses what another one writes there.
//!
//! Two loops over blocks, one behind the other, are no loop around both: what the first wrote is there for the second only
//! where the same block does both. So it is with rounds of a sequential loop around loops over blocks.

use super::Claim;
use super::formula::Formula;
use super::joins::{Join, Who};
use super::nest::{AccessNode, LoopId, Nest, Use};
use crate::ops::Kernel;
use crate::space;
use terrace_devices::{Axis, Level, Space};

impl Nest<'_> {
    /// Pairs of accesses to one buffer that blocks share, one of which writes, and that different blocks may make: in loops that are
    /// not around both, and from round to round of one that is
    pub fn exchanges(&self, may_be_blocks: &dyn Fn(LoopId) -> bool) -> Vec<Join> {
        let blocks: Vec<Vec<LoopId>> = self
            .accesses
            .iter()
            .map(|access| self.around(access.inside).filter(|id| may_be_blocks(*id)).collect())
            .collect();
        let mut out = Vec::new();
        for (first, a) in self.accesses.iter().enumerate() {
            let own = self.buffer_of(a.memref).is_some_and(|buffer| buffer.space != Space::Device);
            if own || space::of(self.ir.cx(), self.ir.ty(a.memref)) == Space::Private {
                continue;
            }
            for (second, b) in self.accesses.iter().enumerate().skip(first) {
                let writes = a.what != Use::Read || b.what != Use::Read;
                if a.memref != b.memref || a.kernel != b.kernel || !writes {
                    continue;
                }
                let common: Vec<LoopId> =
                    self.around(a.inside).filter(|id| self.is_in(b.inside, *id)).collect();
                // What is merged may come in any order.
                let merges = a.what == b.what && a.what != Use::Write;
                if blocks[first] != blocks[second] && !merges {
                    out.push(Join { first, second, place: common.first().copied(), round: false });
                }
                for place in common.into_iter().filter(|id| self.info(*id).trip() > 1) {
                    let inside = |id: &LoopId| *id != place && self.is_in(Some(*id), place);
                    if blocks[first].iter().chain(&blocks[second]).any(inside) {
                        out.push(Join { first, second, place: Some(place), round: true });
                        if first != second {
                            out.push(Join { first: second, second: first, place: Some(place), round: true });
                        }
                    }
                }
            }
        }
        out
    }

    /// Loops around an access inside of the place of a pair, outermost first
    pub fn inside_of(&self, join: &Join, access: &AccessNode) -> Vec<LoopId> {
        let between = self.around(access.inside).take_while(|id| Some(*id) != join.place);
        let mut all: Vec<LoopId> = between.collect();
        all.reverse();
        all
    }
}

fn is_over(level: Level, axis: Axis) -> bool {
    [Level::Block(axis), Level::Global(axis), Level::Cluster(axis)].contains(&level)
}

/// Blocks of a kernel that would have to wait for each other
pub(super) fn exchanges(nest: &Nest<'_>, out: &mut Vec<Claim>) {
    let on_grid = |id: LoopId| {
        let level = nest.info(id).level;
        nest.loops[id].kernel.is_some()
            && (level.is_grid_like() || matches!(level, Level::Global(_)))
            && nest.info(id).trip() > 1
            && !nest.info(id).nowait
    };
    for join in nest.exchanges(&on_grid) {
        if join.round && join.place.is_some_and(|id| nest.info(id).level.is_parallel()) {
            continue;
        }
        let (a, b) = (&nest.accesses[join.first], &nest.accesses[join.second]);
        let Some(kernel) = a.kernel.and_then(|op| Kernel::cast(nest.ir, op)) else { continue };
        for axis in Axis::ALL.into_iter().filter(|axis| kernel.grid_size(nest.ir)[axis.number()] > 1) {
            if nest.around(join.place).any(|id| is_over(nest.info(id).level, axis)) {
                continue;
            }
            let own = |access: &AccessNode| -> Vec<LoopId> {
                let inside = nest.inside_of(&join, access).into_iter();
                inside.filter(|id| is_over(nest.info(*id).level, axis) && on_grid(*id)).collect()
            };
            let (x, y) = (own(a), own(b));
            let blocks = y.first().or(x.first()).map(|id| nest.info(*id).op.0);
            let meet = match (x.is_empty(), y.is_empty()) {
                (true, true) => false,
                (false, false) => {
                    let who = |loops: Vec<LoopId>| Who::Loops { loops, by: 0 };
                    nest.meets_apart(&join, &who(x), &who(y))
                }
                _ => nest.meets_apart(&join, &Who::Any, &Who::Any),
            };
            if meet {
                let (does, did) = match (b.what == Use::Read, a.what == Use::Read) {
                    (true, _) => ("reads", "writes"),
                    (false, true) => ("writes", "reads"),
                    (false, false) => ("writes", "writes"),
                };
                let round =
                    join.place.filter(|_| join.round).map(|id| (nest.info(id).op.0, "the loop around"));
                out.push(Claim {
                    formula: Formula::Fact(false),
                    op: blocks.filter(|_| round.is_some()).unwrap_or(b.op),
                    reason: if round.is_some() {
                        "blocks start again in each round of a loop around them, and read what blocks of the round before wrote".into()
                    } else { format!(
                        "a block along {} {does} here what another one {did}, and blocks of a kernel cannot wait for each other",
                        axis.name()
                    ) },
                    others: [Some((a.op, "the other access")), round, Some((kernel.0, "the kernel"))].into_iter().flatten().collect(),
                    help: if round.is_some() {
                        "blocks cannot wait for each other inside of a kernel: use one kernel per round"
                    } else {
                        "use two kernels, or a loop over blocks around both"
                    },
                });
            }
        }
    }
}
