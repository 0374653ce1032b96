//! Errors as they are returned.

use std::fmt;
use terrace_diag::{Diagnostic, Severity, Sources, render_all};

/// Why something failed: diagnostics, and their text with places and help
///
/// `Debug` writes the text as well, so that a `main` that returns a report shows it.
#[derive(Clone, PartialEq, Eq)]
pub struct Report {
    diagnostics: Vec<Diagnostic>,
    text: String,
}

impl Report {
    /// Of diagnostics, whose places are in these sources
    pub fn new(diagnostics: impl IntoIterator<Item = Diagnostic>, sources: &Sources) -> Report {
        let diagnostics: Vec<Diagnostic> = diagnostics.into_iter().collect();
        let text = render_all(diagnostics.iter(), sources, false);
        Report { diagnostics, text: text.trim_end().to_string() }
    }

    /// Of diagnostics without places
    pub(crate) fn plain(diagnostics: impl IntoIterator<Item = Diagnostic>) -> Report {
        Report::new(diagnostics, &Sources::new())
    }

    /// Of one error without a place
    pub(crate) fn plain_one(diagnostic: Diagnostic) -> Report {
        Report::plain([diagnostic])
    }

    /// All of them, warnings too, in order
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The code of the first error, such as `E0101`
    pub fn code(&self) -> Option<&'static str> {
        let first = self.diagnostics.iter().find(|one| one.severity == Severity::Error);
        first.and_then(|error| error.code).map(|code| code.id)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Report {}
