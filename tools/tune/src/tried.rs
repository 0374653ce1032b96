//! What became of a candidate: measured now, or in another search.

use terrace_search_explore::log::{Outcome, Stages};

/// What became of a candidate
pub(crate) struct Tried {
    /// How it fared
    pub outcome: Outcome,
    /// Bytes in main or device memory that it holds, where they are known
    pub bytes: Option<u64>,
    /// Where the time went
    pub stages: Stages,
    /// Nanoseconds of each run
    pub times: Vec<u64>,
    /// Those of a second measurement, where it seemed far better than all before
    pub again: Vec<u64>,
    /// Those of the anchor, where it was measured after this
    pub anchor: Vec<u64>,
}

impl Tried {
    /// Without times
    pub(crate) fn failed(outcome: Outcome, stages: Stages) -> Tried {
        Tried { outcome, bytes: None, stages, times: Vec::new(), again: Vec::new(), anchor: Vec::new() }
    }
}
