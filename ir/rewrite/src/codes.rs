//! Codes of rewriting's diagnostics, E02xx.

terrace_diag::codes! {
    /// Greedy rewriting did not come to an end: some rules undo each other. The note lists the rules applied last;
    /// disable one of them with `--disable-rule` to find the culprit.
    pub DIVERGES: "E0201" Bug "rewriting does not terminate";
}
