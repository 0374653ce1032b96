//! The log's numbers as JSON within the page, for programs that read pages.
//!
//! Values of choices are listed once, and points name them by position. Points are left out, worst first, where a page would be too
//! large with them.

use super::facts::Facts;
use serde_json::{Value, json};
use std::collections::HashMap;
use terrace_schedule_model::Decision;
use terrace_search_explore::log::{Entry, Outcome};

/// Bytes of all points, at most
const MOST: usize = 600_000;

/// As a part of the page that is no program
pub(super) fn script(facts: &Facts<'_>) -> String {
    // In a script nothing but its end counts, and JSON has another way to write the sign that begins it.
    let text = data(facts).to_string().replace('<', "\\u003c");
    format!("<script type=\"application/json\" id=\"data\">{text}</script>\n")
}

fn data(facts: &Facts<'_>) -> Value {
    let header = &facts.curve.header;
    let head: Value = serde_json::from_str(&header.line()).unwrap_or_default();
    let end: Value =
        facts.end.as_ref().and_then(|end| serde_json::from_str(&end.line()).ok()).unwrap_or_default();
    let mut choices: Vec<Choice> = header.names.iter().map(|_| Choice::default()).collect();
    let mut points: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut bytes = 0;
    for number in best_first(facts) {
        let Some(entry) = facts.entries().get(number) else { continue };
        let point: Vec<usize> =
            choices.iter_mut().zip(entry.point.iter()).map(|(choice, value)| choice.number(value)).collect();
        bytes +=
            point.iter().map(|value| 2 + value.checked_ilog10().unwrap_or(0) as usize).sum::<usize>() + 3;
        if bytes > MOST {
            break;
        }
        points.insert(number, point);
    }
    let trials: Vec<Value> =
        facts.entries().iter().enumerate().map(|(n, entry)| row(entry, points.get(&n))).collect();
    let choices: Vec<Value> = header
        .names
        .iter()
        .zip(choices)
        .map(|(name, choice)| json!({"name": name, "values": choice.values}))
        .collect();
    json!({
        "form": 1,
        "header": head,
        "end": end["end"],
        "columns": ["n", "at", "status", "seconds", "estimate", "point"],
        "choices": choices,
        "trials": trials,
    })
}

/// Positions of entries, fastest first, those that did not run last
fn best_first(facts: &Facts<'_>) -> Vec<usize> {
    let mut all: Vec<usize> = (0..facts.entries().len()).collect();
    let cost = |n: &usize| facts.entries()[*n].cost().unwrap_or(f64::INFINITY);
    all.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
    all
}

/// Values of one choice
#[derive(Default)]
struct Choice {
    values: Vec<String>,
    known: HashMap<Decision, usize>,
}

impl Choice {
    fn number(&mut self, value: &Decision) -> usize {
        if let Some(number) = self.known.get(value) {
            return *number;
        }
        self.values.push(value.to_string());
        self.known.insert(value.clone(), self.values.len() - 1);
        self.values.len() - 1
    }
}

fn row(entry: &Entry, point: Option<&Vec<usize>>) -> Value {
    let (status, seconds) = match &entry.outcome {
        Outcome::Ran { seconds } => ("ran", Some(*seconds)),
        Outcome::Stopped { seconds } => ("stopped", Some(*seconds)),
        Outcome::Failed { kind, .. } => (kind.as_str(), None),
    };
    let at = (entry.at * 1e3).round() / 1e3;
    json!([entry.number, at, status, seconds.map(rounded), entry.estimate.map(f64::round), point])
}

/// To six digits that count
fn rounded(seconds: f64) -> f64 {
    format!("{seconds:.5e}").parse().unwrap_or(seconds)
}
