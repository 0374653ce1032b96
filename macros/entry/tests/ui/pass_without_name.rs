//! A pass without a name

use terrace_macros::pass;

/// Does nothing
#[pass(scope = unit)]
pub struct Idle;

fn main() {}
