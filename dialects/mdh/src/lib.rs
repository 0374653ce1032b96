//! `mdh`: computations as multi-dimensional homomorphisms, on values (paper: Rasch and others, schedules
//! by (de/re)-composition, CC 2023).
//!
//! One op says a whole computation: dimensions with how each is combined, index functions into inputs and outputs, and
//! a scalar body. Nothing about loops, memory or machines: that is a schedule, an attribute of the op (`mdh.schedule`), whose
//! tokens are read by [`schedule`].
//!
//! Sizes are numbers; an extent that is known at run time only has a bound, and a condition ([`extents`]).

mod build;
mod check;
pub mod codes;
mod computation;
mod compute;
mod cost;
mod empty;
pub mod epilogue;
pub mod extents;
mod interp;
mod misfit;
pub mod operator;
pub mod prologue;
pub mod scatter;
pub mod schedule;
pub mod symmetric;
mod syntax;
pub mod taps;
pub mod view;

pub use check::{is_bounded, range};
pub use compute::{Compute, Index, Yield};
pub use cost::Merging;
pub use misfit::Misfit;
pub use syntax::expr_text;

use terrace_ir::Dialect;
use terrace_macros::dialect;

dialect! {
    /// Computations as multi-dimensional homomorphisms, and schedules for them
    pub MDH = "mdh" { ops: [Compute, Index, Yield] }
}

/// All dialects of this crate
pub static ALL: &[&Dialect] = &[&MDH];
