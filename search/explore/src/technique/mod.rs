//! Which point to try next.
//!
//! A technique proposes points and gets what became of them, in the order of the proposals. It keeps no generator of random
//! numbers: each proposal has its own, which depends on the seed and on the proposal's number.

mod anneal;
mod draw;
mod moves;
mod starts;

pub use anneal::Anneal;
pub use draw::{Exhaustive, RandomDraws, Reject};
pub use moves::{Moving, PMethod};
pub use starts::{Known, Measured};

use crate::space::Space;
use crate::trial::{Origin, Trial};
use crate::walk::{Walk, sample};
use std::collections::HashSet;
use terrace_schedule_model::Point;
use terrace_support::Random;

/// A way to choose points
pub trait Technique {
    /// A point that was not proposed before ([`Turn::take`]); `None` if there seems to be none
    fn propose(&mut self, turn: &mut Turn<'_>) -> Option<(Point, Origin)>;

    /// What became of a proposal. Called once for each, in their order
    fn tell(&mut self, space: &dyn Space, trial: &Trial) {
        let _ = (space, trial);
    }

    /// May a prior choose among several proposals? Not where the technique says itself what is next
    fn has_ties(&self) -> bool {
        true
    }

    /// What went wrong with the technique itself, where something did
    fn trouble(&self) -> Option<String> {
        None
    }
}

/// Draws in a row that may be known points before a space counts as used up
pub(crate) const PATIENCE: usize = 100;

/// New points at random; what is left in order, once drawing no longer finds any
pub struct Fresh<'a> {
    walk: Walk<'a>,
    drawn_out: bool,
}

impl<'a> Fresh<'a> {
    /// Of a space
    pub fn new(space: &'a dyn Space) -> Fresh<'a> {
        Fresh { walk: Walk::new(space), drawn_out: false }
    }

    /// A point that was not proposed before; `None` if there is none
    pub fn next(&mut self, turn: &mut Turn<'_>) -> Option<(Point, Origin)> {
        if !self.drawn_out {
            match turn.sample() {
                Some(point) => return Some((point, Origin::Drawn)),
                None => self.drawn_out = true,
            }
        }
        turn.walk(&mut self.walk).map(|point| (point, Origin::Drawn))
    }
}

/// One proposal that is being made
pub struct Turn<'a> {
    /// What is searched
    pub space: &'a dyn Space,
    /// Number of the proposal
    pub number: u64,
    /// Its random numbers
    pub rng: Random,
    /// Draws that constraints refused
    pub rejected: u64,
    seen: &'a mut HashSet<Point>,
}

impl<'a> Turn<'a> {
    pub(crate) fn new(
        space: &'a dyn Space,
        seed: u64,
        number: u64,
        seen: &'a mut HashSet<Point>,
    ) -> Turn<'a> {
        Turn { space, number, rng: Random::of(&[seed, number]), rejected: 0, seen }
    }

    /// Was the point proposed already?
    pub fn is_seen(&self, point: &Point) -> bool {
        self.seen.contains(point)
    }

    /// The point, if it is new; it is not new from now on
    pub fn take(&mut self, point: Point) -> Option<Point> {
        self.seen.insert(point.clone()).then_some(point)
    }

    /// A new point at random
    fn sample(&mut self) -> Option<Point> {
        for _ in 0..PATIENCE {
            let point = sample(self.space, &mut self.rng)?;
            if let Some(point) = self.take(point) {
                return Some(point);
            }
        }
        None
    }

    /// The next point of a walk that is new: where drawing no longer finds any
    pub fn walk(&mut self, walk: &mut Walk<'_>) -> Option<Point> {
        walk.find(|point| self.seen.insert(point.clone()))
    }
}
