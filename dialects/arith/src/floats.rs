//! Floating-point ops.

use super::FastMathFlags;
use super::fold::{float_binary, floats, map, uniform_float};
use terrace_ir::rules::FloatLike;
use terrace_ir::{FloatKind, Fold, FoldCx, Folded, TypeKind};
use terrace_macros::op;

macro_rules! float_op {
    ($(#[$doc:meta])* $name:ident $text:tt [$($tr:ident)*] $($interface:path),*) => {
        $(#[$doc])*
        #[op($text, traits(Pure, Elementwise, $($tr),*), relations(same(lhs, rhs, result)), hooks(fold),
             interfaces(terrace_interp::Interpret $(, $interface)*))]
        #[asm("$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)")]
        pub struct $name {
            lhs: FloatLike,
            rhs: FloatLike,
            #[attr(default = FastMathFlags::none)]
            fastmath: FastMathFlags,
            #[result]
            result: FloatLike,
        }
    };
}

float_op! {
    /// Floating-point addition
    ///
    /// ```mlir
    /// func.func @f(%a: f32, %b: f32) -> f32 {
    ///   %c = arith.addf %a, %b fastmath<contract> : f32
    ///   return %c : f32
    /// }
    /// ```
    AddF "arith.addf" [Commutative]
}
float_op! {
    /// Floating-point subtraction
    ///
    /// ```mlir
    /// func.func @f(%a: f32, %b: f32) -> f32 {
    ///   %c = arith.subf %a, %b : f32
    ///   return %c : f32
    /// }
    /// ```
    SubF "arith.subf" []
}
float_op! {
    /// Floating-point multiplication
    ///
    /// ```mlir
    /// func.func @f(%a: f32, %b: f32) -> f32 {
    ///   %c = arith.mulf %a, %b : f32
    ///   return %c : f32
    /// }
    /// ```
    MulF "arith.mulf" [Commutative] terrace_rewrite::Canonicalize
}
float_op! {
    /// Floating-point division
    ///
    /// ```mlir
    /// func.func @f(%a: f32, %b: f32) -> f32 {
    ///   %c = arith.divf %a, %b : f32
    ///   return %c : f32
    /// }
    /// ```
    DivF "arith.divf" [Divides] terrace_rewrite::Canonicalize
}
float_op! {
    /// Remainder of truncating division; the sign is the dividend's
    ///
    /// ```mlir
    /// func.func @f(%a: f32, %b: f32) -> f32 {
    ///   %c = arith.remf %a, %b : f32
    ///   return %c : f32
    /// }
    /// ```
    RemF "arith.remf" []
}
float_op! {
    /// Larger of two; NaN if one is; +0 over −0
    ///
    /// ```mlir
    /// func.func @f(%a: f32, %b: f32) -> f32 {
    ///   %c = arith.maximumf %a, %b : f32
    ///   return %c : f32
    /// }
    /// ```
    MaximumF "arith.maximumf" [Commutative]
}
float_op! {
    /// Smaller of two; NaN if one is; −0 under +0
    ///
    /// ```mlir
    /// func.func @f(%a: f32, %b: f32) -> f32 {
    ///   %c = arith.minimumf %a, %b : f32
    ///   return %c : f32
    /// }
    /// ```
    MinimumF "arith.minimumf" [Commutative]
}
float_op! {
    /// Larger of two; the other one if one is NaN
    ///
    /// ```mlir
    /// func.func @f(%a: f32, %b: f32) -> f32 {
    ///   %c = arith.maxnumf %a, %b : f32
    ///   return %c : f32
    /// }
    /// ```
    MaxNumF "arith.maxnumf" [Commutative]
}
float_op! {
    /// Smaller of two; the other one if one is NaN
    ///
    /// ```mlir
    /// func.func @f(%a: f32, %b: f32) -> f32 {
    ///   %c = arith.minnumf %a, %b : f32
    ///   return %c : f32
    /// }
    /// ```
    MinNumF "arith.minnumf" [Commutative]
}

/// Negation: flips the sign bit, of NaN too
///
/// ```mlir
/// func.func @f(%a: f32) -> f32 {
///   %b = arith.negf %a : f32
///   return %b : f32
/// }
/// ```
#[op(
    "arith.negf",
    traits(Pure, Elementwise, Involution),
    relations(same(operand, result)),
    hooks(fold),
    interfaces(terrace_interp::Interpret)
)]
#[asm("$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)")]
pub struct NegF {
    operand: FloatLike,
    #[attr(default = FastMathFlags::none)]
    fastmath: FastMathFlags,
    #[result]
    result: FloatLike,
}

fn right(cx: &FoldCx<'_>) -> Option<f64> {
    uniform_float(cx.cx(), cx.constant(1)?)
}

fn is_negative_zero(value: Option<f64>) -> bool {
    value.is_some_and(|value| value == 0.0 && value.is_sign_negative())
}

macro_rules! fold_float {
    ($($name:ident: neutral $neutral:expr;)*) => {$(
        impl Fold for $name {
            fn fold(self, cx: &FoldCx<'_>) -> Folded {
                let neutral: fn(Option<f64>) -> bool = $neutral;
                if neutral(right(cx)) {
                    return Folded::value(cx.operand(0));
                }
                let (Some(a), Some(b)) = (cx.constant(0), cx.constant(1)) else { return Folded::No };
                Folded::maybe(float_binary::<$name>(cx.cx(), a, b))
            }
        }
    )*};
}

fold_float! {
    AddF: neutral is_negative_zero;
    SubF: neutral |c| c == Some(0.0) && !is_negative_zero(c);
    MulF: neutral |c| c == Some(1.0);
    DivF: neutral |c| c == Some(1.0);
    RemF: neutral |_| false;
}

macro_rules! fold_extreme {
    ($($name:ident)*) => {$(
        impl Fold for $name {
            fn fold(self, cx: &FoldCx<'_>) -> Folded {
                if cx.operand(0) == cx.operand(1) {
                    return Folded::value(cx.operand(0));
                }
                let (Some(a), Some(b)) = (cx.constant(0), cx.constant(1)) else { return Folded::No };
                Folded::maybe(float_binary::<$name>(cx.cx(), a, b))
            }
        }
    )*};
}

fold_extreme! { MaximumF MinimumF MaxNumF MinNumF }

impl Fold for NegF {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let inner = cx.ir.defining_op(cx.operand(0)).and_then(|op| NegF::cast(cx.ir, op));
        if let Some(inner) = inner {
            return Folded::value(inner.operand(cx.ir));
        }
        let (context, ty) = (cx.cx(), cx.ir.ty(cx.operand(0)));
        let Some(a) = cx.constant(0) else { return Folded::No };
        // By bits where the sign is one, so that NaNs keep theirs.
        if let TypeKind::Float(FloatKind::F16 | FloatKind::BF16 | FloatKind::F32 | FloatKind::F64) =
            ty.scalar(context).kind(context)
        {
            let sign = ty.scalar(context).bit_width(context).map_or(0, |width| 1u128 << (width - 1));
            return Folded::maybe(map(context, &[a], ty, |bits| Some(bits[0] ^ sign)));
        }
        Folded::maybe(floats(context, &[a], |v| -v[0], |v| -v[0]))
    }
}
