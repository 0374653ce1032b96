//! A region without its mark: fields without one are operands

#![allow(unused_imports)]

use terrace_ir::rules::*;
use terrace_macros::op;

#[op("t.loop")]
pub struct Loop {
    lower: IntLike,
    body: Region,
}

fn main() {}
