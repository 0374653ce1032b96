//! Trigonometric functions and their inverses.
//!
//! Multiples of π/2 are subtracted as parts: in f64 their products with small integers are exact; in f32 differences from them are,
//! where products are not rounded, else f64 is used. Beyond a bound, which is rarely met, the library computes the lanes.

use super::lanes::{Coefficients, Mask, N, X};
use super::rows::{Format, Rows};
use std::f64::consts::{FRAC_1_PI, FRAC_2_PI, FRAC_PI_2};

/// (sin r − r) / r³ in powers of r² for |r| ≤ 1.01 π/4; of f32 for |r| ≤ π/2 + 0.006, where the last places are such that the
/// sine of π/2 rounds to one
static SIN: Coefficients = Coefficients {
    single: &[2.605018e-06, -0.00019809279, 0.008333064, -0.1666666],
    double: &[
        1.5892953864820612e-10,
        -2.505069232910666e-08,
        2.755731327498506e-06,
        -0.00019841269828615332,
        0.008333333333320935,
        -0.16666666666666627,
    ],
};

/// (cos r − 1 + r²/2) / r⁴ in powers of r² for |r| ≤ 1.01 π/4, of f64
static COS: &[f64] = &[
    -1.1356264733026705e-11,
    2.087565753065729e-09,
    -2.7557313865188526e-07,
    2.4801587287781474e-05,
    -0.0013888888888871373,
    0.04166666666666658,
];

/// (tan r − r) / r³ in powers of r² for |r| ≤ 1.01 π/4
static TAN: Coefficients = Coefficients {
    single: &[0.0044859303, -0.00012886149, 0.011004787, 0.021218369, 0.05407199, 0.13332559, 0.33333352],
    double: &[
        1.0206898610310337e-05,
        -2.6109917135047547e-05,
        5.234883246994063e-05,
        -3.0088619965370437e-05,
        7.074970359950258e-05,
        8.161825130053948e-05,
        0.00024451119577337217,
        0.0005886508347454864,
        0.0014560885091175267,
        0.003592094814069901,
        0.008863238505387143,
        0.021869488363160966,
        0.053968253974228324,
        0.13333333333322897,
        0.333333333333334,
    ],
};

/// (arctan x − x) / x³ in powers of x² for |x| ≤ 1
static ATAN: Coefficients = Coefficients {
    single: &[
        -0.0017937674,
        0.010915244,
        -0.031179,
        0.057958707,
        -0.08403512,
        0.10952206,
        -0.14264245,
        0.19998549,
        -0.333333,
    ],
    double: &[
        1.3225324234205268e-05,
        -0.00015216338802181192,
        0.0008313337405794906,
        -0.002884953035659179,
        0.007196572573400002,
        -0.013900661935657168,
        0.02198496642139704,
        -0.02990395530933537,
        0.03664197550576284,
        -0.042191823251464464,
        0.04722323588862817,
        -0.05253518986116261,
        0.058805279194587154,
        -0.06666404076685539,
        0.07692279841851854,
        -0.09090907003234822,
        0.11111111007041848,
        -0.14285714282575745,
        0.19999999999951473,
        -0.3333333333333307,
    ],
};

/// (arcsin x − x) / x³ in powers of x² for |x| ≤ ½
static ASIN: Coefficients = Coefficients {
    single: &[0.042165, 0.024180422, 0.04547016, 0.074953, 0.16666752],
    double: &[
        0.032628426574752026,
        -0.020998696805588083,
        0.02170714782157183,
        0.00370655099009984,
        0.01078020929795126,
        0.011398921167748774,
        0.01398081928926685,
        0.017351612134663037,
        0.022372214979839773,
        0.030381942708106402,
        0.04464285717460404,
        0.07499999999970809,
        0.1666666666666676,
    ],
};

/// π/2 in parts of 32 bits and what they leave, for f32 and f64
static HALF_PI: Coefficients = Coefficients {
    single: &[1.5707963267341256, 6.077100506506192e-11],
    double: &[1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21],
};

