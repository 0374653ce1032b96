//! A type whose field is not marked

use terrace_ir::rules::TypeAttr;

/// Pair
#[terrace_macros::dialect_type("t.pair")]
pub struct Pair {
    first: TypeAttr,
}

fn main() {}
