//! Assembly formats as data: what a format string of `#[op]` becomes.
//!
//! Parsed by the macro at compile time; the text crate interprets the pieces in both directions. The words are those of
//! upstream's declarative formats.

/// One piece of a custom syntax
pub enum Asm {
    /// A keyword or punctuation; spaces around it follow upstream's rules
    Lit(&'static str),
    /// `$operand`: comma separated if variadic
    Operand(u8),
    /// `$attr` in its constraint's form
    Attr(u8),
    /// `$region`
    Region(u8),
    /// `$successor`
    Successor(u8),
    /// `type($operand)`
    OperandType(u8),
    /// `type($result)`
    ResultType(u8),
    /// `operands`
    Operands,
    /// `type(operands)`
    OperandTypes,
    /// `type(results)`
    ResultTypes,
    /// `functional-type(operands, results)`
    FunctionalType,
    /// `attr-dict`
    AttrDict,
    /// `attr-dict-with-keyword`
    AttrDictWithKeyword,
    /// `(first … ^ …)? : (otherwise)?`: printed when the anchor is present
    Optional {
        /// Presence of this decides when printing
        anchor: Anchor,
        /// Pieces when present; the first one decides when parsing
        then: &'static [Asm],
        /// Pieces when absent
        otherwise: &'static [Asm],
    },
    /// Space: `` ` ` `` prints one, ` `` ` none, `\n` a line break
    Space(&'static str),
}

/// What the presence of an optional group depends on
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The operand field has values
    Operand(u8),
    /// The result field has values
    Result(u8),
    /// The attribute is there and differs from its default
    Attr(u8),
    /// The region is not empty
    Region(u8),
    /// The variadic successor field has blocks
    Successor(u8),
}
