//! Functions of rows of floats in products, sums and bits: one table for all back ends of the host, which would call the C library
//! lane by lane.
//!
//! The coefficients minimize the largest relative error of the result on the interval named next to them: Remez's exchange in 60
//! digits (mpmath), or Lawson's weights of least squares where f64 has enough digits, then rounding to the format. Results are
//! within a few units in the last place, which `tests/approximations.rs` measures and `docs/performance.md` lists. NaN stays NaN; what
//! leaves the format gives infinity or zero.

mod error_function;
mod exponential;
mod lanes;
mod logarithm;
mod power;
mod rows;
mod trigonometric;

use crate::*;
use lanes::{Row, X};
pub use rows::{FloatOp, Format, IntOp, Pred, Rows};
use terrace_ir::OpDef;

/// What computes a function
enum Body<R: Rows> {
    One(for<'r> fn(X<'r, R>) -> X<'r, R>),
    Two(for<'r> fn(X<'r, R>, X<'r, R>) -> X<'r, R>),
}

/// The functions, of both formats
fn table<R: Rows>() -> [(&'static OpDef, Body<R>); 25] {
    let one = |op, body| (op, Body::One(body));
    let two = |op, body| (op, Body::Two(body));
    [
        one(Acos::DEF, trigonometric::acos),
        one(Acosh::DEF, logarithm::acosh),
        one(Asin::DEF, trigonometric::asin),
        one(Asinh::DEF, logarithm::asinh),
        one(Atan::DEF, trigonometric::atan),
        two(Atan2::DEF, trigonometric::atan2),
        one(Atanh::DEF, logarithm::atanh),
        one(Cbrt::DEF, power::cbrt),
        one(Cos::DEF, trigonometric::cos),
        one(Cosh::DEF, exponential::cosh),
        one(Erf::DEF, error_function::erf),
        one(Erfc::DEF, error_function::erfc),
        one(Exp::DEF, exponential::exp),
        one(Exp2::DEF, exponential::exp2),
        one(ExpM1::DEF, exponential::expm1),
        one(Log::DEF, logarithm::log),
        one(Log10::DEF, logarithm::log10),
        one(Log1p::DEF, logarithm::log1p),
        one(Log2::DEF, logarithm::log2),
        two(PowF::DEF, power::pow),
        one(Rsqrt::DEF, power::rsqrt),
        one(Sin::DEF, trigonometric::sin),
        one(Sinh::DEF, exponential::sinh),
        one(Tan::DEF, trigonometric::tan),
        one(Tanh::DEF, exponential::tanh),
    ]
}

/// The function `op` of rows; `None` where there is none
pub fn approximate<R: Rows>(rows: &R, op: &OpDef, format: Format, args: &[R::V]) -> Option<R::V> {
    let (_, body) = table::<R>().into_iter().find(|(known, _)| std::ptr::eq(*known, op))?;
    let arg = |n: usize| Row::new(rows, format, args[n]);
    Some(match body {
        Body::One(body) => body(arg(0)).v,
        Body::Two(body) => body(arg(0), arg(1)).v,
    })
}
