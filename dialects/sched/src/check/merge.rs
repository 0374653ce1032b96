//! MECH, ORDER: contributions can be merged in the way and order that the nest says.

use super::formula::{Formula, Term};
use super::nest::{LoopId, Nest, Use};
use super::{Claim, Rule};
use crate::codes;
use crate::combine::{Algebra, Kind, Operator, Order};
use crate::ops::algebra;
use terrace_devices::{Level, Mechanism};
use terrace_ir::{Type, Value};

pub(super) const MECH: Rule = Rule { name: "MECH", code: &codes::MECH, claims: mechanism };
pub(super) const ORDER: Rule = Rule { name: "ORDER", code: &codes::ORDER, claims: order };

/// Mechanisms of a level, for values and for merging into memory
fn mechanisms(level: Level, in_memory: bool) -> &'static [Mechanism] {
    match (level, in_memory) {
        (Level::Seq | Level::Unroll, _) => &[Mechanism::Chain],
        (Level::Vector | Level::Mma, _) => &[Mechanism::Vector, Mechanism::Chain],
        (Level::Lane(_), false) => &[Mechanism::Shuffle, Mechanism::Shared],
        (Level::Thread(_) | Level::Warp(_), false) => &[Mechanism::Shared, Mechanism::Shuffle],
        (Level::Lane(_) | Level::Thread(_) | Level::Warp(_), true) => &[Mechanism::Atomic],
        (Level::Block(_) | Level::Global(_) | Level::Cluster(_), true) => {
            &[Mechanism::Atomic, Mechanism::Kernel]
        }
        (Level::Block(_) | Level::Global(_) | Level::Cluster(_), false) => &[],
        (Level::Task, false) => &[Mechanism::Partials],
        (Level::Task, true) => &[Mechanism::Partials, Mechanism::Atomic],
        (Level::Pe, false) => &[Mechanism::Shared, Mechanism::Chain],
        (Level::Pe, true) | (Level::Device(_), _) => &[],
    }
}

/// Types of the values that a loop merges: its results, or elements of memory merged inside of it
fn merged(nest: &Nest<'_>, id: LoopId) -> Vec<(Operator, Type, bool)> {
    let info = nest.info(id);
    let results: Vec<Value> = nest.ir.results(info.op.0).collect();
    let mut all: Vec<(Operator, Type, bool)> =
        info.ops.iter().cloned().zip(&results).map(|(f, value)| (f, nest.ir.ty(*value), false)).collect();
    for access in &nest.accesses {
        let Use::Merge(f) = &access.what else { continue };
        // What a block merges into its own memory meets in the block.
        if nest.is_in(access.inside, id) && nest.is_shared_across(access.memref, id) {
            all.push((f.clone(), nest.ir.ty(access.memref).scalar(nest.ir.cx()), true));
        }
    }
    all
}

fn known(nest: &Nest<'_>, f: &Operator, ty: Type) -> Algebra {
    let none = Algebra { associative: false, commutative: false, exact: false, identity: None };
    algebra(nest.v, f, ty).unwrap_or(none)
}

