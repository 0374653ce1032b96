//! How iterations of a loop combine, and what happens at the end of a loop whose tile does not divide its extent.

use crate::words;

words!(Combination: Cc "cc", Pw "pw", Ps "ps", Ordered "ordered");
words!(Order: Source "source", Fixed "fixed", Free "free");
words!(Tail: Mask "mask", Peel "peel", Pad "pad");

/// Kind of combination
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Combination {
    /// Iterations touch disjoint locations
    #[default]
    Cc,
    /// Contributions are merged by an operator
    Pw,
    /// Prefix sums
    Ps,
    /// Any dependence: body yields the next value
    Ordered,
}

/// What order a `pw` loop promises
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// A left fold in the order of the source
    Source,
    /// Any bracketing, the same in every run
    #[default]
    Fixed,
    /// May differ from run to run
    Free,
}

/// What happens where a tile does not divide its extent
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tail {
    /// Iterations outside are masked
    Mask,
    /// The last tile is a loop of its own
    Peel,
    /// Reads are padded, writes clipped
    Pad,
}
