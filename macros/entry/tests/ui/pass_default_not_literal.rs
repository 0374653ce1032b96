//! A default that has no text

use terrace_macros::pass;

/// Does nothing
#[pass("idle")]
pub struct Idle {
    /// How often
    #[option(default = u32::MAX)]
    turns: u32,
}

fn main() {}
