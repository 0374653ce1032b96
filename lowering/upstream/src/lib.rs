//! Edges between upstream's own dialects, one file each: `a_to_b.rs`.
//!
//! - [`scf_parallel_to_calls`]: outermost parallel loops become calls that may be cut into pieces.
//! - [`scf_to_cf`]: structured loops and conditions become blocks and branches.
//!
//! An edge deletes the dialect it starts from, or says at which op it could not. Codes: E05xx.

pub mod codes;
mod parallel_to_for;
pub mod scf_parallel_to_calls;
pub mod scf_to_cf;

use terrace_pass::PassInfo;

/// All passes of this crate, alphabetical
pub static PASSES: &[&PassInfo] = &[&scf_to_cf::INFO, &scf_parallel_to_calls::INFO];
