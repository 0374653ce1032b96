//! Two options of one name

use terrace_macros::pass;

/// Does nothing
#[pass("idle")]
pub struct Idle {
    /// How often
    #[option]
    turns: u32,
    /// How often too
    #[option(name = "turns")]
    rounds: u32,
}

fn main() {}
