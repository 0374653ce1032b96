//! The order in which threads that run a copy together visit its elements, and how a request accesses memory.

use terrace_dialect_sched::Copy;
use terrace_ir::Value;

/// Most elements of a thread that are unrolled as a whole: loads in flight are registers
const UNROLLED: i64 = 16;

/// How a copy accesses memory
#[derive(Clone, Copy)]
pub(crate) struct Request {
    /// Elements side by side along the fastest dimension
    pub elements: i64,
    /// One load has them
    pub loads: bool,
    /// One store has them
    pub stores: bool,
}

impl Default for Request {
    fn default() -> Request {
        Request { elements: 1, loads: false, stores: false }
    }
}

/// A copy that threads run together: its elements in the order in which they are numbered, and the share of a thread
pub(crate) struct Walk {
    pub copy: Copy,
    pub sizes: Vec<i64>,
    /// Dimensions, the fastest last
    pub order: Vec<usize>,
    /// A thread's number among `members`
    pub id: Value,
    pub members: i64,
    /// How a request accesses both sides
    pub request: Request,
}

/// A request's number: the sum of values and a constant
#[derive(Clone, Copy)]
pub(crate) struct Number<'a> {
    pub values: &'a [Value],
    pub constant: i64,
}

impl Walk {
    pub fn number(&self, round: i64) -> Number<'_> {
        Number { values: std::slice::from_ref(&self.id), constant: round * self.members }
    }

    /// Requests of all threads
    pub fn requests(&self) -> i64 {
        self.sizes.iter().fold(1i64, |all, size| all.saturating_mul(*size)) / self.request.elements
    }

    /// Rounds in which every thread has a request
    pub fn whole(&self) -> i64 {
        self.requests() / self.members
    }

    /// Requests that remain
    pub fn left(&self) -> i64 {
        self.requests() % self.members
    }

    /// Are all of a thread's loads issued before its stores?
    pub fn is_unrolled(&self) -> bool {
        self.whole() * self.request.elements <= UNROLLED
    }
}
