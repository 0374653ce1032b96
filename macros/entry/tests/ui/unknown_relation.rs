//! A relation that does not exist

#![allow(unused_imports)]

use terrace_ir::rules::*;
use terrace_macros::op;

#[op("t.add", relations(equal(a, b)))]
pub struct Add {
    #[operand]
    a: IntLike,
    #[operand]
    b: IntLike,
}

fn main() {}
