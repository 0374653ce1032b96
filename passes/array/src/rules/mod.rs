//! Rules by set.

pub mod fuse;
pub mod reduce;
pub mod simplify;
pub mod tile;

use crate::rule::ArrayRule;
use terrace_rewrite::Rule;

/// All sets
pub const SETS: &[&[&dyn Rule]] = &[simplify::RULES, fuse::RULES, tile::RULES, reduce::RULES];

/// The same, to read
pub const ALL: &[&[&ArrayRule]] = &[simplify::ALL, fuse::ALL, tile::ALL, reduce::ALL];
