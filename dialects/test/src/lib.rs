//! What tests of passes need: programs made at random, from op tables and as text, and floats at which rounding
//! shows.

pub mod edges;
pub mod generate;
pub mod programs;
pub mod values;

pub use edges::{edges, patterns};
pub use generate::{Generated, Options, generate};
pub use terrace_refine::{Refinement, refines};
pub use values::{Harness, Numbers};
