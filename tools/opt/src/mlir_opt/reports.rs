//! Times and statistics as MLIR prints them.

use super::request::{Layout, Request};
use super::steps::{Lowered, Row};
use super::watch::Seen;
use std::fmt::Write;
use std::time::Duration;

const RULE: &str = "===-------------------------------------------------------------------------===\n";

/// A line of text in the middle of 80 columns
fn title(text: &str) -> String {
    format!("{}{text}\n", " ".repeat((80 - text.len()) / 2))
}

/// How long the parts of a run took
#[derive(Clone, Copy, Default)]
pub struct Times {
    /// Reading and verifying the input
    pub parser: Duration,
    /// Writing the output
    pub output: Duration,
    /// All of it
    pub total: Duration,
}

/// A line of a report: its depth, its name, and the steps that it is about
struct Line {
    depth: usize,
    name: String,
    steps: Vec<usize>,
}

fn lines(rows: &[Row], lowered: &Lowered, depth: usize) -> Vec<Line> {
    let mut out = Vec::new();
    for row in rows {
        match row {
            Row::Step(step) => {
                let name = lowered.steps[*step].class().to_string();
                out.push(Line { depth, name, steps: vec![*step] });
            }
            Row::Nest(anchor, inner) => {
                let inner = lines(inner, lowered, depth + 1);
                let steps = inner.iter().flat_map(|line| line.steps.iter().copied()).collect::<Vec<_>>();
                let (mut steps, name) = (steps, format!("'{anchor}' Pipeline"));
                steps.sort_unstable();
                steps.dedup();
                out.push(Line { depth, name, steps });
                out.extend(inner);
            }
        }
    }
    out
}

/// One line for each class, in order of name
fn by_name(lowered: &Lowered) -> Vec<Line> {
    let mut out: Vec<Line> = Vec::new();
    for (step, named) in lowered.steps.iter().enumerate() {
        match out.iter_mut().find(|line| line.name == named.class()) {
            Some(line) => line.steps.push(step),
            None => out.push(Line { depth: 0, name: named.class().to_string(), steps: vec![step] }),
        }
    }
    out.sort_by(|a, b| a.name.cmp(&b.name));
    out
}

/// The report of times
pub fn timing(request: &Request, lowered: &Lowered, seen: &Seen, times: Times) -> String {
    let of = |steps: &[usize]| steps.iter().filter_map(|step| seen.times.get(step)).sum::<Duration>();
    let passes: Duration = seen.times.values().sum();
    let mut rows = vec![(0, "Parser".to_string(), times.parser)];
    let listed = match request.timing_layout {
        Layout::Tree => lines(&lowered.rows, lowered, 0),
        Layout::List => by_name(lowered),
    };
    rows.extend(listed.into_iter().map(|line| (line.depth, line.name, of(&line.steps))));
    rows.push((0, "Output".to_string(), times.output));
    if request.timing_layout == Layout::List {
        rows.sort_by_key(|row| std::cmp::Reverse(row.2));
    }
    // Steps on several threads may take longer in sum than the run.
    let rest = times.total.saturating_sub(times.parser + passes + times.output);
    rows.extend([(0, "Rest".to_string(), rest), (0, "Total".to_string(), times.total)]);
    let share = |time: Duration| 100.0 * time.as_secs_f64() / times.total.as_secs_f64().max(1e-9);
    if request.json {
        return json(&rows, share);
    }
    let mut out = String::from(RULE);
    out.push_str(&title("... Execution time report ..."));
    out.push_str(RULE);
    let _ = writeln!(out, "  Total Execution Time: {:.4} seconds\n", times.total.as_secs_f64());
    out.push_str("  ----Wall Time----  ----Name----\n");
    for (depth, name, time) in &rows {
        let indent = " ".repeat(2 * depth);
        let _ = writeln!(out, "  {:>8.4} ({:>5.1}%)  {indent}{name}", time.as_secs_f64(), share(*time));
    }
    out
}

/// Rows with what is nested in each, as MLIR's JSON has them
fn json(rows: &[(usize, String, Duration)], share: impl Fn(Duration) -> f64) -> String {
    let mut out = String::from("[\n");
    let last = rows.len().saturating_sub(1);
    for (n, (depth, name, time)) in rows.iter().enumerate() {
        let indent = " ".repeat(2 * depth);
        let quoted = name.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = write!(
            out,
            "{indent}{{\"wall\": {{\"duration\": {:>8.4}, \"percentage\": {:>5.1}}}, \"name\": \"{quoted}\"",
            time.as_secs_f64(),
            share(*time)
        );
        if n + 1 >= last {
            out.push_str(if n == last { "}\n" } else { "},\n" });
            continue;
        }
        out.push_str(", \"passes\": [\n");
        // Close all that the next row is not inside of.
        let next = rows.get(n + 1).map_or(0, |row| row.0);
        let mut open = *depth + 1;
        while open > next {
            open -= 1;
            let _ = writeln!(out, "{}{{}}]}},", " ".repeat(2 * open));
        }
    }
    out.push_str("]\n");
    out
}

/// The report of what passes counted
pub fn statistics(request: &Request, lowered: &Lowered, seen: &Seen) -> String {
    let mut out = String::from(RULE);
    out.push_str(&title("... Pass statistics report ..."));
    out.push_str(RULE);
    let listed = match request.statistics_layout {
        Layout::Tree => lines(&lowered.rows, lowered, 0),
        Layout::List => by_name(lowered),
    };
    for line in listed {
        let indent = " ".repeat(2 * line.depth);
        let nest = line.name.ends_with("' Pipeline");
        let mut stats = terrace_pass::Stats::default();
        let own = line.steps.iter().filter(|_| !nest).filter_map(|step| seen.stats.get(step));
        own.for_each(|one| stats.merge(one));
        if stats.0.is_empty() && (!nest || request.statistics_layout == Layout::List) {
            continue;
        }
        let _ = writeln!(out, "{indent}{}", line.name);
        for (name, count) in &stats.0 {
            let _ = writeln!(out, "{indent}  (S) {count} {name}");
        }
    }
    out
}
