//! What a page says of a log, as far as several of its parts need it.

use crate::curves::Curve;
use terrace_search_explore::Origin;
use terrace_search_explore::log::{End, Entry, Outcome};

/// A log, and what follows from it
pub(super) struct Facts<'a> {
    pub curve: &'a Curve,
    /// How the search ended, where the log says so
    pub end: Option<End>,
    /// Points that ran to the end, with their seconds, in the order of the log
    pub ran: Vec<(&'a Entry, f64)>,
}

impl<'a> Facts<'a> {
    pub(super) fn of(curve: &'a Curve, end: Option<End>) -> Facts<'a> {
        let time = |entry: &'a Entry| entry.cost().filter(|cost| is_time(*cost));
        let ran = curve.entries.iter().filter_map(|entry| Some((entry, time(entry)?))).collect();
        Facts { curve, end, ran }
    }

    pub(super) fn entries(&self) -> &'a [Entry] {
        &self.curve.entries
    }

    /// Those that ran, fastest first
    pub(super) fn ran_by_time(&self) -> impl Iterator<Item = (&'a Entry, f64)> {
        let mut all = self.ran.clone();
        all.sort_by(|a, b| a.1.total_cmp(&b.1));
        all.into_iter()
    }

    /// Seconds of the search until its last point
    pub(super) fn searched(&self) -> f64 {
        self.entries().iter().map(|entry| entry.at).filter(|at| is_time(*at)).fold(0.0, f64::max)
    }

    /// The best point, and its seconds: as measured at the end, where it was
    pub(super) fn best(&self) -> Option<(&'a Entry, f64)> {
        let confirmed = self.end.as_ref().and_then(|end| end.best.as_ref()).and_then(|best| {
            let entry = self.entries().iter().find(|entry| entry.number == best.number)?;
            is_time(best.seconds).then_some((entry, best.seconds))
        });
        confirmed.or_else(|| self.ran_by_time().next())
    }

    /// Seconds of the schedule chosen without measuring
    pub(super) fn chosen(&self) -> Option<f64> {
        let first = || {
            let (first, seconds) = self.ran.first()?;
            // It was measured before the search began.
            (first.origin == Origin::Start && first.at == 0.0).then_some(*seconds)
        };
        self.end.as_ref().and_then(|end| end.chosen).filter(|chosen| is_time(*chosen)).or_else(first)
    }

    /// Number of points with each outcome, most frequent first, and an example of why
    pub(super) fn outcomes(&self) -> Vec<(&'a str, usize, Option<&'a Entry>)> {
        let mut all: Vec<(&str, usize, Option<&Entry>)> = Vec::new();
        for entry in self.entries() {
            let (word, example) = match &entry.outcome {
                Outcome::Ran { .. } => ("ran", None),
                Outcome::Stopped { .. } => ("stopped", None),
                Outcome::Failed { kind, .. } => (kind.as_str(), Some(entry)),
            };
            match all.iter_mut().find(|(known, ..)| *known == word) {
                Some((_, count, _)) => *count += 1,
                None => all.push((word, 1, example)),
            }
        }
        all.sort_by_key(|(word, count, _)| (usize::MAX - count, *word));
        all
    }

    /// A time, with the rate where operations are known
    pub(super) fn rate(&self, seconds: f64) -> String {
        match self.curve.flops() {
            Some(flops) => format!("{} ({} GFLOP/s)", time(seconds), digits(flops / seconds / 1e9)),
            None => time(seconds),
        }
    }
}

/// Is it one that a program can take? Logs may hold anything
pub(super) fn is_time(seconds: f64) -> bool {
    (1e-12..=1e9).contains(&seconds)
}

/// A time in its unit
pub(super) fn time(seconds: f64) -> String {
    match seconds {
        seconds if seconds >= 1.0 => format!("{} s", digits(seconds)),
        seconds if seconds >= 1e-3 => format!("{} ms", digits(seconds * 1e3)),
        seconds => format!("{} µs", digits(seconds * 1e6)),
    }
}

/// With four digits that count
pub(super) fn digits(number: f64) -> String {
    match number.abs() {
        size if size >= 1000.0 => format!("{number:.0}"),
        size if size >= 100.0 => format!("{number:.1}"),
        size if size >= 10.0 => format!("{number:.2}"),
        size if size >= 0.001 || size == 0.0 => format!("{number:.3}"),
        _ => format!("{number:.2e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let all = [2.5, 0.012_345_6, 1.5e-6, 4e-10].map(time);
        assert_eq!(all, ["2.500 s", "12.35 ms", "1.500 µs", "4.00e-4 µs"]);
    }
}
