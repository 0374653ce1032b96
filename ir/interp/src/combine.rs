//! Two scalars combined by an operator, by its name in upstream's `vector.kind`: `add mul minsi minimumf and …`.
//!
//! The one definition of what reductions, prefix sums and merging into memory compute.

use crate::{RtValue, Trap, codes};
use terrace_ir::FloatKind;
use terrace_ir::show::round_to_bits;

fn unsupported() -> Trap {
    Trap::new(&codes::UNSUPPORTED, "the operator does not exist for this type")
}

/// A number in a format, rounded to nearest; every NaN is the positive quiet one
pub fn number(value: f64, kind: FloatKind) -> Result<RtValue, Trap> {
    let value = if value.is_nan() { f64::NAN.copysign(1.0) } else { value };
    Ok(RtValue::float(round_to_bits(value, kind).ok_or_else(unsupported)?, kind))
}

/// Is `a` above `b`, with −0 below +0? Neither is NaN
fn above(a: f64, b: f64) -> bool {
    a > b || a == b && a.is_sign_positive() && b.is_sign_negative()
}

fn float(name: &str, a: f64, b: f64, kind: FloatKind) -> Result<RtValue, Trap> {
    let single = kind == FloatKind::F32;
    let value = match name {
        "add" if single => f64::from(a as f32 + b as f32),
        "add" => a + b,
        "mul" if single => f64::from(a as f32 * b as f32),
        "mul" => a * b,
        "minimumf" | "maximumf" if a.is_nan() || b.is_nan() => f64::NAN,
        "minnumf" | "maxnumf" if a.is_nan() => b,
        "minnumf" | "maxnumf" if b.is_nan() => a,
        "maximumf" | "maxnumf" => {
            if above(a, b) {
                a
            } else {
                b
            }
        }
        "minimumf" | "minnumf" => {
            if above(a, b) {
                b
            } else {
                a
            }
        }
        _ => return Err(unsupported()),
    };
    number(value, kind)
}

fn int(name: &str, a: &RtValue, b: &RtValue, width: u32) -> Option<RtValue> {
    let (x, y) = (a.as_unsigned()?, b.as_unsigned()?);
    let (s, t) = (a.as_signed()?, b.as_signed()?);
    let value = match name {
        "add" => x.wrapping_add(y),
        "mul" => x.wrapping_mul(y),
        "minui" => x.min(y),
        "maxui" => x.max(y),
        "minsi" => s.min(t) as u128,
        "maxsi" => s.max(t) as u128,
        "and" => x & y,
        "or" => x | y,
        "xor" => x ^ y,
        _ => return None,
    };
    Some(RtValue::int(value as i128, width))
}

/// `a` combined with `b`; poison in, poison out
pub fn combine(name: &str, a: &RtValue, b: &RtValue) -> Result<RtValue, Trap> {
    match (a, b) {
        (RtValue::Poison, _) | (_, RtValue::Poison) => Ok(RtValue::Poison),
        (RtValue::Int { width, .. }, RtValue::Int { .. }) => int(name, a, b, *width).ok_or_else(unsupported),
        (RtValue::Float { kind, .. }, RtValue::Float { .. }) => {
            let (x, y) = (a.as_f64().ok_or_else(unsupported)?, b.as_f64().ok_or_else(unsupported)?);
            float(name, x, y, *kind)
        }
        _ => Err(unsupported()),
    }
}
