//! NEST, HW, GRID: levels stand in the order of the hardware and fit its sizes.

use super::formula::{Formula, Term};
use super::nest::{LoopId, Nest, Use};
use super::{Claim, Rule};
use crate::codes;
use crate::ops::Kernel;
use terrace_devices::{Axis, Level, Levels, Space};

pub(super) const NEST: Rule = Rule { name: "NEST", code: &codes::NEST, claims: nesting };
pub(super) const HW: Rule = Rule { name: "HW", code: &codes::HW, claims: hardware };
pub(super) const GRID: Rule = Rule { name: "GRID", code: &codes::GRID, claims: grid };

fn nesting(nest: &Nest<'_>, out: &mut Vec<Claim>) {
    for id in 0..nest.loops.len() {
        let info = nest.info(id);
        for outer in nest.outside(id) {
            let rank = Formula::Less(Term::Rank(id), Term::Rank(outer));
            let axes = Formula::And(vec![
                Formula::Equal(Term::Rank(id), Term::Rank(outer)),
                Formula::Not(Box::new(Formula::SameAxis(id, outer))),
                Formula::Or(vec![
                    Formula::And(vec![
                        Formula::Level(id, Levels::IN_BLOCK),
                        Formula::Level(outer, Levels::IN_BLOCK),
                    ]),
                    Formula::And(vec![
                        Formula::Level(id, Levels::OVER_BLOCKS),
                        Formula::Level(outer, Levels::OVER_BLOCKS),
                    ]),
                    Formula::And(vec![
                        Formula::Level(id, Levels::DEVICE),
                        Formula::Level(outer, Levels::DEVICE),
                    ]),
                ]),
            ]);
            // Only loops of one pool, or that make one round, between them.
            let adjacent = nest.outside(id).take_while(|between| *between != outer).map(|between| {
                Formula::Or(vec![
                    Formula::Level(between, Levels::TASK),
                    Formula::AtMost(Term::Trip(between), Term::Int(1)),
                ])
            });
            let tasks = Formula::And(vec![
                Formula::Level(id, Levels::TASK),
                Formula::Level(outer, Levels::TASK),
                Formula::And(adjacent.collect()),
            ]);
            // The three loops of a matrix unit follow each other.
            let matrix = nest
                .outside(id)
                .take_while(|between| nest.info(*between).level == Level::Mma)
                .take(2)
                .any(|between| between == outer);
            let unit = Formula::And(vec![
                Formula::Level(id, Levels::MMA),
                Formula::Level(outer, Levels::MMA),
                Formula::Fact(matrix),
            ]);
            let both = Formula::And(vec![Formula::parallel(id), Formula::parallel(outer)]);
            out.push(Claim {
                formula: both.implies(Formula::Or(vec![rank, axes, tasks, unit])),
                op: info.op.0,
                reason: format!(
                    "level '{}' cannot stand inside of level '{}'",
                    info.level,
                    nest.info(outer).level
                ),
                others: vec![(nest.info(outer).op.0, "the loop around")],
                help: "wider levels go outside: device, cluster, block or task, thread, lane, vector; equal ones need other axes",
            });
            // global.d is block.d and thread.d in one.
            let split = |global: LoopId, other: LoopId| {
                Formula::And(vec![
                    Formula::Level(global, Levels::GLOBAL),
                    Formula::Level(other, Levels::BLOCK.or(Levels::THREAD)),
                ])
            };
            out.push(Claim {
                formula: both_of(id, outer).implies(Formula::Not(Box::new(Formula::And(vec![
                    Formula::Or(vec![split(id, outer), split(outer, id)]),
                    Formula::SameAxis(id, outer),
                ])))),
                op: info.op.0,
                reason: "uses an axis that a 'global' loop spreads over blocks and threads already".into(),
                others: vec![(nest.info(outer).op.0, "the loop around")],
                help: "use block and thread, or global, on one axis",
            });
        }
        for outer in nest.outside(id) {
            let mixed = |thread: LoopId, part: LoopId| {
                Formula::And(vec![
                    Formula::Level(thread, Levels::THREAD.or(Levels::GLOBAL)),
                    Formula::Level(part, Levels::WARP.or(Levels::LANE)),
                ])
            };
            let beside = Formula::Or(vec![mixed(id, outer), mixed(outer, id)]);
            out.push(Claim {
                formula: both_of(id, outer).implies(Formula::Not(Box::new(beside))),
                op: info.op.0,
                reason: format!(
                    "level '{}' stands inside of level '{}', and threads of a block are counted in one way only",
                    info.level,
                    nest.info(outer).level
                ),
                others: vec![(nest.info(outer).op.0, "the loop around")],
                help: "use thread levels, or warps and lanes in them",
            });
        }
        let warp = nest.outside(id).map(|outer| Formula::Level(outer, Levels::WARP));
        out.push(Claim {
            formula: Formula::And(vec![Formula::parallel(id), Formula::Level(id, Levels::LANE)])
                .implies(Formula::Or(warp.collect())),
            op: info.op.0,
            reason: "lanes are part of a warp, and there is none around".into(),
            others: Vec::new(),
            help: "put a loop at level `warp` around",
        });
    }
}

