//! An op without its name

#![allow(unused_imports)]

use terrace_ir::rules::*;
use terrace_macros::op;

#[op(traits(Pure))]
pub struct Add {
    lhs: IntLike,
}

fn main() {}
