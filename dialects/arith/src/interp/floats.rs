//! Float ops and comparisons of floats.

use super::super::scalars::FloatBinary;
use super::super::*;
use super::{each, keep_promises, quick, scalar_type, unsupported};
use terrace_interp::{Interpret, Machine, Quick, RtValue, Step, Trap};
use terrace_ir::show::round_to_bits;
use terrace_ir::{FloatKind, Ir, TypeKind};

/// The format of the floats of the first result
pub fn float_kind(m: &Machine<'_>) -> Result<FloatKind, Trap> {
    match *scalar_type(m, 0).kind(m.cx()) {
        TypeKind::Float(kind) => Ok(kind),
        _ => Err(unsupported()),
    }
}

/// An operand that is a float
pub fn value(operand: &RtValue) -> Result<f64, Trap> {
    operand.as_f64().ok_or_else(unsupported)
}

/// A number in a format, rounded to nearest; every NaN is the positive quiet one
pub fn number(value: f64, kind: FloatKind) -> Result<RtValue, Trap> {
    let value = if value.is_nan() { f64::NAN.copysign(1.0) } else { value };
    Ok(RtValue::float(round_to_bits(value, kind).ok_or_else(unsupported)?, kind))
}

/// `a * b + c`, rounded once
pub fn fused(a: &RtValue, b: &RtValue, c: &RtValue) -> Result<RtValue, Trap> {
    let RtValue::Float { kind, .. } = *a else { return Err(unsupported()) };
    let (a, b, c) = (value(a)?, value(b)?, value(c)?);
    number(if kind == FloatKind::F64 { a.mul_add(b, c) } else { fma_to_odd(a, b, c) }, kind)
}

/// Product and sum rounded so that rounding again into a format of at most 24 bits does no harm: to the odd neighbour
///
/// The product must be exact in f64, as it is for f16, bf16 and f32. Source: Boldo and Melquiond, Emulation of FMA and
/// correctly rounded sums, 2008.
pub fn fma_to_odd(a: f64, b: f64, c: f64) -> f64 {
    let product = a * b;
    let sum = product + c;
    if !sum.is_finite() {
        return sum;
    }
    // What the sum left out, exactly.
    let part = sum - product;
    let left = (product - (sum - part)) + (c - part);
    if left == 0.0 || sum.to_bits() & 1 == 1 {
        return sum;
    }
    // One step toward what was left out makes the last bit odd.
    let outward = (left > 0.0) == (sum > 0.0);
    f64::from_bits(if outward { sum.to_bits() + 1 } else { sum.to_bits() - 1 })
}

/// Ops of two floats, by their rows
macro_rules! binary {
    ($($name:ident)*) => {$(
        impl Interpret for $name {
            fn quick(self, ir: &Ir) -> Option<Quick> {
                quick::float_binary::<$name>(ir, self.0)
            }

            fn interpret(self, m: &mut Machine<'_>) -> Step {
                of_two(m, $name::wide, $name::single)
            }
        }
    )*};
}

fn of_two(m: &mut Machine<'_>, wide: fn(f64, f64) -> f64, single: fn(f32, f32) -> f32) -> Step {
    let kind = match float_kind(m) {
        Ok(kind) => kind,
        Err(trap) => return Step::Trap(trap),
    };
    let this = &*m;
    let compute = |v: &[RtValue]| {
        let (a, b) = (value(&v[0])?, value(&v[1])?);
        let result = if kind == FloatKind::F32 { f64::from(single(a as f32, b as f32)) } else { wide(a, b) };
        Ok(keep_promises(this, v, number(result, kind)?))
    };
    let result = super::lifted(this, &|v| {
        if v.iter().any(RtValue::has_poison) { Ok(RtValue::Poison) } else { compute(v) }
    });
    finish(m, result)
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

binary! { AddF SubF MulF DivF RemF MaximumF MinimumF MaxNumF MinNumF }

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
