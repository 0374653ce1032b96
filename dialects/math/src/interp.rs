//! What functions of numbers give: computed in f64 by `libm`, rounded once into the format.
//!
//! Exact where the function is (`absf floor sqrt fma …`), else within the library's error of about one unit in the last
//! place of f64. Every NaN is the positive quiet one, but for the ops that only move sign bits. Where IEEE 754 leaves a
//! choice the C library's answer is taken.

use super::scalars::{OfFloat, OfInt, OfTwoFloats, power};
use super::*;
use terrace_dialect_arith::interp::floats::{float_kind, fused, number, value};
use terrace_dialect_arith::interp::quick::fma;
use terrace_dialect_arith::interp::{each, int_width, keep_promises, lift, scalar_type, unsupported};
use terrace_dialect_arith::scalars::{either_nan, larger, smaller};
use terrace_interp::{Interpret, Machine, Quick, RtValue, Step, Trap, codes};
use terrace_ir::show::value_of_bits;
use terrace_ir::{FloatKind, Ir, TypeKind};

/// A function of known floats, element by element
fn floats(m: &mut Machine<'_>, f: impl Fn(&[RtValue], FloatKind) -> Result<RtValue, Trap>) -> Step {
    let this = &*m;
    let result = float_kind(this).and_then(|kind| {
        lift(&this.operands(), &|v| {
            if v.iter().any(RtValue::has_poison) {
                return Ok(RtValue::Poison);
            }
            Ok(keep_promises(this, v, f(v, kind)?))
        })
    });
    match result {
        Ok(value) => {
            m.set_result(0, value);
            Step::Next
        }
        Err(trap) => Step::Trap(trap),
    }
}

macro_rules! of_one {
    ($($name:ident)*) => {$(
        impl Interpret for $name {
            fn interpret(self, m: &mut Machine<'_>) -> Step {
                floats(m, |v, kind| number($name::F(value(&v[0])?), kind))
            }
        }
    )*};
}

of_one! {
    Acos Acosh Asin Asinh Atan Atanh Cbrt Ceil Cos Cosh Erf Erfc Exp Exp2 ExpM1 Floor Log Log10 Log1p Log2 Round RoundEven
    Rsqrt Sin Sinh Sqrt Tan Tanh Trunc
}

/// Formats whose top bit is the sign and nothing else
fn sign_bit(kind: FloatKind) -> Option<u64> {
    let plain = matches!(kind, FloatKind::F16 | FloatKind::BF16 | FloatKind::F32 | FloatKind::F64);
    plain.then(|| 1 << (kind.width() - 1))
}

fn bits(value: &RtValue) -> Result<u64, Trap> {
    match value {
        RtValue::Float { bits, .. } => Ok(*bits),
        _ => Err(unsupported()),
    }
}

impl Interpret for AbsF {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        floats(m, |v, kind| match sign_bit(kind) {
            Some(sign) => Ok(RtValue::float(bits(&v[0])? & !sign, kind)),
            None => number(value(&v[0])?.abs(), kind),
        })
    }
}

impl Interpret for CopySign {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        floats(m, |v, kind| match sign_bit(kind) {
            Some(sign) => Ok(RtValue::float(bits(&v[0])? & !sign | bits(&v[1])? & sign, kind)),
            None => number(value(&v[0])?.copysign(value(&v[1])?), kind),
        })
    }
}

macro_rules! of_two {
    ($($name:ident)*) => {$(
        impl Interpret for $name {
            fn interpret(self, m: &mut Machine<'_>) -> Step {
                floats(m, |v, kind| number($name::F(value(&v[0])?, value(&v[1])?), kind))
            }
        }
    )*};
}

of_two! { Atan2 PowF }

impl Interpret for ClampF {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        floats(m, |v, kind| {
            let (x, low, high) = (value(&v[0])?, value(&v[1])?, value(&v[2])?);
            number(either_nan(either_nan(x, low, larger), high, smaller), kind)
        })
    }
}

impl Interpret for Fma {
    fn quick(self, ir: &Ir) -> Option<Quick> {
        fma(ir, self.0)
    }

    fn interpret(self, m: &mut Machine<'_>) -> Step {
        floats(m, |v, _| fused(&v[0], &v[1], &v[2]))
    }
}

impl Interpret for FPowI {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        floats(m, |v, kind| {
            let (x, n) = (value(&v[0])?, v[1].as_signed().ok_or_else(unsupported)?);
            // The sign by the exponent's parity, which a large one loses as a float.
            let size = libm::pow(x.abs(), n as f64);
            number(if n & 1 != 0 { size.copysign(x) } else { size }, kind)
        })
    }
}

