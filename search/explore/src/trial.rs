//! A point on its way: proposed, measured, given to the technique.

use terrace_schedule_model::Point;

/// Where a point comes from
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// It was given
    Start,
    /// It was drawn
    Drawn,
    /// One choice of another proposal's point was changed, and what that forces
    Changed(u64),
    /// A neighbour of another proposal's point
    Moved {
        /// Number of the proposal
        from: u64,
        /// Number of the direction among those of the space
        direction: usize,
    },
}

/// What became of a proposal
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Feedback {
    /// Seconds, or another cost: lower is better
    Cost(f64),
    /// It is no good: refused, wrong, crashed, too slow
    Bad,
    /// Whoever was to measure it failed: nothing is known of the point
    Lost,
}

/// A point to measure
#[derive(Clone, PartialEq, Debug)]
pub struct Proposal {
    /// From 1, in the order of proposals
    pub number: u64,
    /// The choices
    pub point: Point,
    /// Where it comes from
    pub origin: Origin,
    /// What the prior thinks of it
    pub estimate: Option<f64>,
    /// Draws that constraints refused before it
    pub rejected: u64,
    /// The lowest cost among the results that it has seen
    pub best: Option<f64>,
    /// A point that takes longer need not be measured to the end: it follows from the results that the proposal has seen
    pub stop: Option<f64>,
}

/// A result that a technique may see
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// The proposal's number
    pub number: u64,
    /// Its point
    pub point: Point,
    /// Where the point came from
    pub origin: Origin,
    /// What became of it
    pub feedback: Feedback,
}

impl Trial {
    /// What it costs, where it ran
    pub fn cost(&self) -> Option<f64> {
        match self.feedback {
            Feedback::Cost(cost) => Some(cost),
            Feedback::Bad | Feedback::Lost => None,
        }
    }
}
