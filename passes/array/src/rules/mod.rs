//! Rules by set.

pub mod copies;
pub mod fission;
pub mod fuse;
pub mod interchange;
pub mod iterate;
pub mod layout;
pub mod memory;
pub mod outside;
mod parts;
pub mod reduce;
pub mod simplify;
mod stencil;
pub mod tile;
pub mod vector;

use crate::rule::ArrayRule;
use terrace_rewrite::Rule;

/// All sets
pub const SETS: &[&[&dyn Rule]] = &[
    simplify::RULES,
    fuse::RULES,
    fission::RULES,
    interchange::RULES,
    tile::RULES,
    reduce::RULES,
    layout::RULES,
    memory::RULES,
    copies::RULES,
    vector::RULES,
    iterate::RULES,
];

/// The same, to read
pub const ALL: &[&[&ArrayRule]] = &[
    simplify::ALL,
    fuse::ALL,
    fission::ALL,
    interchange::ALL,
    tile::ALL,
    reduce::ALL,
    layout::ALL,
    memory::ALL,
    copies::ALL,
    vector::ALL,
    iterate::ALL,
];
