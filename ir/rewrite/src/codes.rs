//! Codes of rewriting's diagnostics, E02xx.

terrace_diag::codes! {
    /// Greedy rewriting did not come to an end: some rules undo each other. The note lists the rules applied last;
    /// disable one of them with `--disable-rule` to find the culprit.
    pub DIVERGES: "E0201" Bug "rewriting does not terminate";

    /// A name that stands for a rule is none that the registered dialects bring along. `dead` removes an op that nobody
    /// needs; the others are those of `--list-rules`.
    pub UNKNOWN_RULE: "E0202" Input "unknown rule";

    /// A strategy was to be applied and could not be at any op: the message has the reason of the rule that was tried
    /// last. `s?` or `s*` never fail.
    pub FAILED: "E0203" Input "the strategy does not apply";
}
