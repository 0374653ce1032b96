//! One op in the list of a dialect twice, by its own name and by another's

use terrace_macros::{dialect, op};

/// Does nothing
#[op("bits.nop", traits(Pure))]
#[asm("attr-dict")]
pub struct Nop;

/// Does nothing, too
#[op("bits.nop", traits(Pure))]
#[asm("attr-dict")]
pub struct Rest;

/// Does nothing elsewhere
#[op("bytes.nop", traits(Pure))]
#[asm("attr-dict")]
pub struct Other;

dialect! {
    /// Ops on bits
    pub BITS = "bits" { ops: [Nop, Rest, Other] }
}

fn main() {}
