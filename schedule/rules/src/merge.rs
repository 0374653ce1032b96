//! MECH, ORDER: contributions can be merged in the way and order that the nest says.

use crate::evaluate::Cx;
use crate::formula::{Formula, Term};
use crate::memory::is_shared_across;
use crate::{Claims, Reason, Rule, Subject};
use terrace_devices::{Level, Levels, Mechanism, Space, Updated};
use terrace_schedule_model::nest::{LoopId, Operator, Use};
use terrace_schedule_model::nest_combine::{Combination, Order};

pub(crate) const MECH: Rule = Rule { name: "MECH", claims: mechanism };
pub(crate) const ORDER: Rule = Rule { name: "ORDER", claims: order };

/// Mechanisms of a level, the default first, for values and for merging into memory
fn mechanisms(level: Level, in_memory: bool) -> &'static [Mechanism] {
    use Mechanism::{Atomic, Chain, Kernel, Partials, Shared, Shuffle, Vector};
    match (level, in_memory) {
        (Level::Seq | Level::Unroll, _) => &[Chain],
        (Level::Vector | Level::Mma, _) => &[Vector, Chain],
        (Level::Lane(_), false) => &[Shuffle, Shared],
        (Level::Thread(_) | Level::Warp(_), false) => &[Shared, Shuffle],
        (Level::Lane(_) | Level::Thread(_) | Level::Warp(_), true) => &[Atomic],
        (Level::Block(_) | Level::Global(_) | Level::Cluster(_), true) => &[Atomic, Kernel],
        (Level::Block(_) | Level::Global(_) | Level::Cluster(_), false) => &[],
        (Level::Task, false) => &[Partials],
        (Level::Task, true) => &[Partials, Atomic],
        (Level::Pe, false) => &[Shared, Chain],
        (Level::Pe, true) | (Level::Device(_), _) => &[],
    }
}

/// How a level merges, if it is to merge in this way
fn merges(level: Level, in_memory: bool, asked: Mechanism) -> Option<Mechanism> {
    let row = mechanisms(level, in_memory);
    match asked {
        Mechanism::Auto => row.first().copied(),
        asked => row.contains(&asked).then_some(asked),
    }
}

/// What a loop merges: its results, or elements of memory inside of it
struct Merged<'a> {
    operator: &'a Operator,
    /// The space of the elements; none of a value
    memory: Option<Space>,
    /// Iterations of the loop share the memory: what a block merges into its own memory meets in the block
    shared: Formula,
}

fn merged<'a>(cx: &'a Cx<'_>, id: LoopId) -> Vec<Merged<'a>> {
    let nest = cx.nest;
    let own = &nest.loops[id].combine;
    let values = own.operators.iter().take(own.results).map(|operator| Merged {
        operator: &nest.operators[*operator],
        memory: None,
        shared: Formula::Known(true),
    });
    let mut all: Vec<Merged<'a>> = values.collect();
    for access in nest.accesses.iter() {
        let Use::Merge(operator) = access.does else { continue };
        if nest.is_in(access.around.inside, id) {
            let shared = is_shared_across(cx, access.buffer, id);
            let memory = Some(nest.buffer_of(access).space);
            all.push(Merged { operator: &nest.operators[operator], memory, shared });
        }
    }
    all
}

