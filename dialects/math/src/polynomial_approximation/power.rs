//! Powers and roots.

use super::exponential;
use super::lanes::{Coefficients, Format, Mask, Rows, X};
use super::logarithm;

/// log2(1 + f) / f for 1 + f between √½ and √2, for powers of f32
static LOG2: &[f64] = &[
    -0.06973911791205412,
    0.13251366043668877,
    -0.13463060178640146,
    0.13027546970244983,
    -0.14249833586350216,
    0.16021664875424976,
    -0.18043677591266136,
    0.20610712560890337,
    -0.24044643267524862,
    0.2885387956408495,
    -0.36067379314959797,
    0.48089834880365623,
    -0.7213475203275104,
    1.4426950408865735,
];

/// (2^r − 1) / r for |r| ≤ ½, for powers of f32
static EXP2: &[f64] = &[
    1.5196134508942526e-05,
    0.00015466755433034648,
    0.0013333935119777946,
    0.009618038135084161,
    0.05550410365985715,
    0.24022651066544073,
    0.693147180704495,
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

/// Power of magnitudes of f32, in f64: both steps have ten bits to spare
fn of_singles<'r, R: Rows>(size: X<'r, R>, y: X<'r, R>) -> X<'r, R> {
    let (n, f) = logarithm::normal_parts(size.widened());
    let log = f.fma(f.polynomial(&Coefficients { single: LOG2, double: LOG2 }), n);
    let (n, r) = exponential::whole_and_rest(within(y.widened() * log, 200.0));
    let power = r.fma(r.polynomial(&Coefficients { single: EXP2, double: EXP2 }), 1.0);
    (power * n.power_of_two()).rounded_to(Format::Single)
}

/// Between bounds: beyond, the result is infinite or zero anyway
fn within<'r, R: Rows>(x: X<'r, R>, bound: f64) -> X<'r, R> {
    x.replace(x.gt(bound), bound).replace(x.lt(-bound), -bound)
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
    let (n, f) = logarithm::parts(size);
    let constant = |high: f64, low: f64| Pair(f.number(high), f.number(low));
    let below = Pair::sum(f.number(2.0), f);
    let inverse = f.number(1.0) / below.0;
    let quotient = f * inverse;
    let whole = Pair::product(quotient, below.0);
    let s = Pair(quotient, (f - whole.0 - whole.1 - quotient * below.1) * inverse);
    let square = s.times(&s);
    let third = square.0 * square.0.polynomial(&Coefficients { single: LOG, double: LOG });
    let third = Pair::sum(f.number(TWO_THIRDS), third).more(f.number(TWO_THIRDS_REST));
    let series = square.times(&third);
    let series = Pair::sum(f.number(2.0), series.0).more(series.1);
    let log2 = s.times(&series).times(&constant(std::f64::consts::LOG2_E, LOG2_E_REST));
    Pair::sum(n, log2.0).more(log2.1)
}

/// Power of magnitudes of f64
fn of_doubles<'r, R: Rows>(size: X<'r, R>, y: X<'r, R>) -> X<'r, R> {
    let product = long_log2(size).times(&Pair(y, y.number(0.0)));
    let bounded = within(product.0, 1100.0);
    let (n, r) = exponential::whole_and_rest(bounded);
    let r = r.replace(bounded.eq(product.0), r + product.1);
    exponential::two_to_parts(n, r)
}

/// Each lane of `x` to the power in `y`
pub(super) fn pow<'r, R: Rows>(x: X<'r, R>, y: X<'r, R>) -> X<'r, R> {
    let size = x.abs();
    let (infinity, zero, one) = (x.number(f64::INFINITY), x.number(0.0), x.number(1.0));
    let finite = match x.format {
        Format::Single => of_singles(size, y),
        Format::Double => of_doubles(size, y),
    };
    let rising = y.gt(0.0);
    let of_zero = infinity.replace(rising, 0.0);
    let of_infinity = zero.replace(rising, f64::INFINITY);
    // Infinite powers are those of zero or infinity by which side of one the base is on; of ±1 they are one.
    let endless = y.abs().eq(f64::INFINITY);
    let value = finite
        .replace(size.eq(0.0) | (endless & size.lt(1.0)), of_zero)
        .replace(size.eq(f64::INFINITY) | (endless & size.gt(1.0)), of_infinity)
        .replace(size.eq(1.0), one);
    let (whole, odd) = integers(y);
    let none = x.number(f64::NAN);
    let signed = value.copysign(value.replace(odd, x));
    let value = none.replace(x.ge(0.0) | whole | size.eq(f64::INFINITY) | size.eq(0.0), signed);
    // NaN but for what one is.
    let value = none.replace(x.eq(x) & y.eq(y), value);
    value.replace(x.eq(1.0) | y.eq(0.0), one)
}

/// The cube root of each lane: with 2^(n − 3k) · (1 + f) for n near 3k
pub(super) fn cbrt<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let size = x.abs();
    let (n, f) = logarithm::parts(size);
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
