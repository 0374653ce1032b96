//! NEST, HW: levels stand in the order of the hardware and fit its sizes.

use crate::evaluate::Cx;
use crate::formula::{Formula, Relation, Term};
use crate::question::along;
use crate::{Claims, Reason, Rule, Subject};
use terrace_devices::{Axis, Level, Levels};
use terrace_schedule_model::nest::{LaunchId, LoopId};

/// Levels stand in the order of the hardware
pub const NEST: Rule = Rule { name: "NEST", claims: nesting };
/// Loops fit the sizes of their kernel, and kernels fit the device
pub const HW: Rule = Rule { name: "HW", claims: hardware };

fn nesting(cx: &Cx<'_>, out: &mut dyn Claims) {
    for id in cx.nest.loops.ids() {
        for outer in cx.nest.outside(id) {
            let both = || Formula::all([cx.parallel(id), cx.parallel(outer)]);
            out.claim(both(), &|| may_stand_inside(cx, id, outer), &|| Reason {
                about: Subject::Loop(id),
                text: format!("level '{}' cannot stand inside of level '{}'", cx.level(id), cx.level(outer)),
                others: vec![(Subject::Loop(outer), "the loop around")],
                help: "wider levels go outside: device, cluster, block or task, thread, lane, vector; equal ones need other axes",
            });
            out.claim(both(), &|| shares_no_axis(id, outer), &|| Reason {
                about: Subject::Loop(id),
                text: "uses an axis that a 'global' loop spreads over blocks and threads already".into(),
                others: vec![(Subject::Loop(outer), "the loop around")],
                help: "use block and thread, or global, on one axis",
            });
        }
        for outer in cx.nest.outside(id) {
            let both = Formula::all([cx.parallel(id), cx.parallel(outer)]);
            out.claim(both, &|| counts_threads_once(id, outer), &|| Reason {
                about: Subject::Loop(id),
                text: format!(
                    "level '{}' stands inside of level '{}', and threads of a block are counted in one way only",
                    cx.level(id),
                    cx.level(outer)
                ),
                others: vec![(Subject::Loop(outer), "the loop around")],
                help: "use thread levels, or warps and lanes in them",
            });
        }
        let warp = || Formula::any(cx.nest.outside(id).map(|outer| Formula::At(outer, Levels::WARP)));
        out.claim(cx.several_at(id, Levels::LANE), &warp, &|| Reason {
            about: Subject::Loop(id),
            text: "lanes are part of a warp, and there is none around".into(),
            others: Vec::new(),
            help: "put a loop at level `warp` around",
        });
    }
}

/// Of two parallel loops: the outer one is wider, or they share the work of one level
fn may_stand_inside(cx: &Cx<'_>, id: LoopId, outer: LoopId) -> Formula {
    let at = |levels: Levels| Formula::all([Formula::At(id, levels), Formula::At(outer, levels)]);
    let axes = Formula::all([
        Formula::Pair(Relation::SameRank, id, outer),
        !Formula::Pair(Relation::SameAxis, id, outer),
        Formula::any([at(Levels::IN_BLOCK), at(Levels::OVER_BLOCKS), at(Levels::DEVICE)]),
    ]);
    let between = || cx.nest.outside(id).take_while(|between| *between != outer);
    // Only loops of one pool, or that make one round, between them.
    let adjacent =
        between().map(|between| Formula::any([Formula::At(between, Levels::TASK), !cx.several(between)]));
    let tasks = Formula::all(adjacent.chain([at(Levels::TASK)]));
    // The three loops of a matrix unit follow each other.
    let matrix = match between().count() {
        0 | 1 => Formula::all(between().map(|between| Formula::At(between, Levels::MMA))),
        _ => Formula::Known(false),
    };
    let unit = Formula::all([at(Levels::MMA), matrix]);
    Formula::any([Formula::Pair(Relation::Narrower, id, outer), axes, tasks, unit])
}

