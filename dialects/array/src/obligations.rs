//! What programs leave open: the conditions of every op, with what is known of each.

use crate::macros::{self, Macro};
use crate::patterns::{self, Pattern};
use crate::shape;
use crate::size::{Obligation, Verdict, bound};
use crate::{Fold, Generate, Iterate, Map, Reduce, Scan, View, Yield};
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
    let obligations = if let Some(view) = View::of(ir, op) {
        shape::of_op(ir, view, op).map(|shape| shape.obligations)
    } else if let Some(pattern) = pattern_of(ir, op) {
        let types: Vec<Type> = ir.operands(op).map(|value| ir.ty(value)).collect();
        let end = ir.entry(ir.region(op, 0)).and_then(|entry| ir.last_op(entry));
        let end = end.filter(|end| Yield::cast(ir, *end).is_some());
        let yields: Vec<Type> =
            end.map_or(Vec::new(), |end| ir.operands(end).map(|value| ir.ty(value)).collect());
        patterns::result(cx, pattern, &types, &|name| ir.attr(op, name), &yields).map(|(_, all)| all)
    } else if let Some(which) = Macro::of(ir, op) {
        macros::types(ir, which, op).map(|(_, all)| all)
    } else {
        return Vec::new();
    };
    obligations.unwrap_or_default()
}

/// The same, with what is known of each
pub fn of_op(ir: &Ir, op: OpId) -> Vec<(Obligation, Verdict)> {
    let bound = bound(ir);
    let all = conditions(ir, op).into_iter();
    all.map(|obligation| (obligation.clone(), obligation.decide(&bound))).collect()
}
