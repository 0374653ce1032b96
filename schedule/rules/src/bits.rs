//! BITS: loops realise the bracket that an order `tree` states.
//!
//! Iterations of such a loop are merged by halves: `k` with `k + n/2`, until one is left. So a dimension is one loop, its trip count is a power of
//! two, the operator commutes, and the loop runs where all of its values are there at once: copies, or lanes of a vector.

use crate::evaluate::Cx;
use crate::formula::Formula;
use crate::{Claims, Reason, Rule, Subject};
use terrace_devices::{Level, Levels};
use terrace_schedule_model::nest::{LoopId, Use};
use terrace_schedule_model::nest_combine::{Combination, Order};

pub(crate) const BITS: Rule = Rule { name: "BITS", claims: bits };

fn bits(cx: &Cx<'_>, out: &mut dyn Claims) {
    let loops = &cx.nest.loops;
    let trees = loops
        .entries()
        .filter(|(_, own)| own.combine.kind == Combination::Pw && own.combine.order == Order::Tree);
    for (id, own) in trees {
        let mut refuse = |premise: Formula, text: &str, help: &'static str| {
            let reason = || Reason { about: Subject::Loop(id), text: text.into(), others: Vec::new(), help };
            out.claim(premise, &|| Formula::Known(false), &reason);
        };
        let several = cx.several(id);
        let elsewhere = Levels::ALL.iter().filter(|level| !holds_all_values(*level)).collect();
        refuse(
            Formula::all([several.clone(), Formula::At(id, elsewhere)]),
            &format!("is merged by halves, but runs at level '{}'", cx.level(id)),
            "make the loop one at `seq`, `unroll` or `vector`",
        );
        let uneven = cx.trip(id).is_some_and(|trip| trip < 1 || trip & (trip - 1) != 0);
        let bounded = own.from.is_some() || own.limit.is_some();
        refuse(
            Formula::Known(uneven || bounded),
            "is merged by halves, and its iterations are not a power of two",
            "give it a power of two iterations, without bounds",
        );
        let commutes = own.combine.operators.iter().all(|each| cx.nest.operators[*each].commutative);
        refuse(
            Formula::all([several.clone(), Formula::Known(!commutes)]),
            "is merged by halves, by an operator that is not known to commute",
            "declare `commutative`, or say `source`",
        );
        refuse(
            Formula::all([several.clone(), Formula::Known(merges_in_memory(cx, id))]),
            "is merged by halves, but contributes to memory in its iterations",
            "yield a value, and write what the loop gives",
        );
        let inner_first = |outer: &LoopId| {
            let around = &loops[*outer];
            let tree = around.combine.kind == Combination::Pw && around.combine.order == Order::Tree;
            tree && around.dim > own.dim && own.dim.is_some()
        };
        for outer in cx.nest.outside(id).filter(inner_first) {
            refuse(
                Formula::all([several.clone(), cx.several(outer)]),
                "is merged by halves inside of a later dimension that is too, which is to be merged first",
                "put loops of such dimensions in their order",
            );
        }
        let same = |outer: &LoopId| own.dim.is_some() && loops[*outer].dim == own.dim;
        for outer in cx.nest.outside(id).filter(same) {
            refuse(
                Formula::all([several.clone(), cx.several(outer)]),
                "is merged by halves, and its dimension is cut into several loops",
                "leave the dimension one loop",
            );
        }
    }
}

/// Are values of all iterations there at one time?
fn holds_all_values(level: Level) -> bool {
    matches!(level, Level::Seq | Level::Unroll | Level::Vector)
}

fn merges_in_memory(cx: &Cx<'_>, id: LoopId) -> bool {
    cx.nest
        .accesses
        .iter()
        .any(|access| matches!(access.does, Use::Merge(_)) && cx.nest.is_in(access.around.inside, id))
}
