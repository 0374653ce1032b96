//! A trait that does not exist

#![allow(unused_imports)]

use terrace_ir::rules::*;
use terrace_macros::op;

#[op("t.add", traits(Pure, Associative))]
pub struct Add {}

fn main() {}
