//! Folds: what the interpreter computes, where operands and result are finite; other constants stay, but for the questions
//! about them.

use super::scalars::{OfFloat, OfInt, OfTwoFloats, power};
use super::*;
use terrace_dialect_arith::fold::{ints, map, signed, unsigned, width};
use terrace_ir::show::{round_to_bits, value_of_bits};
use terrace_ir::{FloatKind, Fold, FoldCx, Folded, OpDef, Type, TypeKind};

/// The format of a float or of its elements
fn format(cx: &FoldCx<'_>, ty: Type) -> Option<FloatKind> {
    match ty.scalar(cx.cx()).kind(cx.cx()) {
        TypeKind::Float(kind) => Some(*kind),
        _ => None,
    }
}

/// Formats with a sign bit on top, an exponent below it and IEEE's special values: width and bits of the fraction
fn ieee(kind: FloatKind) -> Option<(u32, u32)> {
    match kind {
        FloatKind::F16 => Some((16, 10)),
        FloatKind::BF16 => Some((16, 7)),
        FloatKind::F32 => Some((32, 23)),
        FloatKind::F64 => Some((64, 52)),
        _ => None,
    }
}

/// A function of finite values, rounded once into the format of the operand
fn of_value(cx: &FoldCx<'_>, f: impl Fn(f64) -> f64) -> Folded {
    let ty = cx.ir.ty(cx.operand(0));
    let (Some(a), Some(kind)) = (cx.constant(0), format(cx, ty)) else { return Folded::No };
    Folded::maybe(map(cx.cx(), &[a], ty, |bits| {
        let value = value_of_bits(bits[0] as u64, kind).filter(|value| value.is_finite())?;
        let result = f(value);
        if result.is_finite() { round_to_bits(result, kind).map(u128::from) } else { None }
    }))
}

/// `f(f(x))` is `f(x)`
fn twice(cx: &FoldCx<'_>, def: &'static OpDef) -> Option<Folded> {
    let inner = cx.ir.defining_op(cx.operand(0))?;
    cx.ir.is(inner, def).then(|| Folded::value(cx.operand(0)))
}

macro_rules! fold_rounding {
    ($($name:ident)*) => {$(
        impl Fold for $name {
            fn fold(self, cx: &FoldCx<'_>) -> Folded {
                twice(cx, $name::DEF).unwrap_or_else(|| of_value(cx, $name::F))
            }
        }
    )*};
}

fold_rounding! { Ceil Floor Round RoundEven Trunc }

macro_rules! fold_function {
    ($($name:ident)*) => {$(
        impl Fold for $name {
            fn fold(self, cx: &FoldCx<'_>) -> Folded {
                of_value(cx, $name::F)
            }
        }
    )*};
}

// `sqrt` by way of f64, which has twice the bits of the smaller formats and two more: the second rounding does no harm.
fold_function! {
    Acos Acosh Asin Asinh Atan Atanh Cbrt Cos Cosh Erf Erfc Exp Exp2 ExpM1 Log Log10 Log1p Log2 Rsqrt Sin Sinh Sqrt Tan Tanh
}

/// A function of two finite values, rounded once into their format
fn of_two(cx: &FoldCx<'_>, f: impl Fn(f64, f64) -> f64) -> Folded {
    let ty = cx.ir.ty(cx.operand(0));
    let (Some(a), Some(b), Some(kind)) = (cx.constant(0), cx.constant(1), format(cx, ty)) else {
        return Folded::No;
    };
    Folded::maybe(map(cx.cx(), &[a, b], ty, |bits| {
        let finite = |n: usize| value_of_bits(bits[n] as u64, kind).filter(|value| value.is_finite());
        let result = f(finite(0)?, finite(1)?);
        if result.is_finite() { round_to_bits(result, kind).map(u128::from) } else { None }
    }))
}

impl Fold for Atan2 {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        of_two(cx, Atan2::F)
    }
}

impl Fold for PowF {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        of_two(cx, PowF::F)
    }
}

impl Fold for AbsF {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        if let Some(folded) = twice(cx, AbsF::DEF) {
            return folded;
        }
        let ty = cx.ir.ty(cx.operand(0));
        let (Some(a), Some((width, _))) = (cx.constant(0), format(cx, ty).and_then(ieee)) else {
            return Folded::No;
        };
        Folded::maybe(map(cx.cx(), &[a], ty, |bits| Some(bits[0] & !(1 << (width - 1)))))
    }
}

