//! A format with a word that means nothing

#![allow(unused_imports)]

use terrace_ir::rules::*;
use terrace_macros::op;

#[op("t.add")]
#[asm("$lhs attribute-dict `:` type($lhs)")]
pub struct Add {
    lhs: IntLike,
}

fn main() {}
