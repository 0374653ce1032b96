//! Casts.

use super::super::*;
use super::floats::{float_kind, number, value};
use super::{each, int_width, keep_promises, lift, quick, scalar_type, unsupported};
use terrace_interp::{Interpret, Machine, Quick, RtValue, Step, Trap};
use terrace_ir::show::value_of_bits;
use terrace_ir::{FloatKind, Ir, TypeKind};

fn to_int(m: &mut Machine<'_>, f: impl Fn(&RtValue, u32) -> Result<RtValue, Trap>) -> Step {
    match int_width(m) {
        Ok(width) => each(m, |v| f(&v[0], width)).into(),
        Err(trap) => Step::Trap(trap),
    }
}

macro_rules! widen {
    ($($name:ident $read:ident $signed:literal;)*) => {$(
        impl Interpret for $name {
            fn quick(self, ir: &Ir) -> Option<Quick> {
                quick::int_cast(ir, self.0, $signed)
            }

            fn interpret(self, m: &mut Machine<'_>) -> Step {
                to_int(m, |v, width| {
                    Ok(RtValue::int(v.$read().ok_or_else(unsupported)? as i128, width))
                })
            }
        }
    )*};
}

widen! {
    ExtSI as_signed true;
    ExtUI as_unsigned false;
    IndexCast as_signed true;
    IndexCastUI as_unsigned false;
}

impl Interpret for TruncI {
    fn quick(self, ir: &Ir) -> Option<Quick> {
        quick::int_cast(ir, self.0, false)
    }

    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let promised = self.overflow(m.ir());
        to_int(m, |v, width| {
            let (signed, bits) =
                (v.as_signed().ok_or_else(unsupported)?, v.as_unsigned().ok_or_else(unsupported)?);
            let value = RtValue::int(bits as i128, width);
            let broken = promised.has(OverflowFlags::NSW) && value.as_signed() != Some(signed)
                || promised.has(OverflowFlags::NUW) && value.as_unsigned() != Some(bits);
            Ok(if broken { RtValue::Poison } else { value })
        })
    }
}

fn finish(
    m: &mut Machine<'_>,
    f: impl Fn(&Machine<'_>, &RtValue, FloatKind) -> Result<RtValue, Trap>,
) -> Step {
    let this = &*m;
    let result = computed(this, |v, kind| f(this, &v[0], kind));
    set(m, result)
}

fn finish_all(m: &mut Machine<'_>, f: impl Fn(&[RtValue], FloatKind) -> Result<RtValue, Trap>) -> Step {
    let result = computed(m, f);
    set(m, result)
}

/// A function of known operands, element by element
fn computed(
    m: &Machine<'_>,
    f: impl Fn(&[RtValue], FloatKind) -> Result<RtValue, Trap>,
) -> Result<RtValue, Trap> {
    let kind = float_kind(m)?;
    lift(&m.operands(), &|v| {
        if v.iter().any(RtValue::has_poison) {
            return Ok(RtValue::Poison);
        }
        Ok(keep_promises(m, v, f(v, kind)?))
    })
}

fn set(m: &mut Machine<'_>, result: Result<RtValue, Trap>) -> Step {
    match result {
        Ok(value) => {
            m.set_result(0, value);
            Step::Next
        }
        Err(trap) => Step::Trap(trap),
    }
}

impl Interpret for ExtF {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        finish(m, |_, v, kind| number(value(v)?, kind))
    }
}

impl Interpret for TruncF {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let mode = self.roundingmode(m.ir()).unwrap_or(RoundingMode::ToNearestEven);
        finish(m, |_, v, kind| round(value(v)?, kind, mode))
    }
}

/// The power of two that a scale is
fn scale(scale: &RtValue) -> Result<f64, Trap> {
    value(&number(value(scale)?, FloatKind::F8E8M0FNU)?)
}

/// The format of the elements of an operand
fn operand_kind(m: &Machine<'_>, n: usize) -> Result<FloatKind, Trap> {
    let ir = m.ir();
    match ir.ty(ir.operand(m.op(), n)).scalar(m.cx()).kind(m.cx()) {
        TypeKind::Float(kind) => Ok(*kind),
        _ => Err(unsupported()),
    }
}

impl Interpret for ScalingExtF {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        finish_all(m, |v, kind| {
            let (wide, by) = (number(value(&v[0])?, kind)?, number(scale(&v[1])?, kind)?);
            number(value(&wide)? * value(&by)?, kind)
        })
    }
}

