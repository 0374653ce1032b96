//! Ops on elements.

use super::*;
use crate::*;
use terrace_dialect_arith::interp::floats::{number, value};
use terrace_dialect_arith::interp::lift;
use terrace_dialect_arith::scalars::{either_nan, larger, smaller};
use terrace_interp::{Interpret, Step};
use terrace_ir::OpId;
use terrace_ir::show::value_of_bits;

type Of<T> = Result<T, Trap>;

/// A function of elements of one type
pub(super) trait One {
    /// The result
    fn of(elem: Elem, x: &RtValue) -> Of<RtValue>;
}

/// A function of two elements of one type
pub(super) trait Two {
    /// The result
    fn of(elem: Elem, x: &RtValue, y: &RtValue) -> Of<RtValue>;
}

/// The type of the elements of an operand
fn operand_elem(m: &Machine<'_>, n: usize) -> Of<Elem> {
    Elem::of(m.cx(), m.ir().ty(m.ir().operand(m.op(), n)))
}

/// Set the result to a function of the operands, element by element; poison in, poison out
fn each(m: &mut Machine<'_>, f: &dyn Fn(&[RtValue]) -> Of<RtValue>) -> Of<()> {
    let value = lift(&m.operands(), &|v| {
        if v.iter().any(RtValue::has_poison) { Ok(RtValue::Poison) } else { f(v) }
    })?;
    m.set_result(0, value);
    Ok(())
}

macro_rules! ones {
    ($($name:ident)*) => {$(
        impl Interpret for $name {
            fn interpret(self, m: &mut Machine<'_>) -> Step {
                operand_elem(m, 0).and_then(|elem| each(m, &|v| $name::of(elem, &v[0]))).map(|()| Step::Next).into()
            }
        }
    )*};
}

macro_rules! twos {
    ($($name:ident)*) => {
        $(
            impl Interpret for $name {
                fn interpret(self, m: &mut Machine<'_>) -> Step {
                    let elem = operand_elem(m, 0);
                    elem.and_then(|elem| each(m, &|v| $name::of(elem, &v[0], &v[1]))).map(|()| Step::Next).into()
                }
            }
        )*
    };
}

/// Rows of functions of one float, computed in f64
macro_rules! functions {
    ($($name:ident $f:expr;)*) => {
        $(
            impl One for $name {
                fn of(elem: Elem, x: &RtValue) -> Of<RtValue> {
                    let Elem::Float(kind) = elem else { return Err(unsupported()) };
                    let f: fn(f64) -> f64 = $f;
                    number(f(value(x)?), kind)
                }
            }
        )*
        ones! { $($name)* }
    };
}

functions! {
    Cbrt libm::cbrt;
    Ceil libm::ceil;
    Cosine libm::cos;
    Exponential libm::exp;
    ExponentialMinusOne libm::expm1;
    Floor libm::floor;
    Log libm::log;
    LogPlusOne libm::log1p;
    Logistic |x| 1.0 / (1.0 + libm::exp(-x));
    RoundNearestAfz libm::round;
    RoundNearestEven f64::round_ties_even;
    Rsqrt |x| 1.0 / libm::sqrt(x);
    Sine libm::sin;
    Sqrt libm::sqrt;
    Tan libm::tan;
    Tanh libm::tanh;
    Acos libm::acos;
    // libm gives numbers for some below one.
    Acosh |x| if x < 1.0 { f64::NAN } else { libm::acosh(x) };
    Asin libm::asin;
    Asinh libm::asinh;
    Atan libm::atan;
    Atanh libm::atanh;
    Cosh libm::cosh;
    Erf libm::erf;
    Erfc libm::erfc;
    ErfInv inverse_erf;
    Sinh libm::sinh;
    ChloTan libm::tan;
}

