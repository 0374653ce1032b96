//! SYNC: threads that meet all arrive, also in branches.

use crate::evaluate::Cx;
use crate::formula::{Formula, Term};
use crate::joins::{Join, joins, waits_at};
use crate::question::{Question, along};
use crate::{Claims, Reason, Rule, Subject};
use terrace_devices::{Axis, Level, Levels, Per};
use terrace_schedule_model::nest::{Around, BranchId, LaunchId, LoopId, Nest};
use terrace_schedule_model::nest_decided::Decided;

pub(crate) const SYNC: Rule = Rule { name: "SYNC", claims: meeting };

/// A point where threads of a block meet inside of thread loops
struct Point {
    about: Subject,
    around: Around,
    /// It is one
    premise: Formula,
    /// All threads of a block meet, not those of a warp
    of_block: bool,
}

/// Collectives, and values merged across threads
fn points(cx: &Cx<'_>) -> Vec<Point> {
    let collectives = cx.nest.meetings.iter().map(|meeting| Point {
        about: Subject::Access(meeting.access),
        around: meeting.around,
        premise: Formula::Known(true),
        of_block: meeting.per == Some(Per::Block),
    });
    let merges = cx.nest.loops.entries().filter(|(_, own)| own.combine.results > 0).map(|(id, own)| Point {
        about: Subject::Loop(id),
        around: own.around,
        premise: cx.several_at(id, Levels::IN_BLOCK),
        of_block: false,
    });
    collectives.chain(merges).collect()
}

fn meeting(cx: &Cx<'_>, out: &mut dyn Claims) {
    for point in points(cx) {
        for id in cx.nest.around(point.around.inside) {
            all_arrive(cx, &point, id, out);
            same_rounds(cx, &point, id, out);
        }
        for branch in cx.nest.branches(point.around.branch) {
            out.claim(point.premise.clone(), &|| Formula::Known(false), &|| Reason {
                about: point.about,
                text: "threads of the block meet here, but only those come for which a condition holds"
                    .into(),
                others: vec![(Subject::Branch(branch), "the condition")],
                help: "move it out of the condition",
            });
        }
    }
    let kernels = Formula::Known(!cx.nest.launches.is_empty());
    out.claim(kernels.clone(), &|| Formula::Query(Question::AllCome), &|| {
        let found = cx.completion().and_then(|nest| left_out(&nest).map(|found| found.reason(&nest)));
        found.unwrap_or_else(|| Reason::of_accesses("waits for other threads of the block"))
    });
    let branches = Formula::Known(!cx.nest.branches.is_empty());
    out.claim(Formula::all([kernels, branches]), &|| Formula::Query(Question::AllTake), &|| {
        let text = "waits for other threads of the block, but only those come for which a condition holds";
        let mut reason = Reason::of_accesses(text);
        if let Some((join, branch)) = cx.completion().and_then(|nest| divided(&nest)) {
            reason.about = Subject::Access(join.second);
            reason.others = vec![
                (Subject::Access(join.first), "other threads do this before"),
                (Subject::Branch(branch), "the condition"),
            ];
        }
        reason.help = "move what threads give to each other out of the condition";
        reason
    });
}

/// A loop over threads around a point leaves none out
fn all_arrive(cx: &Cx<'_>, point: &Point, id: LoopId, out: &mut dyn Claims) {
    let own = &cx.nest.loops[id];
    let Some(launch) = own.around.launch else { return };
    for axis in Axis::ALL {
        let at = Formula::At(id, along(axis, &[Level::Thread]));
        let then = || {
            let full = Formula::equal(Term::Trip(id), Term::Block(launch, axis));
            Formula::all([Formula::Known(!own.is_cut()), full])
        };
        out.claim(Formula::all([point.premise.clone(), at]), &then, &|| Reason {
            about: point.about,
            text: format!(
                "all {} threads of the block meet here along {}, but the loop around has {}{}",
                cx.number(&Term::Block(launch, axis)).unwrap_or(0),
                axis.name(),
                cx.trip_count(id),
                if own.limit.is_some() { " and a limit" } else { "" }
            ),
            others: vec![(Subject::Loop(id), "the loop around")],
            help: "make its trip the size of the block, without a limit",
        });
    }
    // A warp left out is whole: what its lanes do together, they all leave out.
    let parts = if point.of_block { Levels::LANE.or(Levels::WARP) } else { Levels::LANE };
    let at = Formula::all([Formula::Known(own.is_cut()), point.premise.clone(), Formula::At(id, parts)]);
    out.claim(at, &|| Formula::Known(false), &|| Reason {
        about: point.about,
        text: "all threads of the block meet here, but the loop around leaves some out by a limit".into(),
        others: vec![(Subject::Loop(id), "the loop around")],
        help: "let all warps and lanes come, and limit what they do inside",
    });
}

/// A sequential loop around a point makes as many rounds for each thread
fn same_rounds(cx: &Cx<'_>, point: &Point, id: LoopId, out: &mut dyn Claims) {
    let own = &cx.nest.loops[id];
    if !own.is_cut() {
        return;
    }
    let then = || {
        let over = own.bounds().flat_map(|bound| &bound.over).filter_map(|index| index.as_loop());
        Formula::all(over.map(|other| !cx.several_at(other, Levels::IN_BLOCK)))
    };
    let at = Formula::At(id, Levels::SEQUENTIAL);
    out.claim(Formula::all([point.premise.clone(), at]), &then, &|| Reason {
        about: point.about,
        text: "threads of the block meet here, but a loop around runs for some longer than for others".into(),
        others: vec![(Subject::Loop(id), "the loop around")],
        help: "let its limit be the same for all threads",
    });
}

