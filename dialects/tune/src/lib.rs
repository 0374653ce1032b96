//! `tune`: search spaces as IR: parameters with domains, constraints with their reasons, objectives.
//!
//! A `tune.space` holds what is not decided yet about a function: parameters, sizes that follow from them, statements that
//! must hold and why, and what is wanted. A parameter is a symbol of sizes (`@T`) or a choice of words (`@m.A`); in code it is
//! `tune.value`. Everything stands after what it speaks of, so that values can be chosen in order of the text.
//!
//! Invariant: numbers and words are in canonical form in properties ([`Domain`], [`Formula`]), so that what is read is what
//! was printed.

pub mod codes;
mod domain;
mod formula;
mod ops;

pub use domain::{Domain, Value};
pub use formula::{Compare, Formula, cases_attr};
pub use ops::{Constraint, Derived, Objective, Param, Size, Space, ValueOf};

use terrace_macros::dialect;

dialect! {
    /// Search spaces: parameters, constraints with their reasons, objectives
    pub TUNE = "tune" { ops: [Constraint, Derived, Objective, Param, Size, Space, ValueOf] }
}

/// All dialects of this crate
pub static ALL: &[&terrace_ir::Dialect] = &[&TUNE];
