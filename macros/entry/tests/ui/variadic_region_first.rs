//! A variadic region that is not the last

#![allow(unused_imports)]

use terrace_ir::rules::*;
use terrace_macros::op;

#[op("t.add")]
pub struct Add {
    #[region(variadic)]
    cases: Region,
    #[region]
    otherwise: Region,
}

fn main() {}
