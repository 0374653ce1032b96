//! Constants.

use terrace_diag::Reported;
use terrace_ir::rules::{AnyType, TypedAttr};
use terrace_ir::{Sign, TypeKind, Verify, VerifyCx};
use terrace_macros::op;

/// A constant: integer, index, float, or a vector or tensor of them
///
/// ```mlir
/// func.func @constants() -> (i32, vector<4xf32>) {
///   %a = arith.constant 42 : i32
///   %b = arith.constant dense<1.0> : vector<4xf32>
///   return %a, %b : i32, vector<4xf32>
/// }
/// ```
#[op("arith.constant", traits(Pure, ConstantLike), relations(type_of_attr(value => result)), hooks(verify),
     interfaces(terrace_interp::Interpret))]
#[asm("attr-dict $value")]
pub struct Constant {
    #[attr]
    value: TypedAttr,
    #[result]
    result: AnyType,
}

impl Verify for Constant {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let ty = ir.ty(self.result(ir));
        if let TypeKind::Int { sign, .. } = ty.kind(cx)
            && *sign != Sign::Signless
        {
            return v.fail(self.0, &terrace_ir::codes::OP_RULE, "integer return type must be signless");
        }
        Ok(())
    }
}
