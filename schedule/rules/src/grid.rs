//! GRID: each block does what no other does again, and none uses what another one writes: blocks of a kernel do not wait.
//!
//! Two loops over blocks, one behind the other, are no loop around both: what the first wrote is there for the second only
//! where the same block does both. So it is with rounds of a sequential loop around loops over blocks.

use crate::evaluate::Cx;
use crate::formula::{Formula, Term};
use crate::joins::{Join, Who, meets_apart};
use crate::question::{Question, along};
use crate::{Claims, Reason, Rule, Subject};
use terrace_devices::{Axis, Level, Space};
use terrace_schedule_model::nest::{AccessId, LaunchId, LoopId, Use};
use terrace_schedule_model::nest_arena::Id;
use terrace_schedule_model::nest_decided::Decided;

/// Blocks do nothing again, and do not wait for each other
pub const GRID: Rule = Rule { name: "GRID", claims: grid };

fn grid(cx: &Cx<'_>, out: &mut dyn Claims) {
    let nest = cx.nest;
    for (id, access) in nest.accesses.entries() {
        let Some(launch) = access.around.launch else { continue };
        // Memory that a block has for itself may be written by every block.
        if access.reads() || nest.buffer_of(access).is_own_of_block() {
            continue;
        }
        for axis in Axis::ALL {
            let alone = nest.launches[launch].cluster(axis) == 1;
            let covers = || {
                let mut levels = along(axis, &[Level::Block, Level::Global]);
                if alone {
                    levels = levels.with(Level::Cluster(axis));
                }
                Formula::any(nest.around(access.around.inside).map(|id| Formula::At(id, levels)))
            };
            out.claim(several_blocks(launch, axis), &covers, &|| Reason {
                about: Subject::Access(id),
                text: format!(
                    "each of the {} blocks along {} does this again",
                    cx.number(&Term::Grid(launch, axis)).unwrap_or(0),
                    axis.name()
                ),
                others: vec![(Subject::Launch(launch), "the kernel")],
                help: "put a loop at that block level around, or make the grid 1 there",
            });
        }
    }
    let axes = |launch: LaunchId| Axis::ALL.into_iter().map(move |axis| several_blocks(launch, axis));
    out.claim(
        Formula::any(nest.launches.ids().flat_map(axes)),
        &|| Formula::Query(Question::NoExchange),
        &|| {
            let found = cx.completion().and_then(|nest| exchange(&nest).map(|found| found.reason(&nest)));
            found.unwrap_or_else(|| Reason::of_accesses("blocks of a kernel cannot wait for each other"))
        },
    );
}

/// The kernel has several blocks along an axis
fn several_blocks(launch: LaunchId, axis: Axis) -> Formula {
    Formula::less(Term::Int(1), Term::Grid(launch, axis))
}

impl Reason {
    /// One that says only what is wrong, for what has been shown already
    pub(crate) fn of_accesses(text: &str) -> Reason {
        Reason { about: Subject::Access(AccessId::new(0)), text: text.into(), others: Vec::new(), help: "" }
    }
}

/// Something that a block uses and another one writes
pub(crate) struct Exchange {
    join: Join,
    axis: Axis,
    /// A loop over blocks around one of the accesses
    blocks: Option<LoopId>,
}

impl Exchange {
    fn reason(&self, nest: &Decided<'_>) -> Reason {
        let (a, b) = (&nest.accesses[self.join.first], &nest.accesses[self.join.second]);
        let (does, did) = match (b.reads(), a.reads()) {
            (true, _) => ("reads", "writes"),
            (false, true) => ("writes", "reads"),
            (false, false) => ("writes", "writes"),
        };
        let round = self.join.place.filter(|_| self.join.round);
        let about = match self.blocks.filter(|_| round.is_some()) {
            Some(blocks) => Subject::Loop(blocks),
            None => Subject::Access(self.join.second),
        };
        let mut others = vec![(Subject::Access(self.join.first), "the other access")];
        others.extend(round.map(|id| (Subject::Loop(id), "the loop around")));
        others.extend(a.around.launch.map(|id| (Subject::Launch(id), "the kernel")));
        Reason {
            about,
            text: match round {
                Some(_) => "blocks start again in each round of a loop around them, and read what blocks of the round before wrote".into(),
                None => format!(
                    "a block along {} {does} here what another one {did}, and blocks of a kernel cannot wait for each other",
                    self.axis.name()
                ),
            },
            others,
            help: match round {
                Some(_) => "blocks cannot wait for each other inside of a kernel: use one kernel per round",
                None => "use two kernels, or a loop over blocks around both",
            },
        }
    }
}

