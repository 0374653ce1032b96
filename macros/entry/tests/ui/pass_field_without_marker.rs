//! A field that is no option

use terrace_macros::pass;

/// Does nothing
#[pass("idle")]
pub struct Idle {
    /// How often
    turns: u32,
}

fn main() {}
