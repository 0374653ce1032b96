//! A format that does not print an operand

#![allow(unused_imports)]

use terrace_ir::rules::*;
use terrace_macros::op;

#[op("t.add", relations(same(lhs, rhs)))]
#[asm("$lhs attr-dict `:` type($lhs)")]
pub struct Add {
    lhs: IntLike,
    rhs: IntLike,
}

fn main() {}
