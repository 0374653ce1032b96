//! Counting what cargo's test runners say
//!
//! Reads the lines of libtest (and of libtest-mimic, which writes the same): `test NAME ... ok`,
//! `test result: …`, and the line that a test of this repository prints when it cannot run here:
//! `skipped: NAME (needs COMPONENT)`. Such a test ends `ok` for cargo; it is counted as skipped here,
//! not as passed.

use std::collections::BTreeSet;

/// The sums over all runners
#[derive(Default)]
pub struct Tally {
    passed: usize,
    failed: usize,
    ok: BTreeSet<String>,
    ignored: BTreeSet<String>,
    skipped: BTreeSet<String>,
    failures: Vec<String>,
}

/// What is worth showing of a line
#[derive(PartialEq, Eq, Debug)]
pub enum Line {
    /// One test that passed, or nothing of interest
    Quiet,
    /// Say it
    Show,
}

impl Tally {
    /// Take one line of a runner in
    pub fn line(&mut self, line: &str) -> Line {
        if let Some(at) = line.find("skipped: ")
            && line.ends_with(')')
            && line.contains(" (needs ")
        {
            self.skipped.insert(line[at + "skipped: ".len()..].to_owned());
            return Line::Quiet;
        }
        if let Some(result) = line.strip_prefix("test result: ") {
            self.passed += count(result, "passed");
            self.failed += count(result, "failed");
            return Line::Show;
        }
        let Some((name, verdict)) = verdict(line) else { return Line::Show };
        match verdict {
            "ok" => self.ok.insert(name.to_owned()),
            "FAILED" => {
                self.failures.push(name.to_owned());
                return Line::Show;
            }
            _ => self.ignored.insert(match verdict.split_once(", ") {
                Some((_, reason)) => format!("{name} ({reason})"),
                None => format!("{name} (ignored)"),
            }),
        };
        Line::Quiet
    }

    /// Tests that passed: what cargo counts, less those that said they were skipped
    pub fn passed(&self) -> usize {
        let names = self.skipped.iter().map(|entry| entry.split(" (needs ").next().unwrap_or(entry));
        let as_ok = names.filter(|name| self.ok.iter().any(|ok| same_test(ok, name))).count();
        self.passed.saturating_sub(as_ok)
    }

    /// Tests that failed
    pub fn failed(&self) -> usize {
        self.failed
    }

    /// Names of the failed ones, where their runner gave any
    pub fn failures(&self) -> &[String] {
        &self.failures
    }

    /// Skipped tests: name and reason each
    pub fn skipped(&self) -> Vec<&str> {
        let said = |entry: &str| entry.split(" (").next().unwrap_or(entry).to_owned();
        let doubled = |ignored: &str| {
            let name = said(ignored);
            self.skipped.iter().any(|entry| same_test(&name, &said(entry)))
        };
        let ignored = self.ignored.iter().filter(|entry| !doubled(entry));
        self.skipped.iter().chain(ignored).map(String::as_str).collect()
    }

    /// The closing line
    pub fn summary(&self) -> String {
        format!("{} passed, {} failed, {} skipped", self.passed(), self.failed, self.skipped().len())
    }
}

/// `test NAME ... VERDICT`, also with the kind that libtest-mimic puts before the name
fn verdict(line: &str) -> Option<(&str, &str)> {
    let (name, verdict) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    let known = verdict == "ok" || verdict == "FAILED" || verdict.starts_with("ignored");
    known.then_some((name.trim(), verdict))
}

fn count(result: &str, word: &str) -> usize {
    let part = result.split(['.', ';']).map(str::trim).find_map(|part| part.strip_suffix(word));
    part.and_then(|number| number.trim().parse().ok()).unwrap_or(0)
}

/// A test may call itself by its full name or by the last part of it
fn same_test(full: &str, name: &str) -> bool {
    full == name || full.strip_suffix(name).is_some_and(|head| head.ends_with("::") || head.ends_with(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(lines: &[&str]) -> Tally {
        let mut tally = Tally::default();
        lines.iter().for_each(|line| {
            tally.line(line);
        });
        tally
    }

    #[test]
    fn sums_runners() {
        let result =
            "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s";
        let failed = "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out";
        assert_eq!(tally(&[result, failed]).summary(), "4 passed, 2 failed, 0 skipped");
    }

    #[test]
    fn a_skipped_test_is_not_a_passed_one() {
        let tally = tally(&[
            "test gpu::adds ... ok",
            "skipped: adds (needs cuda)",
            "test result: ok. 1 passed; 0 failed; 0 ignored",
        ]);
        assert_eq!(tally.summary(), "0 passed, 0 failed, 1 skipped");
        assert_eq!(tally.skipped(), ["adds (needs cuda)"]);
    }

    #[test]
    fn parts_of_a_test_are_skipped_without_taking_from_it() {
        let tally = tally(&[
            "skipped: grid/opencl (needs pocl)",
            "skipped: grid/cuda (needs cuda)",
            "test all_back_ends ... ok",
            "test result: ok. 1 passed; 0 failed; 0 ignored",
        ]);
        assert_eq!(tally.summary(), "1 passed, 0 failed, 2 skipped");
    }

    #[test]
    fn ignored_tests_are_skipped_by_name_and_once() {
        let tally = tally(&[
            "test slow ... ignored, takes an hour",
            "test gpu ... ignored",
            "skipped: gpu (needs cuda)",
            "test result: ok. 0 passed; 0 failed; 2 ignored",
        ]);
        assert_eq!(tally.skipped(), ["gpu (needs cuda)", "slow (takes an hour)"]);
    }

    #[test]
    fn failures_are_shown_and_named() {
        let mut tally = Tally::default();
        assert_eq!(tally.line("test a ... ok"), Line::Quiet);
        assert_eq!(tally.line("test b ... FAILED"), Line::Show);
        assert_eq!(tally.line("thread 'b' panicked"), Line::Show);
        assert_eq!(tally.failures(), ["b"]);
    }
}
