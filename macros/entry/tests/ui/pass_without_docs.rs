//! A pass that nobody can find in a list

use terrace_macros::pass;

#[pass("idle")]
pub struct Idle;

fn main() {}
