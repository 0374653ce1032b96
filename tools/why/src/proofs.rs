//! What a solver says of the functions that passes change.

use terrace_refine::Call;

/// A function after a pass
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// Number of the pass, from 0
    pub pass: usize,
    /// Name of the function
    pub function: String,
}

/// What is known of the functions that passes change
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Proofs {
    /// The solver
    pub solver: String,
    /// Proven for all arguments
    pub proven: Vec<Change>,
    /// Not known, and why
    pub open: Vec<(Change, String)>,
    /// Refuted, by a call
    pub refuted: Vec<(Change, Call)>,
}

impl Proofs {
    /// Do all passes keep the meaning of all functions?
    pub fn is_complete(&self) -> bool {
        self.open.is_empty() && self.refuted.is_empty()
    }

    /// The calls that refute
    pub fn calls(&self) -> Vec<Call> {
        self.refuted.iter().map(|(_, call)| call.clone()).collect()
    }
}
