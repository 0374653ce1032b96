//! What is wrong with the text of a schedule, and where.

use crate::broken::{Broken, Rule};
use std::fmt;
use std::ops::Range;

/// A broken rule, and where
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScheduleError {
    /// Bytes of the source
    pub at: Range<usize>,
    /// The step, from 1
    pub step: Option<usize>,
    /// What is wrong and what would be accepted
    pub broken: Broken,
}

impl ScheduleError {
    /// A broken rule at a place of the source
    pub(crate) fn new(broken: Broken, at: Range<usize>) -> ScheduleError {
        ScheduleError { at, step: None, broken }
    }

    /// In a step, from 1
    pub(crate) fn in_step(self, step: usize) -> ScheduleError {
        ScheduleError { step: Some(step), ..self }
    }

    /// The rule
    pub fn rule(&self) -> Option<Rule> {
        self.broken.rule
    }
}

impl fmt::Display for ScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step {
            Some(step) => write!(f, "step {step}: {}", self.broken),
            None => self.broken.fmt(f),
        }
    }
}

impl std::error::Error for ScheduleError {}
