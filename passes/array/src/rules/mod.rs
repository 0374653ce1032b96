//! Rules by set.

pub mod tile;

use terrace_rewrite::Rule;

/// All sets
pub const SETS: &[&[&dyn Rule]] = &[tile::RULES];