fn mechanism(nest: &Nest<'_>, out: &mut Vec<Claim>) {
    for id in 0..nest.loops.len() {
        let info = nest.info(id);
        if info.kind != Kind::Pw {
            continue;
        }
        for (f, ty, in_memory) in merged(nest, id) {
            let facts = known(nest, &f, ty);
            let row = mechanisms(info.level, in_memory);
            let what = if in_memory { "merges into memory" } else { "merges a value" };
            let words: Vec<String> = row.iter().map(ToString::to_string).collect();
            out.push(Claim {
                formula: Formula::parallel(id).implies(Formula::Fact(
                    !row.is_empty() && (info.via == Mechanism::Auto || row.contains(&info.via)),
                )),
                op: info.op.0,
                reason: if row.is_empty() {
                    format!("{what} at level '{}', whose iterations cannot meet", info.level)
                } else {
                    format!(
                        "{what} via {} at level '{}', which has {}",
                        info.via,
                        info.level,
                        words.join(", ")
                    )
                },
                others: Vec::new(),
                help: if row.is_empty() {
                    "write with `combine` and `via atomic`, or use a second kernel"
                } else {
                    "leave `via` out, or use one that the level has"
                },
            });
            let via = if info.via == Mechanism::Auto {
                row.first().copied().unwrap_or(Mechanism::Auto)
            } else {
                info.via
            };
            if info.level.is_parallel() && via != Mechanism::Chain {
                out.push(Claim {
                    formula: Formula::parallel(id).implies(Formula::Fact(facts.associative)),
                    op: info.op.0,
                    reason: format!("merges in parallel by '{f}', which is not known to be associative"),
                    others: Vec::new(),
                    help: "declare it in `sched.operator` of the function, or make the loop sequential",
                });
            }
            if via == Mechanism::Atomic {
                let bytes = ty.bit_width(nest.ir.cx()).map_or(0, |bits| bits.div_ceil(8));
                out.push(Claim {
                    formula: Formula::parallel(id).implies(Formula::Fact(facts.commutative)),
                    op: info.op.0,
                    reason: format!(
                        "merges by atomic updates, in any order, and '{f}' is not known to commute"
                    ),
                    others: Vec::new(),
                    help: "use another mechanism, or declare `commutative`",
                });
                out.push(Claim {
                    formula: Formula::parallel(id)
                        .implies(Formula::Fact(facts.exact || info.order == Order::Free)),
                    op: info.op.0,
                    reason: "merges rounded values by atomic updates, whose order differs from run to run"
                        .into(),
                    others: Vec::new(),
                    help: "say `free`, or use another mechanism",
                });
                out.push(Claim {
                    formula: Formula::parallel(id).implies(Formula::Fact(matches!(bytes, 2 | 4 | 8))),
                    op: info.op.0,
                    reason: format!(
                        "merges elements of {bytes} bytes by atomic updates, which have 2, 4 or 8"
                    ),
                    others: Vec::new(),
                    help: "use another mechanism",
                });
            }
        }
    }
}

fn order(nest: &Nest<'_>, out: &mut Vec<Claim>) {
    for id in 0..nest.loops.len() {
        let info = nest.info(id);
        let exact = merged(nest, id).iter().all(|(f, ty, _)| known(nest, f, *ty).exact);
        if info.kind == Kind::Pw && info.order == Order::Source {
            out.push(Claim {
                formula: Formula::Or(vec![
                    Formula::Not(Box::new(Formula::parallel(id))),
                    Formula::Fact(exact),
                ]),
                op: info.op.0,
                reason: format!("promises the order of the source, but runs at level '{}'", info.level),
                others: Vec::new(),
                help: "make the loop sequential, or say `fixed`",
            });
        }
        if matches!(info.kind, Kind::Ps | Kind::Ordered) {
            out.push(Claim {
                formula: Formula::Not(Box::new(Formula::parallel(id))),
                op: info.op.0,
                reason: format!("each iteration builds on the one before, but runs at level '{}'", info.level),
                others: Vec::new(),
                help: "make the loop sequential; contributions that an associative function merges may be parallel (`pw`)",
            });
        }
        if !matches!(info.kind, Kind::Pw | Kind::Ps) || info.dim.is_none() {
            continue;
        }
        for outer in nest.outside(id) {
            let other = nest.info(outer);
            if other.dim != info.dim || !matches!(other.kind, Kind::Pw | Kind::Ps) {
                continue;
            }
            let commutes = merged(nest, id).iter().all(|(f, ty, _)| known(nest, f, *ty).commutative);
            let prefix = info.kind == Kind::Ps || other.kind == Kind::Ps;
            let source = (info.order == Order::Source || other.order == Order::Source) && !exact;
            let inverted = Formula::And(vec![
                Formula::Less(Term::Extent(outer), Term::Extent(id)),
                Formula::Less(Term::Int(1), Term::Trip(id)),
                Formula::Less(Term::Int(1), Term::Trip(outer)),
            ]);
            out.push(Claim {
                formula: inverted.implies(Formula::Fact(commutes && !prefix && !source)),
                op: info.op.0,
                reason: format!(
                    "stands inside of a loop over parts of its tiles, so that contributions come in another order, which {} forbids",
                    if prefix { "a prefix sum" } else if source { "the order of the source" } else { "an operator that does not commute" }
                ),
                others: vec![(other.op.0, "the loop around")],
                help: "put loops of larger tiles outside",
            });
        }
    }
}
