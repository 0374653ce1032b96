//! Casts of numbers that share a scale: `scaling_extf scaling_truncf` (OCP Microscaling Formats).

use super::casts::verify_widths;
use super::{FastMathFlags, RoundingMode};
use terrace_diag::Reported;
use terrace_ir::rules::FloatLike;
use terrace_ir::{OpId, Type, Verify, VerifyCx, codes};
use terrace_macros::op;

/// Widen a float and multiply it by a power of two
///
/// The scale becomes a `f8E8M0FNU` first, then both become the result's type and are multiplied in it.
///
/// ```mlir
/// func.func @f(%a: vector<4xf4E2M1FN>, %s: vector<4xf8E8M0FNU>) -> vector<4xf32> {
///   %r = arith.scaling_extf %a, %s : vector<4xf4E2M1FN>, vector<4xf8E8M0FNU> to vector<4xf32>
///   return %r : vector<4xf32>
/// }
/// ```
#[op(
    "arith.scaling_extf",
    traits(Pure),
    relations(same_shape(input, out)),
    hooks(verify),
    interfaces(terrace_interp::Interpret)
)]
#[asm(
    "$input `,` $scale (`fastmath` `` $fastmath^)? attr-dict `:` type($input) `,` type($scale) `to` type($out)"
)]
pub struct ScalingExtF {
    input: FloatLike,
    scale: FloatLike,
    #[attr(optional)]
    fastmath: FastMathFlags,
    #[result]
    out: FloatLike,
}

/// Divide a float by a power of two and narrow it
///
/// The scale becomes a `f8E8M0FNU` first, then of the operand's type; the quotient is of that type too.
///
/// ```mlir
/// func.func @f(%a: vector<4xf32>, %s: vector<4xf8E8M0FNU>) -> vector<4xf8E5M2> {
///   %r = arith.scaling_truncf %a, %s : vector<4xf32>, vector<4xf8E8M0FNU> to vector<4xf8E5M2>
///   return %r : vector<4xf8E5M2>
/// }
/// ```
#[op(
    "arith.scaling_truncf",
    traits(Pure),
    relations(same_shape(input, out)),
    hooks(verify),
    interfaces(terrace_interp::Interpret)
)]
#[asm(
    "$input `,` $scale ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($input) `,` type($scale) `to` type($out)"
)]
pub struct ScalingTruncF {
    input: FloatLike,
    scale: FloatLike,
    #[attr(optional)]
    roundingmode: RoundingMode,
    #[attr(optional)]
    fastmath: FastMathFlags,
    #[result]
    out: FloatLike,
}

/// A scale is one for all or one for each
fn check_scale(v: &VerifyCx<'_>, op: OpId, input: Type, scale: Type) -> Result<(), Reported> {
    let cx = v.ir.cx();
    if scale.element(cx).is_none() || scale.shape(cx) == input.shape(cx) {
        return Ok(());
    }
    v.fail(op, &codes::OP_RULE, format!("the scale must be of the shape of '{}' or one float", v.show(input)))
}

impl Verify for ScalingExtF {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        check_scale(v, self.0, v.ir.ty(self.input(v.ir)), v.ir.ty(self.scale(v.ir)))?;
        verify_widths(v, self.0, |a, b| a < b, "wider than")
    }
}

impl Verify for ScalingTruncF {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        check_scale(v, self.0, v.ir.ty(self.input(v.ir)), v.ir.ty(self.scale(v.ir)))?;
        verify_widths(v, self.0, |a, b| a > b, "shorter than")
    }
}