/// The inverse of the error function: a guess, made exact by steps of Newton
fn inverse_erf(x: f64) -> f64 {
    if x.is_nan() || x.abs() >= 1.0 {
        return if x.abs() == 1.0 { x * f64::INFINITY } else { f64::NAN };
    }
    // Source: Winitzki, A handy approximation for the error function and its inverse, 2008.
    let (a, ln) = (0.147, libm::log1p(-x * x));
    let b = 2.0 / (std::f64::consts::PI * a) + ln / 2.0;
    let mut y = libm::copysign(libm::sqrt(libm::sqrt(b * b - ln / a) - b), x);
    for _ in 0..4 {
        // Near one the complement has the digits.
        let error = if x > 0.5 {
            (1.0 - x) - libm::erfc(y)
        } else if x < -0.5 {
            libm::erfc(-y) - (1.0 + x)
        } else {
            libm::erf(y) - x
        };
        let slope = std::f64::consts::FRAC_2_SQRT_PI * libm::exp(-y * y);
        if slope == 0.0 {
            break;
        }
        y -= error / slope;
    }
    y
}

/// Rows of functions of one element, by what it is
macro_rules! rows_of_one {
    ($($name:ident { float |$x:ident| $float:expr, int |$i:ident| $int:expr })*) => {
        $(
            impl One for $name {
                fn of(elem: Elem, x: &RtValue) -> Of<RtValue> {
                    match elem {
                        Elem::Float(kind) => {
                            let $x = value(x)?;
                            number($float, kind)
                        }
                        _ => {
                            let $i = elem.int(x)?;
                            elem.make($int)
                        }
                    }
                }
            }
        )*
        ones! { $($name)* }
    };
}

fn bits_of(elem: Elem) -> u32 {
    match elem {
        Elem::Pred => 1,
        Elem::Int { width, .. } => width,
        Elem::Float(kind) => kind.width(),
    }
}

rows_of_one! {
    Abs { float |x| x.abs(), int |i| i.wrapping_abs() }
    Negate { float |x| -x, int |i| i.wrapping_neg() }
    Sign { float |x| if x == 0.0 || x.is_nan() { x } else { x.signum() }, int |i| i.signum() }
    Square { float |x| x * x, int |i| i.wrapping_mul(i) }
}

/// Rows of functions of one integer
macro_rules! ints_of_one {
    ($($name:ident |$elem:ident, $i:ident| $int:expr;)*) => {
        $(
            impl One for $name {
                fn of($elem: Elem, x: &RtValue) -> Of<RtValue> {
                    let $i = $elem.int(x)?;
                    $elem.make($int)
                }
            }
        )*
        ones! { $($name)* }
    };
}

ints_of_one! {
    Not |elem, i| !i;
    PopulationCount |elem, i| (i as u128 & mask(elem)).count_ones().into();
    CountLeadingZeros |elem, i| ((i as u128 & mask(elem)).leading_zeros() - (128 - bits_of(elem))).into();
}

/// The bits of an integer
fn mask(elem: Elem) -> u128 {
    u128::MAX >> (128 - bits_of(elem))
}

/// Rows of functions of two elements, by what they are
macro_rules! rows_of_two {
    ($($name:ident { float |$x:ident, $y:ident| $float:expr, int |$i:ident, $j:ident| $int:expr })*) => {
        $(
            impl Two for $name {
                fn of(elem: Elem, x: &RtValue, y: &RtValue) -> Of<RtValue> {
                    match elem {
                        Elem::Float(kind) => {
                            let ($x, $y) = (value(x)?, value(y)?);
                            number($float, kind)
                        }
                        _ => {
                            let ($i, $j) = (elem.int(x)?, elem.int(y)?);
                            elem.make($int)
                        }
                    }
                }
            }
        )*
        twos! { $($name)* }
    };
}

rows_of_two! {
    Subtract { float |x, y| x - y, int |i, j| i.wrapping_sub(j) }
    Multiply { float |x, y| x * y, int |i, j| i.wrapping_mul(j) }
    Divide { float |x, y| x / y, int |i, j| if j == 0 { -1 } else { i.wrapping_div(j) } }
    Remainder { float |x, y| x % y, int |i, j| if j == 0 { i } else { i.wrapping_rem(j) } }
    Maximum { float |x, y| either_nan(x, y, larger), int |i, j| i.max(j) }
    Minimum { float |x, y| either_nan(x, y, smaller), int |i, j| i.min(j) }
    Power { float |x, y| libm::pow(x, y), int |i, j| power(i, j) }
}

