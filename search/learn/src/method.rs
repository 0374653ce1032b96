//! One direction from each good point, the one that a network values most (paper: FlexTensor §5.1, "Q-method").
//!
//! Where the print is not well defined:
//! - The printed loss subtracts a number from the vector X(e). Trained is X(p)\[d\], of the point that was left and the direction
//!   that was taken.
//! - Performance is a rate, one over the cost. A move to a point that failed is worth −1, with nothing behind it.
//! - The best of Y(e) is taken over directions that lead to points of the space that were not measured; 0 if there is none.
//! - A trial is a result that arrived, failures included. One that was lost says nothing and does not count.
//! - Values are rounded before they are compared, and of equal ones the first is taken: processors round sums differently.

use crate::network::{Network, NetworkError, Sample};
use std::collections::{HashMap, HashSet, VecDeque};
use terrace_schedule_model::Point;
use terrace_search_explore::technique::{Fresh, Measured, Moving, Turn};
use terrace_search_explore::{Directions, Feedback, Origin, Space, Technique, Trial, sample};
use terrace_support::Random;

/// How the network learns
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Learning {
    /// What the best direction from the next point counts
    pub alpha: f64,
    /// Trials from one training to the next; 0: it is never trained
    pub every: u64,
}

impl Default for Learning {
    fn default() -> Learning {
        Learning { alpha: 0.9, every: 5 }
    }
}

/// A move and what came of it
struct Move {
    from: Vec<f64>,
    direction: usize,
    /// The point that it led to, where that ran
    to: Option<Arrived>,
    reward: f64,
}

struct Arrived {
    number: u64,
    point: Point,
    features: Vec<f64>,
}

/// A walk from a start
struct Path {
    /// Number of the proposal that it stands on
    number: u64,
    point: Point,
    /// Moves that are left
    left: usize,
    /// Position of its start among the measured points
    start: Option<usize>,
}

/// Starts by weight, and from each the direction that the network values most
pub struct QMethod<'a> {
    directions: Directions,
    fresh: Fresh<'a>,
    moving: Moving,
    learning: Learning,
    /// Made with the first point, which shows how many features there are
    network: Option<Network>,
    measured: Measured,
    /// Measured points from which some direction may still be new
    open: Vec<bool>,
    paths: VecDeque<Path>,
    moves: Vec<Move>,
    /// Points that results arrived for, by number, with their performance
    results: HashMap<u64, (Point, Option<f64>)>,
    visited: HashSet<Point>,
    /// Neighbours of points, by number and direction
    neighbours: HashMap<(u64, usize), Option<Point>>,
    trials: u64,
    /// Mean squared errors before each pass of each training
    losses: Vec<Vec<f64>>,
    /// Why the network is given up
    failed: Option<NetworkError>,
}

impl<'a> QMethod<'a> {
    /// Of a space
    pub fn new(
        space: &'a dyn Space,
        moving: Moving,
        learning: Learning,
        seed: u64,
    ) -> Result<QMethod<'a>, NetworkError> {
        let directions = Directions::of(space);
        let features = sample(space, &mut Random::of(&[seed])).map(|point| directions.features(&point).len());
        let network = match features {
            Some(features) if !directions.is_empty() => Some(Network::new(features, directions.len(), seed)?),
            // Nothing moves: points are drawn.
            _ => None,
        };
        Ok(QMethod {
            directions,
            fresh: Fresh::new(space),
            moving,
            learning,
            network,
            measured: Measured::default(),
            open: Vec::new(),
            paths: VecDeque::new(),
            moves: Vec::new(),
            results: HashMap::new(),
            visited: HashSet::new(),
            neighbours: HashMap::new(),
            trials: 0,
            losses: Vec::new(),
            failed: None,
        })
    }

    /// The network
    pub fn network(&self) -> Option<&Network> {
        self.network.as_ref()
    }

    /// Mean squared errors before each pass, training by training
    pub fn losses(&self) -> &[Vec<f64>] {
        &self.losses
    }

    /// Samples of all moves so far, as the next training has them
    fn samples(&mut self, space: &dyn Space) -> Result<Vec<Sample>, NetworkError> {
        let Some(network) = &self.network else { return Ok(Vec::new()) };
        let arrived: Vec<&[f64]> =
            self.moves.iter().filter_map(|own| Some(own.to.as_ref()?.features.as_slice())).collect();
        let mut behind = network.targets(&arrived)?.into_iter();
        let mut samples = Vec::with_capacity(self.moves.len());
        for own in &self.moves {
            let mut target = own.reward;
            if let Some((to, values)) = own.to.as_ref().zip(own.to.as_ref().and_then(|_| behind.next())) {
                let mut new = |direction: usize| {
                    neighbour(&self.directions, &mut self.neighbours, space, to.number, &to.point, direction)
                        .filter(|point| !self.visited.contains(point))
                };
                let best = best_first(&values)
                    .into_iter()
                    .find_map(|direction| new(direction).map(|_| values[direction]));
                target += self.learning.alpha * best.unwrap_or(0.0);
            }
            samples.push(Sample { from: own.from.clone(), direction: own.direction, target });
        }
        Ok(samples)
    }

    fn train(&mut self, space: &dyn Space) -> Result<(), NetworkError> {
        let samples = self.samples(space)?;
        match &mut self.network {
            Some(network) if !samples.is_empty() => {
                self.losses.push(network.train(&samples)?);
                network.renew()
            }
            _ => Ok(()),
        }
    }

    /// A move along the best direction that leads to a point that is new
    fn step(&mut self, turn: &mut Turn<'_>, number: u64, point: &Point) -> Option<(Point, usize)> {
        let network = self.network.as_ref()?;
        let values = match network.values(&self.directions.features(point)) {
            Ok(values) => values,
            Err(error) => {
                self.failed = Some(error);
                self.network = None;
                return None;
            }
        };
        for direction in best_first(&values) {
            let found =
                neighbour(&self.directions, &mut self.neighbours, turn.space, number, point, direction);
            if let Some(point) = found.and_then(|point| turn.take(point)) {
                return Some((point, direction));
            }
        }
        None
    }

    fn start(&mut self, turn: &mut Turn<'_>) {
        let count = self.moving.starts.max(1);
        for at in self.measured.draw(count, self.moving.gamma, &self.open, &mut turn.rng) {
            let Some(start) = self.measured.get(at) else { continue };
            let left = self.moving.steps.max(1);
            self.paths.push_back(Path {
                number: start.number,
                point: start.point.clone(),
                left,
                start: Some(at),
            });
        }
    }
}

