//! Equality saturation of array patterns: all programs that rules make of one, kept at once, and the cheapest of them taken out
//! (the "optional explorer"; egg's e-graphs).
//!
//! - [`lang`]: programs as terms: functions of patterns bind by number, so that equal functions are one term;
//! - [`build`]: terms as programs: what does not depend on an element stands outside of its map, once;
//! - [`explore`]: rules, applied by their own code to programs taken out of the graph; nothing is written twice;
//! - [`cost`]: seconds, bytes moved or bytes held, by the sizes that are known;
//! - [`mod@pass`], the pass `array-saturate`.
//!
//! A union says that two terms have the same value *whenever*. A rule only promises that its right side is as defined as its left
//! one, so it is used on terms that cannot trap: all conditions on sizes proved, nothing that may be out of bounds.

pub mod build;
pub mod codes;
pub mod cost;
pub mod explore;
pub mod lang;
pub mod pass;

use terrace_pass::PassInfo;

/// All passes of this crate
pub static PASSES: &[&PassInfo] = &[&pass::INFO];