/// Pairs of accesses to one buffer that blocks share, one of which writes, and that different blocks may make: in loops that
/// are not around both, and from round to round of one that is
pub fn exchanges(nest: &Decided<'_>, may_be_blocks: &dyn Fn(LoopId) -> bool) -> Vec<Join> {
    let mut out = Vec::new();
    if !nest.loops.ids().any(may_be_blocks) {
        return out;
    }
    let around = |inside: Option<LoopId>| nest.around(inside).filter(|id| may_be_blocks(*id)).collect();
    let blocks: Vec<Vec<LoopId>> = nest.accesses.iter().map(|access| around(access.around.inside)).collect();
    for (first, a) in nest.accesses.entries() {
        let buffer = &nest.buffers[nest.memory(a.buffer)];
        if buffer.is_own_of_block() || buffer.space == Space::Private {
            continue;
        }
        for (second, b) in nest.accesses.entries().skip(first.index()) {
            if !nest.share_memory(a, b) || a.around.launch != b.around.launch || (a.reads() && b.reads()) {
                continue;
            }
            let (inner, outer) = (&blocks[first.index()], &blocks[second.index()]);
            // What is merged may come in any order.
            let merges = matches!(a.does, Use::Merge(_)) && nest.does_same(a, b);
            let place = nest.common(a.around.inside, b.around.inside).next();
            if inner != outer && !merges {
                out.push(Join { first, second, place, round: false });
            }
            for place in nest.common(a.around.inside, b.around.inside).filter(|id| nest.trip(*id) > 1) {
                let inside = |id: &LoopId| *id != place && nest.is_in(Some(*id), place);
                if inner.iter().chain(outer).any(inside) {
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

fn is_over(level: Level, axis: Axis) -> bool {
    [Level::Block(axis), Level::Global(axis), Level::Cluster(axis)].contains(&level)
}

/// Blocks of a kernel that would have to wait for each other
pub(crate) fn exchange(nest: &Decided<'_>) -> Option<Exchange> {
    let on_grid = |id: LoopId| {
        let inside = nest.loops[id].around.launch.is_some();
        inside && nest.level(id).is_grid_like() && nest.trip(id) > 1
    };
    for join in exchanges(nest, &on_grid) {
        if join.round && join.place.is_some_and(|id| nest.level(id).is_parallel()) {
            continue;
        }
        let (a, b) = (&nest.accesses[join.first], &nest.accesses[join.second]);
        let Some(launch) = a.around.launch else { continue };
        for axis in Axis::ALL.into_iter().filter(|axis| nest.launches[launch].grid(*axis) > 1) {
            if nest.around(join.place).any(|id| is_over(nest.level(id), axis)) {
                continue;
            }
            let own = |inside: Option<LoopId>| -> Vec<LoopId> {
                let all = nest.between(inside, join.place).into_iter();
                all.filter(|id| is_over(nest.level(*id), axis) && on_grid(*id)).collect()
            };
            let (x, y) = (own(a.around.inside), own(b.around.inside));
            let blocks = y.first().or(x.first()).copied();
            let meet = match (x.is_empty(), y.is_empty()) {
                (true, true) => false,
                (false, false) => {
                    let who = |loops: Vec<LoopId>| Who::Loops { loops, by: 0 };
                    meets_apart(nest, &join, &who(x), &who(y))
                }
                _ => meets_apart(nest, &join, &Who::Any, &Who::Any),
            };
            if meet {
                return Some(Exchange { join, axis, blocks });
            }
        }
    }
    None
}