impl Technique for QMethod<'_> {
    fn propose(&mut self, turn: &mut Turn<'_>) -> Option<(Point, Origin)> {
        let begun = turn.number > self.moving.drawn || self.measured.len() as u64 >= self.moving.drawn;
        while begun && self.network.is_some() {
            if self.paths.is_empty() {
                self.start(turn);
            }
            let Some(path) = self.paths.pop_front() else { break };
            if matches!(self.results.get(&path.number), Some((_, None))) {
                // It led to a point that failed.
                continue;
            }
            let Some((point, direction)) = self.step(turn, path.number, &path.point) else {
                if let Some(open) = path.start.and_then(|start| self.open.get_mut(start)) {
                    *open = false;
                }
                continue;
            };
            if path.left > 1 {
                let next =
                    Path { number: turn.number, point: point.clone(), left: path.left - 1, start: None };
                self.paths.push_front(next);
            }
            return Some((point, Origin::Moved { from: path.number, direction }));
        }
        self.fresh.next(turn)
    }

    fn tell(&mut self, space: &dyn Space, trial: &Trial) {
        if trial.feedback == Feedback::Lost {
            return;
        }
        self.trials += 1;
        self.measured.add(trial);
        self.open.resize(self.measured.len(), true);
        self.visited.insert(trial.point.clone());
        let value = trial.cost().filter(|cost| *cost > 0.0).map(|cost| 1.0 / cost);
        self.results.insert(trial.number, (trial.point.clone(), value));
        if let Origin::Moved { from, direction } = trial.origin
            && let Some((point, Some(before))) = self.results.get(&from)
        {
            let to = value.map(|_| Arrived {
                number: trial.number,
                point: trial.point.clone(),
                features: self.directions.features(&trial.point),
            });
            let reward = value.map_or(-1.0, |value| (value - before) / before);
            self.moves.push(Move { from: self.directions.features(point), direction, to, reward });
        }
        let due = self.learning.every > 0 && self.trials.is_multiple_of(self.learning.every);
        if due && let Err(error) = self.train(space) {
            self.failed = Some(error);
            self.network = None;
        }
    }

    fn has_ties(&self) -> bool {
        false
    }

    fn trouble(&self) -> Option<String> {
        self.failed.as_ref().map(|error| format!("{error}; points are drawn from then on"))
    }
}

/// Directions by value, the best first; of equal ones the first
fn best_first(values: &[f64]) -> Vec<usize> {
    let rounded: Vec<f64> = values.iter().map(|value| (value * ROUNDED).round()).collect();
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| rounded[*b].total_cmp(&rounded[*a]));
    order
}

/// Values that differ by less than one over this are equal
const ROUNDED: f64 = (1 << 20) as f64;

fn neighbour(
    directions: &Directions,
    known: &mut HashMap<(u64, usize), Option<Point>>,
    space: &dyn Space,
    number: u64,
    point: &Point,
    direction: usize,
) -> Option<Point> {
    known.entry((number, direction)).or_insert_with(|| directions.neighbour(space, point, direction)).clone()
}

#[cfg(test)]
pub(crate) mod tests;
