//! A format with a field that does not exist

#![allow(unused_imports)]

use terrace_ir::rules::*;
use terrace_macros::op;

#[op("t.add")]
#[asm("$lhs `,` $right attr-dict `:` type($lhs)")]
pub struct Add {
    lhs: IntLike,
    rhs: IntLike,
}

fn main() {}