/// Rows of functions of two integers
macro_rules! ints_of_two {
    ($($name:ident |$elem:ident, $i:ident, $j:ident| $int:expr;)*) => {
        $(
            impl Two for $name {
                fn of($elem: Elem, x: &RtValue, y: &RtValue) -> Of<RtValue> {
                    let ($i, $j) = ($elem.int(x)?, $elem.int(y)?);
                    $elem.make($int)
                }
            }
        )*
        twos! { $($name)* }
    };
}

ints_of_two! {
    And |elem, i, j| i & j;
    Or |elem, i, j| i | j;
    Xor |elem, i, j| i ^ j;
    Mulhi |elem, i, j| i.wrapping_mul(j) >> bits_of(elem);
    ShiftLeft |elem, i, j| {
        let by = j as u128 & mask(elem);
        if by >= bits_of(elem).into() { 0 } else { i << by }
    };
    ShiftRightLogical |elem, i, j| {
        let by = j as u128 & mask(elem);
        if by >= bits_of(elem).into() { 0 } else { ((i as u128 & mask(elem)) >> by) as i128 }
    };
    ShiftRightArithmetic |elem, i, j| {
        let by = (j as u128 & mask(elem)).min(u128::from(bits_of(elem)) - 1);
        terrace_ir::make::wrap_int(i, bits_of(elem), false) >> by
    };
}

impl Two for Add {
    fn of(elem: Elem, x: &RtValue, y: &RtValue) -> Of<RtValue> {
        match elem {
            Elem::Float(kind) => number(value(x)? + value(y)?, kind),
            Elem::Pred => elem.make(elem.int(x)? | elem.int(y)?),
            Elem::Int { .. } => elem.make(elem.int(x)?.wrapping_add(elem.int(y)?)),
        }
    }
}

impl Two for Atan2 {
    fn of(elem: Elem, x: &RtValue, y: &RtValue) -> Of<RtValue> {
        let Elem::Float(kind) = elem else { return Err(unsupported()) };
        number(libm::atan2(value(x)?, value(y)?), kind)
    }
}

impl Two for NextAfter {
    fn of(elem: Elem, x: &RtValue, y: &RtValue) -> Of<RtValue> {
        let Elem::Float(kind) = elem else { return Err(unsupported()) };
        number(next_after(value(x)?, value(y)?, elem)?, kind)
    }
}

twos! { Add Atan2 NextAfter }

/// The next number of a format; formats narrower than f32 have their own neighbours
fn next_after(x: f64, y: f64, elem: Elem) -> Of<f64> {
    match elem {
        Elem::Float(FloatKind::F64) => Ok(libm::nextafter(x, y)),
        Elem::Float(FloatKind::F32) => Ok(libm::nextafterf(x as f32, y as f32).into()),
        _ => Err(unsupported()),
    }
}

/// A power of integers; of a negative exponent the quotient toward zero
fn power(base: i128, exponent: i128) -> i128 {
    if exponent < 0 {
        return match base {
            1 => 1,
            -1 if exponent & 1 == 0 => 1,
            -1 => -1,
            _ => 0,
        };
    }
    let (mut result, mut square, mut left) = (1i128, base, exponent);
    while left > 0 {
        if left & 1 == 1 {
            result = result.wrapping_mul(square);
        }
        square = square.wrapping_mul(square);
        left >>= 1;
    }
    result
}

/// The function of an op of two elements that reductions have as their body
pub(super) fn of_two(m: &Machine<'_>, op: OpId) -> Option<fn(Elem, &RtValue, &RtValue) -> Of<RtValue>> {
    let rows: &[(&terrace_ir::OpDef, fn(Elem, &RtValue, &RtValue) -> Of<RtValue>)] = &[
        (Add::DEF, Add::of),
        (Multiply::DEF, Multiply::of),
        (Maximum::DEF, Maximum::of),
        (Minimum::DEF, Minimum::of),
        (And::DEF, And::of),
        (Or::DEF, Or::of),
        (Xor::DEF, Xor::of),
    ];
    rows.iter().find(|(def, _)| std::ptr::eq(*def, m.ir().def(op))).map(|(_, f)| *f)
}

