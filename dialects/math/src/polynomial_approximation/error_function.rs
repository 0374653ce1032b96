//! The error function: near zero a polynomial, else one less 2^q, where q is a polynomial near log2 erfc x.

use super::exponential;
use super::lanes::{Coefficients, Rows, X};

/// erf x / x − 1 in powers of x² for |x| ≤ 1
static ERF: Coefficients = Coefficients {
    single: &[7.853871e-05, -0.00080101966, 0.005188328, -0.026853813, 0.112835854, -0.37612626, 0.12837917],
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

/// log2 erfc x for x between 1 and 4.1, between 1 and 6
static LOG2_ERFC: Coefficients = Coefficients {
    single: &[0.0002676935, -0.0042406516, 0.03145728, -0.14864926, -0.9207674, -1.6259737, -0.00051062583],
    double: &[
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
    ],
};

/// The error function of each lane
pub(super) fn erf<'r, R: Rows>(x: X<'r, R>) -> X<'r, R> {
    let size = x.abs();
    let square = x * x;
    let near = x.fma(square.polynomial(&ERF), x);
    // From here on it is one.
    let top = x.format.pick(4.1, 6.0);
    let far = size.replace(size.gt(top), top);
    let far = x.number(1.0) - exponential::normal_exp2(far.polynomial(&LOG2_ERFC));
    far.copysign(x).replace(size.lt(1.0), near)
}
