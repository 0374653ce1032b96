//! Codes of the `mdh` dialect, E06xx; the names in messages (M-SHAPE, S-DIV, …) are those of the design.

terrace_diag::codes! {
    /// An access leaves its buffer, or a result does not have the shape that the output's index functions give.
    pub SHAPE: "E0601" Verifier "M-SHAPE: index function and extent do not fit";
    /// An output's index functions use a dimension that is combined away, do not use one that is kept, or map two points
    /// to one place.
    pub OUT: "E0602" Verifier "M-OUT: output places are not unique";
    /// Combine operators of two dimensions do not interchange.
    pub COMB: "E0603" Verifier "M-COMB: combine operators do not interchange";
    /// A combine operator is not there, has other types than it must, or does not declare what it needs to be.
    pub OPER: "E0604" Verifier "M-OPER: operator does not fit";
    /// Operators of a dimension do not belong to the outputs one by one.
    pub KIND: "E0605" Verifier "M-KIND: one kind per dimension for all outputs";
    /// The body does something other than compute a contribution from its arguments.
    pub BODY: "E0606" Verifier "M-BODY: body is not a scalar function";
    /// A condition on points is not allowed.
    pub WHERE: "E0607" Verifier "M-WHERE: condition on points";
    /// The properties of the op do not fit together; only text in generic form can be so.
    pub FORM: "E0608" Verifier "properties of a computation do not fit together";
    /// Two points contribute to one place although nothing combines them, or there are too many points for the interpreter.
    pub RUN: "E0609" Limit "computation cannot be interpreted";
    /// More than 2^48 points, or an index function whose values cannot be bounded within that.
    pub LIMIT: "E0610" Limit "computation is too large";
}
