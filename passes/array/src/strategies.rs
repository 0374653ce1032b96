//! Derivations of the papers as named strategies.

use terrace_rewrite::library::Named;

/// All strategies
pub const ALL: &[Named] = &[];
