//! Assembly formats as data: what a format string of `#[op]` becomes.
//!
//! Parsed by the macro at compile time; the text crate interprets the pieces in both directions. The words are those of
//! upstream's declarative formats.

use crate::defs::TypeDef;

/// Declarative syntax of a type's or attribute's parameters, kept among its interfaces
pub struct ParamFormat(pub &'static [ParamPiece]);

/// One piece of it
pub enum ParamPiece {
    /// A keyword or punctuation; spaces around it follow upstream's rules
    Lit(&'static str),
    /// A parameter in its constraint's form
    Param(u8),
    /// An array parameter without brackets: elements between commas
    Items(u8),
    /// Everything between angle brackets, kept as a string: syntax that is known to C++ code only
    Verbatim(u8),
}

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
    /// `type($operand)` of a field that has types of one definition: without their name, `<…>`
    OperandParams(u8, &'static TypeDef),
    /// `type($result)`, likewise
    ResultParams(u8, &'static TypeDef),
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
