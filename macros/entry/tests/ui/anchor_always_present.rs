//! A group that would always be there

#![allow(unused_imports)]

use terrace_ir::rules::*;
use terrace_macros::op;

#[op("t.add")]
#[asm("(`of` $lhs^)? attr-dict `:` type($lhs)")]
pub struct Add {
    lhs: IntLike,
}

fn main() {}
