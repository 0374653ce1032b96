//! A field twice

#![allow(unused_imports)]

use terrace_ir::rules::*;
use terrace_macros::op;

#[op("t.add")]
pub struct Add {
    lhs: IntLike,
    #[result]
    lhs: IntLike,
}

fn main() {}
