//! How bodies of `linalg`'s reductions combine an output with what it was.

use crate::no_form::{NoForm, Rule};
use terrace_dialect_arith as arith;
use terrace_dialect_mdh::operator::{Builtin, identity};
use terrace_ir::{BlockId, Builder, Ir, OpDef, OpId, Value};

/// How a body combines an output with what it was
pub(crate) struct Fold {
    pub builtin: Builtin,
    /// What is combined with it
    pub part: Value,
    /// It is taken away
    pub negated: bool,
    /// What says so
    pub ops: Vec<OpId>,
}

/// How a body combines an output with what it was, by an operator that has a name; nothing else may read either
pub(crate) fn fold_of(ir: &Ir, entry: BlockId, value: Value, out: Value) -> Result<Fold, &'static str> {
    let last = ir.defining_op(value).filter(|op| ir.block(*op) == Some(entry));
    let last = last.ok_or("is not combined with what it was: no `out ⊕ e`")?;
    let fold = fold(ir, last, out)?;
    let own = ir.uses(out).all(|user| fold.ops.contains(&user.0));
    (own && ir.has_one_use(value)).then_some(fold).ok_or("is read by more than its own operator")
}

/// `out ⊕ e`, `out - e`, or the larger or smaller of the two by a comparison
fn fold(ir: &Ir, last: OpId, out: Value) -> Result<Fold, &'static str> {
    const NAMED: &str = "is not combined by an operator that has a name: add, mul, min, max, and, or, xor";
    if let Some(builtin) = operator(ir, last) {
        let (a, b) = (ir.operand(last, 0), ir.operand(last, 1));
        let part = match (a == out, b == out) {
            (true, false) => b,
            (false, true) => a,
            _ => return Err("is not `out ⊕ e`"),
        };
        return Ok(Fold { builtin, part, negated: false, ops: vec![last] });
    }
    if ir.is(last, arith::SubF::DEF) || ir.is(last, arith::SubI::DEF) {
        let (a, b) = (ir.operand(last, 0), ir.operand(last, 1));
        return match a == out && b != out {
            true => Ok(Fold { builtin: Builtin::Add, part: b, negated: true, ops: vec![last] }),
            false => Err("is not `out ⊕ e`"),
        };
    }
    let select = arith::Select::cast(ir, last).ok_or(NAMED)?;
    let (yes, no) = (select.true_value(ir), select.false_value(ir));
    let compare = Some(select.condition(ir)).filter(|test| ir.has_one_use(*test));
    let compare = compare.and_then(|test| ir.defining_op(test)).ok_or(NAMED)?;
    let part = match (yes == out, no == out) {
        (true, false) => no,
        (false, true) => yes,
        _ => return Err(NAMED),
    };
    let (builtin, opposite) = extreme(ir, compare).ok_or(NAMED)?;
    let sides = [ir.operand(compare, 0), ir.operand(compare, 1)];
    // `yes > no ? yes : no` is the larger one.
    let builtin = match () {
        () if sides == [yes, no] => builtin,
        () if sides == [no, yes] => opposite,
        () => return Err(NAMED),
    };
    Ok(Fold { builtin, part, negated: false, ops: vec![compare, last] })
}

/// What `a < b ? a : b` with this comparison is, and what `a < b ? b : a` is
fn extreme(ir: &Ir, compare: OpId) -> Option<(Builtin, Builtin)> {
    use arith::{CmpFPredicate as F, CmpIPredicate as I};
    if let Some(compare) = arith::CmpF::cast(ir, compare) {
        return match compare.predicate(ir) {
            F::Olt | F::Ole => Some((Builtin::Min, Builtin::Max)),
            F::Ogt | F::Oge => Some((Builtin::Max, Builtin::Min)),
            _ => None,
        };
    }
    match arith::CmpI::cast(ir, compare)?.predicate(ir) {
        I::Slt | I::Sle => Some((Builtin::Min, Builtin::Max)),
        I::Sgt | I::Sge => Some((Builtin::Max, Builtin::Min)),
        I::Ult | I::Ule => Some((Builtin::MinU, Builtin::MaxU)),
        I::Ugt | I::Uge => Some((Builtin::MaxU, Builtin::MinU)),
        I::Eq | I::Ne => None,
    }
}

/// Its negative, at the end of a block
pub(crate) fn negative(ir: &mut Ir, block: BlockId, value: Value) -> Result<Value, NoForm> {
    let ty = ir.ty(value);
    if ty.is_float(ir.cx()) {
        let made = arith::NegF::build(&mut Builder::at_end(ir, block), value);
        return Ok(made.result(ir));
    }
    let zero = identity(Builtin::Add, ir.cx(), ty)
        .ok_or_else(|| Rule::Body.because("what is taken away is no number"))?;
    let mut b = Builder::at_end(ir, block);
    let zero = arith::Constant::build(&mut b, zero).result(b.read());
    Ok(arith::SubI::build(&mut b, zero, value).result(b.read()))
}

/// Ops that are operators
const OPERATORS: &[(&OpDef, Builtin)] = &[
    (arith::AddF::DEF, Builtin::Add),
    (arith::AddI::DEF, Builtin::Add),
    (arith::MulF::DEF, Builtin::Mul),
    (arith::MulI::DEF, Builtin::Mul),
    (arith::MaximumF::DEF, Builtin::Max),
    (arith::MaxNumF::DEF, Builtin::Max),
    (arith::MaxSI::DEF, Builtin::Max),
    (arith::MinimumF::DEF, Builtin::Min),
    (arith::MinNumF::DEF, Builtin::Min),
    (arith::MinSI::DEF, Builtin::Min),
    (arith::AndI::DEF, Builtin::And),
    (arith::OrI::DEF, Builtin::Or),
    (arith::XOrI::DEF, Builtin::Xor),
    (arith::MaxUI::DEF, Builtin::MaxU),
    (arith::MinUI::DEF, Builtin::MinU),
];

/// The operator that an op is, if it is one
fn operator(ir: &Ir, op: OpId) -> Option<Builtin> {
    OPERATORS.iter().find(|(def, _)| ir.is(op, def)).map(|(_, builtin)| *builtin)
}
