//! What ops of two scalars compute: one row for each op, read by its fold, by the interpreter and by its quick path.
//!
//! A row is written once and compiled for two sizes: `wide` for all integers up to 128 bits and all floats through f64,
//! `narrow` for integers up to 64 bits and `single` for f32. Flags (`nsw`, `exact`, `nnan`, …) are not part of a row: the
//! interpreter checks them, folds ignore them, quick paths decline.

use super::*;

/// An op of two integers of one width
pub(crate) trait IntBinary {
    /// The result from the bits `a`, `b` and the signed readings `x`, `y`; `None` where the op has no value
    ///
    /// Bits above the width are not cut off.
    fn wide(a: u128, b: u128, x: i128, y: i128, width: u32) -> Option<u128>;

    /// The same for widths up to 64
    fn narrow(a: u64, b: u64, x: i64, y: i64, width: u32) -> Option<u64>;
}

/// An op of two floats of one format
pub(crate) trait FloatBinary {
    /// The result in f64, for f64 and all formats that round harmlessly from it
    fn wide(a: f64, b: f64) -> f64;

    /// The result in f32
    fn single(a: f32, b: f32) -> f32;
}

/// Rows of ops of two integers, and when they have no value
macro_rules! int_rows {
    ($($name:ident $none:ident |$a:ident, $b:ident, $x:ident, $y:ident| $value:expr;)*) => {$(
        #[allow(unused_variables)]
        impl IntBinary for $name {
            fn wide($a: u128, $b: u128, $x: i128, $y: i128, width: u32) -> Option<u128> {
                int_rows!(@none $none i128, $b, $x, $y, width);
                Some($value as u128)
            }

            fn narrow($a: u64, $b: u64, $x: i64, $y: i64, width: u32) -> Option<u64> {
                int_rows!(@none $none i64, $b, $x, $y, width);
                Some($value as u64)
            }
        }
    )*};
    (@none never $int:ident, $b:ident, $x:ident, $y:ident, $width:ident) => {};
    (@none by_zero $int:ident, $b:ident, $x:ident, $y:ident, $width:ident) => {
        if $b == 0 {
            return None;
        }
    };
    // The least number by -1 does not fit either.
    (@none no_quotient $int:ident, $b:ident, $x:ident, $y:ident, $width:ident) => {
        if $b == 0 || $y == -1 && $x == $int::MIN >> ($int::BITS - $width) {
            return None;
        }
    };
    (@none too_far $int:ident, $b:ident, $x:ident, $y:ident, $width:ident) => {
        if $b >= $width.into() {
            return None;
        }
    };
}

int_rows! {
    AddI never |a, b, x, y| a.wrapping_add(b);
    SubI never |a, b, x, y| a.wrapping_sub(b);
    MulI never |a, b, x, y| a.wrapping_mul(b);
    AndI never |a, b, x, y| a & b;
    OrI never |a, b, x, y| a | b;
    XOrI never |a, b, x, y| a ^ b;
    MaxSI never |a, b, x, y| x.max(y);
    MinSI never |a, b, x, y| x.min(y);
    MaxUI never |a, b, x, y| a.max(b);
    MinUI never |a, b, x, y| a.min(b);
    DivSI no_quotient |a, b, x, y| x / y;
    RemSI no_quotient |a, b, x, y| x % y;
    CeilDivSI no_quotient |a, b, x, y| if x % y != 0 && (x < 0) == (y < 0) { x / y + 1 } else { x / y };
    FloorDivSI no_quotient |a, b, x, y| if x % y != 0 && (x < 0) != (y < 0) { x / y - 1 } else { x / y };
    DivUI by_zero |a, b, x, y| a / b;
    RemUI by_zero |a, b, x, y| a % b;
    CeilDivUI by_zero |a, b, x, y| a.div_ceil(b);
    ShLI too_far |a, b, x, y| a << b;
    ShRUI too_far |a, b, x, y| a >> b;
    ShRSI too_far |a, b, x, y| x >> b;
}

/// Rows of ops of two floats: `exact` ones give one of their operands or NaN, and need no second size
macro_rules! float_rows {
    ($($name:ident $size:ident |$a:ident, $b:ident| $value:expr;)*) => {$(
        impl FloatBinary for $name {
            fn wide($a: f64, $b: f64) -> f64 {
                $value
            }

            fn single($a: f32, $b: f32) -> f32 {
                float_rows!(@single $size $name $a $b $value)
            }
        }
    )*};
    (@single rounded $name:ident $a:ident $b:ident $value:expr) => { $value };
    (@single exact $name:ident $a:ident $b:ident $value:expr) => { $name::wide($a.into(), $b.into()) as f32 };
}

float_rows! {
    AddF rounded |a, b| a + b;
    SubF rounded |a, b| a - b;
    MulF rounded |a, b| a * b;
    DivF rounded |a, b| a / b;
    RemF rounded |a, b| a % b;
    MaximumF exact |a, b| either_nan(a, b, larger);
    MinimumF exact |a, b| either_nan(a, b, smaller);
    MaxNumF exact |a, b| other_than_nan(a, b, larger);
    MinNumF exact |a, b| other_than_nan(a, b, smaller);
}

/// Order with −0 below +0; neither is NaN
fn above(a: f64, b: f64) -> bool {
    a > b || a == b && a.is_sign_positive() && b.is_sign_negative()
}

/// The larger of two numbers, with −0 below +0; neither is NaN
pub fn larger(a: f64, b: f64) -> f64 {
    if above(a, b) { a } else { b }
}

/// The smaller of two numbers, with −0 below +0; neither is NaN
pub fn smaller(a: f64, b: f64) -> f64 {
    if above(a, b) { b } else { a }
}

/// NaN if one operand is
pub fn either_nan(a: f64, b: f64, otherwise: fn(f64, f64) -> f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { otherwise(a, b) }
}

fn other_than_nan(a: f64, b: f64, otherwise: fn(f64, f64) -> f64) -> f64 {
    match (a.is_nan(), b.is_nan()) {
        (true, _) => b,
        (_, true) => a,
        _ => otherwise(a, b),
    }
}
