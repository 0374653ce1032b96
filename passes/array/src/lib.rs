//! Passes on functional array patterns, and rewriting of them: rules by set, strategies by name.
//!
//! - [`expand`]: the pass `array-expand`: macros written out;
//! - [`inline`]: the pass `array-inline`: functions that patterns call become part of them;
//! - [`obligations`]: the pass `array-obligations`: the conditions on sizes that are open;
//! - [`place`]: the pass `array-place`: memory for computed values that have none;
//! - [`bind`]: the pass `array-bind`: numbers in place of symbols of sizes.
//! - [`count`]: the pass `array-count`: how many maps there are.
//! - [`rewrite`]: the pass `array-rewrite`, which applies rules and strategies.
//! - [`rule`]: what a rule is, and that one that says no has changed nothing.
//! - [`site`]: matching and conditions; [`build`]: making the right side, with types inferred.
//! - [`rules`]: the sets, one file each; [`strategies`]: derivations built from them.

pub mod bind;
pub mod build;
pub mod codes;
pub mod count;
mod deep;
pub mod expand;
pub mod inline;
pub mod known;
pub mod obligations;
pub mod place;
pub mod rewrite;
pub mod rule;
pub mod rules;
pub mod site;
pub mod strategies;

use terrace_pass::PassInfo;
use terrace_rewrite::library::Library;

/// Rules and strategies of this crate
pub const LIBRARY: Library = Library { rules: rules::SETS, strategies: strategies::ALL };

/// All passes of this crate, in alphabetical order
pub static PASSES: &[&PassInfo] = &[
    &bind::INFO,
    count::ArrayCount::INFO,
    expand::ArrayExpand::INFO,
    &inline::INFO,
    obligations::ArrayObligations::INFO,
    place::ArrayPlace::INFO,
    &rewrite::INFO,
];