fn both_of(a: LoopId, b: LoopId) -> Formula {
    Formula::And(vec![Formula::parallel(a), Formula::parallel(b)])
}

fn hardware(nest: &Nest<'_>, out: &mut Vec<Claim>) {
    for (id, each) in nest.loops.iter().enumerate() {
        let level = each.info.level;
        out.push(Claim {
            formula: Formula::And(vec![Formula::Level(id, Levels::ON_GRID), Formula::parallel(id)])
                .implies(Formula::Fact(each.kernel.is_some())),
            op: each.info.op.0,
            reason: format!("level '{level}' is part of a grid, and there is no kernel around"),
            others: Vec::new(),
            help: "put it into `sched.kernel`, or use `task` and `vector`",
        });
        out.push(Claim {
            formula: Formula::And(vec![
                Formula::Level(id, Levels::TASK.or(Levels::PE).or(Levels::DEVICE)),
                Formula::parallel(id),
            ])
            .implies(Formula::Fact(each.kernel.is_none())),
            op: each.info.op.0,
            reason: format!("level '{level}' is not part of a grid, and stands inside of a kernel"),
            others: Vec::new(),
            help: "",
        });
        let (Some(axis), Some(kernel)) = (level.axis(), each.kernel) else { continue };
        if matches!(level, Level::Warp(_) | Level::Lane(_)) {
            out.extend(warps(nest, id));
            continue;
        }
        let cluster = Kernel::cast(nest.ir, kernel).map_or([1; 3], |kernel| kernel.cluster_size(nest.ir));
        let cluster = cluster[axis.number()];
        let clustered = nest.outside(id).any(|outer| nest.info(outer).level == Level::Cluster(axis));
        let (formula, what) = match level {
            Level::Block(_) if clustered => {
                (Formula::Equal(Term::Trip(id), Term::Int(cluster)), "blocks in a cluster")
            }
            Level::Cluster(_) => (
                Formula::Equal(Term::times(Term::Trip(id), Term::Int(cluster)), Term::Grid(id, axis)),
                "clusters in its grid",
            ),
            Level::Block(_) => (Formula::Equal(Term::Trip(id), Term::Grid(id, axis)), "blocks in its grid"),
            Level::Thread(_) => {
                (Formula::AtMost(Term::Trip(id), Term::Block(id, axis)), "threads in a block")
            }
            Level::Global(_) => (
                Formula::AtMost(Term::Trip(id), Term::times(Term::Grid(id, axis), Term::Block(id, axis))),
                "threads in its grid",
            ),
            _ => continue,
        };
        let size = nest.kernel_sizes(id).map_or(0, |(grid, block)| match level {
            Level::Block(_) if clustered => cluster,
            Level::Cluster(_) => grid[axis.number()] / cluster.max(1),
            Level::Block(_) => grid[axis.number()],
            Level::Thread(_) => block[axis.number()],
            _ => grid[axis.number()].saturating_mul(block[axis.number()]),
        });
        out.push(Claim {
            formula,
            op: each.info.op.0,
            reason: format!("{} iterations at level '{level}', but the kernel has {size} {what}", each.info.trip()),
            others: vec![(kernel, "the kernel")],
            help: "the trip of a block loop is the size of the grid, that of a thread loop at most that of the block",
        });
    }
    let mut seen = Vec::new();
    for access in &nest.accesses {
        if let Some(kernel) = access.kernel.filter(|kernel| !seen.contains(kernel)) {
            seen.push(kernel);
        }
    }
    for op in seen {
        let Some(kernel) = Kernel::cast(nest.ir, op) else { continue };
        let threads = kernel.block_size(nest.ir).iter().try_fold(1i64, |all, size| all.checked_mul(*size));
        out.push(Claim {
            formula: Formula::Fact(threads.is_some_and(|threads| threads <= MOST_THREADS)),
            op,
            reason: format!(
                "a block has {} threads, and no device has more than {MOST_THREADS}",
                threads.unwrap_or(i64::MAX)
            ),
            others: Vec::new(),
            help: "make the block smaller",
        });
    }
}

