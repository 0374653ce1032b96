//! All neighbours of good points (paper: FlexTensor §6.5, "P-method").

use super::starts::Measured;
use super::{Fresh, Technique, Turn};
use crate::direction::Directions;
use crate::space::Space;
use crate::trial::{Origin, Trial};
use std::collections::VecDeque;
use terrace_schedule_model::Point;

/// How a search moves from point to point
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Moving {
    /// Points drawn at random before anything is moved
    pub drawn: u64,
    /// Points that a round starts from
    pub starts: usize,
    /// Moves in a row from each, where a technique takes one direction at a time
    pub steps: usize,
    /// γ of the weights of starts. The paper prints none, its artifact has 0.5: then a point of half the best speed is left as often
    /// as three quarters of the best, and a search hardly comes near. With 4 it finds in a fraction of the trials
    pub gamma: f64,
}

impl Default for Moving {
    fn default() -> Moving {
        Moving { drawn: 8, starts: 1, steps: 1, gamma: 4.0 }
    }
}

/// Starts by weight, and all of their neighbours
pub struct PMethod<'a> {
    directions: Directions,
    fresh: Fresh<'a>,
    moving: Moving,
    measured: Measured,
    /// Points that have neighbours which were not proposed
    open: Vec<bool>,
    /// Neighbours of the starts of this round
    round: VecDeque<(Point, Origin)>,
}

impl<'a> PMethod<'a> {
    /// Of a space
    pub fn new(space: &'a dyn Space, moving: Moving) -> PMethod<'a> {
        PMethod {
            directions: Directions::of(space),
            fresh: Fresh::new(space),
            moving,
            measured: Measured::default(),
            open: Vec::new(),
            round: VecDeque::new(),
        }
    }

    /// Neighbours of new starts that were not proposed
    fn next_round(&mut self, turn: &mut Turn<'_>) {
        while self.round.is_empty() {
            let chosen =
                self.measured.draw(self.moving.starts.max(1), self.moving.gamma, &self.open, &mut turn.rng);
            if chosen.is_empty() {
                return;
            }
            for at in chosen {
                let Some(start) = self.measured.get(at) else { continue };
                for direction in 0..self.directions.len() {
                    let Some(point) = self.directions.neighbour(turn.space, &start.point, direction) else {
                        continue;
                    };
                    if !turn.is_seen(&point) {
                        self.round.push_back((point, Origin::Moved { from: start.number, direction }));
                    }
                }
                // All that is to be had from it is in this round.
                self.open[at] = false;
            }
        }
    }
}

impl Technique for PMethod<'_> {
    fn propose(&mut self, turn: &mut Turn<'_>) -> Option<(Point, Origin)> {
        if turn.number > self.moving.drawn || self.measured.len() as u64 >= self.moving.drawn {
            loop {
                if self.round.is_empty() {
                    self.next_round(turn);
                }
                let Some((point, origin)) = self.round.pop_front() else { break };
                if let Some(point) = turn.take(point) {
                    return Some((point, origin));
                }
            }
        }
        self.fresh.next(turn)
    }

    fn tell(&mut self, _: &dyn Space, trial: &Trial) {
        self.measured.add(trial);
        self.open.resize(self.measured.len(), true);
    }

    fn has_ties(&self) -> bool {
        false
    }
}
