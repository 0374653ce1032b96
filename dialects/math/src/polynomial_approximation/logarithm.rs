//! Logarithms: the argument is 2^n · (1 + f) with 1 + f between √½ and √2, of f32 between ¾ and 1½, as processors divide it.

use super::exponential::LN2;
use super::lanes::X;
use super::rows::{Format, Rows};

/// (ln(1 + f) − f) / f² for 1 + f between ¾ and 1½
static LOG: &[f64] = &[
    -0.044916257,
    0.10449775,
    -0.13163106,
    0.14482139,
    -0.16647695,
    0.19990593,
    -0.25000057,
    0.33333454,
    -0.5,
];

/// (ln((1 + s) / (1 − s)) / s − 2) / s² in powers of s²
static LOG_OF_QUOTIENT: &[f64] = &[
    0.14797002541203866,
    0.1531395444756234,
    0.18183567712557228,
    0.22222198515439318,
    0.28571428742874616,
    0.3999999999941285,
    0.6666666666666735,
];

/// A base of logarithms
struct Base {
    /// The logarithm of 2 in two parts: products of the first with exponents are exact
    two: [f64; 2],
    /// The logarithm of e in two parts, and whole
    e: [f64; 3],
}

/// What remains to add to f for ln(1 + f)
fn rest<'r, R: Rows>(f: X<'r, R>) -> X<'r, R> {
    match f.format {
        Format::Single => f * f * f.polynomial_of(LOG),
        // A quotient, and a third of the coefficients: 2s = f − s·f.
        Format::Double => {
            let s = f / (f + 2.0);
            let square = s * s;
            s * square.fma(square.polynomial_of(LOG_OF_QUOTIENT), -f)
        }
    }
}

/// The logarithm of 2^n · (1 + f)
fn of_parts<'r, R: Rows>(n: X<'r, R>, f: X<'r, R>, base: &Base) -> X<'r, R> {
    let [head, tail, whole] = base.e;
    if whole == 1.0 && f.format == Format::Single {
        // The second part of ln 2 is a tenth of a unit in the last place.
        return n.fma(std::f64::consts::LN_2, (f * f).fma(f.polynomial_of(LOG), f));
    }
    let rest = rest(f);
    let rest = if whole == 1.0 { rest } else { f.fma(tail, rest * whole) };
    let rest = if base.two[1] == 0.0 { rest } else { n.fma(base.two[1], rest) };
    let sum = if head == 1.0 { f + rest } else { f.fma(head, rest) };
    if base.two[0] == 1.0 { n + sum } else { n.fma(base.two[0], sum) }
}

/// What logarithms are at infinity, at zero, below it and of NaN
fn at_ends<'r, R: Rows>(value: X<'r, R>, x: X<'r, R>, zero: f64) -> X<'r, R> {
    let none = value.number(f64::NAN);
    let value = value.replace(x.eq(f64::INFINITY), x);
    none.replace(x.gt(zero), value).replace(x.eq(zero), f64::NEG_INFINITY)
}

/// n and f of positive normal numbers, where the least 1 + f is given
pub(super) fn normal_parts<'r, R: Rows>(x: X<'r, R>, least: f64) -> (X<'r, R>, X<'r, R>) {
    let (bits, fraction) = (x.bits(), x.format.fraction());
    let n = bits.minus(x.format.encode(least)).down(fraction);
    (n.value(), (bits - n.up(fraction)).float() - 1.0)
}

/// n and f of positive finite numbers: subnormal ones are made normal first
pub(super) fn parts<'r, R: Rows>(x: X<'r, R>, least: f64) -> (X<'r, R>, X<'r, R>) {
    let (normal, shift) = x.format.pick((f32::MIN_POSITIVE.into(), 25u32), (f64::MIN_POSITIVE, 54));
    let tiny = x.lt(normal);
    let (n, f) = normal_parts(x.replace(tiny, x * (1u64 << shift) as f64), least);
    (n.replace(tiny, n - f64::from(shift)), f)
}

