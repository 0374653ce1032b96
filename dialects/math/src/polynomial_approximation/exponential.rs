//! Exponential functions: the argument is n·ln 2 + r with |r| ≤ ln 2 / 2, e^r is a polynomial, 2^n goes to the exponent.

use super::lanes::{Coefficients, Mask, N, X};
use super::rows::{Format, Rows};

/// (e^r − 1 − r) / r² for |r| ≤ 1.01 ln 2 / 2
static EXP: Coefficients = Coefficients {
    single: &[0.0013813308, 0.008369424, 0.041668456, 0.16666515, 0.49999994],
    double: &[
        2.4998901059556338e-08,
        2.763168555847109e-07,
        2.755759744990755e-06,
        2.4801489357784585e-05,
        0.0001984126948592089,
        0.001388888894691405,
        0.008333333333507727,
        0.04166666666651918,
        0.16666666666666385,
        0.5000000000000012,
    ],
};

/// (e^2r − 1 − 2r) / r² for |r| ≤ 1.01 ln 2 / 4, of f32: the coefficients above times powers of two
static EXP_OF_DOUBLE: &[f64] = &[0.0884051712, 0.267821568, 0.666695296, 1.3333212, 1.99999976];

/// (2^r − 1) / r for |r| ≤ ½, of f32
pub(super) static EXP2: &[f64] =
    &[0.00015403512, 0.0013390965, 0.009618239, 0.05550357, 0.24022649, std::f64::consts::LN_2];

/// (sinh x − x) / x³ in powers of x² for |x| ≤ 1
static SINH: Coefficients = Coefficients {
    single: &[2.8169518e-06, 0.0001983616, 0.00833335, 0.16666667],
    double: &[
        7.758752115335984e-13,
        1.605725966004528e-10,
        2.5052123138117607e-08,
        2.7557319157062925e-06,
        0.00019841269841431902,
        0.008333333333333148,
        0.16666666666666669,
    ],
};

/// (tanh x − x) / x³ in powers of x² for |x| ≤ 0.625, of f64
static TANH: &[f64] = &[
    6.042426100632022e-06,
    -3.0187124090882864e-05,
    9.155831539653863e-05,
    -0.00023701167477383782,
    0.0005894517787673102,
    -0.0014557259432212708,
    0.0035921139991047396,
    -0.008863234312498693,
    0.02186948846871024,
    -0.05396825396605871,
    0.13333333333329742,
    -0.33333333333333315,
];

/// ln 2 in two parts: products of the first with exponents are exact
pub(super) static LN2: Coefficients = Coefficients {
    single: &[0.693145751953125, 1.428606765330187e-06],
    double: &[0.693147180559663, 2.8235290563031577e-13],
};

/// An integer n as a float, and its sum with the number that rounds to integers
pub(super) struct Whole<'r, R: Rows> {
    value: X<'r, R>,
    rounded: X<'r, R>,
}

impl<'r, R: Rows> Whole<'r, R> {
    /// The integer next to each lane
    pub(super) fn nearest(x: X<'r, R>) -> Self {
        Self::rounded(x + x.rounder())
    }

    fn rounded(rounded: X<'r, R>) -> Self {
        Whole { value: rounded - rounded.rounder(), rounded }
    }

    /// The integer in the other format
    pub(super) fn rounded_to(&self, format: Format) -> Self {
        let value = self.value.rounded_to(format);
        Whole { value, rounded: value + value.rounder() }
    }

    /// As a float
    pub(super) fn value(&self) -> X<'r, R> {
        self.value
    }

    /// As an integer
    pub(super) fn integer(&self) -> N<'r, R> {
        integer(self.rounded)
    }
}

/// What n·ln 2 leaves of an argument, and n
struct Reduced<'r, R: Rows> {
    n: Whole<'r, R>,
    rest: X<'r, R>,
}

/// The low bits of a rounded sum as an integer
pub(super) fn integer<'r, R: Rows>(rounded: X<'r, R>) -> N<'r, R> {
    rounded.bits().minus(rounded.format.encode(rounded.rounder()))
}

fn reduced<'r, R: Rows>(x: X<'r, R>) -> Reduced<'r, R> {
    let n = Whole::rounded(x.fma(std::f64::consts::LOG2_E, x.rounder()));
    let parts = x.format.pick(LN2.single, LN2.double);
    let rest = parts.iter().fold(x, |rest, part| n.value().fma(-part, rest));
    Reduced { n, rest }
}

/// e^r for small r
fn power<'r, R: Rows>(rest: X<'r, R>) -> X<'r, R> {
    rest.polynomial(&EXP).fma(rest, 1.0).fma(rest, 1.0)
}

/// Times 2^n; as two factors where that is no op, so that subnormal results are made too
fn scaled<'r, R: Rows>(x: X<'r, R>, n: Whole<'r, R>, zero: Option<Mask<'r, R>>) -> X<'r, R> {
    x.scaled(n.value(), zero).unwrap_or_else(|| {
        let n = n.integer();
        let half = n.down(1);
        let value = x * half.power_of_two() * (n - half).power_of_two();
        zero.map_or(value, |zero| value.replace(zero, 0.0))
    })
}

/// An argument of which powers are finite or infinite, and where they are zero
///
/// Processors take a hundred times as long to round to zero what is too small, so those lanes are masked.
fn bounded<'r, R: Rows>(x: X<'r, R>, [least, most]: [f64; 2]) -> (X<'r, R>, Mask<'r, R>) {
    let zero = x.lt(least);
    let x = x.replace(x.gt(most), most);
    // The op does not compute lanes that are masked, the factors do.
    (if x.scales() { x } else { x.replace(zero, 0.0) }, zero)
}

