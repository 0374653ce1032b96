//! A name without a dialect

#![allow(unused_imports)]

use terrace_ir::rules::*;
use terrace_macros::op;

#[op("add")]
pub struct Add {
    lhs: IntLike,
}

fn main() {}
