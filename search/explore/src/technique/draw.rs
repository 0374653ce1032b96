//! Techniques that learn nothing: all points in order, or drawn ones.

use super::{Fresh, PATIENCE, Technique, Turn};
use crate::space::Space;
use crate::trial::Origin;
use crate::walk::Walk;
use terrace_schedule_model::Point;

/// All points in order
pub struct Exhaustive<'a>(Walk<'a>);

impl<'a> Exhaustive<'a> {
    /// Of a space
    pub fn new(space: &'a dyn Space) -> Exhaustive<'a> {
        Exhaustive(Walk::new(space))
    }
}

impl Technique for Exhaustive<'_> {
    fn propose(&mut self, turn: &mut Turn<'_>) -> Option<(Point, Origin)> {
        turn.walk(&mut self.0).map(|point| (point, Origin::Drawn))
    }

    fn has_ties(&self) -> bool {
        false
    }
}

/// Points at random; what is left in order, once drawing finds nothing new
pub struct RandomDraws<'a>(Fresh<'a>);

impl<'a> RandomDraws<'a> {
    /// Of a space
    pub fn new(space: &'a dyn Space) -> RandomDraws<'a> {
        RandomDraws(Fresh::new(space))
    }
}

impl Technique for RandomDraws<'_> {
    fn propose(&mut self, turn: &mut Turn<'_>) -> Option<(Point, Origin)> {
        self.0.next(turn)
    }
}

/// Draws for one point that constraints may refuse before a search without a solver gives up
const MOST_REJECTED: u64 = 2_000_000;

/// Each choice at random, whatever the constraints, until a point satisfies them: what a search without a solver does
pub struct Reject;

impl Technique for Reject {
    fn propose(&mut self, turn: &mut Turn<'_>) -> Option<(Point, Origin)> {
        for _ in 0..PATIENCE {
            let left = MOST_REJECTED.saturating_sub(turn.rejected);
            let found = turn.space.blind(&mut turn.rng, left)?;
            turn.rejected += found.rejected;
            if let Some(point) = turn.take(found.point?) {
                return Some((point, Origin::Drawn));
            }
        }
        None
    }
}
