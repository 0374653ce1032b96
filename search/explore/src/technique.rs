//! Which point to try next.
//!
//! `exhaustive` walks; `random` samples; `anneal` changes one choice of the point it stands on, keeps what it can of the rest,
//! and moves there if it is better, or by chance that shrinks as the search goes on (Kirkpatrick and others, 1983). Every
//! technique gives each point once. `reject` is what a search without a solver does: each choice is drawn by itself, and points
//! that constraints refuse are thrown away and counted.

use crate::space::Space;
use crate::walk::{Walk, complete, sample};
use std::collections::HashSet;
use terrace_schedule_model::{Decision, Point};
use terrace_support::Random;

/// How points are chosen
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Technique {
    /// All in order
    Exhaustive,
    /// At random
    Random,
    /// Changes of good ones
    Anneal,
    /// Each choice at random, whatever the constraints, until a point satisfies them
    Reject,
}

impl Technique {
    /// With their words
    pub const ALL: [(&'static str, Technique); 4] = [
        ("exhaustive", Technique::Exhaustive),
        ("random", Technique::Random),
        ("anneal", Technique::Anneal),
        ("reject", Technique::Reject),
    ];

    /// By word
    pub fn parse(word: &str) -> Option<Technique> {
        Technique::ALL.iter().find(|(name, _)| *name == word).map(|(_, technique)| *technique)
    }
}

/// Draws in a row that may be known points before a space counts as used up
const PATIENCE: usize = 200;

/// Draws for one point that constraints may refuse before a search without a solver gives up
pub const MOST_REJECTED: u64 = 2_000_000;

/// A search in progress
pub struct Explorer<'a> {
    space: &'a dyn Space,
    technique: Technique,
    rng: Random,
    walk: Walk<'a>,
    seen: HashSet<Point>,
    /// Where annealing stands, with its cost
    at: Option<(Point, f64)>,
    best: Option<(Point, f64)>,
    reported: u32,
    rejected: u64,
}