/// Threads wait inside of a loop that leaves some out, or runs longer for some
pub(crate) struct LeftOut {
    join: Join,
    uneven: LoopId,
    block: [i64; 3],
}

/// Are threads of a kernel counted as warps and lanes?
fn has_warps(nest: &Decided<'_>, launch: Option<LaunchId>) -> bool {
    nest.loops.entries().any(|(id, own)| {
        own.around.launch == launch && matches!(nest.level(id), Level::Warp(_) | Level::Lane(_))
    })
}

/// Barriers between writes and reads of threads: each thread runs the enclosing loops, equally often
pub(crate) fn left_out(nest: &Decided<'_>) -> Option<LeftOut> {
    // Where all loops run for all threads equally, nothing has to be asked.
    if !nest.loops.ids().any(|id| nest.is_uneven(id)) {
        return None;
    }
    joins(nest).into_iter().find_map(|join| {
        let uneven = nest.around(join.place).find(|id| nest.is_uneven(*id))?;
        if join.round && join.place.is_some_and(|place| nest.level(place).is_parallel()) {
            return None;
        }
        let launch = nest.loops[uneven].around.launch.filter(|launch| !has_warps(nest, Some(*launch)))?;
        let block = nest.launches[launch].block;
        waits_at(nest, &join, block).then_some(LeftOut { join, uneven, block })
    })
}

impl LeftOut {
    fn reason(&self, nest: &Decided<'_>) -> Reason {
        let id = self.uneven;
        let level = nest.level(id);
        let text = match (level.axis(), strips_around(nest, id)) {
            (Some(axis), Some((all, by))) => format!(
                "waits for other threads of the block, but {all} iterations go round in strips of {by} for its threads along {}: {} of these have none in the last strip",
                axis.name(),
                by - all % by
            ),
            (Some(axis), None) if level.is_parallel() => format!(
                "waits for other threads of the block, which has {} along {}, but the loop around has {}{}",
                self.block[axis.number()],
                axis.name(),
                nest.trip(id),
                if nest.loops[id].limit.is_some() { " and a limit" } else { "" }
            ),
            _ => {
                "waits for other threads of the block, but a loop around runs for some longer than for others"
                    .to_string()
            }
        };
        let mut others = vec![(Subject::Loop(id), "the loop around")];
        if nest.accesses[self.join.first].place != nest.accesses[self.join.second].place {
            others.insert(0, (Subject::Access(self.join.first), "other threads do this before"));
        }
        Reason {
            about: Subject::Access(self.join.second),
            text,
            others,
            help: "make its trip the size of the block, without a limit, or let each thread use what it wrote",
        }
    }
}

/// All iterations and those of a strip, of a loop over what is in a strip of which the last has a remainder
fn strips_around(nest: &Decided<'_>, id: LoopId) -> Option<(i64, i64)> {
    let own = nest.get(id);
    let parent = nest.parent(id)?;
    let (run, around) = (nest.run(id), nest.run(parent));
    let cut = own.limit.is_some() && own.dim.is_some() && nest.loops[parent].dim == own.dim;
    let fits = around.tile == run.extent && run.tile == 1 && around.extent.checked_rem(around.tile)? != 0;
    (cut && fits).then_some((around.extent, around.tile))
}

/// Pairs of accesses in one branch
pub fn joins_in_branches(nest: &Decided<'_>) -> Vec<Join> {
    match nest.accesses.iter().any(|access| access.around.branch.is_some()) {
        true => joins(nest).into_iter().filter(|join| branch_of(nest, join).is_some()).collect(),
        false => Vec::new(),
    }
}

/// The innermost branch around both accesses of a pair and the point where the second one waits
pub fn branch_of(nest: &Nest, join: &Join) -> Option<BranchId> {
    let [a, b] = [join.first, join.second].map(|access| nest.accesses[access].around.branch);
    let place = join.place.filter(|_| join.round).map(|id| nest.loops[id].around.branch);
    nest.branches(b).find(|branch| {
        let holds = |inner: Option<BranchId>| nest.branches(inner).any(|around| around == *branch);
        holds(a) && place.is_none_or(holds)
    })
}

/// Barriers between what threads write and read inside of a branch that not all threads take
pub(crate) fn divided(nest: &Decided<'_>) -> Option<(Join, BranchId)> {
    joins_in_branches(nest).into_iter().find_map(|join| {
        let branch = branch_of(nest, &join).filter(|branch| varies(nest, *branch))?;
        if join.round && join.place.is_some_and(|place| nest.level(place).is_parallel()) {
            return None;
        }
        let launch = nest.accesses[join.second].around.launch;
        let launch = launch.filter(|launch| !has_warps(nest, Some(*launch)))?;
        waits_at(nest, &join, nest.launches[launch].block).then_some((join, branch))
    })
}

/// May threads of a block take different branches? What depends on loops over threads, or on a thread's own memory
fn varies(nest: &Decided<'_>, branch: BranchId) -> bool {
    let own = &nest.branches[branch];
    own.private || own.loops.iter().any(|id| nest.is_spread(*id) && nest.trip(*id) > 1)
}
