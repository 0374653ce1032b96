//! Codes of the rules of array patterns, E068x.

terrace_diag::codes! {
    /// A condition on sizes does not hold: a size does not divide another, two that must be equal are not, or a part is
    /// larger than the whole. Sizes in the message are simplified.
    pub SIZE: "E0680" Verifier "SIZE: sizes do not fit";
    /// An array pattern got operands, or its function has arguments or results, of types that it cannot work on.
    pub TYPE: "E0681" Verifier "TYPE: types do not fit the pattern";
    /// An operator is not one for the type, is no function of it, or is not declared associative.
    pub OPERATOR: "E0682" Verifier "OPERATOR: no operator for this type";
    /// `array.bind` is no dictionary of sizes.
    pub BIND: "E0683" Verifier "BIND: symbols are bound to no sizes";
    /// A size whose symbols have no value, or values whose lengths contradict their types, while interpreting.
    pub UNBOUND: "E0684" Usage "a size is not known";
}
