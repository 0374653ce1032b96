//! What is printed about several computations.

use super::Distinct;
use crate::confirm::Verdict;
use crate::finish::Reached;
use std::fmt::{self, Write};

/// Which of them are the same
pub(super) fn same(all: &[Distinct<'_>]) -> String {
    let mut text = String::new();
    for one in all.iter().filter(|one| !one.others.is_empty()) {
        let others: Vec<&str> = one.others.iter().map(|other| other.task.name.as_str()).collect();
        let _ = writeln!(text, "{}: the same as {}, searched once", others.join(", "), one.first.task.name);
    }
    text
}

/// A line for each computation, and one for all
pub(super) fn table(all: &[Distinct<'_>], points: &[(usize, usize)], reached: &[Option<Reached>]) -> String {
    let mut rows =
        vec![["computation", "weight", "rounds", "points", "chosen", "best", "gain"].map(String::from)];
    let (mut chosen, mut best) = (Some(0.0), Some(0.0));
    let mut is_sure = true;
    for ((one, (rounds, points)), reached) in all.iter().zip(points).zip(reached) {
        let weight = one.weight();
        let (own, found) =
            (reached.as_ref().and_then(|found| found.chosen), reached.as_ref().map(|found| found.seconds));
        let gain = reached.as_ref().map_or(Gain::Unknown, Gain::of);
        // A gain that is none is no part of the sum.
        let taken = if matches!(gain, Gain::None | Gain::Alike) { own } else { found };
        is_sure &= !matches!(gain, Gain::Unsure(_));
        let add = |sum: Option<f64>, time: Option<f64>| Some(sum? + weight * time?);
        (chosen, best) = (add(chosen, own), add(best, taken));
        rows.push([
            one.first.task.name.clone(),
            weight.to_string(),
            rounds.to_string(),
            points.to_string(),
            ms(own),
            ms(found),
            gain.to_string(),
        ]);
    }
    let points: usize = points.iter().map(|(_, points)| points).sum();
    let empty = String::new;
    let gain = match chosen.zip(best).map(|(chosen, best)| chosen / best) {
        Some(gain) if is_sure => Gain::Sure(gain),
        Some(gain) => Gain::Unsure(gain),
        None => Gain::Unknown,
    };
    rows.push(["all".into(), empty(), empty(), points.to_string(), ms(chosen), ms(best), gain.to_string()]);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let mut text = String::from("\n");
    for row in &rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(n, (cell, width))| match n {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        let _ = writeln!(text, "{}", cells.collect::<Vec<_>>().join("  ").trim_end());
    }
    text
}

/// The chosen one's time as a multiple of the best one's
enum Gain {
    /// As rounds at the end have shown
    Sure(f64),
    /// By times of the search alone
    Unsure(f64),
    /// The difference is finer than the noise
    Alike,
    /// Nothing was faster
    None,
    Unknown,
}

impl Gain {
    fn of(reached: &Reached) -> Gain {
        let Reached { seconds, chosen, against, is_logged, .. } = reached;
        match (chosen, against) {
            (None, _) => Gain::Unknown,
            (Some(chosen), None) if *is_logged => Gain::Unsure(chosen / seconds),
            (Some(_), None) => Gain::None,
            (Some(_), Some(against)) => match against.verdict {
                Verdict::Faster => Gain::Sure(against.ratio.mean),
                Verdict::Slower => Gain::None,
                Verdict::Alike => Gain::Alike,
            },
        }
    }
}

impl fmt::Display for Gain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Gain::Sure(gain) => write!(f, "{gain:.2}"),
            Gain::Unsure(gain) => write!(f, "{gain:.2} (not confirmed)"),
            Gain::Alike => f.write_str("alike"),
            Gain::None => f.write_str("none"),
            Gain::Unknown => f.write_str("–"),
        }
    }
}

fn ms(seconds: Option<f64>) -> String {
    seconds.map_or("–".into(), |seconds| format!("{:.3} ms", seconds * 1e3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::confirm::Ratio;
    use crate::report::Against;
    use terrace_schedule_model::Point;

    #[test]
    fn a_gain_is_what_rounds_have_shown() {
        let against = |verdict| {
            let ratio = Ratio { mean: 1.5, low: 1.4, high: 1.6 };
            Some(Against { ratio, verdict, noise: 1.02, rounds: 5 })
        };
        let gain = |chosen, against, is_logged| {
            let reached = Reached { point: Point::default(), seconds: 0.5, chosen, against, is_logged };
            Gain::of(&reached).to_string()
        };
        assert_eq!(gain(Some(0.7), against(Verdict::Faster), false), "1.50");
        assert_eq!(gain(Some(0.7), against(Verdict::Alike), false), "alike");
        assert_eq!(gain(Some(0.7), against(Verdict::Slower), false), "none");
        assert_eq!(gain(Some(0.5), None, false), "none");
        assert_eq!(gain(Some(0.7), None, true), "1.40 (not confirmed)");
        assert_eq!(gain(None, None, true), "–");
    }
}
