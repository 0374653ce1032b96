//! Comparing two recordings
//!
//! A case counts as different when its output, messages or exit status differ for the same input. Cases whose input file
//! changed, and cases that only the new recording has, are counted and not held against it.

use super::record::{ABOUT, OUTPUT, selection};
use crate::Fallible;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Lines of each side that a difference shows
const SHOWN: usize = 5;

/// `cargo xtask replay compare`
pub fn command(old: &Path, new: &Path, only: Option<&str>, show: usize) -> Fallible {
    let same_selection = selection(old)? == selection(new)?;
    let (found, report) = compare(&read(old, only)?, &read(new, only)?, same_selection, show);
    say_part!("{report}");
    if found == 0 { Ok(()) } else { Err(format!("{found} cases differ")) }
}

/// Cases by name
type Recording = BTreeMap<String, String>;

fn read(folder: &Path, only: Option<&str>) -> Fallible<Recording> {
    let files = super::corpus::below(folder, "")?;
    let wanted = |path: &str| path != ABOUT && only.is_none_or(|only| path.contains(only));
    files
        .into_iter()
        .filter(|file| wanted(&file.path))
        .map(|file| {
            let path = folder.join(&file.path);
            let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            Ok((file.path, text))
        })
        .collect()
}

/// How many cases differ, and the report
fn compare(old: &Recording, new: &Recording, same_selection: bool, show: usize) -> (usize, String) {
    let mut report = String::new();
    let mut differing: Vec<&str> = Vec::new();
    let (mut same, mut other_input, mut lost) = (0, 0, 0);
    for (name, before) in old {
        let Some(after) = new.get(name) else {
            lost += 1;
            if same_selection {
                let _ = writeln!(report, "lost: {name}");
            }
            continue;
        };
        let ((input_before, before), (input_after, after)) = (parts(before), parts(after));
        if input_before != input_after {
            other_input += 1;
        } else if before == after {
            same += 1;
        } else {
            differing.push(name);
            if differing.len() <= show {
                let _ = write!(report, "differs: {name}\n{}", difference(before, after));
            }
        }
    }
    let added = new.keys().filter(|name| !old.contains_key(*name)).count();
    let kinds: BTreeSet<&str> = differing.iter().filter_map(|name| name.split('/').next()).collect();
    if !kinds.is_empty() {
        let kinds: Vec<&str> = kinds.into_iter().collect();
        let _ = writeln!(report, "kinds that differ: {}", kinds.join(", "));
    }
    let _ = writeln!(
        report,
        "{same} same, {} differ, {lost} {}, {added} added, {other_input} with another input",
        differing.len(),
        if same_selection { "lost" } else { "not recorded again" }
    );
    (differing.len() + if same_selection { lost } else { 0 }, report)
}

/// The hash of a case's input, and what the tool gave
fn parts(text: &str) -> (&str, &str) {
    let (head, output) = text.split_once(OUTPUT).unwrap_or(("", text));
    (head.split_once("input: ").map_or("", |(_, hash)| hash.trim()), output)
}

/// The lines from the first difference to the last, shortened
fn difference(before: &str, after: &str) -> String {
    let (before, after): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let head = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
    let tails = before[head..].iter().rev().zip(after[head..].iter().rev());
    let tail = tails.take_while(|(a, b)| a == b).count();
    let mut text = format!("  line {}\n", head.max(1));
    for (mark, lines) in [('-', &before[head..before.len() - tail]), ('+', &after[head..after.len() - tail])]
    {
        lines.iter().take(SHOWN).for_each(|line| {
            let _ = writeln!(text, "  {mark} {line}");
        });
        if lines.len() > SHOWN {
            let _ = writeln!(text, "  {mark} … {} more", lines.len() - SHOWN);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recording(cases: &[(&str, &str, &str)]) -> Recording {
        let text = |input: &str, output: &str| format!("$ opt\ninput: {input}\n{OUTPUT}\n{output}");
        cases.iter().map(|(name, input, output)| ((*name).to_owned(), text(input, output))).collect()
    }

    #[test]
    fn equal_recordings_have_no_difference() {
        let one = recording(&[("a/b", "1", "x\n"), ("a/c", "2", "y\n")]);
        assert_eq!(compare(&one, &one, true, 5).0, 0);
    }

    #[test]
    fn another_output_is_a_difference_and_shown() {
        let (old, new) = (recording(&[("a/b", "1", "p\nx\nq\n")]), recording(&[("a/b", "1", "p\ny\nq\n")]));
        let (found, report) = compare(&old, &new, true, 5);
        assert_eq!(found, 1);
        assert!(report.contains("differs: a/b\n  line 2\n  - x\n  + y\n"), "{report}");
    }

    #[test]
    fn another_input_is_none() {
        let (old, new) = (recording(&[("a/b", "1", "x\n")]), recording(&[("a/b", "2", "y\n")]));
        assert_eq!(compare(&old, &new, true, 5).0, 0);
    }

    #[test]
    fn a_case_is_lost_only_where_it_was_to_be_recorded() {
        let (old, new) =
            (recording(&[("a/b", "1", "x\n"), ("a/c", "1", "x\n")]), recording(&[("a/b", "1", "x\n")]));
        assert_eq!(compare(&old, &new, true, 5).0, 1);
        assert_eq!(compare(&old, &new, false, 5).0, 0);
    }

    #[test]
    fn lines_that_only_one_side_has_are_shown() {
        assert_eq!(difference("a\nb\n", "a\nb\nc\n"), "  line 2\n  + c\n");
    }
}
