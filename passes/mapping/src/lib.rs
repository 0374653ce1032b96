//! Passes that map parallelism: one variable per map, rules from the program, levels from a solution.
//!
//! - [`parametrize`]: `array-parametrize`, parameters for levels with all constraints between them;
//! - [`explain`]: `array-explain-mapping`, the constraints that a mapping violates;
//! - [`map`]: `array-map`, the levels of one mapping;
//! - [`space`]: `array-space`, the constraints of types and hardware as a space;
//! - [`solve`]: `tune-solve`, the points of a space counted, the best one found.
//!
//! The constraints themselves are in `search/mapping`. **Invariant:** what leaves a pass is an `array` program again.

pub mod explain;
pub mod map;
mod options;
pub mod parametrize;
mod per_function;
pub mod solve;
pub mod space;

use terrace_pass::PassInfo;

/// All passes of this crate, alphabetical
pub static PASSES: &[&PassInfo] =
    &[&explain::EXPLAIN, &map::MAP, &parametrize::PARAMETRIZE, &space::SPACE, &solve::SOLVE];