/// Everything that a loop merges has a property
fn all_are(all: &[Merged<'_>], has: impl Fn(&Operator) -> bool) -> Formula {
    Formula::all(all.iter().map(|each| each.shared.clone().implies(Formula::Known(has(each.operator)))))
}

fn mechanism(cx: &Cx<'_>, out: &mut dyn Claims) {
    for (id, own) in cx.nest.loops.entries() {
        if own.combine.kind == Combination::Pw && cx.trip(id) != Some(1) {
            merged(cx, id).iter().for_each(|each| may_merge(cx, id, each, out));
        }
    }
}

fn may_merge(cx: &Cx<'_>, id: LoopId, each: &Merged<'_>, out: &mut dyn Claims) {
    let (own, in_memory) = (&cx.nest.loops[id].combine, each.memory.is_some());
    let via = |level: Level| merges(level, in_memory, own.mechanism);
    let levels = |test: &dyn Fn(Level) -> bool| -> Levels {
        Levels::ALL.iter().filter(|level| test(*level)).collect()
    };
    let parallel =
        |levels: Levels| Formula::all([each.shared.clone(), cx.parallel(id), Formula::At(id, levels)]);
    let name = &each.operator.name;
    let row = || match cx.levels(id).iter().next() {
        Some(level) => mechanisms(level, in_memory),
        None => &[],
    };
    out.claim(parallel(Levels::ALL), &|| Formula::At(id, levels(&|level| via(level).is_some())), &|| {
        let what = if in_memory { "merges into memory" } else { "merges a value" };
        let words: Vec<String> = row().iter().map(ToString::to_string).collect();
        Reason {
            about: Subject::Loop(id),
            text: match words.is_empty() {
                true => format!("{what} at level '{}', whose iterations cannot meet", cx.level(id)),
                false => {
                    let level = cx.level(id);
                    format!("{what} via {} at level '{level}', which has {}", own.mechanism, words.join(", "))
                }
            },
            others: Vec::new(),
            help: match words.is_empty() {
                true => "write with `combine` and `via atomic`, or use a second kernel",
                false => "leave `via` out, or use one that the level has",
            },
        }
    });
    let mut holds = |at: Levels, holds: bool, text: &dyn Fn() -> String, help: &'static str| {
        out.claim(parallel(at), &|| Formula::Known(holds), &|| Reason {
            about: Subject::Loop(id),
            text: text(),
            others: Vec::new(),
            help,
        });
    };
    let bracketed = levels(&|level| level.is_parallel() && via(level) != Some(Mechanism::Chain));
    holds(
        bracketed,
        each.operator.associative,
        &|| format!("merges in parallel by '{name}', which is not known to be associative"),
        "declare it in `sched.operator` of the function, or make the loop sequential",
    );
    let atomic = levels(&|level| via(level) == Some(Mechanism::Atomic));
    holds(
        atomic,
        each.operator.commutative,
        &|| format!("merges by atomic updates, in any order, and '{name}' is not known to commute"),
        "use another mechanism, or declare `commutative`",
    );
    holds(
        atomic,
        each.operator.exact || own.order == Order::Free,
        &|| "merges rounded values by atomic updates, whose order differs from run to run".into(),
        "say `free`, or use another mechanism",
    );
    for memory in Updated::ALL {
        let at = |level: &Level| each.memory.is_some_and(|space| Updated::by(*level, space) == *memory);
        let update = each.operator.update;
        holds(
            atomic.iter().filter(at).collect(),
            update.is_some_and(|(update, element)| cx.limits.updates.has(*memory, update, element)),
            &|| match update {
                Some((_, element)) => {
                    format!("merges by '{name}', of which {memory} has no atomic updates of {element}")
                }
                None => format!("merges by '{name}' on elements that have no atomic updates"),
            },
            "use another mechanism",
        );
    }
}

fn order(cx: &Cx<'_>, out: &mut dyn Claims) {
    for (id, own) in cx.nest.loops.entries() {
        let own = &own.combine;
        if own.kind == Combination::Pw && own.order.is_left_fold() {
            let exact = || all_are(&merged(cx, id), |operator| operator.exact);
            out.claim(cx.parallel(id), &exact, &|| Reason {
                about: Subject::Loop(id),
                text: format!("promises the order of the source, but runs at level '{}'", cx.level(id)),
                others: Vec::new(),
                help: "make the loop sequential, or say `fixed`",
            });
        }
        if matches!(own.kind, Combination::Ps | Combination::Ordered) {
            out.claim(cx.parallel(id), &|| Formula::Known(false), &|| Reason {
                about: Subject::Loop(id),
                text: format!("each iteration builds on the one before, but runs at level '{}'", cx.level(id)),
                others: Vec::new(),
                help: "make the loop sequential; contributions that an associative function merges may be parallel (`pw`)",
            });
        }
        if merges_in_order(cx, id) {
            let dim = cx.nest.loops[id].dim;
            let same = |outer: &LoopId| cx.nest.loops[*outer].dim == dim && merges_in_order(cx, *outer);
            cx.nest.outside(id).filter(same).for_each(|outer| inverted(cx, id, outer, out));
        }
    }
}

/// A loop of a dimension that merges: where it stands decides in which order contributions come
fn merges_in_order(cx: &Cx<'_>, id: LoopId) -> bool {
    let own = &cx.nest.loops[id];
    own.dim.is_some() && matches!(own.combine.kind, Combination::Pw | Combination::Ps)
}

/// A loop inside of one over parts of its tiles
fn inverted(cx: &Cx<'_>, id: LoopId, outer: LoopId, out: &mut dyn Claims) {
    let (own, other) = (&cx.nest.loops[id].combine, &cx.nest.loops[outer].combine);
    let premise = Formula::all([
        Formula::less(Term::Extent(outer), Term::Extent(id)),
        cx.several(id),
        cx.several(outer),
    ]);
    let prefix = own.kind == Combination::Ps || other.kind == Combination::Ps;
    let source = own.order.is_left_fold() || other.order.is_left_fold();
    let exact = || all_are(&merged(cx, id), |operator| operator.exact);
    let then = || {
        let commutes = all_are(&merged(cx, id), |operator| operator.commutative);
        let in_order = if source { exact() } else { Formula::Known(true) };
        Formula::all([Formula::Known(!prefix), commutes, in_order])
    };
    out.claim(premise, &then, &|| {
        let source = source && cx.truth(&exact()) != crate::Truth::True;
        let forbids = match (prefix, source) {
            (true, _) => "a prefix sum",
            (_, true) => "the order of the source",
            _ => "an operator that does not commute",
        };
        Reason {
            about: Subject::Loop(id),
            text: format!(
                "stands inside of a loop over parts of its tiles, so that contributions come in another order, which {forbids} forbids"
            ),
            others: vec![(Subject::Loop(outer), "the loop around")],
            help: "put loops of larger tiles outside",
        }
    });
}
