//! What is said at the end.

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
