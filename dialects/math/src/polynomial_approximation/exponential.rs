//! Exponential functions: the argument is n·ln 2 + r with |r| ≤ ln 2 / 2, e^r is a polynomial, 2^n goes to the exponent.

use super::lanes::{Coefficients, N, Rows, X};

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

/// (tanh x − x) / x³ in powers of x² for |x| ≤ 0.625
static TANH: Coefficients = Coefficients {
    single: &[0.0021429227, -0.008177355, 0.021700686, -0.05394676, 0.13333206, -0.3333333],
    double: &[
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
    ],
};

/// ln 2 in two parts: products of the first with exponents are exact
pub(super) static LN2: Coefficients = Coefficients {
    single: &[0.693145751953125, 1.428606765330187e-06],
    double: &[0.693147180559663, 2.8235290563031577e-13],
};

/// What n·ln 2 leaves of an argument, and n
struct Reduced<'r, R: Rows> {
    n: N<'r, R>,
    rest: X<'r, R>,
}

/// The low bits of a rounded sum as an integer
pub(super) fn integer<'r, R: Rows>(rounded: X<'r, R>) -> N<'r, R> {
    rounded.bits().minus(rounded.format.encode(rounded.rounder()))
}

fn reduced<'r, R: Rows>(x: X<'r, R>) -> Reduced<'r, R> {
    let rounded = x.fma(std::f64::consts::LOG2_E, x.rounder());
    let n = rounded - x.rounder();
    let parts = x.format.pick(LN2.single, LN2.double);
    let rest = parts.iter().fold(x, |rest, part| n.fma(-part, rest));
    Reduced { n: integer(rounded), rest }
}

/// e^r for small r
fn power<'r, R: Rows>(rest: X<'r, R>) -> X<'r, R> {
    rest.polynomial(&EXP).fma(rest, 1.0).fma(rest, 1.0)
}

/// Times 2^n; as two factors, so that subnormal results are made too
fn scaled<'r, R: Rows>(x: X<'r, R>, n: N<'r, R>) -> X<'r, R> {
    let half = n.down(1);
    x * half.power_of_two() * (n - half).power_of_two()
}

/// Infinity above what has a result, zero below
fn bounded<'r, R: Rows>(value: X<'r, R>, x: X<'r, R>, [bottom, top]: [f64; 2]) -> X<'r, R> {
    value.replace(x.gt(top), f64::INFINITY).replace(x.lt(bottom), 0.0)
}

/// e to each lane
pub(super) fn exp<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let Reduced { n, rest } = reduced(x);
    let bounds = x.format.pick([-103.972_08, 88.722_84], [-745.133_219_101_941_2, 709.782_712_893_384]);
    bounded(scaled(power(rest), n), x, bounds)
}

/// The integer next to each lane, and what it leaves
pub(super) fn whole_and_rest<'r, R: Rows>(x: X<'r, R>) -> (N<'r, R>, X<'r, R>) {
    let rounded = x + x.rounder();
    (integer(rounded), x - (rounded - x.rounder()))
}

/// What an exponent of two leaves of an argument, times ln 2
fn reduced_of_two<'r, R: Rows>(x: X<'r, R>) -> Reduced<'r, R> {
    let (n, rest) = whole_and_rest(x);
    Reduced { n, rest: rest * std::f64::consts::LN_2 }
}

/// 2 to each lane
pub(super) fn exp2<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let Reduced { n, rest } = reduced_of_two(x);
    bounded(scaled(power(rest), n), x, x.format.pick([-151.0, 129.0], [-1076.0, 1025.0]))
}

/// 2^(n + r)
pub(super) fn two_to_parts<'r, R: Rows>(n: N<'r, R>, r: X<'r, R>) -> X<'r, R> {
    scaled(power(r * std::f64::consts::LN_2), n)
}

/// 2 to each lane where the results are normal
pub(super) fn normal_exp2<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let Reduced { n, rest } = reduced_of_two(x);
    power(rest) * n.power_of_two()
}

/// e to each lane less one: 2^n·(e^r − 1) + (2^n − 1), of half of 2^n, which is finite
pub(super) fn expm1<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let Reduced { n, rest } = reduced(x);
    let less_one = (rest * rest).fma(rest.polynomial(&EXP), rest);
    let half = n.minus(1).power_of_two();
    let sum = half.fma(less_one, half - 0.5);
    let [least, bottom, top] = x.format.pick([1e-9, -18.0, 88.722_84], [1e-18, -40.0, 709.782_712_893_384]);
    (sum + sum).replace(x.gt(top), f64::INFINITY).replace(x.lt(bottom), -1.0).replace(x.abs().lt(least), x)
}

/// The hyperbolic tangent of each lane: a polynomial near zero, else by e^2x
pub(super) fn tanh<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let size = x.abs();
    let square = x * x;
    let near = (square * x).fma(square.polynomial(&TANH), x);
    let double = size + size;
    let most = x.format.pick(20.0, 44.0);
    let Reduced { n, rest } = reduced(double.replace(double.gt(most), most));
    let one = x.number(1.0);
    let far = one - x.number(2.0) / (power(rest) * n.power_of_two() + one);
    far.replace(size.lt(0.625), near).copysign(x)
}

/// Half of e to each lane, which is not negative
fn half_exp<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let Reduced { n, rest } = reduced(x);
    let top = x.format.pick(90.0, 711.0);
    scaled(power(rest), n.minus(1)).replace(x.gt(top), f64::INFINITY)
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
