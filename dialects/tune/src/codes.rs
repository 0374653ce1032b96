//! Codes of the rules of search spaces, E074x.

terrace_diag::codes! {
    /// A name is used twice in a space, or a name is used that the space does not have before this op.
    pub NAME: "E0740" Verifier "NAME: no such parameter, or two of a name";
    /// The values of a parameter are none, or not in ascending order, or a range runs backwards.
    pub DOMAIN: "E0741" Verifier "DOMAIN: a parameter has no values";
    /// A constraint asks for a value that the parameter cannot have, or compares what cannot be compared.
    pub FORMULA: "E0742" Verifier "FORMULA: a statement that means nothing";
}
