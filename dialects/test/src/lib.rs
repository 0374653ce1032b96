//! What tests of passes need: programs made at random from op tables (design.md §5).

pub mod generate;
pub mod refine;

pub use generate::{Generated, Options, generate};
pub use refine::{Refinement, refines};
