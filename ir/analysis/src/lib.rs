//! Index arithmetic: what is known of the values of index expressions, and what follows from it.
//!
//! - [`nat`]: symbolic sizes in a normal form, equal iff the laws of arithmetic make them so;
//! - [`range`]: least and greatest value and step of a variable or an expression;
//! - [`conflict`]: can two accesses in different iterations meet in one element?
//! - [`mod@footprint`]: the box of elements that an access touches, seen from some of its loops;
//! - [`simplify`]: affine expressions made simpler by the ranges of their variables, and proofs of `<=`, `=`, `divides`.
//!
//! Expressions are `terrace_support::affine`'s. All of it works on one form, [`sum::Sum`]. Values that are not known are
//! never guessed: an answer is a proof, or says that there is none. Nothing here panics; numbers that leave `i64` give
//! "not known".

pub mod conflict;
mod emit;
pub mod footprint;
pub mod nat;
pub mod range;
pub mod simplify;
pub mod sum;
mod system;

pub use conflict::{Across, Clash, may_conflict, may_conflict_where};
pub use footprint::{Footprint, footprint, footprint_inside};
pub use range::{Range, Ranges};
pub use simplify::{coefficient_of, divides, equal, less, less_or_equal, range_of, simplify_with_ranges};
