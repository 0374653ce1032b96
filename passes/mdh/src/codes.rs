//! Codes of scheduling, E065x.

terrace_diag::codes! {
    /// The properties of a computation do not fit together, so that no schedule can be chosen.
    pub VIEW: "E0651" Verifier "computation cannot be scheduled";
}