/// `global.d` is `block.d` and `thread.d` in one
fn shares_no_axis(id: LoopId, outer: LoopId) -> Formula {
    let split = |global: LoopId, other: LoopId| {
        let parts = Levels::BLOCK.or(Levels::THREAD);
        Formula::all([Formula::At(global, Levels::GLOBAL), Formula::At(other, parts)])
    };
    let either = Formula::any([split(id, outer), split(outer, id)]);
    !Formula::all([either, Formula::Pair(Relation::SameAxis, id, outer)])
}

/// Threads of a block are counted by axes, or as warps and lanes
fn counts_threads_once(id: LoopId, outer: LoopId) -> Formula {
    let mixed = |thread: LoopId, part: LoopId| {
        Formula::all([
            Formula::At(thread, Levels::THREAD.or(Levels::GLOBAL)),
            Formula::At(part, Levels::WARP.or(Levels::LANE)),
        ])
    };
    !Formula::any([mixed(id, outer), mixed(outer, id)])
}

fn hardware(cx: &Cx<'_>, out: &mut dyn Claims) {
    for id in cx.nest.loops.ids() {
        let Some(launch) = cx.nest.loops[id].around.launch else {
            out.claim(cx.several_at(id, Levels::ON_GRID), &|| Formula::Known(false), &|| Reason {
                about: Subject::Loop(id),
                text: format!("level '{}' is part of a grid, and there is no kernel around", cx.level(id)),
                others: Vec::new(),
                help: "put it into `sched.kernel`, or use `task` and `vector`",
            });
            continue;
        };
        // A kernel that follows from its loops may be none, and what its warps are is not known.
        let said = !cx.nest.launches[launch].inferred;
        if said {
            let outside = Levels::TASK.or(Levels::PE).or(Levels::DEVICE);
            out.claim(cx.several_at(id, outside), &|| Formula::Known(false), &|| Reason {
                about: Subject::Loop(id),
                text: format!(
                    "level '{}' is not part of a grid, and stands inside of a kernel",
                    cx.level(id)
                ),
                others: Vec::new(),
                help: "",
            });
        }
        fits(cx, id, launch, out);
        if said {
            parts_fit(cx, id, launch, out);
        }
    }
    let mut seen = Vec::new();
    for access in cx.nest.accesses.iter() {
        let Some(id) = access.around.launch.filter(|id| !seen.contains(id)) else { continue };
        seen.push(id);
        kernel_fits(cx, id, out);
    }
}

/// Threads of a block along all axes
fn threads_of(launch: LaunchId) -> Term {
    Axis::ALL.into_iter().fold(Term::Int(1), |all, axis| Term::times(all, Term::Block(launch, axis)))
}

/// A kernel is no larger than the device allows
fn kernel_fits(cx: &Cx<'_>, id: LaunchId, out: &mut dyn Claims) {
    let limits = &cx.limits;
    let mut at_most = |size: Term, most: i64, what: &dyn Fn(i64) -> String| {
        let then = || Formula::at_most(size.clone(), Term::Int(most));
        out.claim(Formula::Known(most < i64::MAX), &then, &|| Reason {
            about: Subject::Launch(id),
            text: what(cx.number(&size).unwrap_or(0)),
            others: Vec::new(),
            help: "make the block smaller",
        });
    };
    let most = limits.block_threads;
    at_most(threads_of(id), most, &|threads| {
        format!("a block has {threads} threads, and no device has more than {most}")
    });
    for axis in Axis::ALL {
        let (block, grid) = (limits.block_max[axis.number()], limits.grid_max[axis.number()]);
        let name = axis.name();
        at_most(Term::Block(id, axis), block, &|threads| {
            format!("a block has {threads} threads along {name}, and the device has at most {block}")
        });
        at_most(Term::Grid(id, axis), grid, &|blocks| {
            format!("a grid has {blocks} blocks along {name}, and the device has at most {grid}")
        });
    }
}