/// Predicates on one float
macro_rules! predicates {
    ($($name:ident $f:expr;)*) => {$(
        impl Interpret for $name {
            fn interpret(self, m: &mut Machine<'_>) -> Step {
                let f: fn(f64) -> bool = $f;
                each(m, &|v| Ok(RtValue::bool(f(value(&v[0])?)))).map(|()| Step::Next).into()
            }
        }
    )*};
}

predicates! {
    IsFinite f64::is_finite;
    IsInf f64::is_infinite;
    IsNegInf |x| x == f64::NEG_INFINITY;
    IsPosInf |x| x == f64::INFINITY;
}

/// An element in another type
pub(super) fn convert(x: &RtValue, from: Elem, to: Elem) -> Of<RtValue> {
    match (from, to) {
        _ if matches!(x, RtValue::Poison) => Ok(RtValue::Poison),
        (Elem::Float(_), Elem::Pred) => Ok(RtValue::bool(value(x)? != 0.0)),
        (_, Elem::Pred) => Ok(RtValue::bool(from.int(x)? != 0)),
        (Elem::Float(a), Elem::Float(b)) if a == b => Ok(x.clone()),
        (Elem::Float(_), Elem::Float(kind)) => number(value(x)?, kind),
        (Elem::Float(_), Elem::Int { width, unsigned }) => {
            let (low, high) = match unsigned {
                true => (0, (1i128 << width) - 1),
                false => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
            };
            // Casts of Rust are clamped, and NaN is zero.
            Ok(RtValue::int((value(x)?.trunc() as i128).clamp(low, high), width))
        }
        (_, Elem::Float(kind)) => {
            let whole = from.int(x)?;
            // Wide integers are rounded once: their top bits, with one more for what was cut off.
            let cut = (128 - whole.unsigned_abs().leading_zeros()).saturating_sub(53);
            if kind == FloatKind::F64 || cut == 0 {
                return number(whole as f64, kind);
            }
            let magnitude = whole.unsigned_abs();
            let odd = magnitude >> cut | u128::from(magnitude & !(u128::MAX << cut) != 0);
            let sign = if whole < 0 { -1.0 } else { 1.0 };
            number(sign * odd as f64 * 2f64.powi(cut as i32), kind)
        }
        _ => to.make(from.int(x)?),
    }
}

terrace_interp::interpret_by_run! { Convert Compare Select Clamp Constant BitcastConvert }

impl Convert {
    fn run(self, m: &mut Machine<'_>) -> Of<()> {
        let (from, to) = (operand_elem(m, 0)?, Elem::of(m.cx(), m.ir().ty(self.result(m.ir())))?);
        each(m, &|v| convert(&v[0], from, to))
    }
}

impl Constant {
    fn run(self, m: &mut Machine<'_>) -> Of<()> {
        let value = RtValue::of_attr(m.cx(), self.value(m.ir())).ok_or_else(unsupported)?;
        m.set_result(0, value);
        Ok(())
    }
}

/// A number for each element that rises with it
pub(super) fn rank(elem: Elem, x: &RtValue) -> Of<i128> {
    if let Elem::Float(_) = elem { total(x) } else { elem.int(x) }
}

/// Floats as integers in total order: -NaN, -inf, …, -0, +0, …, inf, NaN
fn total(x: &RtValue) -> Of<i128> {
    let RtValue::Float { bits, kind } = x else { return Err(unsupported()) };
    let sign = 1u64 << (kind.width() - 1);
    let magnitude = i128::from(bits & !sign);
    Ok(if bits & sign == 0 { magnitude } else { -magnitude - 1 })
}

impl Compare {
    fn run(self, m: &mut Machine<'_>) -> Of<()> {
        let ir = m.ir();
        let (elem, direction) = (operand_elem(m, 0)?, self.comparison_direction(ir));
        let in_total_order = self.compare_type(ir) == Some(ComparisonType::TotalOrder);
        each(m, &|v| {
            let order = match elem {
                Elem::Float(_) if !in_total_order => value(&v[0])?.partial_cmp(&value(&v[1])?),
                _ => Some(rank(elem, &v[0])?.cmp(&rank(elem, &v[1])?)),
            };
            // NaN is not equal to anything, and in no other order.
            let Some(order) = order else { return Ok(RtValue::bool(direction == ComparisonDirection::Ne)) };
            Ok(RtValue::bool(match direction {
                ComparisonDirection::Eq => order.is_eq(),
                ComparisonDirection::Ne => order.is_ne(),
                ComparisonDirection::Ge => order.is_ge(),
                ComparisonDirection::Gt => order.is_gt(),
                ComparisonDirection::Le => order.is_le(),
                ComparisonDirection::Lt => order.is_lt(),
            }))
        })
    }
}

