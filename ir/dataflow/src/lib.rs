//! Facts about values that follow from where control may go.
//!
//! - [`calls`]: functions whose callers are all known;
//! - [`flow`]: interfaces by which an op says how control enters and leaves its regions, or which branch it takes;
//! - [`forward`]: a sparse analysis of a tree of units along these ways and through calls;
//! - [`ints`]: ranges of integers, and the interface by which an op says what follows for its results;
//! - [`ranges`]: the analysis that finds them;
//! - [`tree`]: a tree of units as a list, so that several can be read at once.
//!
//! **Invariant:** this crate knows no dialect. A value without a fact is never computed; what is not known is a fact of its
//! own, the top. No analysis changes what it reads.

pub mod calls;
pub mod flow;
pub mod forward;
pub mod ints;
pub mod ranges;
pub mod tree;

pub use calls::Functions;
pub use flow::{Branch, Counted, From, PlacedIndices, RegionFlow, To, Way};
pub use forward::{Domain, Forward};
pub use ints::{InferInts, Ints};
pub use tree::Tree;
