//! How far a search is, for those who look on: what is searched, the best so far, how long it will take.

use crate::args::Budget;
use crate::stop::Stop;
use indicatif::{ProgressBar, ProgressStyle};
use std::cell::Cell;
use std::io::IsTerminal;
use std::time::Duration;

/// A bar on a terminal, nothing elsewhere
pub(crate) struct Progress {
    bar: ProgressBar,
    budget: Budget,
    stop: Stop,
    /// Points that were there before, and those since
    points: Cell<(usize, usize)>,
}

impl Progress {
    /// For a budget, of which so many points are used
    pub(crate) fn new(budget: Budget, stop: &Stop, used: usize) -> Progress {
        let bar = if std::io::stderr().is_terminal() {
            let style = ProgressStyle::with_template("{elapsed} [{bar:30}] {msg}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            let length = match budget {
                Budget::Time(time) => time.as_secs(),
                Budget::Points(points) => points as u64,
            };
            ProgressBar::new(length).with_style(style)
        } else {
            ProgressBar::hidden()
        };
        Progress { bar, budget, stop: stop.clone(), points: Cell::new((used, 0)) }
    }

    /// One more point is there; what is known of it in words
    pub(crate) fn step(&self, words: &str) {
        let (before, since) = self.points.get();
        let since = since + 1;
        self.points.set((before, since));
        let elapsed = self.stop.elapsed();
        self.bar.set_position(match self.budget {
            Budget::Time(_) => elapsed.as_secs(),
            Budget::Points(_) => (before + since) as u64,
        });
        let left = left(self.budget, elapsed, before, since).map(short);
        self.bar.set_message(left.map_or(words.to_owned(), |left| format!("{words}, {left} left")));
    }

    /// Nothing more is to be seen
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Time that is left: of the budget, or as the points so far took
fn left(budget: Budget, elapsed: Duration, before: usize, since: usize) -> Option<Duration> {
    match budget {
        Budget::Time(time) => Some(time.saturating_sub(elapsed)),
        Budget::Points(points) => {
            let left = points.saturating_sub(before + since);
            let each = elapsed.as_secs_f64() / since as f64;
            Duration::try_from_secs_f64(each * left as f64).ok()
        }
    }
}

/// `1h 5m`, `2m 10s`, `7s`
fn short(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds}s"),
        (0, minutes, seconds) => format!("{minutes}m {seconds}s"),
        (hours, minutes, _) => format!("{hours}h {minutes}m"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_of_a_budget() {
        let seconds = Duration::from_secs;
        let time = Budget::Time(seconds(100));
        assert_eq!(left(time, seconds(30), 0, 7), Some(seconds(70)));
        assert_eq!(left(time, seconds(130), 0, 7), Some(seconds(0)));
        // Ten points in twenty seconds; those of an earlier run took none of them.
        assert_eq!(left(Budget::Points(100), seconds(20), 40, 10), Some(seconds(100)));
        assert_eq!(left(Budget::Points(100), seconds(20), 95, 10), Some(seconds(0)));
        assert_eq!(left(Budget::Points(100), seconds(20), 0, 0), None, "nothing is known yet");
    }

    #[test]
    fn times_are_short() {
        let all = [0, 59, 130, 3600, 7500].map(|seconds| short(Duration::from_secs(seconds)));
        assert_eq!(all, ["0s", "59s", "2m 10s", "1h 0m", "2h 5m"]);
    }
}
