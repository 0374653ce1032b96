//! A relation with a field that does not exist

#![allow(unused_imports)]

use terrace_ir::rules::*;
use terrace_macros::op;

#[op("t.add", relations(same(lhs, right)))]
pub struct Add {
    lhs: IntLike,
    rhs: IntLike,
}

fn main() {}
