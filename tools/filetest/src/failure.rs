//! Why the test of a file fails.

use std::fmt;

/// What did not hold
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A file or folder cannot be read or written
    File,
    /// A comment is no directive, or the file has too few
    Directive,
    /// A run of the tool failed, or its arguments are wrong
    Run,
    /// The output is not what the file expects
    Output,
    /// The text changes when it is printed and parsed again
    RoundTrip,
    /// A function of the input gives other values
    Values,
    /// A function gives other values after a run
    Changed,
    /// A snapshot differs, was not reviewed, or has no test
    Snapshot,
    /// A rule was not applied
    Rule,
}

impl Kind {
    /// A failure of this kind, without a place
    pub(crate) fn because(self, why: impl Into<String>) -> Failure {
        Failure { kind: self, line: None, why: why.into() }
    }
}

/// Why a test fails
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// What did not hold
    pub kind: Kind,
    /// Line of the test file, from 1
    pub line: Option<usize>,
    why: String,
}

impl Failure {
    /// Why, without the line
    pub fn why(&self) -> &str {
        &self.why
    }

    /// The same, at a line of the test file
    pub(crate) fn at(self, line: usize) -> Failure {
        Failure { line: Some(line), ..self }
    }

    /// The same, of another kind
    pub(crate) fn of(self, kind: Kind) -> Failure {
        Failure { kind, ..self }
    }

    /// The same, with the text in which it was found
    pub(crate) fn within(self, place: impl fmt::Display) -> Failure {
        Failure { why: format!("{place}: {}", self.why), ..self }
    }

    /// All failures of one kind as one, a line each; nothing if there are none
    pub(crate) fn all(kind: Kind, failures: &[Failure]) -> Result<(), Failure> {
        let shown: Vec<String> = failures.iter().map(Failure::to_string).collect();
        if shown.is_empty() { Ok(()) } else { Err(kind.because(shown.join("\n"))) }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.why),
            None => f.write_str(&self.why),
        }
    }
}

impl std::error::Error for Failure {}