impl Select {
    fn run(self, m: &mut Machine<'_>) -> Of<()> {
        let (pred, yes, no) = (m.operand(0), m.operand(1), m.operand(2));
        let whole = sizes(m, self.pred(m.ir()))?.is_empty();
        let value = match (whole, single(&pred).as_unsigned()) {
            (true, Some(bit)) => {
                if bit == 1 {
                    yes
                } else {
                    no
                }
            }
            (true, None) => {
                RtValue::Vector(vec![RtValue::Poison; count(&sizes(m, self.result(m.ir()))?)].into())
            }
            // Poison that is not chosen does no harm.
            (false, _) => lift(&[pred, yes, no], &|v| {
                Ok(match v[0].as_unsigned() {
                    Some(bit) => v[if bit == 1 { 1 } else { 2 }].clone(),
                    None => RtValue::Poison,
                })
            })?,
        };
        m.set_result(0, value);
        Ok(())
    }
}

impl Clamp {
    fn run(self, m: &mut Machine<'_>) -> Of<()> {
        let ir = m.ir();
        let elem = operand_elem(m, 1)?;
        let [low, all, high] =
            [self.min(ir), self.operand(ir), self.max(ir)].map(|value| Tensor::of(m, value));
        let (low, all, high) = (low?, all?, high?);
        let bound = |of: &Tensor, n: usize| of.all[if of.all.len() == 1 { 0 } else { n }].clone();
        let value = all.all.iter().enumerate().map(|(n, x)| {
            let v = [bound(&low, n), x.clone(), bound(&high, n)];
            if v.iter().any(RtValue::has_poison) {
                return Ok(RtValue::Poison);
            }
            Minimum::of(elem, &Maximum::of(elem, &v[0], &v[1])?, &v[2])
        });
        let value: Vec<RtValue> = value.collect::<Of<_>>()?;
        m.set_result(0, RtValue::Vector(value.into()));
        Ok(())
    }
}

impl BitcastConvert {
    fn run(self, m: &mut Machine<'_>) -> Of<()> {
        let to = Elem::of(m.cx(), m.ir().ty(self.result(m.ir())))?;
        let from = operand_elem(m, 0)?;
        let all = Tensor::of(m, self.operand(m.ir()))?.all;
        let bits = |value: &RtValue| match value {
            RtValue::Int { bits, .. } => Some(*bits),
            RtValue::Float { bits, .. } => Some(u128::from(*bits)),
            _ => None,
        };
        let made = |bits: Option<u128>| match (bits, to) {
            (None, _) => Ok(RtValue::Poison),
            (Some(bits), Elem::Float(kind)) => {
                let known = value_of_bits(bits as u64, kind).is_some();
                if known { Ok(RtValue::float(bits as u64, kind)) } else { Err(unsupported()) }
            }
            (Some(bits), _) => to.make(bits as i128),
        };
        let (narrow, wide) = (bits_of(from), bits_of(to));
        let parts = (narrow.max(wide) / narrow.min(wide).max(1)) as usize;
        // The lowest bits come first.
        let value: Vec<RtValue> = if narrow <= wide {
            let join = |part: &[RtValue]| {
                part.iter().enumerate().try_fold(0, |sum, (n, x)| Some(sum | bits(x)? << (n as u32 * narrow)))
            };
            all.chunks(parts).map(|part| made(join(part))).collect::<Of<_>>()?
        } else {
            let low = u128::MAX >> (128 - wide);
            let each = |x: &RtValue, n: usize| made(bits(x).map(|bits| bits >> (n as u32 * wide) & low));
            all.iter().flat_map(|x| (0..parts).map(move |n| each(x, n))).collect::<Of<_>>()?
        };
        m.set_result(0, RtValue::Vector(value.into()));
        Ok(())
    }
}
