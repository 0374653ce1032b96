//! Where the printer is in a function: the C blocks that are open, and what ends each.

use crate::buffer::Space;
use crate::expr::Expr;
use crate::text::Slot;
use crate::types::Scalar;
use terrace_dialect_scf as scf;
use terrace_ir::{OpId, RegionId};

/// Where the printer is in a function
pub(crate) struct Frame {
    /// C blocks that are being printed, innermost last
    pub blocks: Vec<Block>,
    /// Around this many parallel loops
    pub parallel: usize,
    /// The kernel has memory of its workgroup
    pub shares: bool,
    /// An argument is an array with its dimensions
    pub arrays: bool,
    /// What returns from the function give
    pub returns: Returns,
}

/// What `return` does in the function that is printed
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Returns {
    /// Nothing is given
    Nothing,
    /// One number is
    Value,
    /// The values go to what these pointers point to
    Out(Vec<String>),
}

/// A C block that is being printed
pub(crate) struct Block {
    pub next: Option<OpId>,
    pub end: End,
    pub waiting: usize,
}

/// What happens where the ops of a block end
pub(crate) enum End {
    Function,
    /// Assign the yielded values; close
    Assign(Vec<Slot>),
    /// The same, then the other way of a condition
    Then {
        slots: Vec<Slot>,
        other: Option<RegionId>,
        start: usize,
    },
    /// The other way; the text began here
    Else {
        slots: Vec<Slot>,
        start: usize,
    },
    /// First half of a `while`: what goes on to the second, and what comes back
    Before(Before),
    /// Body of a parallel loop
    Parallel(ParallelLoop),
    /// A case of a switch, and the regions of those that come
    Case {
        slots: Vec<Slot>,
        rest: Vec<(Option<i64>, RegionId)>,
    },
    /// Body of a parallel loop without results: C loops around it, and whether they run in parallel
    Forall {
        loops: usize,
        pragma: bool,
    },
    /// Body of an atomic update
    Update(AtomicBody),
    /// One reduction of a parallel loop
    Reduction {
        slot: Slot,
        around: Box<ParallelLoop>,
        n: usize,
    },
}

/// The first half of a `while`
pub(crate) struct Before {
    pub op: scf::While,
    /// Variables of what goes on to the second half, and whether they are carried ones that stay as they are
    pub passed: Vec<(Slot, bool)>,
    pub carried: Vec<Slot>,
    /// Where the loop's first line begins and ends in the text
    pub start: (usize, usize),
}

/// A parallel loop that is being printed
#[derive(Clone, Debug)]
pub(crate) struct ParallelLoop {
    /// Variables of the results
    pub slots: Vec<Slot>,
    /// Number of C loops
    pub rank: usize,
    /// Buffers of contributions, one for each result; empty if they are combined at once
    pub parts: Vec<String>,
    /// Number of this iteration, and of all
    pub place: String,
    pub count: String,
    /// The terminator, and what it gives
    pub reduce: Option<scf::Reduce>,
    pub given: Vec<Expr>,
    pub pragma: bool,
}

/// An update whose body is being printed
#[derive(Clone, Debug)]
pub(crate) struct AtomicBody {
    /// The element, the variable that holds what was there
    pub place: String,
    pub old: String,
    pub ty: Scalar,
    pub space: Space,
}
