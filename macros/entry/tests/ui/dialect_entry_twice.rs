//! One entry twice in a list of a dialect

use terrace_macros::{dialect, op};

/// Does nothing
#[op("bits.nop", traits(Pure))]
#[asm("attr-dict")]
pub struct Nop;

dialect! {
    /// Ops on bits
    pub BITS = "bits" { ops: [Nop, Nop] }
}

fn main() {}
