//! A relation that does not exist

#![allow(unused_imports)]

use terrace_ir::rules::*;
use terrace_macros::op;

#[op("t.add", relations(equal(a, b)))]
pub struct Add {
    a: IntLike,
    b: IntLike,
}

fn main() {}