impl Interpret for Sincos {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let this = &*m;
        let both = float_kind(this).and_then(|kind| {
            let part = |f: fn(f64) -> f64| {
                lift(&this.operands(), &|v| match &v[0] {
                    RtValue::Poison => Ok(RtValue::Poison),
                    known => Ok(keep_promises(this, v, number(f(value(known)?), kind)?)),
                })
            };
            Ok(vec![part(libm::sin)?, part(libm::cos)?])
        });
        match both {
            Ok(both) => {
                m.set_results(both);
                Step::Next
            }
            Err(trap) => Step::Trap(trap),
        }
    }
}

/// A function of the bits of an integer and its width
fn of_int(m: &mut Machine<'_>, f: fn(u128, i128, u32) -> u128) -> Step {
    let width = match int_width(m) {
        Ok(width) => width,
        Err(trap) => return Step::Trap(trap),
    };
    each(m, |v| {
        let (bits, signed) = (v[0].as_unsigned(), v[0].as_signed());
        let (bits, signed) = bits.zip(signed).ok_or_else(unsupported)?;
        Ok(RtValue::int(f(bits, signed, width) as i128, width))
    })
    .into()
}

macro_rules! ints {
    ($($name:ident)*) => {$(
        impl Interpret for $name {
            fn interpret(self, m: &mut Machine<'_>) -> Step {
                of_int(m, $name::F)
            }
        }
    )*};
}

ints! { AbsI CountLeadingZeros CountTrailingZeros CtPop }

impl Interpret for IPowI {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let width = match int_width(m) {
            Ok(width) => width,
            Err(trap) => return Step::Trap(trap),
        };
        each(m, |v| {
            let (base, n) = v[0].as_signed().zip(v[1].as_signed()).ok_or_else(unsupported)?;
            let none = || Trap::new(&codes::DIVISION, "zero to a negative power");
            let value = power(base, n).ok_or_else(none)?;
            Ok(RtValue::int(value, width))
        })
        .into()
    }
}

/// A question about a float, element by element
fn question(m: &mut Machine<'_>, f: impl Fn(f64, FloatKind) -> bool) -> Step {
    let ir = m.ir();
    let TypeKind::Float(kind) = *ir.ty(ir.operand(m.op(), 0)).scalar(m.cx()).kind(m.cx()) else {
        return Step::Trap(unsupported());
    };
    debug_assert!(scalar_type(m, 0) == m.cx().common().i1);
    let this = &*m;
    let result = lift(&this.operands(), &|v| match &v[0] {
        RtValue::Poison => Ok(RtValue::Poison),
        // What was promised never to be there makes poison.
        known if keep_promises(this, v, known.clone()).has_poison() => Ok(RtValue::Poison),
        known => Ok(RtValue::bool(f(value(known)?, kind))),
    });
    match result {
        Ok(value) => {
            m.set_result(0, value);
            Step::Next
        }
        Err(trap) => Step::Trap(trap),
    }
}

/// The least magnitude with a full fraction
fn least_normal(kind: FloatKind) -> f64 {
    let fraction = match kind {
        FloatKind::F16 => 10,
        FloatKind::BF16 => 7,
        FloatKind::F32 => 23,
        FloatKind::F64 => 52,
        FloatKind::TF32 => 10,
        FloatKind::F8E5M2 | FloatKind::F8E5M2FNUZ | FloatKind::F6E3M2FN => 2,
        FloatKind::F8E4M3 | FloatKind::F8E4M3FN | FloatKind::F8E4M3FNUZ | FloatKind::F8E4M3B11FNUZ => 3,
        FloatKind::F6E2M3FN => 3,
        FloatKind::F8E3M4 => 4,
        FloatKind::F4E2M1FN => 1,
        _ => return 0.0,
    };
    value_of_bits(1 << fraction, kind).unwrap_or(0.0)
}

macro_rules! questions {
    ($($name:ident $f:expr;)*) => {$(
        impl Interpret for $name {
            fn interpret(self, m: &mut Machine<'_>) -> Step {
                question(m, $f)
            }
        }
    )*};
}

questions! {
    IsFinite |x, _| x.is_finite();
    IsInf |x, _| x.is_infinite();
    IsNaN |x, _| x.is_nan();
    IsNormal |x, kind| x.is_finite() && x != 0.0 && x.abs() >= least_normal(kind);
}

#[cfg(test)]
mod tests {
    use terrace_dialect_arith::interp::floats::fma_to_odd;

    #[test]
    fn fma_of_singles_is_rounded_once() {
        // Numbers whose sums need more than 53 bits.
        let mut random = terrace_support::Random::new(1);
        let mut next = || {
            let seed = random.next();
            let exponent = (seed >> 40) % 60 + 97;
            f32::from_bits(((seed >> 33) as u32 & 0x807f_ffff) | (exponent as u32) << 23)
        };
        for _ in 0..20_000 {
            let (a, b, c) = (next(), next(), next());
            let got = fma_to_odd(a.into(), b.into(), c.into()) as f32;
            assert_eq!(got, a.mul_add(b, c), "{a} {b} {c}");
        }
    }
}