/// e to each lane; at the bounds that is zero and infinity
pub(super) fn exp<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let (x, zero) = bounded(x, x.format.pick([-104.0, 89.0], [-746.0, 710.0]));
    let Reduced { n, rest } = reduced(x);
    scaled(power(rest), n, Some(zero))
}

/// e to minus the square of each lane, times a factor; the lanes are not negative
///
/// A square that is rounded would cost as many units as it is large: the high half of a lane has an exact one.
pub(super) fn gaussian<'r, R: Rows>(x: X<'r, R>, factor: X<'r, R>, zero: Mask<'r, R>) -> X<'r, R> {
    let low_bits = x.format.fraction() / 2 + 1;
    let high = x.bits().down(low_bits).up(low_bits).float();
    let n = Whole::rounded((x * x).fma(-std::f64::consts::LOG2_E, x.rounder()));
    let parts = x.format.pick(LN2.single, LN2.double);
    let rest = parts.iter().fold(-(high * high), |rest, part| n.value().fma(-part, rest));
    let rest = rest - (x - high) * (x + high);
    scaled(power(rest) * factor, n, Some(zero))
}

/// The integer next to each lane, and what it leaves
fn whole_and_rest<'r, R: Rows>(x: X<'r, R>) -> (Whole<'r, R>, X<'r, R>) {
    let n = Whole::nearest(x);
    let rest = x - n.value();
    (n, rest)
}

/// 2 to each lane; at the bounds that is zero and infinity
pub(super) fn exp2<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let (x, zero) = bounded(x, x.format.pick([-151.0, 129.0], [-1076.0, 1025.0]));
    let (n, rest) = whole_and_rest(x);
    scaled(two_to(rest), n, Some(zero))
}

/// 2^r for |r| ≤ ½
fn two_to<'r, R: Rows>(r: X<'r, R>) -> X<'r, R> {
    match r.format {
        Format::Single => r.fma(r.polynomial_of(EXP2), 1.0),
        Format::Double => power(r * std::f64::consts::LN_2),
    }
}

/// 2^(n + r)
pub(super) fn two_to_parts<'r, R: Rows>(n: Whole<'r, R>, r: X<'r, R>) -> X<'r, R> {
    scaled(two_to(r), n, None)
}

/// 2 to each lane less one, for lanes that are not positive and have normal powers
pub(super) fn exp2_less_one<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let (n, rest) = whole_and_rest(x);
    let power = n.integer().power_of_two();
    let less_one = match x.format {
        Format::Single => rest * rest.polynomial_of(EXP2),
        Format::Double => {
            let rest = rest * std::f64::consts::LN_2;
            (rest * rest).fma(rest.polynomial(&EXP), rest)
        }
    };
    power.fma(less_one, power - 1.0)
}

/// e to each lane less one: 2^n·(e^r − 1) + (2^n − 1), of half of 2^n, which is finite
pub(super) fn expm1<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let Reduced { n, rest } = reduced(x.clamped(x.format.pick([-18.0, 89.0], [-40.0, 710.0])));
    let less_one = (rest * rest).fma(rest.polynomial(&EXP), rest);
    let half = n.integer().minus(1).power_of_two();
    let sum = half.fma(less_one, half - 0.5);
    (sum + sum).replace(x.abs().lt(x.format.pick(1e-9, 1e-18)), x)
}

/// The hyperbolic tangent of each lane: of f32 (e^2x − 1) / (e^2x + 1), of f64 a polynomial near zero, else 1 − 2 / (e^2x + 1)
///
/// From the bound on it is one.
pub(super) fn tanh<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let size = x.abs();
    let top = x.format.pick(9.1, 22.0);
    let far = size.replace(size.gt(top), top);
    match x.format {
        Format::Single => {
            // Of n up to 27 the second part of ln 2 is nothing next to what is added.
            let n = Whole::rounded(far.fma(2.0 * std::f64::consts::LOG2_E, x.rounder()));
            let rest = n.value().fma(-0.5 * std::f64::consts::LN_2, far);
            let (square, power) = (rest * rest, n.integer().power_of_two());
            let less_one = square.fma(rest.even_and_odd(square, EXP_OF_DOUBLE), rest + rest);
            let above = power.fma(less_one, power - 1.0);
            (above / (above + 2.0)).copysign(x)
        }
        Format::Double => {
            let Reduced { n, rest } = reduced(far + far);
            let square = x * x;
            let near = (square * x).fma(square.polynomial_of(TANH), x);
            let one = x.number(1.0);
            let far = one - x.number(2.0) / (power(rest) * n.integer().power_of_two() + one);
            far.replace(size.lt(0.625), near).copysign(x)
        }
    }
}

/// Half of e to each lane, which is not negative; at the bound that is infinity
fn half_exp<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let top = x.format.pick(90.0, 711.0);
    let Reduced { n, rest } = reduced(x.replace(x.gt(top), top));
    scaled(power(rest) * 0.5, n, None)
}

/// The hyperbolic sine of each lane: a polynomial near zero
pub(super) fn sinh<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let size = x.abs();
    let half = half_exp(size);
    let far = (half - x.number(0.25) / half).copysign(x);
    let square = x * x;
    let near = (square * x).fma(square.polynomial(&SINH), x);
    far.replace(size.lt(1.0), near)
}

/// The hyperbolic cosine of each lane
pub(super) fn cosh<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let half = half_exp(x.abs());
    half + x.number(0.25) / half
}
