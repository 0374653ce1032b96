//! Numbers of types: whole ones, and those that folds start from.

use terrace_ir::{FloatKind, Sign, TypeKind};

/// What a fold starts from: the number that changes nothing
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// Of a sum
    Zero,
    /// Of a product
    One,
    /// Of a maximum: the least number, or minus infinity
    Least,
    /// Of a minimum: the greatest number, or infinity
    Most,
}

impl Start {
    /// The number in a type
    pub fn number(self, kind: &TypeKind) -> f64 {
        let limit = match *kind {
            TypeKind::Int { width, sign } if sign == Sign::Unsigned || width == 1 => {
                (0.0, 2f64.powi(width as i32) - 1.0)
            }
            TypeKind::Int { width, .. } => {
                (-(2f64.powi(width as i32 - 1)), 2f64.powi(width as i32 - 1) - 1.0)
            }
            // Formats without infinities have a greatest number instead; none of the front ends' types is such.
            TypeKind::Float(FloatKind::F16 | FloatKind::BF16 | FloatKind::F32 | FloatKind::F64) => {
                (f64::NEG_INFINITY, f64::INFINITY)
            }
            _ => (f64::MIN, f64::MAX),
        };
        match self {
            Start::Zero => 0.0,
            Start::One => 1.0,
            Start::Least => limit.0,
            Start::Most => limit.1,
        }
    }
}

/// The number as an integer of a type; `None` if the type does not have it
pub(crate) fn whole(number: f64, kind: &TypeKind) -> Option<i128> {
    let TypeKind::Int { width, sign } = *kind else { return None };
    let (low, high) = match sign == Sign::Unsigned || width == 1 {
        true => (0, (1i128 << width) - 1),
        false => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
    };
    let whole = Some(number as i128).filter(|whole| *whole as f64 == number)?;
    // Limits of 64 bits are rounded up as floats.
    if whole == high + 1 { Some(high) } else { Some(whole).filter(|n| (low..=high).contains(n)) }
}
