//! What tests of passes need: programs made at random from op tables (design.md §5).

pub mod generate;

pub use generate::{Generated, Options, generate};