/// n and f with 1 + f between ¾ and 1½ of all numbers, where there are ops: n is infinite of zero and infinity, f is NaN below zero
pub(super) fn parts_by_ops<'r, R: Rows>(x: X<'r, R>) -> Option<(X<'r, R>, X<'r, R>)> {
    let (exponent, significand) = x.exponent_and_significand()?;
    // Below one it is half of what belongs to the exponent.
    Some((exponent.replace(significand.lt(1.0), exponent + 1.0), significand - 1.0))
}

/// The least 1 + f that the polynomials are for
fn least(format: Format) -> f64 {
    format.pick(0.75, std::f64::consts::FRAC_1_SQRT_2)
}

fn logarithm<'r, R: Rows>(x: X<'r, R>, base: &Base) -> X<'r, R> {
    if x.format == Format::Single
        && let Some((n, f)) = parts_by_ops(x)
    {
        return of_parts(n, f, base);
    }
    let (n, f) = parts(x, least(x.format));
    at_ends(of_parts(n, f, base), x, 0.0)
}

fn natural() -> Base {
    Base { two: [LN2.double[0], LN2.double[1]], e: [1.0, 0.0, 1.0] }
}

/// The natural logarithm of each lane
pub(super) fn log<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    logarithm(x, &natural())
}

/// The logarithm of each lane to base 2
pub(super) fn log2<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let whole = std::f64::consts::LOG2_E;
    logarithm(x, &Base { two: [1.0, 0.0], e: [1.0, 0.4426950408889634, whole] })
}

/// The logarithm of each lane to base 10
pub(super) fn log10<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let single = [0.301025390625, 4.605038611771306e-06];
    let two = x.format.pick(single, [0.30102999566383914, 1.42050232272661e-13]);
    logarithm(x, &Base { two, e: [0.4375, -0.0032055180967481725, std::f64::consts::LOG10_E] })
}

/// The natural logarithm of one more than each lane, which is not below −1, before what its ends are
///
/// n is that of the rounded sum, f = x·2^−n + (2^−n − 1).
fn log_of_more<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let (format, fraction) = (x.format, x.format.fraction());
    let n = (x + 1.0).bits().minus(format.encode(least(format))).down(fraction);
    // Of the largest numbers 2^−n is subnormal: a quarter of x takes four times the power.
    let power = (n.number(2) - n).power_of_two();
    let f = (x * 0.25).fma(power, power * 0.25 - 1.0);
    of_parts(n.value(), f, &natural())
}

/// The natural logarithm of one more than each lane
pub(super) fn log1p<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let tiny = x.format.pick(1e-9, 1e-18);
    at_ends(log_of_more(x), x, -1.0).replace(x.abs().lt(tiny), x)
}

/// The inverse hyperbolic sine of each lane
pub(super) fn asinh<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let (size, square) = (x.abs(), x * x);
    let more = square.fma(x.number(1.0) / ((square + 1.0).sqrt() + 1.0), size);
    inverse(size, more).copysign(x)
}

/// The inverse hyperbolic cosine of each lane
pub(super) fn acosh<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let above = x - 1.0;
    let more = above + (above * (above + 2.0)).sqrt();
    let none = x.number(f64::NAN);
    none.replace(x.ge(1.0), inverse(x, more))
}

/// ln(1 + more), or ln(2 · size) where that is the same and squares overflow
fn inverse<'r, R: Rows>(size: X<'r, R>, more: X<'r, R>) -> X<'r, R> {
    let large = size.gt(size.format.pick(1e18, 1e150));
    let value = log1p(more.replace(large, size));
    value.replace(large, value + std::f64::consts::LN_2)
}

/// The inverse hyperbolic tangent of each lane: half of ln(1 + 2x / (1 − x))
pub(super) fn atanh<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let size = x.abs();
    let one = x.number(1.0);
    let more = (size + size) / (one - size);
    (log1p(more) * 0.5).copysign(x)
}
