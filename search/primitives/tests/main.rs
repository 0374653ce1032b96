//! Vectors and spaces of the paper's primitives, without programs. `passes/mdh/tests/primitives.rs` runs them.

mod common;
mod designs;
mod orders;
mod spaces;
mod vectors;
