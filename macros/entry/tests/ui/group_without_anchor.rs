//! A group of which nothing says when it is there

#![allow(unused_imports)]

use terrace_ir::rules::*;
use terrace_macros::op;

#[op("t.add")]
#[asm("$lhs (`flag` $flag)? attr-dict `:` type($lhs)")]
pub struct Add {
    lhs: IntLike,
    #[attr(optional)]
    flag: UnitAttr,
}

fn main() {}
