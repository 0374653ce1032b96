//! `math`: functions of numbers beyond arithmetic, on scalars and element by element.
//!
//! Folds compute only what is exact or rounded once in every format; the transcendental functions stay as they are,
//! since their last bits differ between libraries. In the interpreter they are those of `libm`, the same on every machine.

mod folds;
mod interp;
mod ints;
pub mod polynomial_approximation;
mod scalars;
mod several;
mod unary;

pub use ints::*;
pub use several::*;
pub use unary::*;

use terrace_macros::dialect;

dialect! {
    /// Functions of numbers
    pub MATH = "math" {
        ops: [
            AbsF, AbsI, Acos, Acosh, Asin, Asinh, Atan, Atan2, Atanh, Cbrt, Ceil, ClampF, CopySign, Cos, Cosh,
            CountLeadingZeros, CtPop, CountTrailingZeros, Erf, Erfc, Exp, Exp2, ExpM1, Floor, Fma, FPowI, IPowI,
            IsFinite, IsInf, IsNaN, IsNormal, Log, Log10, Log1p, Log2, PowF, Round, RoundEven, Rsqrt, Sin, Sincos,
            Sinh, Sqrt, Tan, Tanh, Trunc,
        ],
        materialize: terrace_dialect_arith::materialize,
    }
}
