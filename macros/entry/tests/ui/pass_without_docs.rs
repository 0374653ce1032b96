//! A pass that no user can find in a list

use terrace_macros::pass;

#[pass("idle")]
pub struct Idle;

fn main() {}
