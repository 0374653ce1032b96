//! An option's argument that does not exist

use terrace_macros::pass;

/// Does nothing
#[pass("idle")]
pub struct Idle {
    /// How often
    #[option(defaults = 3)]
    turns: u32,
}

fn main() {}
