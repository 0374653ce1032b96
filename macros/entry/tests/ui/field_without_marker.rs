//! A field that does not say what it is

#![allow(unused_imports)]

use terrace_ir::rules::*;
use terrace_macros::op;

#[op("t.add")]
pub struct Add {
    lhs: IntLike,
}

fn main() {}
