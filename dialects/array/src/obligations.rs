//! What programs leave open: the conditions of every op, with what is known of each.

use crate::patterns::{self, Fold, Generate, Iterate, Map, Pattern, Reduce, Scan, Yield};
use crate::size::{Obligation, Verdict, bound};
use crate::{layout, macros};
use terrace_ir::{Ir, OpId, Type};

/// The op's kind, if it has a function
pub fn pattern_of(ir: &Ir, op: OpId) -> Option<Pattern> {
    let def = ir.def(op);
    let all = [
        (Map::DEF, Pattern::Map),
        (Reduce::DEF, Pattern::Reduce),
        (Fold::DEF, Pattern::Fold),
        (Scan::DEF, Pattern::Scan),
        (Generate::DEF, Pattern::Generate),
        (Iterate::DEF, Pattern::Iterate),
    ];
    all.into_iter().find(|(other, _)| std::ptr::eq(def, *other)).map(|(_, pattern)| pattern)
}

/// Conditions on sizes of an op; none for ops that do not verify
pub fn conditions(ir: &Ir, op: OpId) -> Vec<Obligation> {
    let cx = ir.cx();
    let obligations = if layout::is_layout(ir, op) {
        layout::of_op(ir, op).map(|shape| shape.obligations)
    } else if let Some(pattern) = pattern_of(ir, op) {
        let types: Vec<Type> = ir.operands(op).map(|value| ir.ty(value)).collect();
        let end = ir.entry(ir.region(op, 0)).and_then(|entry| ir.last_op(entry));
        let end = end.filter(|end| Yield::cast(ir, *end).is_some());
        let yields: Vec<Type> =
            end.map_or(Vec::new(), |end| ir.operands(end).map(|value| ir.ty(value)).collect());
        patterns::result(cx, pattern, &types, &|name| ir.attr(op, name), &yields).map(|(_, all)| all)
    } else if let Some(typed) = macros::types(ir, op) {
        typed.map(|(_, all)| all)
    } else {
        return Vec::new();
    };
    obligations.unwrap_or_default()
}

/// A condition that a function leaves open: it holds for some values of the symbols only, or is not decided
#[derive(Clone, Debug)]
pub struct Open {
    /// What must hold
    pub condition: Obligation,
    /// Where it comes from
    pub op: OpId,
    /// The op's name and what the condition is about: `array.split: size of parts`
    pub reason: String,
}

impl Open {
    /// Symbols in the condition, in order
    pub fn symbols(&self) -> Vec<String> {
        let mut names = [self.condition.a.names(), self.condition.b.names()].concat();
        names.sort();
        names.dedup();
        names
    }
}

/// The open conditions of a function, op after op; the same one at several ops is there several times
pub fn obligations(ir: &Ir) -> Vec<Open> {
    let bound = bound(ir);
    let mut open = Vec::new();
    for op in ir.walk() {
        for condition in conditions(ir, op) {
            if condition.decide(&bound) == Verdict::Undecided {
                let reason = format!("{}: {}", ir.op_name(op), condition.what);
                open.push(Open { condition, op, reason });
            }
        }
    }
    open
}

/// Conditions of an op, with what is known of each
pub fn of_op(ir: &Ir, op: OpId) -> Vec<(Obligation, Verdict)> {
    let bound = bound(ir);
    let all = conditions(ir, op).into_iter();
    all.map(|obligation| (obligation.clone(), obligation.decide(&bound))).collect()
}
