//! Codes of scheduling, E067x.

terrace_diag::codes! {
    /// The properties of a computation do not fit together, so that no schedule can be chosen.
    pub VIEW: "E0670" Verifier "computation cannot be scheduled";
    /// A given schedule asks for something that the computation's form does not allow. The message names the rule.
    pub SCHEDULE: "E0671" Verifier "schedule cannot be settled";
}
