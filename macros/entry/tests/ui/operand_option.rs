//! How many a field is, or of what kind, in words that are not those of fields

use terrace_macros::op;

/// Does nothing
#[op("bits.nop")]
pub struct Nop {
    value: Option<IntLike>,
}

fn main() {}