/// π/2 in parts of 24 bits, none of them negative, for f32 with products that are not rounded
static SHORT_HALF_PI: [f64; 3] = [1.570796251296997, 7.549789415861596e-08, 5.390302529957765e-15];

/// An argument is n·π/2 + r
struct Reduced<'r, R: Rows> {
    /// n in the low bits
    n: N<'r, R>,
    /// |r| is hardly above π/4
    rest: X<'r, R>,
}

/// Where multiples of π/2 have no exact products with its parts, or n of f32 may be one off
fn large<'r, R: Rows>(x: X<'r, R>) -> Mask<'r, R> {
    x.abs().gt(x.format.pick(100_000.0, 1_500_000.0))
}

/// x less n times parts of π/2
///
/// In f32 the first difference is exact: it is a multiple of the last place of π/2 and hardly above π/2. Each further one is rounded
/// relative to itself.
fn less_multiples<'r, R: Rows>(x: X<'r, R>, n: X<'r, R>, times: f64) -> X<'r, R> {
    if x.format == Format::Single {
        let short = SHORT_HALF_PI.iter();
        let rest = short.clone().try_fold(x, |rest, part| n.fused(x.number(-part * times), rest));
        if let Some(rest) = rest {
            return rest;
        }
    }
    let (parts, n) = (x.format.pick(HALF_PI.single, HALF_PI.double), n.widened());
    parts.iter().fold(x.widened(), |rest, part| n.fma(-part * times, rest)).rounded_to(x.format)
}

fn reduced<'r, R: Rows>(x: X<'r, R>) -> Reduced<'r, R> {
    let rounded = x.fma(FRAC_2_PI, x.rounder());
    Reduced { n: rounded.bits(), rest: less_multiples(x, rounded - x.rounder(), 1.0) }
}

/// Where the last bit is one
fn odd<'r, R: Rows>(n: N<'r, R>, like: X<'r, R>) -> Mask<'r, R> {
    let sign = n.up(n.format.bits() - 1);
    (like.number(1.0).bits() ^ sign).float().lt(0.0)
}

/// The sine of n·π/2 + r: that of r or its cosine, with the sign that n's second bit says
fn turned_sine<'r, R: Rows>(Reduced { n, rest }: Reduced<'r, R>) -> X<'r, R> {
    let square = rest * rest;
    let sine = (square * rest).fma(square.polynomial(&SIN), rest);
    let cosine = square.polynomial_of(COS).fma(square, -0.5).fma(square, 1.0);
    let sign = n.down(1).up(n.format.bits() - 1);
    (sine.replace(odd(n, rest), cosine).bits() ^ sign).float()
}

/// The sine of n·π + r for |r| hardly above π/2 of f32: that of r, negative of odd n, which is in the low bits
fn half_turned_sine<'r, R: Rows>(n: N<'r, R>, rest: X<'r, R>) -> N<'r, R> {
    let square = rest * rest;
    let sine = (square * rest).fma(square.polynomial(&SIN), rest);
    sine.bits() ^ n.up(n.format.bits() - 1)
}

/// The sine of each lane; of f32 that of the magnitude, with the sign
pub(super) fn sin<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let value = match x.format {
        Format::Single => {
            let size = x.abs();
            let rounded = size.fma(FRAC_1_PI, x.rounder());
            let rest = less_multiples(size, rounded - x.rounder(), 2.0);
            (half_turned_sine(rounded.bits(), rest) ^ (x.bits() ^ size.bits())).float()
        }
        Format::Double => turned_sine(reduced(x)).replace(x.eq(0.0), x),
    };
    value.by_library(large(x), "sin", x)
}

/// The cosine of each lane: the sine of what is π/2 more
pub(super) fn cos<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let value = match x.format {
        Format::Single => {
            let rounded = x.fma(FRAC_1_PI, 0.5) + x.rounder();
            let rest = less_multiples(x, rounded - x.rounder() - 0.5, 2.0);
            half_turned_sine(rounded.bits(), rest).float()
        }
        Format::Double => {
            let Reduced { n, rest } = reduced(x);
            turned_sine(Reduced { n: n.plus(1), rest })
        }
    };
    value.by_library(large(x), "cos", x)
}

