//! Rewriting `check:` and `next:` lines to what the output says now.
//!
//! Each expectation gets a line of the output, in order, so that matches stay matches and the others get the line most like
//! them; one that gets none is removed. `not:` lines, holes in lines that still match, and everything else stay as they are.

use crate::directives::{Expectation, Wanted};
use crate::matching::{matches, normal};

/// Score of an expectation on a line that it matches; above all likeness
const MATCH: i64 = 1000;

/// The file's text with its expectations fitted to the output
pub(crate) fn fitted(text: &str, output: &str, expectations: &[Expectation]) -> String {
    let lines: Vec<String> = output.lines().map(normal).filter(|line| !line.is_empty()).collect();
    let wanted: Vec<&Expectation> = expectations.iter().filter(|each| each.wanted != Wanted::Not).collect();
    let places = places(&wanted, &lines);
    let mut out = String::new();
    for (n, line) in text.split_inclusive('\n').enumerate() {
        let Some(which) = wanted.iter().position(|each| each.line == n + 1) else {
            out.push_str(line);
            continue;
        };
        let Some(place) = places[which] else { continue };
        let expectation = wanted[which];
        if matches(&lines[place], &normal(&expectation.text)) {
            out.push_str(line);
            continue;
        }
        let key = if expectation.wanted == Wanted::Next { "next:" } else { "check:" };
        let end = line.find(key).map_or(line.len(), |at| at + key.len());
        let rest = &line[end..];
        let blanks = &rest[..rest.len() - rest.trim_start().len()];
        let newline = if line.ends_with('\n') { "\n" } else { "" };
        out.push_str(&format!("{}{blanks}{}{newline}", &line[..end], lines[place]));
    }
    out
}

/// The line for each expectation: rising, `next` right after the one before it
fn places(wanted: &[&Expectation], lines: &[String]) -> Vec<Option<usize>> {
    // best[j] after some expectations: score with j lines used up, and how it came about.
    let mut best: Vec<Option<i64>> = vec![None; lines.len() + 1];
    best[0] = Some(0);
    let mut steps: Vec<Vec<Option<(usize, bool)>>> = Vec::new();
    for expectation in wanted {
        let mut next = vec![None; lines.len() + 1];
        let mut step = vec![None; lines.len() + 1];
        // The best place to come from for `check`: any number of lines used before.
        let mut from: Option<(i64, usize)> = None;
        for used in 0..=lines.len() {
            if let Some(score) = best[used] {
                // Left out: costs more than any likeness gives.
                next[used] = Some(score - 1);
                step[used] = Some((used, false));
            }
            if used == 0 {
                from = best[0].map(|score| (score, 0));
                continue;
            }
            let source = match expectation.wanted {
                Wanted::Next => best[used - 1].map(|score| (score, used - 1)),
                _ => from,
            };
            if let Some((score, before)) = source {
                let total = score + score_of(expectation, &lines[used - 1]);
                if next[used].is_none_or(|known| total > known) {
                    next[used] = Some(total);
                    step[used] = Some((before, true));
                }
            }
            if let Some(score) = best[used].filter(|score| from.is_none_or(|(known, _)| *score > known)) {
                from = Some((score, used));
            }
        }
        best = next;
        steps.push(step);
    }
    let mut at = (0..best.len()).max_by_key(|used| (best[*used], std::cmp::Reverse(*used))).unwrap_or(0);
    let mut places = vec![None; wanted.len()];
    for (which, step) in steps.iter().enumerate().rev() {
        let Some((before, used)) = step[at] else { break };
        places[which] = used.then(|| at - 1);
        at = before;
    }
    places
}

/// How well a line fits: words in common
fn score_of(expectation: &Expectation, line: &str) -> i64 {
    let text = normal(&expectation.text);
    if matches(line, &text) {
        return MATCH;
    }
    let words: Vec<&str> = line.split(' ').collect();
    let common = text.split(' ').filter(|word| words.contains(word)).count();
    (common * 100 / words.len().max(text.split(' ').count())) as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::directives;

    fn fit(text: &str, output: &str) -> String {
        let text = format!("// test: opt\n{text}");
        let found = directives::read(&text).expect("well formed");
        fitted(&text, output, &found.expectations).split_once('\n').expect("two lines").1.to_string()
    }

    #[test]
    fn what_matches_stays() {
        let text = "// check: %{{.*}} = add\n  // not: mul\nx // next: yield\n";
        assert_eq!(fit(text, "%0 = add\nyield"), text);
    }

    #[test]
    fn the_line_most_like_it_is_taken() {
        let text = "// check: func @f\n//  next:  %0 = add %a, %b\n// check: return %0\n";
        let output = "module {\n  func @f\n    %c = add %b,   %a\n    return %c\n}";
        assert_eq!(fit(text, output), "// check: func @f\n//  next:  %c = add %b, %a\n// check: return %c\n");
    }

    #[test]
    fn what_has_no_line_any_more_goes() {
        assert_eq!(fit("// check: a\n// next: b\n", "a\n"), "// check: a\n");
    }
}
