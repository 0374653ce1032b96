//! A scope that does not exist

use terrace_macros::pass;

/// Does nothing
#[pass("idle", scope = module)]
pub struct Idle;

fn main() {}