/// The tangent of each lane: of odd n −1 / tan r
pub(super) fn tan<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let Reduced { n, rest } = reduced(x);
    let square = rest * rest;
    let tangent = (square * rest).fma(square.polynomial(&TAN), rest);
    let odd = odd(n, x);
    let value = tangent.replace(odd, -1.0) / x.number(1.0).replace(odd, tangent);
    value.by_library(large(x), "tan", x)
}

/// π/2 in two parts
fn half_pi(format: Format) -> [f64; 2] {
    format.pick([f64::from(FRAC_PI_2 as f32), -4.3711390001862426e-08], [FRAC_PI_2, 6.123233995736766e-17])
}

/// arctan of |z| ≤ 1, and a multiple of π/2
fn arctangent<'r, R: Rows>(z: X<'r, R>, turned: Mask<'r, R>) -> X<'r, R> {
    let [high, low] = half_pi(z.format);
    let zero = z.number(0.0);
    let square = z * z;
    let rest = (square * z).fma(square.polynomial(&ATAN), zero.replace(turned, low));
    zero.replace(turned, high) + (z + rest)
}

/// The arc tangent of each lane: above one that of −1 / x
pub(super) fn atan<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let size = x.abs();
    let turned = size.gt(1.0);
    let one = x.number(1.0);
    let z = size.replace(turned, -1.0) / one.replace(turned, size);
    arctangent(z, turned).copysign(x)
}

/// The arc tangent of `y / x`, by the quadrant of the point
pub(super) fn atan2<'r, R: Rows>(y: X<'r, R>, x: X<'r, R>) -> X<'r, R> {
    let (across, up) = (x.abs(), y.abs());
    let turned = up.gt(across);
    let (over, under) = (up.replace(turned, -across), across.replace(turned, up));
    // Zeros and infinities have quotients too.
    let endless = over.eq(f64::INFINITY) & under.eq(f64::INFINITY);
    let z = (over / under).replace(over.eq(0.0) & under.eq(0.0), 0.0).replace(endless, 1.0);
    let angle = arctangent(z, turned);
    let [high, low] = half_pi(x.format);
    let other = (x.number(high) - angle) + high + 2.0 * low;
    let left = x.number(1.0).copysign(x).lt(0.0);
    angle.replace(left, other).copysign(y)
}

/// Sum of multiples of an arc sine: near zero that of x, else that of √((1 − |x|) / 2)
struct Arcsine<'r, R: Rows> {
    far: Mask<'r, R>,
    head: X<'r, R>,
    rest: X<'r, R>,
}

fn arcsine<'r, R: Rows>(x: X<'r, R>, near: X<'r, R>) -> Arcsine<'r, R> {
    let size = x.abs();
    let far = size.gt(0.5);
    let square = (near * near).replace(far, x.number(0.5) - size * 0.5);
    let head = near.replace(far, square.sqrt());
    let rest = head * square * square.polynomial(&ASIN);
    Arcsine { far, head, rest }
}

/// The arc sine of each lane
pub(super) fn asin<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let Arcsine { far, head, rest } = arcsine(x, x.abs());
    let [high, low] = half_pi(x.format);
    let turned = head.fma(-2.0, high) - rest.fma(2.0, -low);
    (head + rest).replace(far, turned).copysign(x)
}

/// The arc cosine of each lane
pub(super) fn acos<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let Arcsine { far, head, rest } = arcsine(x, x);
    let [high, low] = half_pi(x.format);
    let right = x.number(0.0).lt(x);
    let near = x.number(high) - head - (rest - low);
    let twice = (head + head) + (rest + rest);
    let left = head.fma(-2.0, 2.0 * high) - rest.fma(2.0, -2.0 * low);
    near.replace(far, left.replace(right, twice))
}
