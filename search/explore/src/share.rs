//! One budget for several searches: which of them is worth the next round (after Ansor, OSDI 2020, §6).
//!
//! The sum of the times of all computations is to fall. A round goes to the computation that promises the largest part of it for each
//! second that its rounds take. What it promises is the gain of the later half of its rounds, as if its best time were a + b/t after t
//! rounds: then the gain of the next round is exact, whatever a is. The paper takes the gain of three rounds, which is mostly nothing or
//! much, and adds most of g/t, so that a computation that takes long has most rounds also where nothing is left to gain.
//!
//! The next round follows from recorded results alone. Draws depend on the seed and the number of the round.

use terrace_support::Random;

/// Points of a round
pub const ROUND: usize = 5;

/// One of so many rounds goes to any computation: a promise may be wrong
const ANY: u32 = 20;

/// Hope where nothing was gained for long: of all that is left, so much
const HOPE: f64 = 0.5;

/// A computation may come to this part of the rate of similar ones, at least
const SIMILAR: f64 = 0.5;

/// Rounds in which nothing ran before a computation has to wait for chance
const PATIENCE: usize = 3;

/// The key of draws, next to those of proposals
const DRAW: u64 = 0x5eed;

/// A computation that takes part
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Share {
    /// How often it is run by what it is a part of
    pub weight: f64,
    /// Operations of one run, where they are known
    pub operations: Option<f64>,
    /// What it has in common with similar ones
    pub kind: Option<String>,
}

/// What is known of it
struct Known {
    share: Share,
    /// Its best time after each round
    best: Vec<f64>,
    /// Seconds of all its rounds
    seconds: f64,
    /// Are there no more points?
    is_over: bool,
}

impl Known {
    fn rounds(&self) -> usize {
        self.best.len()
    }

    fn now(&self) -> f64 {
        self.best.last().copied().unwrap_or(f64::INFINITY)
    }

    /// Operations a second
    fn rate(&self) -> Option<f64> {
        let rate = self.share.operations? / self.now();
        Some(rate).filter(|rate| *rate > 0.0)
    }
}

/// A budget that is divided
pub struct Shares {
    seed: u64,
    all: Vec<Known>,
}

impl Shares {
    /// Among these
    pub fn new(seed: u64, shares: Vec<Share>) -> Shares {
        let known = |share| Known { share, best: Vec::new(), seconds: 0.0, is_over: false };
        Shares { seed, all: shares.into_iter().map(known).collect() }
    }

    /// Rounds so far
    pub fn rounds(&self) -> usize {
        self.all.iter().map(Known::rounds).sum()
    }

    /// Whose round is next; `None` if no computation has points left
    pub fn next_round(&self) -> Option<usize> {
        let open: Vec<usize> = (0..self.all.len()).filter(|n| !self.all[*n].is_over).collect();
        // One round each, to begin with.
        if let Some(first) = open.iter().find(|n| self.all[**n].rounds() == 0) {
            return Some(*first);
        }
        let mut rng = Random::of(&[self.seed, self.rounds() as u64, DRAW]);
        if rng.below(ANY) == 0 {
            return rng.choose(&open).copied();
        }
        // The first of equal ones.
        open.into_iter().rev().max_by(|a, b| self.promise(*a).total_cmp(&self.promise(*b)))
    }

    /// A round has ended: the best time of the computation since its beginning, infinite where nothing ran; seconds of the round;
    /// whether there are no more points
    pub fn tell(&mut self, which: usize, best: f64, seconds: f64, is_over: bool) {
        let Some(known) = self.all.get_mut(which) else { return };
        known.best.push(best);
        known.seconds += seconds.max(0.0);
        known.is_over = is_over;
    }

    /// How much less all take together after a second of this one's rounds
    fn promise(&self, which: usize) -> f64 {
        let known = &self.all[which];
        let (rounds, now) = (known.rounds(), known.now());
        if !now.is_finite() {
            return if rounds < PATIENCE { f64::INFINITY } else { 0.0 };
        }
        let (t, half) = (rounds as f64, rounds.div_ceil(2));
        let then = known.best[half - 1];
        let fallen = if then.is_finite() { then - now } else { now };
        let gain = if half < rounds { fallen * half as f64 / ((rounds - half) as f64 * t) } else { 0.0 };
        let left = (HOPE * now).max(self.behind(which).unwrap_or(0.0));
        let each = (known.seconds / t).max(1e-9);
        known.share.weight * (gain + left / (t * t)) / each
    }

    /// How much longer it takes than half of the best rate of similar ones allows
    fn behind(&self, which: usize) -> Option<f64> {
        let own = &self.all[which];
        let kind = own.share.kind.as_ref()?;
        let similar = self.all.iter().filter(|other| other.share.kind.as_ref() == Some(kind));
        let rate = similar.filter_map(Known::rate).fold(0.0, f64::max);
        Some(own.now() - own.share.operations? / (rate * SIMILAR)).filter(|behind| behind.is_finite())
    }
}

#[cfg(test)]
mod tests;
