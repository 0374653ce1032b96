//! Powers and roots.

use super::exponential;
use super::lanes::{Coefficients, Mask, X};
use super::logarithm;
use super::rows::{Format, Rows};

/// log2(1 + f) / f for 1 + f between ¾ and 1½, for powers of f32
static LOG2: &[f64] = &[
    -0.044962167293660094,
    0.11552299279477861,
    -0.15288543893917322,
    0.16465997901896284,
    -0.18031333112805978,
    0.20581989178352958,
    -0.24042823339930344,
    0.28854604361949276,
    -0.36067435993542846,
    0.4808982819777222,
    -0.7213475168493686,
    1.4426950409950303,
];

/// (ln((1 + s) / (1 − s)) / s − 2 − ⅔s²) / s⁴ in powers of s² for |s| ≤ 3 − √8
static LOG: &[f64] = &[
    0.13197289630825643,
    0.1325672017353876,
    0.15386761246650157,
    0.18181784288575478,
    0.2222222252074017,
    0.2857142857009549,
    0.4000000000000226,
];

/// ∛(1 + f) for 1 + f between √½ and √2, before a step of Halley's
static CBRT: Coefficients = Coefficients {
    single: &[0.058219537, -0.11571664, 0.33362254, 1.0000693],
    double: &[
        0.026954881845506647,
        -0.044782720088182425,
        0.062287790490106076,
        -0.11096403795008632,
        0.33332030496198767,
        0.9999990114043842,
    ],
};

/// ⅔, and what it leaves
const TWO_THIRDS: f64 = 0.6666666666666666;
const TWO_THIRDS_REST: f64 = 3.700743415417188e-17;
/// What f64 leaves of log2 e
const LOG2_E_REST: f64 = 2.0355273740931033e-17;
/// ∛2
const CBRT_2: f64 = 1.259_921_049_894_873_2;

/// Integers, and odd ones
fn integers<'r, R: Rows>(y: X<'r, R>) -> (Mask<'r, R>, Mask<'r, R>) {
    let size = y.abs();
    // From here on all numbers are integers, and from twice that on even.
    let full = y.format.pick(8_388_608.0, 4_503_599_627_370_496.0);
    let whole = |x: X<'r, R>| (x + full - full).eq(x) | x.ge(full);
    let half = size * 0.5;
    let even = whole(half);
    // Neither is one for integers that are not even.
    let one = y.number(0.0).replace(whole(size), 1.0);
    let odd = one.replace(even, 0.0);
    (one.gt(0.0), odd.gt(0.0))
}

/// log2 of magnitudes of f32, in f64: infinite of zero and infinity
fn wide_log2<'r, R: Rows>(size: X<'r, R>) -> X<'r, R> {
    if let Some((n, f)) = logarithm::parts_by_ops(size) {
        return f.widened().fma(f.widened().polynomial_of(LOG2), n.widened());
    }
    let size = size.widened();
    let (n, f) = logarithm::normal_parts(size, 0.75);
    let log = f.fma(f.polynomial_of(LOG2), n).replace(size.eq(0.0), f64::NEG_INFINITY);
    // Infinity and NaN are their own logarithms.
    size.replace(size.lt(f64::INFINITY), log)
}

/// Power of magnitudes of f32: the logarithm and its product in f64, the power of what that leaves in f32
fn of_singles<'r, R: Rows>(size: X<'r, R>, y: X<'r, R>) -> X<'r, R> {
    // Infinite powers of one are one as well: zero times a number.
    let y = y.clamped([-f64::from(f32::MAX), f64::from(f32::MAX)]);
    let exponent = (y.widened() * wide_log2(size)).clamped([-200.0, 200.0]);
    let n = exponential::Whole::nearest(exponent);
    let rest = (exponent - n.value()).rounded_to(Format::Single);
    exponential::two_to_parts(n.rounded_to(Format::Single), rest)
}

/// A sum of two floats, the second below the last place of the first
struct Pair<'r, R: Rows>(X<'r, R>, X<'r, R>);

impl<'r, R: Rows> Pair<'r, R> {
    /// a + b for |a| ≥ |b|, exactly. Source: Dekker, A floating-point technique for extending the available precision, 1971.
    fn sum(a: X<'r, R>, b: X<'r, R>) -> Self {
        let sum = a + b;
        Pair(sum, b - (sum - a))
    }

    /// a · b: what its rounding leaves by one op where there is one, else by halves, whose products are exact. Source: the same.
    fn product(a: X<'r, R>, b: X<'r, R>) -> Self {
        let product = a * b;
        if let Some(rest) = a.fused(b, -product) {
            return Pair(product, rest);
        }
        let halves = |x: X<'r, R>| {
            let upper = x.bits().down(27).up(27).float();
            (upper, x - upper)
        };
        let ((a1, a2), (b1, b2)) = (halves(a), halves(b));
        Pair(product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2)
    }

    /// The product with a number of one part or two
    fn times(&self, other: &Self) -> Self {
        let Pair(product, rest) = Pair::product(self.0, other.0);
        Pair(product, rest + (self.0 * other.1 + self.1 * other.0))
    }

    fn more(self, rest: X<'r, R>) -> Self {
        Pair(self.0, self.1 + rest)
    }
}

