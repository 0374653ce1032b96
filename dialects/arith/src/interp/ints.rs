//! Integer ops and comparisons of integers.

use super::super::scalars::IntBinary;
use super::super::*;
use super::{each, int_width, is_set, lift, quick, unsupported};
use terrace_interp::{Interpret, Machine, Quick, RtValue, Step, Trap, codes};
use terrace_ir::Ir;

fn ones(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

fn signed(value: &RtValue) -> i128 {
    value.as_signed().unwrap_or(0)
}

fn bits(value: &RtValue) -> u128 {
    value.as_unsigned().unwrap_or(0)
}

/// The row of an op on two known integers
fn row<T: IntBinary>(v: &[RtValue], width: u32) -> Option<RtValue> {
    let (a, b) = (&v[0], &v[1]);
    let value = T::wide(bits(a), bits(b), signed(a), signed(b), width)?;
    Some(RtValue::int(value as i128, width))
}

/// Ops that have a value for all operands, and no flags
macro_rules! plain {
    ($($name:ident)*) => {$(
        impl Interpret for $name {
            fn quick(self, ir: &Ir) -> Option<Quick> {
                quick::int_binary::<$name>(ir, self.0)
            }

            fn interpret(self, m: &mut Machine<'_>) -> Step {
                match int_width(m) {
                    Ok(width) => each(m, |v| row::<$name>(v, width).ok_or_else(unsupported)).into(),
                    Err(trap) => Step::Trap(trap),
                }
            }
        }
    )*};
}

plain! { AndI OrI XOrI MaxSI MinSI MaxUI MinUI }

/// Ops with overflow flags: the wrapped value, and whether the signed and the unsigned one fit
macro_rules! overflowing {
    ($($name:ident $signed:ident $unsigned:ident;)*) => {$(
        impl Interpret for $name {
            fn quick(self, ir: &Ir) -> Option<Quick> {
                quick::int_binary::<$name>(ir, self.0)
            }

            fn interpret(self, m: &mut Machine<'_>) -> Step {
                let width = match int_width(m) {
                    Ok(width) => width,
                    Err(trap) => return Step::Trap(trap),
                };
                let promised = self.overflow(m.ir());
                each(m, |v| {
                    let (wide, left) = signed(&v[0]).$signed(signed(&v[1]));
                    let (wide_u, left_u) = bits(&v[0]).$unsigned(bits(&v[1]));
                    let value = row::<$name>(v, width).ok_or_else(unsupported)?;
                    let broken = promised.has(OverflowFlags::NSW) && (left || signed(&value) != wide)
                        || promised.has(OverflowFlags::NUW) && (left_u || wide_u > ones(width));
                    Ok(if broken { RtValue::Poison } else { value })
                })
                .into()
            }
        }
    )*};
}

overflowing! {
    AddI overflowing_add overflowing_add;
    SubI overflowing_sub overflowing_sub;
    MulI overflowing_mul overflowing_mul;
}

impl Interpret for ShLI {
    fn quick(self, ir: &Ir) -> Option<Quick> {
        quick::int_binary::<ShLI>(ir, self.0)
    }

    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let width = match int_width(m) {
            Ok(width) => width,
            Err(trap) => return Step::Trap(trap),
        };
        let promised = self.overflow(m.ir());
        each(m, |v| {
            let Some(value) = row::<ShLI>(v, width) else { return Ok(RtValue::Poison) };
            let by = bits(&v[1]);
            let broken = promised.has(OverflowFlags::NSW) && signed(&value) >> by != signed(&v[0])
                || promised.has(OverflowFlags::NUW) && bits(&value) >> by != bits(&v[0]);
            Ok(if broken { RtValue::Poison } else { value })
        })
        .into()
    }
}

macro_rules! shift_right {
    ($($name:ident)*) => {$(
        impl Interpret for $name {
            fn quick(self, ir: &Ir) -> Option<Quick> {
                quick::int_binary::<$name>(ir, self.0)
            }

            fn interpret(self, m: &mut Machine<'_>) -> Step {
                let width = match int_width(m) {
                    Ok(width) => width,
                    Err(trap) => return Step::Trap(trap),
                };
                let exact = is_set(m, self.0, "isExact");
                each(m, |v| {
                    let Some(value) = row::<$name>(v, width) else { return Ok(RtValue::Poison) };
                    let lost = bits(&v[0]) & !(u128::MAX << bits(&v[1])) != 0;
                    Ok(if exact && lost { RtValue::Poison } else { value })
                })
                .into()
            }
        }
    )*};
}

shift_right! { ShRSI ShRUI }

fn by_zero() -> Trap {
    Trap::new(&codes::DIVISION, "division by zero")
}

fn too_large() -> Trap {
    Trap::new(&codes::DIVISION, "the quotient does not fit")
}

