//! Codes of passes on array patterns, E069x.

terrace_diag::codes! {
    /// Sizes were given numbers that a condition of an op, or a size itself, does not allow.
    pub BOUND: "E0690" Verifier "sizes do not fit the numbers given";
    /// A call inside of an array pattern could not be inlined.
    pub CALL: "E0691" Verifier "CALL: a call stays inside of a pattern";
}
