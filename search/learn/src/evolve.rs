//! Children of good points, the one that a forest expects to be fastest.
//!
//! A round draws parents by tournament, takes each coordinate from one of them, and moves the child along a direction now and then.
//! Of the new children the one with the best expected rank is measured. One proposal in so many is drawn at random, so that the
//! forest sees other parts of the space. Without a forest the first child is measured.

use crate::forest::{Forest, ForestError};
use std::collections::HashSet;
use terrace_schedule_model::{Decision, Point};
use terrace_search_explore::technique::{Fresh, Turn};
use terrace_search_explore::{Coordinate, Directions, Feedback, Origin, Space, Technique, Trial, complete};

/// How points have children
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evolving {
    /// Points drawn at random before any has children
    pub drawn: u64,
    /// Children of a round
    pub children: usize,
    /// Points that a parent is the best of
    pub tournament: usize,
    /// How likely a child moves along a direction
    pub mutation: f64,
    /// How likely a proposal is drawn at random
    pub random: f64,
    /// Results from one training to the next; 0: no forest
    pub every: u64,
}

impl Default for Evolving {
    fn default() -> Evolving {
        Evolving { drawn: 8, children: 32, tournament: 3, mutation: 0.6, random: 0.1, every: 5 }
    }
}

struct Known {
    number: u64,
    point: Point,
    cost: Option<f64>,
}

/// Evolution by the order that a forest expects
pub struct Evolve<'a> {
    directions: Directions,
    fresh: Fresh<'a>,
    evolving: Evolving,
    seed: u64,
    /// Results in the order of their proposals
    results: Vec<Known>,
    /// Positions of those that ran
    ran: Vec<usize>,
    features: Vec<Vec<f64>>,
    forest: Option<Forest>,
    failed: Option<ForestError>,
}

impl<'a> Evolve<'a> {
    /// Of a space
    pub fn new(space: &'a dyn Space, evolving: Evolving, seed: u64) -> Evolve<'a> {
        Evolve {
            directions: Directions::of(space),
            fresh: Fresh::new(space),
            evolving,
            seed,
            results: Vec::new(),
            ran: Vec::new(),
            features: Vec::new(),
            forest: None,
            failed: None,
        }
    }

    /// The forest, once there is one
    pub fn forest(&self) -> Option<&Forest> {
        self.forest.as_ref()
    }

    /// The best of some that ran
    fn parent(&self, turn: &mut Turn<'_>) -> Option<&Known> {
        let mut best: Option<&Known> = None;
        for _ in 0..self.evolving.tournament.max(1) {
            let own = &self.results[*self.ran.get(turn.rng.below(self.ran.len().max(1)))?];
            let faster = best.is_none_or(|best| own.cost < best.cost);
            best = Some(own).filter(|_| faster).or(best);
        }
        best
    }

    /// A child of two points, and the number of the first
    fn child(&self, turn: &mut Turn<'_>) -> Option<(u64, Point)> {
        let (first, second) = (self.parent(turn)?, self.parent(turn)?);
        let mut wish: Vec<Decision> = first.point.to_vec();
        for coordinate in self.directions.coordinates() {
            if turn.rng.unit() < 0.5 {
                for param in params(coordinate) {
                    wish[param] = second.point[param].clone();
                }
            }
        }
        let mut child = complete(turn.space, &[], &wish)?;
        if !self.directions.is_empty() && turn.rng.unit() < self.evolving.mutation {
            let direction = turn.rng.below(self.directions.len());
            child = self.directions.neighbour(turn.space, &child, direction).unwrap_or(child);
        }
        Some((first.number, child))
    }

    /// New children of a round, each once
    fn children(&self, turn: &mut Turn<'_>) -> Vec<(u64, Point)> {
        let (mut all, mut known) = (Vec::new(), HashSet::new());
        for _ in 0..self.evolving.children {
            let Some((from, child)) = self.child(turn) else { break };
            if !turn.is_seen(&child) && known.insert(child.clone()) {
                all.push((from, child));
                if self.forest.is_none() {
                    break;
                }
            }
        }
        all
    }

    /// The position of the child that seems fastest
    fn best(&mut self, children: &[(u64, Point)]) -> usize {
        let Some(forest) = &self.forest else { return 0 };
        let features: Vec<Vec<f64>> =
            children.iter().map(|(_, child)| self.directions.features(child)).collect();
        match forest.rank(&features) {
            Ok(ranks) => {
                // Of equal ones the first.
                let best = ranks.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1));
                best.map_or(0, |(n, _)| n)
            }
            Err(error) => {
                self.failed = Some(error);
                self.forest = None;
                0
            }
        }
    }

    fn learn(&mut self) {
        let costs: Vec<Option<f64>> = self.results.iter().map(|own| own.cost).collect();
        let seed = self.seed ^ costs.len() as u64;
        match Forest::learn(&self.features, &costs, seed) {
            Ok(forest) => self.forest = forest,
            Err(error) => {
                self.failed = Some(error);
                self.forest = None;
            }
        }
    }
}

fn params(coordinate: &Coordinate) -> Vec<usize> {
    match coordinate {
        Coordinate::Factors { params, .. } | Coordinate::Places(params) => params.clone(),
        Coordinate::Value(param) => vec![*param],
    }
}

impl Technique for Evolve<'_> {
    fn propose(&mut self, turn: &mut Turn<'_>) -> Option<(Point, Origin)> {
        let begun = self.results.len() as u64 >= self.evolving.drawn && !self.ran.is_empty();
        if begun && turn.rng.unit() >= self.evolving.random {
            let mut children = self.children(turn);
            if !children.is_empty() {
                let best = self.best(&children);
                let (from, child) = children.swap_remove(best);
                if let Some(point) = turn.take(child) {
                    return Some((point, Origin::Changed(from)));
                }
            }
        }
        // The first points, one in so many, and where all children are known.
        self.fresh.next(turn)
    }

    fn tell(&mut self, _: &dyn Space, trial: &Trial) {
        if trial.feedback == Feedback::Lost {
            return;
        }
        let cost = trial.cost();
        self.ran.extend(cost.map(|_| self.results.len()));
        self.features.push(self.directions.features(&trial.point));
        self.results.push(Known { number: trial.number, point: trial.point.clone(), cost });
        let due = self.evolving.every > 0 && (self.results.len() as u64).is_multiple_of(self.evolving.every);
        if due && self.failed.is_none() {
            self.learn();
        }
    }

    fn has_ties(&self) -> bool {
        false
    }

    fn trouble(&self) -> Option<String> {
        self.failed.as_ref().map(|error| format!("{error}; the first child is measured from then on"))
    }
}

#[cfg(test)]
mod tests;
