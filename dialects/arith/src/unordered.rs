//! A rule on comparisons of floats that ask for NaN apart: one predicate says both.
//!
//! Operators that keep the first NaN ask whether the new number is greater, or is NaN where the old one is none.

use super::compare::{CmpF, outcome};
use super::{AndI, CmpFPredicate, FastMathFlags, OrI};
use terrace_ir::{Ir, OpId, Value};
use terrace_rewrite::{FnRule, Miss};

/// x > y, or x is NaN and y is a number: y is a number, and not x ≤ y
pub(super) static OR_UNORDERED: FnRule<(OpId, Value)> = FnRule {
    name: "or_of_nan",
    root: Some(OrI::DEF),
    find: |ir, op| {
        let (a, b) = (ir.operand(op, 0), ir.operand(op, 1));
        let found = [(a, b), (b, a)].into_iter().find_map(|(first, second)| {
            let order = comparison(ir, first).filter(|order| is_ordered(order.predicate(ir)))?;
            let both = ir.defining_op(second).filter(|both| ir.is(*both, AndI::DEF))?;
            let (p, q) = (ir.operand(both, 0), ir.operand(both, 1));
            let compared = [order.lhs(ir), order.rhs(ir)];
            let fits = |nan: Value, number: Value| {
                let (of, other) = (nan_of(ir, nan)?, number_of(ir, number)?);
                (of != other && compared.contains(&of) && compared.contains(&other)).then_some(number)
            };
            Some((order.id(), fits(p, q).or_else(|| fits(q, p))?))
        });
        found.ok_or(Miss("no order of two floats, or one NaN and the other a number"))
    },
    put: |rw, op, (order, number)| {
        let ir = rw.ir();
        let order = CmpF(order);
        let (lhs, rhs) = (order.lhs(ir), order.rhs(ir));
        let predicate = or_unordered(order.predicate(ir));
        let value = rw.build_before(op, |b| {
            let order = CmpF::build(b, lhs, rhs, predicate?).result(b.read());
            Some(AndI::build(b, order, number).result(b.read()))
        });
        if let Some(value) = value {
            rw.replace(op, &[value]);
        }
    },
};

/// A comparison that may see NaN
fn comparison(ir: &Ir, value: Value) -> Option<CmpF> {
    let compared = CmpF::cast(ir, ir.defining_op(value)?)?;
    (!compared.fastmath(ir).has(FastMathFlags::NNAN)).then_some(compared)
}

/// Does it hold for some order of two numbers and fail for another, and fail for NaN?
fn is_ordered(predicate: CmpFPredicate) -> bool {
    or_unordered(predicate).is_some()
}

/// The predicate that holds for NaN too
fn or_unordered(predicate: CmpFPredicate) -> Option<CmpFPredicate> {
    use CmpFPredicate::{Oeq, Oge, Ogt, Ole, Olt, One, Ueq, Uge, Ugt, Ule, Ult, Une};
    let ordered = [(Oeq, Ueq), (Oge, Uge), (Ogt, Ugt), (Ole, Ule), (Olt, Ult), (One, Une)];
    ordered.into_iter().find(|(one, _)| *one == predicate).map(|(_, other)| other)
}

/// The value whose comparison with itself is this one, and holds for these outcomes
fn of_itself(ir: &Ir, value: Value, holds: fn(u8) -> bool) -> Option<Value> {
    let compared = comparison(ir, value)?;
    let of = compared.lhs(ir);
    (of == compared.rhs(ir) && holds(compared.predicate(ir).outcomes())).then_some(of)
}

/// The value of which a comparison tests that it is NaN
fn nan_of(ir: &Ir, value: Value) -> Option<Value> {
    of_itself(ir, value, |all| all & (outcome::EQUAL | outcome::UNORDERED) == outcome::UNORDERED)
}

/// The value of which a comparison tests that it is a number
fn number_of(ir: &Ir, value: Value) -> Option<Value> {
    of_itself(ir, value, |all| all & (outcome::EQUAL | outcome::UNORDERED) == outcome::EQUAL)
}
