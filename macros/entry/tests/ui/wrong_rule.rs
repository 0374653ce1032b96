//! Fields whose rules are of another kind, or none

use terrace_ir::rules::{IntLike, StrAttr};
use terrace_macros::op;

/// A rule for attributes as an operand
#[op("bits.a")]
pub struct A {
    name: StrAttr,
}

/// A rule for types as an attribute
#[op("bits.b")]
pub struct B {
    #[attr]
    value: IntLike,
}

/// A type of Rust
#[op("bits.c")]
pub struct C {
    value: i64,
}

/// A trait of one's own that is none
#[op("bits.d", traits(self::A))]
pub struct D {
    value: IntLike,
}

fn main() {}