impl<'a> Explorer<'a> {
    /// A search from a seed
    pub fn new(space: &'a dyn Space, technique: Technique, seed: u64) -> Explorer<'a> {
        let rng = Random::new(seed);
        let walk = Walk::new(space);
        Explorer {
            space,
            technique,
            rng,
            walk,
            seen: HashSet::new(),
            at: None,
            best: None,
            reported: 0,
            rejected: 0,
        }
    }

    /// The cheapest point so far
    pub fn best(&self) -> Option<(&Point, f64)> {
        self.best.as_ref().map(|(point, cost)| (point, *cost))
    }

    /// Draws that constraints refused in the last proposal
    pub fn rejected(&self) -> u64 {
        self.rejected
    }

    /// A point that was not given before; `None` if there seems to be none
    pub fn propose(&mut self) -> Option<Point> {
        self.rejected = 0;
        if self.technique == Technique::Reject {
            return self.accepted();
        }
        if self.technique == Technique::Exhaustive {
            let seen = &mut self.seen;
            return self.walk.by_ref().find(|point| seen.insert(point.clone()));
        }
        for _ in 0..PATIENCE {
            let point = match (&self.at, self.technique) {
                (Some((at, _)), Technique::Anneal) => neighbour(self.space, at, &mut self.rng),
                _ => None,
            };
            let Some(point) = point.or_else(|| sample(self.space, &mut self.rng)) else { break };
            if self.seen.insert(point.clone()) {
                return Some(point);
            }
        }
        // Drawing no longer finds new points: walk to those that are left.
        let seen = &mut self.seen;
        self.walk.by_ref().find(|point| seen.insert(point.clone()))
    }

    fn accepted(&mut self) -> Option<Point> {
        for _ in 0..PATIENCE {
            let left = MOST_REJECTED.saturating_sub(self.rejected);
            let found = self.space.blind(&mut self.rng, left)?;
            self.rejected += found.rejected;
            let point = found.point?;
            if self.seen.insert(point.clone()) {
                return Some(point);
            }
        }
        None
    }

    /// What a point cost; `None` if it is no good at all
    pub fn tell(&mut self, point: &Point, cost: Option<f64>) {
        self.seen.insert(point.clone());
        let Some(cost) = cost.filter(|cost| cost.is_finite()) else { return };
        self.reported += 1;
        if self.best.as_ref().is_none_or(|(_, best)| cost < *best) {
            self.best = Some((point.clone(), cost));
        }
        // Only annealing stands somewhere: draws of the others hang on the seed alone.
        let moves = match &self.at {
            _ if self.technique != Technique::Anneal => false,
            None => true,
            Some((_, at)) => {
                // A tenth slower is taken with probability 1/e at first, and ever more rarely.
                let temperature = 0.1 * 0.97_f64.powf(f64::from(self.reported));
                cost <= *at || self.rng.unit() < (-(cost / at - 1.0) / temperature.max(1e-9)).exp()
            }
        };
        if moves {
            self.at = Some((point.clone(), cost));
        }
    }
}

/// The point with one choice changed, and of the others as many as before as can be
fn neighbour(space: &dyn Space, at: &[Decision], rng: &mut Random) -> Option<Point> {
    for _ in 0..at.len().max(4) {
        if at.is_empty() {
            return None;
        }
        let n = rng.below(at.len());
        let mut values = space.values(&at[..n]);
        values.retain(|value| *value != at[n]);
        if values.is_empty() {
            continue;
        }
        let mut begin = Point::from(&at[..n]);
        begin.push(values.swap_remove(rng.below(values.len())));
        if let Some(point) = complete(space, &begin, at) {
            return Some(point);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three digits
    struct Digits;

    impl Space for Digits {
        fn names(&self) -> Vec<String> {
            ["a", "b", "c"].map(String::from).to_vec()
        }

        fn values(&self, _: &[Decision]) -> Vec<Decision> {
            (0..10).map(Decision::Number).collect()
        }
    }

    fn cost(point: &Point) -> f64 {
        let digit = |n: usize| match point[n] {
            Decision::Number(digit) => digit as f64,
            _ => f64::NAN,
        };
        1.0 + (digit(0) - 7.0).abs() + (digit(1) - 2.0).abs() + (digit(2) - 5.0).abs()
    }

    #[test]
    fn every_technique_gives_every_point_once() {
        for (_, technique) in &Technique::ALL[..3] {
            let mut explorer = Explorer::new(&Digits, *technique, 3);
            let mut points = HashSet::new();
            while let Some(point) = explorer.propose() {
                explorer.tell(&point, Some(cost(&point)));
                assert!(points.insert(point));
            }
            assert_eq!(points.len(), 1000);
            assert_eq!(explorer.best().map(|(_, cost)| cost), Some(1.0));
        }
    }

    #[test]
    fn annealing_needs_fewer_points_than_chance() {
        let needed = |technique| -> usize {
            let runs = (0..20).map(|seed| {
                let mut explorer = Explorer::new(&Digits, technique, seed);
                let mut tried = 0;
                while let Some(point) = explorer.propose() {
                    tried += 1;
                    explorer.tell(&point, Some(cost(&point)));
                    if cost(&point) == 1.0 {
                        break;
                    }
                }
                tried
            });
            runs.sum()
        };
        assert!(needed(Technique::Anneal) * 2 < needed(Technique::Random));
    }

    #[test]
    fn the_same_seed_gives_the_same_search() {
        let run = || {
            let mut explorer = Explorer::new(&Digits, Technique::Anneal, 11);
            let mut points = Vec::new();
            for _ in 0..50 {
                let point = explorer.propose().expect("enough points");
                explorer.tell(&point, Some(cost(&point)));
                points.push(point);
            }
            points
        };
        assert_eq!(run(), run());
    }
}
