//! Finite domains: counting, drawing and listing solutions, searching for the best, explaining why there is none.
//!
//! Variables may form a tree (loops in a nest). Constraints that speak of one variable, of a variable and one around it, of
//! paths, and of paths that must use the same values are compiled into a [`diagram`], on which counts are exact and
//! drawing is uniform. The others are for a search. Knows nothing of IR.
//!
//! - [`formula`]: the language; [`model`]: variables and constraints; [`classify`]: what a constraint joins;
//! - [`diagram`], [`space`]: solutions of a tree as a graph, and all that is done on it;
//! - [`uncounted`]: why there is no graph;
//! - [`search`]: numbers, each from those before, depth first and with bounds; [`conflict`]: minimal sets that contradict each other.

pub mod classify;
pub mod conflict;
pub mod diagram;
pub mod formula;
pub mod model;
pub mod random;
pub mod search;
pub mod space;
pub mod sums;
pub mod uncounted;

pub use conflict::minimal_conflict;
pub use formula::{Cmp, Formula, Term, Var};
pub use model::{Assignment, Constraint, Model, Variable};
pub use search::{Number, Numbers, Search, Source};
pub use space::Space;
pub use sums::Sums;
pub use terrace_support::Random;
pub use uncounted::Uncounted;
