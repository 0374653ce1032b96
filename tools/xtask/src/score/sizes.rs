//! Sizes of files, comments and tests, per top folder
//!
//! Sizes are lines of Rust files without the tests at their bottom; files that are all test count as
//! test text, as do the data files of tests.

use crate::lint::to_do;
use crate::source::{self, Blank, Source};
use std::collections::BTreeMap;

/// Print a line per top folder, and one for all
pub fn print(files: &[Source]) {
    let mut folders: BTreeMap<String, Sizes> = BTreeMap::new();
    for file in files {
        let top = file.path.split('/').next().unwrap_or_default();
        folders.entry(top.to_owned()).or_default().take(file);
        folders.entry("total".to_owned()).or_default().take(file);
    }
    say!(
        "{:12} {:>6} {:>8} {:>7} {:>5} {:>5} {:>9} {:>6} {:>11}",
        "folder",
        "files",
        "lines",
        "median",
        "p90",
        "max",
        "comments",
        "to-do",
        "test:source"
    );
    for (name, sizes) in folders.iter().filter(|(_, sizes)| sizes.lines() > 0 || sizes.test_lines > 0) {
        say!("{name:12} {sizes}");
    }
}

/// The figures of one folder
#[derive(Default)]
pub struct Sizes {
    sizes: Vec<usize>,
    comment_lines: usize,
    to_dos: usize,
    test_lines: usize,
}

impl Sizes {
    /// Count a file
    pub fn take(&mut self, file: &Source) {
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

    /// Lines of source
    pub fn lines(&self) -> usize {
        self.sizes.iter().sum()
    }

    /// Lines of tests for one of source
    pub fn test_ratio(&self) -> f64 {
        self.test_lines as f64 / self.lines().max(1) as f64
    }

    /// The size that the given share of the files does not exceed
    pub fn quantile(&self, share: f64) -> usize {
        let mut sizes = self.sizes.clone();
        sizes.sort_unstable();
        let index = (sizes.len() as f64 * share).ceil() as usize;
        sizes.get(index.saturating_sub(1)).copied().unwrap_or(0)
    }
}

impl std::fmt::Display for Sizes {
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
    pub fn quantiles_are_sizes_of_files() {
        let sizes = Sizes { sizes: vec![5, 1, 3, 2, 4, 10, 9, 8, 7, 6], ..Sizes::default() };
        assert_eq!((sizes.quantile(0.5), sizes.quantile(0.9), sizes.quantile(1.0)), (5, 9, 10));
        assert_eq!(Sizes::default().quantile(0.5), 0);
    }

    #[test]
    fn comments_and_tests_are_told_apart() {
        let mut sizes = Sizes::default();
        let text = "//! a\nfn b() {} // c\nfn d() {}\n#[cfg(test)]\nmod tests {\n}\n";
        sizes.take(&Source { path: "ir/a.rs".into(), text: text.into() });
        sizes.take(&Source { path: "test-files/a.mlir".into(), text: "x\ny\n".into() });
        assert_eq!((sizes.lines(), sizes.comment_lines, sizes.test_lines), (3, 2, 5));
    }
}
