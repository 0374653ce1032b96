//! Diagnostic codes.

terrace_diag::codes! {
    /// Equality saturation works on functions of pure ops whose regions are functions of array patterns, with macros written out.
    pub TERM: "E0768" Verifier "a function is no term";
    /// Rules for equality saturation are rules with values for their parameters, `splitJoin(4) | mapFusion`.
    pub RULES: "E0769" Usage "rules for equality saturation are not understood";
}
