//! Index arithmetic: what is known of the values of index expressions, and what follows from it.
//!
//! - [`range`]: least and greatest value and step of a variable or an expression;
//! - [`simplify`]: affine expressions made simpler by the ranges of their variables, and proofs of `<=`, `=`, `divides`.
//!
//! Expressions are `terrace_support::affine`'s. All of it works on one form, [`sum::Sum`]. Values that are not known are
//! never guessed: an answer is a proof, or says that there is none. Nothing here panics; numbers that leave `i64` give
//! "not known".

mod emit;
pub mod range;
pub mod simplify;
pub mod sum;

pub use range::{Range, Ranges};
pub use simplify::{coefficient_of, divides, equal, less, less_or_equal, range_of, simplify_with_ranges};
