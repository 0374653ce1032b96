//! A field with the name of a function of every op

#![allow(unused_imports)]

use terrace_ir::rules::*;
use terrace_macros::op;

#[op("t.add")]
pub struct Add {
    #[attr]
    id: I32Attr,
}

fn main() {}
