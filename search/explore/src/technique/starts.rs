//! Which measured points a search moves on from (paper: FlexTensor §5.1, heuristic method).

use crate::trial::Trial;
use terrace_schedule_model::Point;
use terrace_support::Random;

/// How likely a point is to be chosen: exp(−γ (E* − E) / E*) for performance values E, the best of them E*. The paper calls it a
/// probability; it is a weight, since the sum over points is not 1
fn weight(gamma: f64, best: f64, own: f64) -> f64 {
    (-gamma * (best - own) / best).exp()
}

/// A measured point that one may move on from
#[derive(Clone, Debug)]
pub struct Known {
    /// Number of its proposal
    pub number: u64,
    /// Its point
    pub point: Point,
    /// Its performance value: one over its cost
    pub value: f64,
}

/// The set H of the paper, without points that failed: their weight e^−γ would fill it with failures
#[derive(Default)]
pub struct Measured {
    all: Vec<Known>,
    best: f64,
}

impl Measured {
    /// Add what ran
    pub fn add(&mut self, trial: &Trial) {
        let Some(cost) = trial.cost().filter(|cost| *cost > 0.0) else { return };
        let value = 1.0 / cost;
        self.best = self.best.max(value);
        self.all.push(Known { number: trial.number, point: trial.point.clone(), value });
    }

    /// How many there are
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// By position
    pub fn get(&self, at: usize) -> Option<&Known> {
        self.all.get(at)
    }

    /// Positions of so many points, each at most once, drawn by weight among those that `open` has
    pub fn draw(&self, count: usize, gamma: f64, open: &[bool], rng: &mut Random) -> Vec<usize> {
        let is_open = |at: &usize| open.get(*at).copied().unwrap_or(true);
        let mut left: Vec<(usize, f64)> = (0..self.all.len())
            .filter(is_open)
            .map(|at| (at, weight(gamma, self.best, self.all[at].value)))
            .collect();
        let mut chosen = Vec::new();
        while chosen.len() < count && !left.is_empty() {
            let total: f64 = left.iter().map(|(_, weight)| weight).sum();
            let mut rest = rng.unit() * total;
            let found = left.iter().position(|(_, weight)| {
                rest -= weight;
                rest < 0.0
            });
            // Rounding may leave a little of the sum.
            chosen.push(left.remove(found.unwrap_or(left.len() - 1)).0);
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{Feedback, Origin};

    /// D16: points are drawn as often as their weights say
    #[test]
    fn starts_are_drawn_by_weight() {
        let mut measured = Measured::default();
        for (number, cost) in [(1, 1.0), (2, 2.0), (3, 4.0)] {
            measured.add(&Trial {
                number,
                point: Point::default(),
                origin: Origin::Drawn,
                feedback: Feedback::Cost(cost),
            });
        }
        measured.add(&Trial {
            number: 4,
            point: Point::default(),
            origin: Origin::Drawn,
            feedback: Feedback::Bad,
        });
        assert_eq!(measured.len(), 3);
        let weights = [1.0, (-0.25_f64).exp(), (-0.375_f64).exp()];
        let total: f64 = weights.iter().sum();
        let mut drawn = [0.0; 3];
        let rounds = 30_000;
        for n in 0..rounds {
            drawn[measured.draw(1, 0.5, &[], &mut Random::of(&[9, n]))[0]] += 1.0;
        }
        for (drawn, weight) in drawn.iter().zip(weights) {
            let (share, wanted) = (drawn / rounds as f64, weight / total);
            assert!((share - wanted).abs() < 0.01, "{share} for {wanted}");
        }
        let mut all = measured.draw(5, 0.5, &[], &mut Random::of(&[9, 1]));
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2]);
        assert_eq!(measured.draw(5, 0.5, &[false, true, false], &mut Random::of(&[9, 1])), [1]);
    }
}
