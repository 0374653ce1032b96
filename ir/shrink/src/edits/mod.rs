//! The edits, in families from coarse to fine.

mod attrs;
mod blocks;
mod constants;
mod ops;
mod regions;
mod signatures;
mod types;
mod units;

pub(crate) use ops::sweep;
pub(crate) use units::empty;

use crate::edit::Tries;

/// Tries all its edits; was any accepted?
type Family = fn(&mut dyn Tries) -> bool;

/// All families
pub(crate) const FAMILIES: &[Family] = &[
    units::erase,
    units::bodies,
    ops::erase,
    regions::unwrap,
    blocks::simplify,
    ops::canonicalize,
    ops::constants,
    signatures::shorten,
    types::shrink,
    attrs::drop,
    constants::shrink,
];
