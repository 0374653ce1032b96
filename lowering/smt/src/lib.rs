//! Functions of integers as formulas of bit vectors, and proofs that one function refines another.
//!
//! A value is its bits and whether it is poison; a function is its results and whether the call is undefined. A later function
//! *refines* an earlier one if for all arguments, poison included, either the earlier call is undefined, or the later one is
//! not and each of its results equals the earlier one, or was poison before. [`refines`] asks an SMT solver for arguments of
//! which that does not hold: none is a proof for all arguments.
//!
//! What an op means stands in rows, `table.rs`, written apart from the interpreter and the folds, so that each checks the
//! others. `index` has 64 bits. Poison does not stand for undefined values: `arith` has none of those.
//!
//! Not here: floats, vectors (what holds for scalars holds element by element), memory, loops, calls. A function with one of
//! them is not encoded, and the reason says so.

mod arith;
mod casts;
mod choices;
mod division;
mod encode;
mod refine;
mod solver;
mod table;

pub use encode::NotEncoded;
pub use refine::{Verdict, refines};
pub use solver::{NoSolver, Solver};
pub use table::faults;
