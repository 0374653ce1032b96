//! An op has one syntax

#![allow(unused_imports)]

use terrace_ir::rules::*;
use terrace_macros::op;

#[op("t.neg")]
#[asm("$x attr-dict `:` type($x)")]
#[asm("`of` $x attr-dict `:` type($x)")]
pub struct Neg {
    x: IntLike,
}

fn main() {}
