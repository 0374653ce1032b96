//! Two scalars combined: the one definition of what reductions, prefix sums and merging into memory compute.
//!
//! [`Combining`] has the cases of upstream's `vector.kind`; dialects convert their own enums to it.

use crate::{RtValue, Trap, codes};
use terrace_ir::FloatKind;
use terrace_ir::show::round_to_bits;

/// How two scalars become one
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Combining {
    /// Sum, of integers modulo 2^width
    Add,
    /// Product, of integers modulo 2^width
    Mul,
    /// The lesser unsigned number
    MinUI,
    /// The lesser signed number
    MinSI,
    /// The lesser float, the other one if one is NaN
    MinNumF,
    /// The greater unsigned number
    MaxUI,
    /// The greater signed number
    MaxSI,
    /// The greater float, the other one if one is NaN
    MaxNumF,
    /// Bits that both have
    And,
    /// Bits that one of them has
    Or,
    /// Bits that exactly one of them has
    Xor,
    /// The lesser float, NaN if one is
    MinimumF,
    /// The greater float, NaN if one is
    MaximumF,
}

impl Combining {
    /// Does it exist for floats only?
    pub fn is_float(self) -> bool {
        matches!(self, Combining::MinNumF | Combining::MaxNumF | Combining::MinimumF | Combining::MaximumF)
    }
}

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

fn float(kind: Combining, a: f64, b: f64, format: FloatKind) -> Result<RtValue, Trap> {
    use Combining::*;
    let single = format == FloatKind::F32;
    let value = match kind {
        Add if single => f64::from(a as f32 + b as f32),
        Add => a + b,
        Mul if single => f64::from(a as f32 * b as f32),
        Mul => a * b,
        MinimumF | MaximumF if a.is_nan() || b.is_nan() => f64::NAN,
        MinNumF | MaxNumF if a.is_nan() => b,
        MinNumF | MaxNumF if b.is_nan() => a,
        MaximumF | MaxNumF if above(a, b) => a,
        MaximumF | MaxNumF => b,
        MinimumF | MinNumF if above(a, b) => b,
        MinimumF | MinNumF => a,
        MinUI | MinSI | MaxUI | MaxSI | And | Or | Xor => return Err(unsupported()),
    };
    number(value, format)
}

fn int(kind: Combining, a: &RtValue, b: &RtValue, width: u32) -> Option<RtValue> {
    use Combining::*;
    let (x, y) = (a.as_unsigned()?, b.as_unsigned()?);
    let (s, t) = (a.as_signed()?, b.as_signed()?);
    let value = match kind {
        Add => x.wrapping_add(y),
        Mul => x.wrapping_mul(y),
        MinUI => x.min(y),
        MaxUI => x.max(y),
        MinSI => s.min(t) as u128,
        MaxSI => s.max(t) as u128,
        And => x & y,
        Or => x | y,
        Xor => x ^ y,
        MinNumF | MaxNumF | MinimumF | MaximumF => return None,
    };
    Some(RtValue::int(value as i128, width))
}

/// `a` combined with `b`; poison in, poison out
pub fn combine(kind: Combining, a: &RtValue, b: &RtValue) -> Result<RtValue, Trap> {
    match (a, b) {
        (RtValue::Poison, _) | (_, RtValue::Poison) => Ok(RtValue::Poison),
        (RtValue::Int { width, .. }, RtValue::Int { .. }) => int(kind, a, b, *width).ok_or_else(unsupported),
        (RtValue::Float { kind: format, .. }, RtValue::Float { .. }) => {
            let (x, y) = (a.as_f64().ok_or_else(unsupported)?, b.as_f64().ok_or_else(unsupported)?);
            float(kind, x, y, *format)
        }
        _ => Err(unsupported()),
    }
}
