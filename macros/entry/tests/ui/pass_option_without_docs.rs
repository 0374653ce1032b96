//! An option that no user can understand

use terrace_macros::pass;

/// Does nothing
#[pass("idle")]
pub struct Idle {
    #[option]
    turns: u32,
}

fn main() {}
