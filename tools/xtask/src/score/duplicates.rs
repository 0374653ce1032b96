//! Runs of lines that stand in two places
//!
//! Lines are compared without blanks around them. Comments, imports and lines without a letter or digit do not count.

use crate::source::{Blank, Source, blank};
use std::collections::HashMap;

/// Shortest run that counts, in lines
pub const SHORTEST: usize = 8;

/// How many pairs of places have the same run of lines; each pair counts once, however long the run
pub fn pairs(files: &[&Source]) -> usize {
    let mut lines: Vec<String> = Vec::new();
    for file in files {
        lines.extend(significant(file));
        // A run ends with its file.
        lines.push(String::new());
    }
    let mut windows: HashMap<&[String], Vec<usize>> = HashMap::new();
    for (at, window) in lines.windows(SHORTEST).enumerate() {
        if window.iter().all(|line| !line.is_empty()) {
            windows.entry(window).or_default().push(at);
        }
    }
    // Where the lines before are equal too, the run has been counted there.
    let begins = |a: usize, b: usize| match (a.checked_sub(1), b.checked_sub(1)) {
        (Some(a), Some(b)) => lines[a].is_empty() || lines[a] != lines[b],
        _ => true,
    };
    let of_window = |places: &Vec<usize>| -> usize {
        let later = |n: usize| places[n + 1..].iter().filter(move |b| begins(places[n], **b)).count();
        (0..places.len()).map(later).sum()
    };
    let counts: Vec<usize> = windows.into_values().map(|places| of_window(&places)).collect();
    counts.into_iter().sum()
}

fn significant(file: &Source) -> Vec<String> {
    let code = blank(&file.text, Blank::Comments);
    let mut import = false;
    let mut kept = Vec::new();
    for line in code.lines().map(str::trim) {
        import |= ["use ", "pub use ", "pub(crate) use ", "mod ", "pub mod "]
            .iter()
            .any(|word| line.starts_with(word));
        if !import && line.contains(|c: char| c.is_alphanumeric()) {
            kept.push(line.to_owned());
        }
        import &=
            !line.ends_with(';') && !line.ends_with('{') || line.starts_with("use ") && line.ends_with('{');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(lines: impl IntoIterator<Item = String>) -> Source {
        Source { path: "ir/a.rs".into(), text: lines.into_iter().collect() }
    }

    fn run(count: usize) -> impl Iterator<Item = String> {
        (0..count).map(|n| format!("step_{n}();\n"))
    }

    #[test]
    fn one_run_in_two_places_is_one_pair() {
        let (a, b) = (file(run(20)), file(run(20).chain(["other();\n".into()])));
        assert_eq!(pairs(&[&a, &b]), 1);
        assert_eq!(pairs(&[&a, &b, &a]), 3);
    }

    #[test]
    fn short_runs_imports_and_comments_do_not_count() {
        let (a, b) = (file(run(SHORTEST - 1)), file(run(SHORTEST - 1)));
        assert_eq!(pairs(&[&a, &b]), 0);
        let lines = |kind: &str| file((0..20).map(|n| format!("{kind} a{n};\n")));
        assert_eq!(pairs(&[&lines("use"), &lines("use")]), 0);
        assert_eq!(pairs(&[&lines("//"), &lines("//")]), 0);
    }

    #[test]
    fn a_run_may_be_interrupted_by_punctuation() {
        let a = file(run(20));
        let b = file(run(20).map(|line| format!("{line}}}\n\n")));
        assert_eq!(pairs(&[&a, &b]), 1);
    }
}
