//! MLIR's textual form: parser and printer driven by the op tables.
//!
//! One grammar, the one of upstream's language reference (MLIR 22). `parse` reads a source of the context into a
//! module, reporting every mistake it finds; `print` writes it. Ops with syntax of their own list [`CustomAsm`] among their
//! interfaces: the framework has consumed (printed) results and mnemonic before, and reads (prints) a trailing `loc(…)`
//! after. The tables by which ops, types and attributes bring their syntax are here, above parser and printer.

pub mod codes;
mod lex;
pub mod names;
pub mod parse;
pub mod places;
pub mod print;

pub use names::{NameTable, SuggestNames};
pub use parse::{Argument, Delim, OpParser, OpenMap, ParseOptions, Signature, Unresolved, parse, parse_each};
pub use parse::{Partial, parse_partial};
pub use parse::{Worker, Workers};
pub use parse::{only_module, parse_attr, parse_type};
pub use places::Places;
pub use print::{Apart, OpPrinter, PrintOptions, UnitPrinter, op_text, op_text_with, print, print_to};
pub use terrace_ir::show::Elements;

use terrace_diag::Reported;
use terrace_ir::interface::Interface;
use terrace_ir::{Attr, OpId};

/// Table of an op's own syntax
pub struct CustomAsmTable {
    /// Parse what follows the mnemonic
    pub parse: fn(&mut OpParser<'_, '_>) -> Result<(), Reported>,
    /// Print what follows the mnemonic
    pub print: fn(&mut OpPrinter<'_>, OpId),
}

/// An op with hand-written syntax
pub trait CustomAsm: From<OpId> + 'static {
    /// Parse what follows the mnemonic
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported>;
    /// Print what follows the mnemonic, beginning with the blank if there is one
    fn print(self, p: &mut OpPrinter<'_>);

    /// Entry for the op's interfaces
    const ENTRY: Interface = Interface::new(
        const { &CustomAsmTable { parse: Self::parse, print: |p, op| Self::from(op).print(p) } },
    );
}

/// Table behind [`OtherNames`]
pub struct OtherNamesTable {
    /// Full names
    pub names: &'static [&'static str],
}

/// Other names of an op in custom syntax, for input only: its parser asks [`OpParser::spelling`]
pub trait OtherNames {
    /// Full names: `array.mapSeq`
    const NAMES: &'static [&'static str];

    /// Entry for the op's interfaces
    const ENTRY: Interface = Interface::new(const { &OtherNamesTable { names: Self::NAMES } });
}

/// Among a dialect's interfaces: it has types and attributes that its definitions do not list
///
/// They are kept as text, as those of dialects that are not registered.
pub struct OtherSyntax;

/// A dialect's own syntax for the parameters of one of its types or attributes
///
/// Attached to a `TypeDef` or `AttrDef`, together with `terrace_ir::show::CustomText`, which prints. Parses what follows the
/// mnemonic, angle brackets included; the framework checks the number and kinds of the parameters.
pub struct CustomParams {
    /// Parse
    pub parse: fn(&mut OpParser<'_, '_>) -> Result<Vec<Attr>, Reported>,
}
