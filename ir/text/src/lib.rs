//! MLIR's textual form: parser and printer driven by the op tables.
//!
//! One grammar, the one of upstream's language reference (MLIR 22). `parse` reads a source of the context into a
//! module, reporting every mistake it finds; `print` writes it. Ops with syntax of their own implement [`CustomAsm`].

pub mod codes;
pub mod custom;
mod lex;
pub mod names;
pub mod parse;
pub mod print;

pub use custom::{CustomAsm, CustomAsmTable, CustomParams, OtherNames, OtherNamesTable};
pub use names::{NameTable, SuggestNames};
pub use parse::{Argument, Delim, OpParser, OpenMap, ParseOptions, Signature, Unresolved, parse};
pub use print::{OpPrinter, PrintOptions, op_text, print, print_to};
