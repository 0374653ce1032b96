//! The best points once more, side by side: what a search reports are not the times of the search.
//!
//! The best of many noisy times is too good by chance. So the best few and the schedule chosen without measuring are measured anew,
//! alternately, and one of them twice as if it were two programs. What these two differ by is noise; a finer difference is none. The best of
//! the few is found by the same rounds that are reported: a little of the chance remains.

use terrace_support::Random;

/// Draws of a bootstrap
const DRAWS: usize = 10_000;
/// What of them lies within an interval
const WITHIN: f64 = 0.95;

/// Times of programs in rounds, in each of which all were measured, in one order and then in the other
pub(crate) struct Rounds {
    /// For each round the seconds of each program
    rounds: Vec<Vec<f64>>,
    /// The two programs that are the same one
    twins: (usize, usize),
    seed: u64,
}

/// How the times of two programs compare
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Ratio {
    /// Geometric mean of the rounds
    pub mean: f64,
    /// Ends of its interval
    pub low: f64,
    /// Ends of its interval
    pub high: f64,
}

/// What a comparison shows
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Faster,
    Slower,
    /// The difference is finer than the noise
    Alike,
}

impl Verdict {
    /// In a log
    pub(crate) fn word(self) -> &'static str {
        match self {
            Verdict::Faster => "faster",
            Verdict::Slower => "slower",
            Verdict::Alike => "alike",
        }
    }
}

impl Rounds {
    /// Of rounds that all have each program
    pub(crate) fn new(rounds: Vec<Vec<f64>>, twins: (usize, usize), seed: u64) -> Rounds {
        Rounds { rounds, twins, seed }
    }

    /// How many there are
    pub(crate) fn len(&self) -> usize {
        self.rounds.len()
    }

    /// Median of a program's times; none for one that failed in a round
    pub(crate) fn seconds(&self, program: usize) -> Option<f64> {
        let mut times: Vec<f64> =
            self.rounds.iter().filter_map(|round| round.get(program).copied()).collect();
        times.sort_by(f64::total_cmp);
        let ran = times.iter().all(|time| time.is_finite());
        times.get(times.len() / 2).copied().filter(|_| ran)
    }

    /// Time of one program as a multiple of that of another
    pub(crate) fn ratio(&self, one: usize, other: usize) -> Option<Ratio> {
        let logs: Vec<f64> = self
            .rounds
            .iter()
            .filter_map(|round| Some((round.get(one)? / round.get(other)?).ln()))
            .filter(|log| log.is_finite())
            .collect();
        if logs.is_empty() {
            return None;
        }
        let mean = |sum: f64| (sum / logs.len() as f64).exp();
        let mut rng = Random::of(&[self.seed, one as u64, other as u64]);
        let mut draws: Vec<f64> =
            (0..DRAWS).map(|_| mean((0..logs.len()).map(|_| rng.pick(&logs)).sum())).collect();
        draws.sort_by(f64::total_cmp);
        let at = |part: f64| draws[((DRAWS - 1) as f64 * part).round() as usize];
        let low = (1.0 - WITHIN) / 2.0;
        Some(Ratio { mean: mean(logs.iter().sum()), low: at(low), high: at(1.0 - low) })
    }

    /// Factor that a program differs by from itself
    pub(crate) fn noise(&self) -> f64 {
        let own = self.ratio(self.twins.0, self.twins.1);
        own.map_or(1.0, |own| own.high.max(1.0 / own.low).max(1.0))
    }

    /// Is one program faster than another?
    pub(crate) fn verdict(&self, one: usize, other: usize) -> Verdict {
        let noise = self.noise();
        match self.ratio(one, other) {
            Some(ratio) if ratio.high < 1.0 && ratio.mean * noise < 1.0 => Verdict::Faster,
            Some(ratio) if ratio.low > 1.0 && ratio.mean > noise => Verdict::Slower,
            _ => Verdict::Alike,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounds in which a program's time has noise of some percent on top; programs 0 and 1 are the same one
    fn rounds(seconds: &[f64], noise: f64) -> Rounds {
        let mut rng = Random::of(&[7]);
        let mut one = |seconds: &f64| seconds * (1.0 + noise * rng.unit());
        let all = (0..9).map(|_| seconds.iter().map(&mut one).collect()).collect();
        Rounds::new(all, (0, 1), 1)
    }

    #[test]
    fn a_clear_difference_shows_and_a_fine_one_does_not() {
        let found = rounds(&[1.0, 1.0, 0.5, 0.99, 2.0], 0.2);
        assert_eq!(found.verdict(2, 0), Verdict::Faster);
        assert_eq!(found.verdict(0, 2), Verdict::Slower);
        assert_eq!(found.verdict(4, 0), Verdict::Slower);
        // One percent where a program differs from itself by several.
        assert!(found.noise() > 1.01, "{}", found.noise());
        assert_eq!(found.verdict(3, 0), Verdict::Alike);
        assert_eq!(found.verdict(0, 1), Verdict::Alike, "A against A");
        // The same where it differs from itself by nearly nothing.
        assert_eq!(rounds(&[1.0, 1.0, 0.5, 0.99], 0.001).verdict(3, 0), Verdict::Faster);
    }

    #[test]
    fn an_interval_holds_its_mean_and_depends_on_the_seed_alone() {
        let found = rounds(&[1.0, 1.0, 0.5], 0.2);
        let ratio = found.ratio(2, 0).expect("nine rounds");
        assert!(ratio.low < ratio.mean && ratio.mean < ratio.high, "{ratio:?}");
        assert!((0.4..0.6).contains(&ratio.mean), "{ratio:?}");
        assert_eq!(found.ratio(2, 0), Some(ratio));
        assert_eq!(Rounds::new(Vec::new(), (0, 1), 1).ratio(0, 1), None);
        // What fails once is no program to take.
        let failed = Rounds::new(vec![vec![1.0, 0.5], vec![1.0, f64::INFINITY], vec![1.0, 0.5]], (0, 0), 1);
        assert_eq!((failed.seconds(0), failed.seconds(1)), (Some(1.0), None));
    }
}
