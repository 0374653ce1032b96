//! What is said at the end, and of a space without measuring.

use std::collections::BTreeMap;
use std::fmt::Write;
use terrace_search_explore::log::{Entry, Outcome};
use terrace_search_explore::{Space, sample};
use terrace_search_schedules::ScheduleSpace;

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

/// Rules that refused whole schedules, for a sentence's end
pub(crate) fn refusals(space: &ScheduleSpace<'_>) -> String {
    let all: Vec<String> = space.refusals().iter().map(|(rule, n)| format!("{rule} {n}")).collect();
    if all.is_empty() { String::new() } else { format!("; refused: {}", all.join(", ")) }
}

/// The open fields, and some points
pub(crate) fn dry(space: &ScheduleSpace<'_>, rng: &mut fastrand::Rng) -> String {
    let mut text = String::new();
    let names = space.names();
    for (n, name) in names.iter().enumerate().take(1) {
        let _ =
            writeln!(text, "{} open fields; {name} is one of {}", names.len(), space.values(&[]).join(" "));
        debug_assert_eq!(n, 0);
    }
    for _ in 0..5 {
        if let Some(point) = sample(space, rng) {
            let _ = write!(text, "\n{}", space.fill(&point));
        }
    }
    let _ = writeln!(
        text,
        "\nwhole schedules refused while drawing these: {}",
        match refusals(space) {
            none if none.is_empty() => "none".to_owned(),
            some => some.trim_start_matches("; refused: ").to_owned(),
        }
    );
    text
}

/// The end of a search
pub(crate) fn summary(
    space: &ScheduleSpace<'_>,
    entries: &[Entry],
    best: Option<(&Entry, f64)>,
    reference: f64,
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
    let _ = writeln!(text, "{} points: {}{}", entries.len(), kinds.join(", "), refusals(space));
    let _ = writeln!(text, "chosen without measuring: {}", rate(reference, flops));
    if let Some((best, seconds)) = best {
        if best.number == 1 && best.at == 0.0 {
            let _ = writeln!(text, "nothing was better than it");
            return text;
        }
        let times = reference / seconds;
        let _ =
            writeln!(text, "best: {}, {times:.2} × the chosen, point {}", rate(seconds, flops), best.number);
        text.push_str(&space.fill(&best.point).to_string());
    }
    text
}
