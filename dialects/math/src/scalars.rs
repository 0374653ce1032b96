//! What functions of numbers compute: one row for each op, read by its fold and by the interpreter.

use super::*;

/// A function of one float, computed in f64
pub(super) trait OfFloat {
    /// The function
    const F: fn(f64) -> f64;
}

/// A function of two floats, computed in f64
pub(super) trait OfTwoFloats {
    /// The function
    const F: fn(f64, f64) -> f64;
}

/// A function of the bits of an integer, its signed reading and its width
pub(super) trait OfInt {
    /// The function; bits above the width are not cut off
    const F: fn(u128, i128, u32) -> u128;
}

macro_rules! row_type {
    (OfFloat) => { fn(f64) -> f64 };
    (OfTwoFloats) => { fn(f64, f64) -> f64 };
    (OfInt) => { fn(u128, i128, u32) -> u128 };
}

macro_rules! rows {
    ($($row:ident { $($name:ident $f:expr;)* })*) => {$($(
        impl $row for $name {
            const F: row_type!($row) = $f;
        }
    )*)*};
}

rows! {
    OfFloat {
        Acos libm::acos;
        // libm gives numbers for some below one.
        Acosh |x| if x < 1.0 { f64::NAN } else { libm::acosh(x) };
        Asin libm::asin;
        Asinh libm::asinh;
        Atan libm::atan;
        Atanh libm::atanh;
        Cbrt libm::cbrt;
        Ceil libm::ceil;
        Cos libm::cos;
        Cosh libm::cosh;
        Erf libm::erf;
        Erfc libm::erfc;
        Exp libm::exp;
        Exp2 libm::exp2;
        ExpM1 libm::expm1;
        Floor libm::floor;
        Log libm::log;
        Log10 libm::log10;
        Log1p libm::log1p;
        Log2 libm::log2;
        Round libm::round;
        RoundEven f64::round_ties_even;
        Rsqrt |x| 1.0 / libm::sqrt(x);
        Sin libm::sin;
        Sinh libm::sinh;
        Sqrt libm::sqrt;
        Tan libm::tan;
        Tanh libm::tanh;
        Trunc libm::trunc;
    }
    OfTwoFloats {
        Atan2 libm::atan2;
        PowF libm::pow;
    }
    OfInt {
        AbsI |_, signed, _| signed.unsigned_abs();
        CountLeadingZeros |bits, _, width| u128::from(bits.leading_zeros() - (128 - width));
        CountTrailingZeros |bits, _, width| u128::from(bits.trailing_zeros().min(width));
        CtPop |bits, _, _| u128::from(bits.count_ones());
    }
}

/// A power modulo 2^128, which all widths up to it agree with; of a negative exponent the quotient toward zero, which zero
/// does not have
pub(super) fn power(base: i128, exponent: i128) -> Option<i128> {
    if exponent < 0 {
        return match base {
            0 => None,
            1 => Some(1),
            -1 => Some(if exponent & 1 == 0 { 1 } else { -1 }),
            _ => Some(0),
        };
    }
    let (mut result, mut square, mut left) = (1i128, base, exponent);
    while left > 0 {
        if left & 1 == 1 {
            result = result.wrapping_mul(square);
        }
        square = square.wrapping_mul(square);
        left >>= 1;
    }
    Some(result)
}