impl Interpret for ScalingTruncF {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let mode = self.roundingmode(m.ir()).unwrap_or(RoundingMode::ToNearestEven);
        let from = match operand_kind(m, 0) {
            Ok(kind) => kind,
            Err(trap) => return Step::Trap(trap),
        };
        finish_all(m, |v, kind| {
            let by = number(scale(&v[1])?, from)?;
            let scaled = number(value(&v[0])? / value(&by)?, from)?;
            round(value(&scaled)?, kind, mode)
        })
    }
}

/// Round in a mode: nearest even, then one step where the mode wants the neighbour
fn round(exact: f64, kind: FloatKind, mode: RoundingMode) -> Result<RtValue, Trap> {
    let nearest = number(exact, kind)?;
    if mode == RoundingMode::ToNearestEven || !exact.is_finite() {
        return Ok(nearest);
    }
    // Neighbours by bits only where formats are of sign and magnitude with infinities.
    let plain = matches!(kind, FloatKind::F16 | FloatKind::BF16 | FloatKind::F32 | FloatKind::F64);
    let (RtValue::Float { bits, .. }, true) = (&nearest, plain) else { return Err(unsupported()) };
    let sign = 1u64 << (kind.width() - 1);
    let rounded = value(&nearest)?;
    let negative = exact.is_sign_negative();
    let (too_far, too_near) = (rounded.abs() > exact.abs(), rounded.abs() < exact.abs());
    let outward = match mode {
        RoundingMode::Downward => negative,
        RoundingMode::Upward => !negative,
        _ => false,
    };
    let step = match mode {
        RoundingMode::ToNearestAway if too_near => {
            let next = value_of_bits(bits + 1, kind).ok_or_else(unsupported)?;
            i64::from(next.abs() - exact.abs() == exact.abs() - rounded.abs())
        }
        RoundingMode::ToNearestAway => 0,
        _ if outward && too_near => 1,
        _ if !outward && too_far => -1,
        _ => 0,
    };
    let magnitude = (bits & !sign).wrapping_add_signed(step);
    Ok(RtValue::float(bits & sign | magnitude, kind))
}

/// An integer rounded once: its top bits, with one more that says whether anything was cut off
fn of_int(magnitude: u128, negative: bool, kind: FloatKind) -> Result<RtValue, Trap> {
    let sign = if negative { -1.0 } else { 1.0 };
    let cut = (128 - magnitude.leading_zeros()).saturating_sub(53);
    if kind == FloatKind::F64 || cut == 0 {
        return number(sign * magnitude as f64, kind);
    }
    let lost = magnitude & !(u128::MAX << cut) != 0;
    let odd = magnitude >> cut | u128::from(lost);
    number(sign * odd as f64 * 2f64.powi(cut as i32), kind)
}

impl Interpret for SIToFP {
    fn quick(self, ir: &Ir) -> Option<Quick> {
        quick::int_to_float(ir, self.0, true)
    }

    fn interpret(self, m: &mut Machine<'_>) -> Step {
        finish(m, |_, v, kind| {
            let value = v.as_signed().ok_or_else(unsupported)?;
            of_int(value.unsigned_abs(), value < 0, kind)
        })
    }
}

impl Interpret for UIToFP {
    fn quick(self, ir: &Ir) -> Option<Quick> {
        quick::int_to_float(ir, self.0, false)
    }

    fn interpret(self, m: &mut Machine<'_>) -> Step {
        finish(m, |_, v, kind| of_int(v.as_unsigned().ok_or_else(unsupported)?, false, kind))
    }
}

impl Interpret for FPToSI {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        to_int(m, |v, width| {
            let whole = value(v)?.trunc();
            let limit = 2f64.powi(width as i32 - 1);
            // NaN is in no range.
            Ok(if whole >= -limit && whole < limit {
                RtValue::int(whole as i128, width)
            } else {
                RtValue::Poison
            })
        })
    }
}

impl Interpret for FPToUI {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        to_int(m, |v, width| {
            let whole = value(v)?.trunc();
            let fits = whole >= 0.0 && whole < 2f64.powi(width as i32);
            Ok(if fits { RtValue::int(whole as u128 as i128, width) } else { RtValue::Poison })
        })
    }
}

impl Interpret for Bitcast {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let to = scalar_type(m, 0).kind(m.cx()).clone();
        each(m, |v| {
            let bits = match v[0] {
                RtValue::Int { bits, .. } => bits,
                RtValue::Float { bits, .. } => bits.into(),
                _ => return Err(unsupported()),
            };
            match to {
                TypeKind::Int { width, .. } if width <= 128 => Ok(RtValue::int(bits as i128, width)),
                TypeKind::Index => Ok(RtValue::int(bits as i128, 64)),
                TypeKind::Float(kind) if kind.width() <= 64 => Ok(RtValue::float(bits as u64, kind)),
                _ => Err(unsupported()),
            }
        })
        .into()
    }
}
