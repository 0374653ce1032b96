//! Casts that change what a type knows, not the value: one operand, one result.

use terrace_diag::Reported;
use terrace_ir::{FoldCx, Folded, OpId, VerifyCx, codes};

/// The error of a cast between types that are not compatible
pub fn check(v: &VerifyCx<'_>, op: OpId, compatible: bool) -> Result<(), Reported> {
    if compatible {
        return Ok(());
    }
    let (a, b) = (v.ir.ty(v.ir.operand(op, 0)), v.ir.ty(v.ir.result(op, 0)));
    let message =
        format!("operand type '{}' and result type '{}' are cast incompatible", v.show(a), v.show(b));
    v.fail(op, &codes::OP_RULE, message)
}

/// A cast to the same type, or back to the type that an earlier cast has left
pub fn fold(cx: &FoldCx<'_>, op: OpId) -> Folded {
    let ir = cx.ir;
    let (source, to) = (ir.operand(op, 0), ir.ty(ir.result(op, 0)));
    if ir.ty(source) == to {
        return Folded::value(source);
    }
    let first = ir.defining_op(source).filter(|first| ir.is(*first, ir.def(op)));
    let origin = first.map(|first| ir.operand(first, 0)).filter(|origin| ir.ty(*origin) == to);
    origin.map_or(Folded::No, Folded::value)
}
