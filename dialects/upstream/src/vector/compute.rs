//! Arithmetic on whole vectors: `fma reduction`.

use super::{FloatVector, KIND, KindAttr, vector_shape};
use crate::arith::{FastMathAttr, no_fastmath};
use terrace_diag::Reported;
use terrace_ir::rules::{AnyType, AnyVector};
use terrace_ir::{Attr, Context, OpId, Type, Verify, VerifyCx, codes};
use terrace_macros::op;

/// Product and sum of each element with one rounding
///
/// ```mlir
/// func.func @f(%a: vector<4xf32>, %b: vector<4xf32>, %c: vector<4xf32>) -> vector<4xf32> {
///   %r = vector.fma %a, %b, %c : vector<4xf32>
///   return %r : vector<4xf32>
/// }
/// ```
#[op(
    "vector.fma",
    traits(Pure, Elementwise),
    relations(same(lhs, rhs, acc, result)),
    interfaces(terrace_interp::Interpret),
    asm = "$lhs `,` $rhs `,` $acc attr-dict `:` type($lhs)"
)]
pub struct Fma {
    #[operand]
    lhs: FloatVector,
    #[operand]
    rhs: FloatVector,
    #[operand]
    acc: FloatVector,
    #[result]
    result: FloatVector,
}

/// Combine all elements of a vector, and an accumulator if there is one
///
/// Floats are combined from left to right unless `fastmath` allows to regroup.
///
/// ```mlir
/// func.func @f(%v: vector<16xf32>, %x: f32) -> f32 {
///   %r = vector.reduction <add>, %v, %x fastmath<reassoc> : vector<16xf32> into f32
///   return %r : f32
/// }
/// ```
#[op(
    "vector.reduction",
    traits(Pure),
    relations(element_of(vector => dest), same(acc, dest)),
    interfaces(terrace_interp::Interpret),
    hooks(verify),
    asm = "` ` `<` $kind `>` `,` $vector (`,` $acc^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($vector) `into` type($dest)"
)]
pub struct Reduction {
    #[attr]
    kind: KindAttr,
    #[operand]
    vector: AnyVector,
    #[operand]
    acc: Optional<AnyType>,
    #[attr(default = no_fastmath)]
    fastmath: FastMathAttr,
    #[result]
    dest: AnyType,
}

/// Can elements of this type be combined so?
pub(super) fn combines(cx: &Context, kind: Attr, elem: Type) -> bool {
    let name = kind.as_enum(cx, &KIND).and_then(|value| KIND.name_of(value)).unwrap_or("");
    match name {
        "add" | "mul" => elem.is_float(cx) || elem.is_int(cx) || elem.is_index(cx),
        "minnumf" | "maxnumf" | "minimumf" | "maximumf" => elem.is_float(cx),
        _ => elem.is_int(cx) || elem.is_index(cx),
    }
}

/// Name of a way to combine
pub(super) fn kind_name(cx: &Context, kind: Attr) -> &'static str {
    kind.as_enum(cx, &KIND).and_then(|value| KIND.name_of(value)).unwrap_or("")
}

pub(super) fn check_kind(v: &VerifyCx<'_>, op: OpId, kind: Attr, elem: Type) -> Result<(), Reported> {
    if combines(v.ir.cx(), kind, elem) {
        return Ok(());
    }
    let (ty, kind) = (v.show(elem), kind_name(v.ir.cx(), kind));
    v.fail(op, &codes::OP_RULE, format!("unsupported reduction type '{ty}' for kind '{kind}'"))
}

impl Verify for Reduction {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let rank = vector_shape(cx, ir.ty(self.vector(ir))).map_or(0, <[i64]>::len);
        if rank > 1 {
            return v.fail(self.0, &codes::OP_RULE, format!("unsupported reduction rank: {rank}"));
        }
        check_kind(v, self.0, self.kind(ir), ir.ty(self.dest(ir)))
    }
}
