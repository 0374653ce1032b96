//! Applications: the single changes of a pass, counted, so that a run can stop after any of them.
//!
//! A pass that counts asks [`Steps::take`] before each change that could as well be left out, or right after one that it
//! cannot leave out, and stops when [`Steps::is_spent`]. Two runs on the same unit make the same applications in the same
//! order, so that a number stands for one of them.

use crate::ir::{Ir, OpId};
use std::cell::Cell;

/// A single change of a unit
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Application {
    /// A rule, or what the pass calls the change
    pub what: &'static str,
    /// Name of the op that it began from
    pub op: &'static str,
}

/// May a change that could as well be left out be made? Counts it, by what it is and the op it begins from
///
/// Everything may be changed where nothing counts.
#[inline]
pub fn may(steps: Option<&Steps>, what: &'static str, ir: &Ir, op: OpId) -> bool {
    steps.is_none_or(|steps| steps.take(what, ir.def(op).name))
}

/// Counts the applications of one run of a pass on one unit, up to a limit
#[derive(Debug)]
pub struct Steps {
    left: Cell<u64>,
    count: Cell<u64>,
    last: Cell<Option<Application>>,
}

impl Steps {
    /// So many, and no more
    pub fn up_to(limit: u64) -> Steps {
        Steps { left: Cell::new(limit), count: Cell::new(0), last: Cell::new(None) }
    }

    /// May nothing be changed any more?
    #[inline]
    pub fn is_spent(&self) -> bool {
        self.left.get() == 0
    }

    /// One more: what it is, and from which op; false if it may not be
    pub fn take(&self, what: &'static str, op: &'static str) -> bool {
        if self.is_spent() {
            return false;
        }
        self.left.set(self.left.get() - 1);
        self.count.set(self.count.get() + 1);
        self.last.set(Some(Application { what, op }));
        true
    }

    /// How many there were
    pub fn count(&self) -> u64 {
        self.count.get()
    }

    /// The last one
    pub fn last(&self) -> Option<Application> {
        self.last.get()
    }
}
