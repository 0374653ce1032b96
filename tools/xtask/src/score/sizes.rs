//! `cargo xtask score`: the figures that reviews hold the source against
//!
//! Sizes are lines of Rust files without the tests at their bottom; files that are all test count as
//! test text, as do the data files of tests.

use crate::Fallible;
use crate::lint::to_do;
use crate::source::{self, Blank, Source};
use crate::workspace::Workspace;
use std::collections::BTreeMap;

/// `cargo xtask score`
pub fn command(ws: &Workspace) -> Fallible {
    let files = source::files(&ws.root)?;
    let mut folders: BTreeMap<String, Score> = BTreeMap::new();
    for file in &files {
        let top = file.path.split('/').next().unwrap_or_default();
        folders.entry(top.to_owned()).or_default().take(file);
        folders.entry("total".to_owned()).or_default().take(file);
    }
    println!(
        "{:12} {:>6} {:>8} {:>7} {:>5} {:>5} {:>9} {:>6} {:>11}",
        "folder", "files", "lines", "median", "p90", "max", "comments", "to-do", "test:source"
    );
    for (name, score) in folders.iter().filter(|(_, score)| score.lines() > 0 || score.test_lines > 0) {
        println!("{name:12} {score}");
    }
    println!(
        "\ngoals: median ≤ 200, p90 ≤ 500, max ≤ 800, comments 15–25 %, to-do ≤ 0.5 per 1000 lines, test:source ≥ 0.7"
    );
    Ok(())
}

/// The figures of one folder
#[derive(Default)]
struct Score {
    sizes: Vec<usize>,
    comment_lines: usize,
    to_dos: usize,
    test_lines: usize,
}

impl Score {
    fn take(&mut self, file: &Source) {
        let lines = file.text.lines().count();
        if file.is_test() {
            self.test_lines += lines;
            return;
        }
        if !file.is_rust() {
            return;
        }
        let size = file.lines_before_tests();
        self.sizes.push(size);
        self.test_lines += lines - size;
        let comments = source::blank(&file.text, Blank::Code);
        self.comment_lines += comments.lines().take(size).filter(|line| !line.trim().is_empty()).count();
        self.to_dos += comments.matches(to_do::WORD).count();
    }

    fn lines(&self) -> usize {
        self.sizes.iter().sum()
    }

    /// The size that the given share of the files does not exceed
    fn quantile(&self, share: f64) -> usize {
        let mut sizes = self.sizes.clone();
        sizes.sort_unstable();
        let index = (sizes.len() as f64 * share).ceil() as usize;
        sizes.get(index.saturating_sub(1)).copied().unwrap_or(0)
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let lines = self.lines();
        let of = |part: usize, scale: f64| part as f64 * scale / lines.max(1) as f64;
        write!(
            f,
            "{:>6} {:>8} {:>7} {:>5} {:>5} {:>7.1} % {:>6.2} {:>11.2}",
            self.sizes.len(),
            lines,
            self.quantile(0.5),
            self.quantile(0.9),
            self.quantile(1.0),
            of(self.comment_lines, 100.0),
            of(self.to_dos, 1000.0),
            of(self.test_lines, 1.0)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_sizes_of_files() {
        let score = Score { sizes: vec![5, 1, 3, 2, 4, 10, 9, 8, 7, 6], ..Score::default() };
        assert_eq!((score.quantile(0.5), score.quantile(0.9), score.quantile(1.0)), (5, 9, 10));
        assert_eq!(Score::default().quantile(0.5), 0);
    }

    #[test]
    fn comments_and_tests_are_told_apart() {
        let mut score = Score::default();
        let text = "//! a\nfn b() {} // c\nfn d() {}\n#[cfg(test)]\nmod tests {\n}\n";
        score.take(&Source { path: "ir/a.rs".into(), text: text.into() });
        score.take(&Source { path: "test-files/a.mlir".into(), text: "x\ny\n".into() });
        assert_eq!((score.lines(), score.comment_lines, score.test_lines), (3, 2, 5));
    }
}
