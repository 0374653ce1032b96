//! A successor whose arguments are no operand

#![allow(unused_imports)]

use terrace_ir::rules::*;
use terrace_macros::op;

#[op("t.branch")]
pub struct Branch {
    #[attr]
    args: I32Attr,
    #[successor(operands = args)]
    dest: Successor,
}

fn main() {}
