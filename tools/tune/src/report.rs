//! The report at the end.

use crate::confirm::{Ratio, Verdict};
use crate::subject::Subject;
use std::collections::BTreeMap;
use std::fmt::Write;
use terrace_search_explore::log::{self, Entry, Outcome};
use terrace_search_explore::rank;

/// A time, and the rate where the work is known
pub(crate) fn rate(seconds: f64, flops: Option<f64>) -> String {
    match flops {
        Some(flops) => format!("{:.3} ms ({:.1} GFLOP/s)", seconds * 1e3, flops / seconds / 1e9),
        None => format!("{:.3} ms", seconds * 1e3),
    }
}

/// Bytes, in millions
pub(crate) fn mb(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

/// A time and the memory where it is known
fn cost(entry: &Entry, seconds: f64, flops: Option<f64>) -> String {
    let memory = entry.bytes.map_or(String::new(), |bytes| format!(", {}", mb(bytes)));
    rate(seconds, flops) + &memory
}

/// How the best compares with the schedule chosen without measuring, in one run
#[derive(Clone, Copy, Debug)]
pub(crate) struct Against {
    /// The chosen one's time as a multiple of the best one's
    pub ratio: Ratio,
    pub verdict: Verdict,
    /// Factor that a program differs by from itself
    pub noise: f64,
    /// In how many rounds
    pub rounds: usize,
}

impl Against {
    /// As a log has it
    pub(crate) fn logged(&self) -> log::Against {
        let Against { ratio: Ratio { mean, low, high }, verdict, noise, rounds } = *self;
        log::Against { rounds, mean, interval: (low, high), noise, verdict: verdict.word().into() }
    }

    fn words(&self) -> String {
        let Against { ratio: Ratio { mean, low, high }, verdict, noise, .. } = self;
        let interval = format!("{mean:.2} × the chosen ({low:.2} to {high:.2})");
        let noise = format!("a program differs from itself by up to {noise:.2} ×");
        match verdict {
            Verdict::Faster | Verdict::Slower => interval,
            Verdict::Alike => format!("not distinguishable from the chosen: {interval}, and {noise}"),
        }
    }
}

/// The end of a search
pub(crate) fn summary(
    subject: &dyn Subject,
    entries: &[Entry],
    best: Option<(&Entry, f64)>,
    reference: Option<f64>,
    against: Option<Against>,
    flops: Option<f64>,
) -> String {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in entries {
        let kind = match &entry.outcome {
            Outcome::Ran { .. } => "ran",
            Outcome::Stopped { .. } => "stopped",
            Outcome::Failed { kind, .. } => kind,
        };
        *kinds.entry(kind).or_default() += 1;
    }
    let kinds: Vec<String> = kinds.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
    let mut text = String::new();
    let _ = writeln!(text, "{} points: {}{}", entries.len(), kinds.join(", "), subject.refusals());
    text.push_str(&order(entries));
    text.push_str(&drift(entries));
    if let Some(reference) = reference {
        let _ = writeln!(text, "chosen without measuring: {}", rate(reference, flops));
    }
    if let Some((best, seconds)) = best {
        if best.number == 1 && best.at == 0.0 && against.is_none() {
            let _ = writeln!(text, "nothing was better than it");
            return text;
        }
        let logged = || {
            reference.map_or(String::new(), |reference| format!(", {:.2} × the chosen", reference / seconds))
        };
        let times = against.map_or_else(logged, |against| format!(", {}", against.words()));
        let _ = writeln!(text, "best: {}{times}, point {}", cost(best, seconds, flops), best.number);
        text.push_str(&subject.show(&best.point));
    }
    text
}

/// How the time of the chosen schedule has moved during the search; nothing where it was measured once
fn drift(entries: &[Entry]) -> String {
    let median = |entry: &Entry| {
        let mut times = entry.anchor.clone();
        times.sort_unstable();
        times.get(times.len() / 2).map(|nanos| *nanos as f64)
    };
    let all: Vec<f64> = entries.iter().filter_map(median).filter(|time| *time > 0.0).collect();
    let [first, _, ..] = all[..] else { return String::new() };
    let least = all.iter().copied().fold(f64::INFINITY, f64::min) / first;
    let most = all.iter().copied().fold(0.0, f64::max) / first;
    format!(
        "the machine: the chosen schedule took {least:.2} to {most:.2} × its first time during the search\n"
    )
}

/// How well estimates put points in order; nothing where too few have both
fn order(entries: &[Entry]) -> String {
    let both: Vec<(f64, f64)> = entries.iter().filter_map(|entry| entry.estimate.zip(entry.cost())).collect();
    match rank::spearman(&both).zip(rank::kendall(&both)) {
        Some((spearman, kendall)) => format!(
            "order by estimates and by times: rank correlation {spearman:.2} (Spearman), {kendall:.2} (Kendall)\n"
        ),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_schedule_model::Point;

    fn entries(pairs: &[(f64, f64)]) -> Vec<Entry> {
        let one = |(n, (estimate, seconds)): (usize, &(f64, f64))| {
            let outcome = Outcome::Ran { seconds: *seconds };
            Entry { estimate: Some(*estimate), ..Entry::new(n, Point::default(), outcome, 0.0) }
        };
        pairs.iter().enumerate().map(one).collect()
    }

    #[test]
    fn the_drift_of_the_machine_is_said() {
        let mut all = entries(&[(1.0, 1.0); 3]);
        all[0].anchor = vec![100, 90, 120];
        assert_eq!(drift(&all), "");
        all[2].anchor = vec![125];
        let said = "the machine: the chosen schedule took 1.00 to 1.25 × its first time during the search\n";
        assert_eq!(drift(&all), said);
    }

    #[test]
    fn rank_correlation() {
        let one = |n: i32| (f64::from(n), f64::from(n * n));
        let mut all: Vec<_> = (0..10).map(one).collect();
        assert_eq!(order(&entries(&all[..7])), "");
        all[9].0 = 7.5;
        let said = "order by estimates and by times: rank correlation 0.99 (Spearman), 0.96 (Kendall)\n";
        assert_eq!(order(&entries(&all)), said);
    }
}