/// Loops over blocks and threads are as long as the kernel's sizes allow
fn fits(cx: &Cx<'_>, id: LoopId, launch: LaunchId, out: &mut dyn Claims) {
    for axis in Axis::ALL {
        let (grid, block) = (Term::Grid(launch, axis), Term::Block(launch, axis));
        let cluster = cx.nest.launches[launch].cluster(axis);
        let number = |term: &Term| cx.number(term).unwrap_or(0);
        let trip = || Term::Trip(id);
        let around = cx.nest.outside(id).map(|outer| Formula::At(outer, along(axis, &[Level::Cluster])));
        let clustered = Formula::any(around);
        let mut claim = |level: Level,
                         premise: Formula,
                         fits: &dyn Fn() -> Formula,
                         size: &dyn Fn() -> i64,
                         what: &str| {
            let at = Formula::all([Formula::At(id, Levels::of(&[level])), premise]);
            out.claim(at, fits, &|| Reason {
                about: Subject::Loop(id),
                text: format!(
                    "{} iterations at level '{level}', but the kernel has {} {what}",
                    cx.trip_count(id),
                    size()
                ),
                others: vec![(Subject::Launch(launch), "the kernel")],
                help: "the trip of a block loop is the size of the grid, that of a thread loop at most that of the block",
            });
        };
        let yes = || Formula::Known(true);
        let own_cluster = || Formula::equal(trip(), Term::Int(cluster));
        claim(Level::Block(axis), clustered.clone(), &own_cluster, &|| cluster, "blocks in a cluster");
        let own_grid = || Formula::equal(trip(), grid.clone());
        claim(Level::Block(axis), !clustered, &own_grid, &|| number(&grid), "blocks in its grid");
        let clusters = || Formula::equal(Term::times(trip(), Term::Int(cluster)), grid.clone());
        let count = || number(&grid) / cluster.max(1);
        claim(Level::Cluster(axis), yes(), &clusters, &count, "clusters in its grid");
        let threads = || Formula::at_most(trip(), block.clone());
        claim(Level::Thread(axis), yes(), &threads, &|| number(&block), "threads in a block");
        let all = || Formula::at_most(trip(), Term::times(grid.clone(), block.clone()));
        let count = || number(&grid).saturating_mul(number(&block));
        claim(Level::Global(axis), yes(), &all, &count, "threads in its grid");
    }
}

/// Warps and lanes fit the block: over all axes together, with the loops of the same kind that stand around
fn parts_fit(cx: &Cx<'_>, id: LoopId, launch: LaunchId, out: &mut dyn Claims) {
    let subgroup = cx.nest.launches[launch].subgroup;
    let trips = |levels: Levels| {
        cx.nest.outside(id).fold(Term::Trip(id), |all, outer| {
            Term::times(all, Term::factor(Formula::At(outer, levels), Term::Trip(outer)))
        })
    };
    let reason = |text: String| Reason {
        about: Subject::Loop(id),
        text,
        others: vec![(Subject::Launch(launch), "the kernel")],
        help: "say `subgroup` and the sizes of the block as the device has them",
    };
    let number = |levels: Levels| cx.number(&trips(levels)).unwrap_or(0);
    let lanes = || Formula::at_most(trips(Levels::LANE), Term::Int(subgroup));
    out.claim(Formula::At(id, Levels::LANE), &lanes, &|| {
        let number = number(Levels::LANE);
        reason(format!(
            "{number} iterations at level 'lane', but a warp of the kernel has {subgroup} threads"
        ))
    });
    let warps =
        || Formula::at_most(Term::times(trips(Levels::WARP), Term::Int(subgroup)), threads_of(launch));
    out.claim(Formula::At(id, Levels::WARP), &warps, &|| {
        let (number, all) = (number(Levels::WARP), cx.number(&threads_of(launch)).unwrap_or(0));
        let needed = number.saturating_mul(subgroup);
        reason(format!("{number} iterations at level 'warp' need {needed} threads, but a block has {all}"))
    });
}
