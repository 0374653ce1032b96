//! Following a run from outside, step by step.
//!
//! A tool may put several passes in place of one that its users named. What they see of the run (printed IR, times,
//! numbers) is about the step they named: the parts of a step carry its number, and a [`Watch`] is called around them all.

use crate::cx::Stats;
use terrace_ir::{Ir, OpId};

/// Which named step a pass of a pipeline is a part of
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// Number of the step
    pub step: usize,
    /// It is the first of the step
    pub first: bool,
    /// It is the last of the step
    pub last: bool,
}

/// Follows a run; called on the thread that runs the step, for several units at once
///
/// A text that is returned becomes part of the report, in the order of the units whatever the number of threads. `path` says
/// where the unit is: slots from the root down to it, none for the root.
pub trait Watch: Send + Sync {
    /// A step begins on a unit
    fn before(&self, step: usize, unit: &Ir, path: &[OpId]) -> Option<String>;

    /// A step is through with a unit, or has failed on it
    fn after(&self, step: usize, unit: &Ir, path: &[OpId], done: bool) -> Option<String>;

    /// A part of a step has counted
    fn counted(&self, _step: usize, _stats: &Stats) {}
}
