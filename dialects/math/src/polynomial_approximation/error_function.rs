//! The error function: one less 2^q, where q is a polynomial near log2 erfc x; of f64 a polynomial near zero.

use super::exponential;
use super::lanes::X;
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

/// erf x / x − 1 in powers of x² for |x| ≤ 1, of f64
static ERF: &[f64] = &[
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
];

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

/// The error function of each lane
pub(super) fn erf<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let size = x.abs();
    // From here on it is one.
    let top = x.format.pick(3.95, 6.0);
    let far = size.replace(size.gt(top), top);
    match x.format {
        Format::Single => exponential::exp2_less_one(far * far.polynomial_of(LOG2_ERFC_OVER_X)).copysign(x),
        Format::Double => {
            let square = x * x;
            let near = x.fma(square.polynomial_of(ERF), x);
            let far = exponential::exp2_less_one(far.polynomial_of(LOG2_ERFC));
            far.copysign(x).replace(size.lt(1.0), near)
        }
    }
}
