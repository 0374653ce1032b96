//! Float ops and comparisons of floats.

use super::super::*;
use super::{each, keep_promises, quick, scalar_type, unsupported};
use terrace_interp::{Interpret, Machine, Quick, RtValue, Step, Trap};
use terrace_ir::show::round_to_bits;
use terrace_ir::{FloatKind, Ir, TypeKind};

pub(crate) fn float_kind(m: &Machine<'_>) -> Result<FloatKind, Trap> {
    match *scalar_type(m, 0).kind(m.cx()) {
        TypeKind::Float(kind) => Ok(kind),
        _ => Err(unsupported()),
    }
}

pub(crate) fn value(operand: &RtValue) -> Result<f64, Trap> {
    operand.as_f64().ok_or_else(unsupported)
}

/// A number in a format, rounded to nearest; every NaN is the positive quiet one
pub(crate) fn number(value: f64, kind: FloatKind) -> Result<RtValue, Trap> {
    let value = if value.is_nan() { f64::NAN.copysign(1.0) } else { value };
    Ok(RtValue::float(round_to_bits(value, kind).ok_or_else(unsupported)?, kind))
}

/// Ops of two floats: f64 and the formats that round harmlessly from it by the first function, f32 by the second
macro_rules! binary {
    ($($name:ident $wide:expr, $single:expr;)*) => {$(
        impl Interpret for $name {
            fn quick(self, ir: &Ir) -> Option<Quick> {
                quick::float_binary(ir, self.0)
            }

            fn interpret(self, m: &mut Machine<'_>) -> Step {
                let kind = match float_kind(m) {
                    Ok(kind) => kind,
                    Err(trap) => return Step::Trap(trap),
                };
                let (wide, single): (fn(f64, f64) -> f64, fn(f32, f32) -> f32) = ($wide, $single);
                let this = &*m;
                let compute = |v: &[RtValue]| {
                    let (a, b) = (value(&v[0])?, value(&v[1])?);
                    let result = if kind == FloatKind::F32 {
                        f64::from(single(a as f32, b as f32))
                    } else {
                        wide(a, b)
                    };
                    Ok(keep_promises(this, v, number(result, kind)?))
                };
                let result = super::lifted(this, &|v| {
                    if v.iter().any(RtValue::has_poison) { Ok(RtValue::Poison) } else { compute(v) }
                });
                finish(m, result)
            }
        }
    )*};
}

fn finish(m: &mut Machine<'_>, result: Result<RtValue, Trap>) -> Step {
    match result {
        Ok(value) => {
            m.set_result(0, value);
            Step::Next
        }
        Err(trap) => Step::Trap(trap),
    }
}

/// Order with −0 below +0; neither is NaN
fn above(a: f64, b: f64) -> bool {
    a > b || a == b && a.is_sign_positive() && b.is_sign_negative()
}

pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if above(a, b) { a } else { b }
}

pub(crate) fn smaller(a: f64, b: f64) -> f64 {
    if above(a, b) { b } else { a }
}

pub(crate) fn either_nan(a: f64, b: f64, otherwise: fn(f64, f64) -> f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { otherwise(a, b) }
}

fn other_than_nan(a: f64, b: f64, otherwise: fn(f64, f64) -> f64) -> f64 {
    match (a.is_nan(), b.is_nan()) {
        (true, _) => b,
        (_, true) => a,
        _ => otherwise(a, b),
    }
}

fn through_f64(f: fn(f64, f64) -> f64, a: f32, b: f32) -> f32 {
    f(a.into(), b.into()) as f32
}

binary! {
    AddF |a, b| a + b, |a, b| a + b;
    SubF |a, b| a - b, |a, b| a - b;
    MulF |a, b| a * b, |a, b| a * b;
    DivF |a, b| a / b, |a, b| a / b;
    RemF |a, b| a % b, |a, b| a % b;
    MaximumF |a, b| either_nan(a, b, larger), |a, b| through_f64(|a, b| either_nan(a, b, larger), a, b);
    MinimumF |a, b| either_nan(a, b, smaller), |a, b| through_f64(|a, b| either_nan(a, b, smaller), a, b);
    MaxNumF |a, b| other_than_nan(a, b, larger), |a, b| through_f64(|a, b| other_than_nan(a, b, larger), a, b);
    MinNumF |a, b| other_than_nan(a, b, smaller), |a, b| through_f64(|a, b| other_than_nan(a, b, smaller), a, b);
}

impl Interpret for NegF {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let this = &*m;
        let result = super::lifted(this, &|v| match v[0] {
            RtValue::Float { bits, kind } => {
                let plain =
                    matches!(kind, FloatKind::F16 | FloatKind::BF16 | FloatKind::F32 | FloatKind::F64);
                let negated = if plain {
                    RtValue::float(bits ^ 1 << (kind.width() - 1), kind)
                } else {
                    number(-value(&v[0])?, kind)?
                };
                Ok(keep_promises(this, v, negated))
            }
            _ => Ok(RtValue::Poison),
        });
        finish(m, result)
    }
}

impl Interpret for CmpF {
    fn quick(self, ir: &Ir) -> Option<Quick> {
        quick::compare_floats(ir, self.0, self.predicate(ir))
    }

    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let (predicate, fast) = (self.predicate(m.ir()), self.fastmath(m.ir()));
        each(m, |v| {
            let (a, b) = (value(&v[0])?, value(&v[1])?);
            let nan = a.is_nan() || b.is_nan();
            let infinite = a.is_infinite() || b.is_infinite();
            if fast.has(FastMathFlags::NNAN) && nan || fast.has(FastMathFlags::NINF) && infinite {
                return Ok(RtValue::Poison);
            }
            Ok(RtValue::bool(predicate.holds(a, b)))
        })
        .into()
    }
}
