//! A format that does not say a type which nothing gives

#![allow(unused_imports)]

use terrace_ir::rules::*;
use terrace_macros::op;

#[op("t.add")]
#[asm("$lhs `,` $rhs attr-dict `:` type($lhs)")]
pub struct Add {
    lhs: IntLike,
    rhs: IntLike,
}

fn main() {}
