//! The error function: one less 2^q, where q is a polynomial near log2 erfc x; of f64 a polynomial near zero.
//! One less it is a quotient times e^(−x²), so that small results are as close.

use super::exponential;
use super::lanes::{Coefficients, X};
use super::rows::{Format, Rows};

/// log2 erfc x / x for x between 0 and 3.96, of f32: the error weighs as much as it changes erf x, below 0.4
/// twice, where more is rounded
static LOG2_ERFC_OVER_X: &[f64] = &[
    -6.249855e-05,
    0.000576517,
    -0.0018783761,
    -0.00020372387,
    0.027817128,
    -0.14831367,
    -0.918445,
    -1.627907,
];

/// erf x / x − 1 in powers of x² for |x| ≤ 1, of f32 |x| ≤ 0.55
static ERF: Coefficients = Coefficients {
    single: &[0.004606213, -0.026702376, 0.11281997, -0.3761257, 0.12837917],
    double: &[
        5.94526032863509e-11,
        -1.136566599003777e-09,
        1.4657880113458653e-08,
        -1.6350025308708544e-07,
        1.6460972830109583e-06,
        -1.4925593508056315e-05,
        0.00012055331036964204,
        -0.0008548326978744439,
        0.005223977624780913,
        -0.0268661706450729,
        0.11283791670954857,
        -0.3761263890318375,
        0.1283791670955126,
    ],
};

/// log2 erfc x for x between 1 and 6, of f64
static LOG2_ERFC: &[f64] = &[
    -7.018766840227438e-12,
    2.914707406381829e-10,
    -5.6120532872105475e-09,
    6.62671316960651e-08,
    -5.33166880778723e-07,
    3.0509938391878815e-06,
    -1.2376492424633817e-05,
    3.250781335011228e-05,
    -2.816479669785468e-05,
    -0.00019701041629228153,
    0.0011152725820195311,
    -0.0027684625999995663,
    0.0005966164763087985,
    0.027393946946863458,
    -0.14816808017212363,
    -0.9184832226596452,
    -1.6278995617371503,
    -7.404922967707316e-07,
];

/// Where the variable of the next polynomial is zero
const MIDDLE: f64 = 3.0;

/// (x + 3) e^(x²) erfc x in powers of (x − 3) / (x + 3) for x between 0 and 10.1, of f64 27.5
static SCALED_ERFC: Coefficients = Coefficients {
    single: &[
        -0.0003340298,
        -0.0004996759,
        0.0030775692,
        -0.0012169178,
        -0.026836442,
        0.11952727,
        -0.31046665,
        0.59022844,
        -0.8833945,
        1.0740069,
    ],
    double: &[
        -1.6264297830467866e-09,
        -6.421561420477452e-09,
        2.49104231279171e-09,
        4.8920275880392766e-08,
        4.014040714241591e-08,
        -2.3331470746830066e-07,
        -4.025735997562877e-07,
        9.99581291027978e-07,
        2.7624151327076425e-06,
        -4.749811089571144e-06,
        -1.7469531163649673e-05,
        3.0398395857214974e-05,
        0.00010756125978404707,
        -0.0002767778985118868,
        -0.0005483096613882773,
        0.0030340620078960485,
        -0.0012124166295302537,
        -0.02682723462493867,
        0.11952776128737946,
        -0.31046726190055324,
        0.5902283571041005,
        -0.8833944531698837,
        1.0740069070883398,
    ],
};

/// The error function of lanes near zero
fn near_zero<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    x.fma((x * x).polynomial(&ERF), x)
}

/// One less the error function of each lane: near two where it is far below zero, and as small as e^(−x²) far above
pub(super) fn erfc<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let size = x.abs();
    // From here on it is zero.
    let top = x.format.pick(10.06, 27.25);
    let zero = size.gt(top);
    let size = size.replace(zero, top);
    let part = x.number(1.0) / (size + MIDDLE);
    let place = (size - MIDDLE) * part;
    let positive = exponential::gaussian(size, part * place.polynomial(&SCALED_ERFC), zero);
    let far = positive.replace(x.lt(0.0), x.number(2.0) - positive);
    far.replace(x.abs().lt(0.55), x.number(1.0) - near_zero(x))
}

/// The error function of each lane
pub(super) fn erf<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let size = x.abs();
    // From here on it is one.
    let top = x.format.pick(3.95, 6.0);
    let far = size.replace(size.gt(top), top);
    match x.format {
        Format::Single => exponential::exp2_less_one(far * far.polynomial_of(LOG2_ERFC_OVER_X)).copysign(x),
        Format::Double => {
            let near = near_zero(x);
            let far = exponential::exp2_less_one(far.polynomial_of(LOG2_ERFC));
            far.copysign(x).replace(size.lt(1.0), near)
        }
    }
}
