//! The collector: diagnostics in the order they were emitted, with a limit.

use crate::{Diagnostic, Severity};

/// Proof that a diagnostic was emitted
///
/// Only [`Diags::emit`] and [`Diags::result`] make one, so `Result<T, Reported>` states that a failure was reported to the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Reported(());

/// Diagnostics in order
///
/// At most [`limit`](Diags::with_limit) of each severity are kept and the rest counted: a hostile input can't take
/// memory, and a flood of warnings can't push out an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diags {
    kept: Vec<Diagnostic>,
    /// Emitted per severity, kept or not
    emitted: [usize; 3],
    limit: usize,
}

impl Default for Diags {
    fn default() -> Self {
        Self::new()
    }
}

impl Diags {
    /// How many of each severity are kept unless said otherwise
    pub const DEFAULT_LIMIT: usize = 1000;

    /// An empty collector with the default limit
    pub const fn new() -> Self {
        Self::with_limit(Self::DEFAULT_LIMIT)
    }

    /// An empty collector that keeps at most `limit` of each severity
    pub const fn with_limit(limit: usize) -> Self {
        Self { kept: Vec::new(), emitted: [0; 3], limit }
    }

    /// Take one in
    ///
    /// The proof is meant for errors; after a warning or remark there is nothing to fail for.
    #[allow(clippy::needless_pass_by_value)]
    pub fn emit(&mut self, diagnostic: Diagnostic) -> Reported {
        let emitted = &mut self.emitted[diagnostic.severity as usize];
        *emitted += 1;
        if *emitted <= self.limit {
            self.kept.push(diagnostic);
        }
        Reported(())
    }

    /// Take in all of another collector, after what is here
    pub fn append(&mut self, other: Diags) {
        let mut dropped = other.emitted;
        for diagnostic in other.kept {
            dropped[diagnostic.severity as usize] -= 1;
            let _ = self.emit(diagnostic);
        }
        for (emitted, dropped) in self.emitted.iter_mut().zip(dropped) {
            *emitted += dropped;
        }
    }

    /// Number of errors emitted, also those beyond the limit
    pub fn errors(&self) -> usize {
        self.emitted[Severity::Error as usize]
    }

    /// Number emitted of a severity, also those beyond the limit
    pub fn count(&self, severity: Severity) -> usize {
        self.emitted[severity as usize]
    }

    /// Whether an error was emitted
    pub fn has_errors(&self) -> bool {
        self.errors() > 0
    }

    /// `Err` if an error was emitted
    pub fn result(&self) -> Result<(), Reported> {
        if self.has_errors() { Err(Reported(())) } else { Ok(()) }
    }

    /// Number that are counted but not kept
    pub fn dropped(&self) -> usize {
        self.emitted.iter().sum::<usize>() - self.kept.len()
    }

    /// Whether nothing was emitted
    pub fn is_empty(&self) -> bool {
        self.emitted == [0; 3]
    }

    /// Those kept, in order
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.kept.iter()
    }

    /// Those kept, in order
    pub fn as_slice(&self) -> &[Diagnostic] {
        &self.kept
    }

    /// Those kept, in order
    pub fn into_vec(self) -> Vec<Diagnostic> {
        self.kept
    }
}

impl<'a> IntoIterator for &'a Diags {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::codes! {
        /// For the tests here.
        SAMPLE: "E0001" Input "sample";
    }

    fn error(text: &str) -> Diagnostic {
        Diagnostic::error(&SAMPLE, text)
    }

    #[test]
    fn warnings_are_no_failure() {
        let mut diags = Diags::new();
        let _ = diags.emit(Diagnostic::warning(None, "w"));
        assert!(diags.result().is_ok());
        let _ = diags.emit(error("e"));
        assert!(diags.result().is_err());
        assert_eq!((ALL.len(), diags.errors(), diags.count(Severity::Warning)), (1, 1, 1));
    }

    #[test]
    fn limit_counts_the_rest_and_is_per_severity() {
        let mut diags = Diags::with_limit(2);
        for _ in 0..5 {
            let _ = diags.emit(Diagnostic::warning(None, "w"));
        }
        let _ = diags.emit(error("kept"));
        assert_eq!((diags.iter().count(), diags.dropped(), diags.errors()), (3, 3, 1));
        assert_eq!(diags.into_vec()[2].message, "kept");
    }

    #[test]
    fn append_keeps_order_and_counts() {
        let (mut a, mut b) = (Diags::with_limit(2), Diags::with_limit(2));
        let _ = a.emit(error("1"));
        for text in ["2", "3", "4"] {
            let _ = b.emit(error(text));
        }
        a.append(b);
        assert_eq!((a.errors(), a.dropped()), (4, 2));
        assert_eq!(a.iter().map(|d| d.message.as_str()).collect::<Vec<_>>(), ["1", "2"]);
    }
}
