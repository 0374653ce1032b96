//! Constants of `limits.h`, `stdint.h`, `float.h` and `math.h`. `long` has 64 bits here, `char` is signed.

use crate::ast::{Elem, ExprKind};
use std::f64::consts;

const FLOAT: Elem = Elem::Float(32);
const DOUBLE: Elem = Elem::Float(64);

/// What a name of these headers stands for
pub(super) fn constant(name: &str) -> Option<ExprKind> {
    integer(name).map(|(value, elem)| ExprKind::Int(value, elem)).or_else(|| real(name))
}

fn real(name: &str) -> Option<ExprKind> {
    let (value, elem) = match name {
        "INFINITY" | "HUGE_VALF" => (f64::INFINITY, FLOAT),
        "NAN" => (f64::NAN, FLOAT),
        "HUGE_VAL" => (f64::INFINITY, DOUBLE),
        "FLT_MAX" => (f32::MAX.into(), FLOAT),
        "FLT_MIN" => (f32::MIN_POSITIVE.into(), FLOAT),
        "FLT_EPSILON" => (f32::EPSILON.into(), FLOAT),
        "DBL_MAX" => (f64::MAX, DOUBLE),
        "DBL_MIN" => (f64::MIN_POSITIVE, DOUBLE),
        "DBL_EPSILON" => (f64::EPSILON, DOUBLE),
        "M_E" => (consts::E, DOUBLE),
        "M_LN2" => (consts::LN_2, DOUBLE),
        "M_LN10" => (consts::LN_10, DOUBLE),
        "M_PI" => (consts::PI, DOUBLE),
        "M_PI_2" => (consts::FRAC_PI_2, DOUBLE),
        "M_PI_4" => (consts::FRAC_PI_4, DOUBLE),
        "M_1_PI" => (consts::FRAC_1_PI, DOUBLE),
        "M_SQRT2" => (consts::SQRT_2, DOUBLE),
        "M_SQRT1_2" => (consts::FRAC_1_SQRT_2, DOUBLE),
        _ => return None,
    };
    Some(ExprKind::Float(value, elem))
}

/// Value and type; limits of types narrower than `int` are `int`
fn integer(name: &str) -> Option<(i128, Elem)> {
    let (value, bits, signed): (i128, u32, bool) = match name {
        "true" => (1, 32, true),
        "false" => (0, 32, true),
        "CHAR_BIT" => (8, 32, true),
        "CHAR_MAX" | "SCHAR_MAX" | "INT8_MAX" => (i8::MAX.into(), 32, true),
        "CHAR_MIN" | "SCHAR_MIN" | "INT8_MIN" => (i8::MIN.into(), 32, true),
        "UCHAR_MAX" | "UINT8_MAX" => (u8::MAX.into(), 32, true),
        "SHRT_MAX" | "INT16_MAX" => (i16::MAX.into(), 32, true),
        "SHRT_MIN" | "INT16_MIN" => (i16::MIN.into(), 32, true),
        "USHRT_MAX" | "UINT16_MAX" => (u16::MAX.into(), 32, true),
        "INT_MAX" | "INT32_MAX" => (i32::MAX.into(), 32, true),
        "INT_MIN" | "INT32_MIN" => (i32::MIN.into(), 32, true),
        "UINT_MAX" | "UINT32_MAX" => (u32::MAX.into(), 32, false),
        "LONG_MAX" | "LLONG_MAX" | "INT64_MAX" => (i64::MAX.into(), 64, true),
        "LONG_MIN" | "LLONG_MIN" | "INT64_MIN" => (i64::MIN.into(), 64, true),
        "ULONG_MAX" | "ULLONG_MAX" | "UINT64_MAX" | "SIZE_MAX" => (u64::MAX.into(), 64, false),
        _ => return None,
    };
    Some((value, Elem::Int { bits, signed }))
}
