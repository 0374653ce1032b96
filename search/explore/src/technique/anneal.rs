//! Changes of good points: one choice is drawn anew, and of the rest is kept what can be. A worse point is taken by chance, ever
//! more rarely (Kirkpatrick and others, 1983).

use super::{Fresh, Technique, Turn};
use crate::space::Space;
use crate::trial::{Origin, Trial};
use crate::walk::complete;
use terrace_schedule_model::{Decision, Point};
use terrace_support::Random;

/// How much worse a point may be at first to be taken with a chance of 1/e
const TEMPERATURE: f64 = 0.1;
/// What is left of that after each trial
const COOLING: f64 = 0.97;

/// Changes in a row that may be known points before a point counts as used up
const NEAR: usize = 30;

/// Simulated annealing
pub struct Anneal<'a> {
    fresh: Fresh<'a>,
    seed: u64,
    /// Where it stands: number, point and cost
    at: Option<(u64, Point, f64)>,
}

impl<'a> Anneal<'a> {
    /// Of a space
    pub fn new(space: &'a dyn Space, seed: u64) -> Anneal<'a> {
        Anneal { fresh: Fresh::new(space), seed, at: None }
    }
}

impl Technique for Anneal<'_> {
    fn propose(&mut self, turn: &mut Turn<'_>) -> Option<(Point, Origin)> {
        for _ in 0..NEAR {
            let Some((from, at, _)) = &self.at else { break };
            let Some(point) = changed(turn.space, at, &mut turn.rng) else { break };
            if let Some(point) = turn.take(point) {
                return Some((point, Origin::Changed(*from)));
            }
        }
        // Around here everything is known.
        self.fresh.next(turn)
    }

    fn tell(&mut self, _: &dyn Space, trial: &Trial) {
        let Some(cost) = trial.cost() else { return };
        let moves = match &self.at {
            None => true,
            Some((_, _, at)) => {
                let exponent = i32::try_from(trial.number).unwrap_or(i32::MAX);
                let temperature = TEMPERATURE * COOLING.powi(exponent);
                let chance = (-(cost / at - 1.0) / temperature.max(1e-9)).exp();
                cost <= *at || Random::of(&[self.seed, trial.number, 1]).unit() < chance
            }
        };
        if moves {
            self.at = Some((trial.number, trial.point.clone(), cost));
        }
    }
}

/// The point with one choice changed, and of the others as many as before as can be
fn changed(space: &dyn Space, at: &[Decision], rng: &mut Random) -> Option<Point> {
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
