//! The report at the end.

use crate::subject::Subject;
use std::collections::BTreeMap;
use std::fmt::Write;
use terrace_search_explore::log::{Entry, Outcome};

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

/// The end of a search
pub(crate) fn summary(
    subject: &dyn Subject,
    entries: &[Entry],
    best: Option<(&Entry, f64)>,
    reference: Option<f64>,
    flops: Option<f64>,
) -> String {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in entries {
        let kind = match &entry.outcome {
            Outcome::Ran { .. } => "ran",
            Outcome::Failed { kind, .. } => kind,
        };
        *kinds.entry(kind).or_default() += 1;
    }
    let kinds: Vec<String> = kinds.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
    let mut text = String::new();
    let _ = writeln!(text, "{} points: {}{}", entries.len(), kinds.join(", "), subject.refusals());
    if let Some(order) = order(entries) {
        let _ = writeln!(text, "order by estimates and by times: rank correlation {order:.2}");
    }
    if let Some(reference) = reference {
        let _ = writeln!(text, "chosen without measuring: {}", rate(reference, flops));
    }
    if let Some((best, seconds)) = best {
        if best.number == 1 && best.at == 0.0 {
            let _ = writeln!(text, "nothing was better than it");
            return text;
        }
        let times =
            reference.map_or(String::new(), |reference| format!(", {:.2} × the chosen", reference / seconds));
        let _ = writeln!(text, "best: {}{times}, point {}", cost(best, seconds, flops), best.number);
        text.push_str(&subject.show(&best.point));
    }
    text
}

/// Fewest points whose order says something
const SAID: usize = 8;

/// How well estimates put points in order: Spearman's rank correlation, 1 where it is the order of the times
fn order(entries: &[Entry]) -> Option<f64> {
    let both: Vec<(f64, f64)> = entries.iter().filter_map(|entry| entry.estimate.zip(entry.cost())).collect();
    if both.len() < SAID {
        return None;
    }
    let (estimates, times): (Vec<f64>, Vec<f64>) = both.into_iter().unzip();
    let (a, b) = (ranks(&estimates), ranks(&times));
    let mean = (a.len() as f64 - 1.0) / 2.0;
    let sum = |of: &dyn Fn(usize) -> f64| (0..a.len()).map(of).sum::<f64>();
    let both = sum(&|n| (a[n] - mean) * (b[n] - mean));
    let spread = sum(&|n| (a[n] - mean).powi(2)) * sum(&|n| (b[n] - mean).powi(2));
    (spread > 0.0).then(|| both / spread.sqrt())
}

/// Positions in order; equal numbers share the middle of theirs
fn ranks(numbers: &[f64]) -> Vec<f64> {
    let below = |x: f64| numbers.iter().filter(|y| **y < x).count() as f64;
    let equal = |x: f64| numbers.iter().filter(|y| **y == x).count() as f64;
    numbers.iter().map(|x| below(*x) + (equal(*x) - 1.0) / 2.0).collect()
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
    fn rank_correlation() {
        let along: Vec<_> = (0..10).map(|n| (f64::from(n), f64::from(n * n))).collect();
        assert_eq!(order(&entries(&along)), Some(1.0));
        let against: Vec<_> = (0..10).map(|n| (f64::from(n), f64::from(-n))).collect();
        assert_eq!(order(&entries(&against)), Some(-1.0));
        assert_eq!(order(&entries(&along[..7])), None);
        // All estimates equal say nothing.
        let equal: Vec<_> = (0..10).map(|n| (1.0, f64::from(n))).collect();
        assert_eq!(order(&entries(&equal)), None);
    }
}
