//! Options without names

use terrace_macros::pass;

/// Does nothing
#[pass("idle")]
pub struct Idle(u32);

fn main() {}