/// log2 of positive f64 with twelve bits more than f64 has: of 1 + f = (1 + s) / (1 − s)
fn long_log2<'r, R: Rows>(size: X<'r, R>) -> Pair<'r, R> {
    let (n, f) = logarithm::parts(size, std::f64::consts::FRAC_1_SQRT_2);
    let constant = |high: f64, low: f64| Pair(f.number(high), f.number(low));
    let below = Pair::sum(f.number(2.0), f);
    let inverse = f.number(1.0) / below.0;
    let quotient = f * inverse;
    let whole = Pair::product(quotient, below.0);
    let s = Pair(quotient, (f - whole.0 - whole.1 - quotient * below.1) * inverse);
    let square = s.times(&s);
    let third = square.0 * square.0.polynomial_of(LOG);
    let third = Pair::sum(f.number(TWO_THIRDS), third).more(f.number(TWO_THIRDS_REST));
    let series = square.times(&third);
    let series = Pair::sum(f.number(2.0), series.0).more(series.1);
    let log2 = s.times(&series).times(&constant(std::f64::consts::LOG2_E, LOG2_E_REST));
    Pair::sum(n, log2.0).more(log2.1)
}

/// Power of magnitudes of f64
fn of_doubles<'r, R: Rows>(size: X<'r, R>, y: X<'r, R>) -> X<'r, R> {
    let product = long_log2(size).times(&Pair(y, y.number(0.0)));
    let bounded = product.0.clamped([-1100.0, 1100.0]);
    let n = exponential::Whole::nearest(bounded);
    let r = bounded - n.value();
    let r = r.replace(bounded.eq(product.0), r + product.1);
    let finite = exponential::two_to_parts(n, r);
    let (infinity, zero) = (y.number(f64::INFINITY), y.number(0.0));
    let rising = y.gt(0.0);
    let of_zero = infinity.replace(rising, 0.0);
    let of_infinity = zero.replace(rising, f64::INFINITY);
    // Infinite powers are those of zero or infinity by which side of one the base is on.
    let endless = y.abs().eq(f64::INFINITY);
    let value = finite
        .replace(size.eq(0.0) | (endless & size.lt(1.0)), of_zero)
        .replace(size.eq(f64::INFINITY) | (endless & size.gt(1.0)), of_infinity)
        .replace(size.eq(1.0), 1.0);
    y.number(f64::NAN).replace(size.eq(size) & y.eq(y), value)
}

/// Each lane of `x` to the power in `y`
pub(super) fn pow<'r, R: Rows>(x: X<'r, R>, y: X<'r, R>) -> X<'r, R> {
    let size = x.abs();
    let value = match x.format {
        Format::Single => of_singles(size, y),
        Format::Double => of_doubles(size, y),
    };
    let (whole, odd) = integers(y);
    let signed = value.copysign(value.replace(odd, x));
    // Numbers below zero have powers of integers only.
    let below = signed.replace(x.gt(f64::NEG_INFINITY), signed.number(f64::NAN).replace(whole, signed));
    let value = signed.replace(x.lt(0.0), below);
    // One has powers of NaN too; masks of the exponent alone are known where that is.
    let none = y.number(1.0).replace(y.eq(y), 0.0).gt(0.0);
    value.replace((x.eq(1.0) & none) | y.eq(0.0), 1.0)
}

/// The cube root of each lane: with 2^(n − 3k) · (1 + f) for n near 3k
pub(super) fn cbrt<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let size = x.abs();
    let (n, f) = logarithm::parts(size, std::f64::consts::FRAC_1_SQRT_2);
    let third = n.fma(1.0 / 3.0, n.rounder());
    let over = (third - n.rounder()).fma(-3.0, n);
    let scale =
        |above: f64, below: f64| n.number(1.0).replace(over.gt(0.0), above).replace(over.lt(0.0), below);
    let start = f.polynomial(&CBRT) * scale(CBRT_2, 1.0 / CBRT_2);
    let number = (f + 1.0) * scale(2.0, 0.5);
    let cube = start * start * start;
    let step = (number - cube) / ((cube + cube) + number);
    let root = start.fma(step, start) * exponential::integer(third).power_of_two();
    // Zero, infinity and NaN are their own roots.
    x.replace(size.gt(0.0) & size.lt(f64::INFINITY), root).copysign(x)
}

/// One over the square root of each lane: of f32 a step of Newton's on the processor's estimate
pub(super) fn rsqrt<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let estimate = if x.format == Format::Single { x.rsqrt_estimate() } else { None };
    let Some(estimate) = estimate else { return x.number(1.0) / x.sqrt() };
    let root = x * estimate;
    let off = (-root).fma(estimate, 1.0);
    // Zero times infinity: the estimate is exact.
    estimate.replace(root.eq(root), off.fma(estimate * 0.5, estimate))
}