impl Fold for CopySign {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let ty = cx.ir.ty(cx.operand(0));
        let Some((width, _)) = format(cx, ty).and_then(ieee) else { return Folded::No };
        let (Some(a), Some(b)) = (cx.constant(0), cx.constant(1)) else { return Folded::No };
        let sign = 1u128 << (width - 1);
        Folded::maybe(map(cx.cx(), &[a, b], ty, |bits| Some(bits[0] & !sign | bits[1] & sign)))
    }
}

impl Fold for Fma {
    /// f32 and f64 only: smaller formats would round twice
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let ty = cx.ir.ty(cx.operand(0));
        let constants: Option<Vec<_>> = (0..3).map(|n| cx.constant(n)).collect();
        let Some(constants) = constants else { return Folded::No };
        let kind = format(cx, ty);
        Folded::maybe(map(cx.cx(), &constants, ty, |bits| match kind? {
            FloatKind::F32 => {
                let [a, b, c] = [0, 1, 2].map(|n| f32::from_bits(bits[n] as u32));
                Some(a.mul_add(b, c)).filter(|r| r.is_finite()).map(|r| u128::from(r.to_bits()))
            }
            FloatKind::F64 => {
                let [a, b, c] = [0, 1, 2].map(|n| f64::from_bits(bits[n] as u64));
                Some(a.mul_add(b, c)).filter(|r| r.is_finite()).map(|r| u128::from(r.to_bits()))
            }
            _ => None,
        }))
    }
}

macro_rules! fold_question {
    ($($name:ident: $f:expr;)*) => {$(
        impl Fold for $name {
            fn fold(self, cx: &FoldCx<'_>) -> Folded {
                let to = cx.ir.ty(cx.ir.result(cx.op, 0));
                let kind = format(cx, cx.ir.ty(cx.operand(0))).and_then(ieee);
                let (Some(a), Some((width, fraction))) = (cx.constant(0), kind) else { return Folded::No };
                Folded::maybe(map(cx.cx(), &[a], to, |bits| {
                    let full = (1u128 << (width - 1 - fraction)) - 1;
                    let exponent = bits[0] >> fraction & full;
                    let test: fn(u128, u128, u128) -> bool = $f;
                    Some(u128::from(test(exponent, full, bits[0] & ((1 << fraction) - 1))))
                }))
            }
        }
    )*};
}

fold_question! {
    IsFinite: |exponent, full, _| exponent != full;
    IsInf: |exponent, full, fraction| exponent == full && fraction == 0;
    IsNaN: |exponent, full, fraction| exponent == full && fraction != 0;
    IsNormal: |exponent, full, _| exponent != 0 && exponent != full;
}

/// A function of bits and width
fn of_bits(cx: &FoldCx<'_>, f: fn(u128, i128, u32) -> u128) -> Folded {
    let ty = cx.ir.ty(cx.operand(0));
    let (Some(a), Some(width)) = (cx.constant(0), width(cx.cx(), ty)) else { return Folded::No };
    if width == 0 || width > 127 {
        return Folded::No;
    }
    Folded::maybe(map(cx.cx(), &[a], ty, |bits| {
        let (bits, signed) = (unsigned(bits[0] as i128, width), signed(bits[0] as i128, width));
        Some(unsigned(f(bits, signed, width) as i128, width))
    }))
}

impl Fold for AbsI {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        twice(cx, AbsI::DEF).unwrap_or_else(|| of_bits(cx, AbsI::F))
    }
}

impl Fold for CountLeadingZeros {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        of_bits(cx, CountLeadingZeros::F)
    }
}

impl Fold for CountTrailingZeros {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        of_bits(cx, CountTrailingZeros::F)
    }
}

impl Fold for CtPop {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        of_bits(cx, CtPop::F)
    }
}

impl Fold for IPowI {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let (Some(a), Some(b)) = (cx.constant(0), cx.constant(1)) else { return Folded::No };
        Folded::maybe(ints(cx.cx(), a, b, |base, exponent, _| power(base, exponent)))
    }
}
