//! Codes of passes and pipelines, E02xx.

terrace_diag::codes! {
    /// The pipeline's text is not of the form `op(pass{option=value},op(pass))`.
    pub SYNTAX: "E0210" Usage "malformed pipeline";
    /// No pass, named pipeline or op of this name is registered. `--list-passes` shows all.
    pub UNKNOWN_PASS: "E0211" Usage "unknown pass";
    /// The pass has no such option, or the value is not of the option's kind.
    pub OPTION: "E0212" Usage "wrong pass option";
    /// The pass works on another kind of op than the one its pipeline is nested in.
    pub ANCHOR: "E0213" Usage "pass in the wrong nest";
    /// A pass left IR that the verifier refuses. This is a bug in the pass.
    pub BROKEN: "E0214" Bug "pass left invalid IR";
    /// A pass panicked. This is a bug in the pass.
    pub PANIC: "E0215" Bug "pass panicked";
}