/// Divisions: by zero they trap, and where the quotient does not fit; `signed` ones are exact by their signed readings
macro_rules! division {
    ($($name:ident $signed:literal;)*) => {$(
        impl Interpret for $name {
            fn quick(self, ir: &Ir) -> Option<Quick> {
                quick::int_binary::<$name>(ir, self.0)
            }

            fn interpret(self, m: &mut Machine<'_>) -> Step {
                divide(m, is_set(m, self.0, "isExact"), $signed, row::<$name>)
            }
        }
    )*};
}

fn divide(
    m: &mut Machine<'_>,
    exact: bool,
    is_signed: bool,
    row: fn(&[RtValue], u32) -> Option<RtValue>,
) -> Step {
    let width = match int_width(m) {
        Ok(width) => width,
        Err(trap) => return Step::Trap(trap),
    };
    let value = lift(&m.operands(), &|v| {
        if matches!(v[1], RtValue::Poison) {
            return Err(Trap::new(&codes::POISON, "the divisor is poison"));
        }
        if bits(&v[1]) == 0 {
            return Err(by_zero());
        }
        if matches!(v[0], RtValue::Poison) {
            return Ok(RtValue::Poison);
        }
        let value = row(v, width).ok_or_else(too_large)?;
        let remains = match is_signed {
            true => signed(&v[0]) % signed(&v[1]) != 0,
            false => !bits(&v[0]).is_multiple_of(bits(&v[1])),
        };
        Ok(if exact && remains { RtValue::Poison } else { value })
    });
    match value {
        Ok(value) => {
            m.set_result(0, value);
            Step::Next
        }
        Err(trap) => Step::Trap(trap),
    }
}

division! {
    DivSI true;
    DivUI false;
    RemSI true;
    RemUI false;
    CeilDivSI true;
    FloorDivSI true;
    CeilDivUI false;
}

/// Ops with two results, each a function of the bits
macro_rules! pair {
    ($($name:ident $second:expr, |$v:ident, $width:ident| $both:expr;)*) => {$(
        impl Interpret for $name {
            fn interpret(self, m: &mut Machine<'_>) -> Step {
                let $width = match int_width(m) {
                    Ok(width) => width,
                    Err(trap) => return Step::Trap(trap),
                };
                let second: fn(u32) -> u32 = $second;
                let operands = m.operands();
                let half = |n: usize| {
                    lift(&operands, &|$v| {
                        if $v.iter().any(RtValue::has_poison) {
                            return Ok(RtValue::Poison);
                        }
                        let (first, other): (u128, u128) = $both;
                        Ok(if n == 0 {
                            RtValue::int(first as i128, $width)
                        } else {
                            RtValue::int(other as i128, second($width))
                        })
                    })
                };
                match (half(0), half(1)) {
                    (Ok(first), Ok(other)) => {
                        m.set_results(vec![first, other]);
                        Step::Next
                    }
                    (Err(trap), _) | (_, Err(trap)) => Step::Trap(trap),
                }
            }
        }
    )*};
}

/// The product of two unsigned numbers of 128 bits, low and high
fn wide_product(a: u128, b: u128) -> (u128, u128) {
    let mask = u128::from(u64::MAX);
    let (a0, a1, b0, b1) = (a & mask, a >> 64, b & mask, b >> 64);
    let low = a0 * b0;
    let middle = a1 * b0 + (low >> 64);
    let other = a0 * b1 + (middle & mask);
    (other << 64 | low & mask, a1 * b1 + (middle >> 64) + (other >> 64))
}

/// The bits of a product of `2·width` bits from `width` up
fn high(product: (u128, u128), width: u32) -> u128 {
    if width == 128 { product.1 } else { product.0 >> width | product.1 << (128 - width) }
}

pair! {
    AddUIExtended |_| 1, |v, width| {
        let sum = RtValue::int(bits(&v[0]).wrapping_add(bits(&v[1])) as i128, width);
        (bits(&sum), u128::from(bits(&sum) < bits(&v[0])))
    };
    MulUIExtended |width| width, |v, width| {
        let product = wide_product(bits(&v[0]), bits(&v[1]));
        (product.0, high(product, width))
    };
    MulSIExtended |width| width, |v, width| {
        let (x, y) = (signed(&v[0]), signed(&v[1]));
        let (low, mut top) = wide_product(x as u128, y as u128);
        // The signed readings take 2^128 off for each negative factor.
        top = if x < 0 { top.wrapping_sub(y as u128) } else { top };
        top = if y < 0 { top.wrapping_sub(x as u128) } else { top };
        (low, high((low, top), width))
    };
}

impl Interpret for CmpI {
    fn quick(self, ir: &Ir) -> Option<Quick> {
        Some(quick::compare_ints(self.predicate(ir)))
    }

    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let predicate = self.predicate(m.ir());
        each(m, |v| {
            let (s, u) = (signed(&v[0]).cmp(&signed(&v[1])), bits(&v[0]).cmp(&bits(&v[1])));
            Ok(RtValue::bool(predicate.holds(s, u)))
        })
        .into()
    }
}
