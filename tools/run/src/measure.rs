//! How often a program is measured: a number of runs, or until the mean is known well enough.
//!
//! The second is how the MDH papers measure (§6.1): runs are added until the 99 % confidence interval of the mean lies
//! within 5 % of it.

use crate::args::Runs;
use terrace_target_api::{Failed, Job, Outcome, Target};

/// Runs of the first round
const FIRST: u32 = 10;
/// Runs at most: a mean that is not known by then is reported with the interval that it has
const MOST: usize = 20_000;
/// Half of the interval, as a part of the mean
const WITHIN: f64 = 0.05;
/// Standard errors on either side that hold 99 % of a normal distribution
const ERRORS: f64 = 2.576;

/// Runs of the first round
pub(crate) fn first(runs: Runs) -> u32 {
    match runs {
        Runs::Count(n) => n,
        Runs::Confident => FIRST,
    }
}

/// Run on a back end, as often as it takes
pub(crate) fn run(job: &Job<'_>, target: &dyn Target, runs: Option<Runs>) -> Result<Outcome, Failed> {
    let mut outcome = terrace_target_api::run(target, job)?;
    while runs == Some(Runs::Confident) && !confident(&outcome.times_ns) && outcome.times_ns.len() < MOST {
        let more = u32::try_from(outcome.times_ns.len()).unwrap_or(FIRST);
        let others = terrace_target_api::run(target, &Job { bench: Some(more), ..*job })?;
        outcome.times_ns.extend(others.times_ns);
        outcome.launches.extend(others.launches);
    }
    Ok(outcome)
}

/// Mean, and half of its 99 % confidence interval
pub(crate) fn interval(times: &[u64]) -> (f64, f64) {
    let n = times.len() as f64;
    let mean = times.iter().map(|time| *time as f64).sum::<f64>() / n.max(1.0);
    let squares: f64 = times.iter().map(|time| (*time as f64 - mean).powi(2)).sum();
    let deviation = (squares / (n - 1.0).max(1.0)).sqrt();
    (mean, ERRORS * deviation / n.max(1.0).sqrt())
}

fn confident(times: &[u64]) -> bool {
    let (mean, half) = interval(times);
    times.len() > 1 && half <= WITHIN * mean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_of_known_samples() {
        // Mean 10, deviation √(10/4): 2.576 · 1.5811 / √5.
        let (mean, half) = interval(&[8, 9, 10, 11, 12]);
        assert_eq!(mean, 10.0);
        assert!((half - 1.8215).abs() < 1e-3, "{half}");
        assert!(!confident(&[8, 9, 10, 11, 12]));
        assert!(confident(&[100, 101, 99, 100, 100]));
        assert!(!confident(&[]) && !confident(&[7]));
    }
}
