//! Codes of the text crate's diagnostics, E00xx.

terrace_diag::codes! {
    /// Something else was expected at this place of the text.
    pub EXPECTED: "E0001" Input "unexpected text";
    /// A name of an op is not known: its dialect is not registered, or has no such op.
    ///
    /// Ops of unregistered dialects are accepted in generic form when the tool allows them.
    pub UNKNOWN_OP: "E0002" Input "unknown op";
    /// A value is used that nothing defines.
    pub UNDEFINED_VALUE: "E0003" Input "value not defined";
    /// A value's name is defined twice where both can be seen.
    pub REDEFINED_VALUE: "E0004" Input "value defined twice";
    /// A value is used with a type that is not its own.
    pub VALUE_TYPE: "E0005" Input "value used with another type";
    /// A branch goes to a block that its region does not have.
    pub UNDEFINED_BLOCK: "E0006" Input "block not defined";
    /// A block's name is defined twice in one region.
    pub REDEFINED_BLOCK: "E0007" Input "block defined twice";
    /// A number does not fit its type.
    pub OVERFLOW: "E0008" Input "number out of range";
    /// An alias is used that nothing defines, or is defined twice, or in terms of itself.
    pub ALIAS: "E0009" Input "alias not defined, or twice, or cyclic";
    /// A type is not known or its parts do not fit.
    pub TYPE: "E0010" Input "malformed type";
    /// An attribute is not known or its parts do not fit.
    pub ATTRIBUTE: "E0011" Input "malformed attribute";
    /// A type, attribute, location or affine expression nests deeper than the parser follows.
    pub TOO_DEEP: "E0012" Limit "nesting too deep";
    /// The source is larger than locations can count.
    pub TOO_LARGE: "E0013" Limit "source too large";
    /// A string has no closing quote on its line, or an escape that is none.
    pub STRING: "E0014" Input "malformed string";
    /// A type is neither written nor given by the op's definition.
    pub UNKNOWN_TYPE: "E0015" Input "type can't be inferred";
    /// The numbers of names, operands, types, regions or segments do not agree.
    pub COUNT: "E0016" Input "numbers do not agree";
    /// An attribute is set twice in one op or dictionary.
    pub ATTR_TWICE: "E0017" Input "attribute given twice";
    /// Values can't be passed into an op that is a unit of its own, nor out of it.
    pub UNIT_VALUES: "E0018" Input "values at the border of a unit";
    /// A section of the file's metadata that is not known.
    pub RESOURCES: "E0019" Input "unknown metadata";
    /// The context lacks what the parser itself needs, `builtin.module`.
    pub NOT_REGISTERED: "E0020" Usage "dialect `builtin` not registered";
    /// A character that begins nothing in this language.
    pub CHARACTER: "E0021" Input "unexpected character";
}