/// Warps and lanes fit the block: over all axes together, with the loops of the same kind that stand around
fn warps(nest: &Nest<'_>, id: LoopId) -> Option<Claim> {
    let level = nest.info(id).level;
    let kernel = Kernel::cast(nest.ir, nest.loops[id].kernel?)?;
    let subgroup = kernel.subgroup_size(nest.ir);
    let same = |other: &LoopId| nest.info(*other).level.class() == level.class();
    let trips =
        nest.outside(id).filter(same).fold(Term::Trip(id), |all, other| Term::times(all, Term::Trip(other)));
    let number = nest.number(&trips).unwrap_or(0);
    let (formula, reason) = if matches!(level, Level::Lane(_)) {
        (
            Formula::AtMost(trips, Term::Int(subgroup)),
            format!("{number} iterations at level 'lane', but a warp of the kernel has {subgroup} threads"),
        )
    } else {
        let block = Axis::ALL.into_iter().map(|axis| Term::Block(id, axis));
        let threads = block.reduce(Term::times)?;
        let all = nest.number(&threads).unwrap_or(0);
        (
            Formula::AtMost(Term::times(trips, Term::Int(subgroup)), threads),
            format!(
                "{number} iterations at level 'warp' need {} threads, but a block has {all}",
                number.saturating_mul(subgroup)
            ),
        )
    };
    let others = vec![(kernel.0, "the kernel")];
    let help = "say `subgroup` and the sizes of the block as the device has them";
    Some(Claim { formula, op: nest.info(id).op.0, reason, others, help })
}

/// Most threads of a block on any device
pub const MOST_THREADS: i64 = 1024;

fn grid(nest: &Nest<'_>, out: &mut Vec<Claim>) {
    for access in &nest.accesses {
        let Some(kernel) = access.kernel.and_then(|op| Kernel::cast(nest.ir, op)) else { continue };
        // Memory that a block has for itself may be written by every block.
        let private = nest.buffer_of(access.memref).is_some_and(|buffer| buffer.space != Space::Device);
        if access.what == Use::Read || private {
            continue;
        }
        for axis in Axis::ALL {
            let size = kernel.grid_size(nest.ir)[axis.number()];
            let runs = |wanted: fn(Axis) -> Level| {
                nest.around(access.inside).any(|id| nest.info(id).level == wanted(axis))
            };
            let alone = kernel.cluster_size(nest.ir)[axis.number()] == 1;
            let covered = runs(Level::Block) || runs(Level::Global) || (runs(Level::Cluster) && alone);
            out.push(Claim {
                formula: Formula::Fact(size <= 1 || covered),
                op: access.op,
                reason: format!("each of the {size} blocks along {} does this again", axis.name()),
                others: vec![(kernel.0, "the kernel")],
                help: "put a loop at that block level around, or make the grid 1 there",
            });
        }
    }
    super::blocks::exchanges(nest, out);
}
