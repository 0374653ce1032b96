//! Passes on functional array patterns.
//!
//! - [`bind`]: the pass `array-bind`: numbers in place of symbols of sizes.

pub mod bind;
pub mod codes;

use terrace_pass::PassInfo;

/// All passes of this crate, alphabetical
pub static PASSES: &[&PassInfo] = &[&bind::INFO];
