//! Runs of lines that stand in two places
//!
//! Lines are compared without blanks around them. Comments, imports and lines without a letter or digit do not count.

use crate::source::{Blank, Source, blank};
use std::collections::HashMap;

/// Shortest run that counts, in lines
pub const SHORTEST: usize = 8;

/// Pairs of places that have the same run of lines, as `a.rs:LINE ~ b.rs:LINE`; each pair counts once, however long the run
pub fn pairs(files: &[&Source]) -> Vec<String> {
    let mut lines: Vec<Line> = Vec::new();
    for file in files {
        lines.extend(significant(file));
        // A run ends with its file.
        lines.push(Line { file, number: 0, text: String::new() });
    }
    let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    let mut windows: HashMap<&[&str], Vec<usize>> = HashMap::new();
    for (at, window) in texts.windows(SHORTEST).enumerate() {
        if window.iter().all(|line| !line.is_empty()) {
            windows.entry(window).or_default().push(at);
        }
    }
    // Where the lines before are equal too, the run has been counted there.
    let begins = |a: usize, b: usize| match (a.checked_sub(1), b.checked_sub(1)) {
        (Some(a), Some(b)) => texts[a].is_empty() || texts[a] != texts[b],
        _ => true,
    };
    let mut found: Vec<(usize, usize)> = Vec::new();
    for places in windows.into_values() {
        for (n, &a) in places.iter().enumerate() {
            found.extend(places[n + 1..].iter().filter(|b| begins(a, **b)).map(|b| (a, *b)));
        }
    }
    found.sort_unstable();
    let place = |at: usize| format!("{}:{}", lines[at].file.path, lines[at].number);
    found.into_iter().map(|(a, b)| format!("{} ~ {}", place(a), place(b))).collect()
}

/// A line that counts, without the blanks around it
struct Line<'a> {
    file: &'a Source,
    number: usize,
    text: String,
}

fn significant(file: &Source) -> Vec<Line<'_>> {
    let code = blank(&file.text, Blank::Comments);
    let mut import = false;
    let mut kept = Vec::new();
    for (n, line) in code.lines().map(str::trim).enumerate() {
        import |= ["use ", "pub use ", "pub(crate) use ", "mod ", "pub mod "]
            .iter()
            .any(|word| line.starts_with(word));
        if !import && line.contains(|c: char| c.is_alphanumeric()) {
            kept.push(Line { file, number: n + 1, text: line.to_owned() });
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
        assert_eq!(pairs(&[&a, &b]), ["ir/a.rs:1 ~ ir/a.rs:1"]);
        assert_eq!(pairs(&[&a, &b, &a]).len(), 3);
    }

    #[test]
    fn short_runs_imports_and_comments_do_not_count() {
        let (a, b) = (file(run(SHORTEST - 1)), file(run(SHORTEST - 1)));
        assert!(pairs(&[&a, &b]).is_empty());
        let lines = |kind: &str| file((0..20).map(|n| format!("{kind} a{n};\n")));
        assert!(pairs(&[&lines("use"), &lines("use")]).is_empty());
        assert!(pairs(&[&lines("//"), &lines("//")]).is_empty());
    }

    #[test]
    fn a_run_may_be_interrupted_by_punctuation() {
        let a = file(run(20));
        let b = file(run(20).map(|line| format!("{line}}}\n\n")));
        assert_eq!(pairs(&[&a, &b]).len(), 1);
    }

    #[test]
    fn a_pair_names_the_lines_where_its_run_begins() {
        let a = file(["mod x;\n".into(), "// why\n".into()].into_iter().chain(run(SHORTEST)));
        let b = file(["first();\n".to_owned()].into_iter().chain(run(SHORTEST)));
        assert_eq!(pairs(&[&a, &b]), ["ir/a.rs:3 ~ ir/a.rs:2"]);
    }
}
