//! Codes of scheduling, E067x.

terrace_diag::codes! {
    /// The properties of a computation do not fit together, so that no schedule can be chosen.
    pub VIEW: "E0670" Verifier "computation cannot be scheduled";
    /// A given schedule asks for something that the computation's form does not allow. The message names the rule.
    pub SCHEDULE: "E0671" Verifier "schedule cannot be settled";
    /// A combine operator is not what it declares: the message gives values for which it is not associative, not commutative,
    /// or for which its identity changes them.
    pub PROPERTY: "E0672" Verifier "M-PROP: declared property of an operator does not hold";
}
