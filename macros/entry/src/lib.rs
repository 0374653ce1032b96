//! Proc-macros for ops, types, attributes and dialects: thin entries; the work is in `terrace-macros-lib`.

use proc_macro::TokenStream;
use terrace_macros_lib::{dialect, op, or_error, params};

/// Define an op: fields are operands, attributes, results, regions, successors
///
/// See `docs/` for the walk-through; `terrace_macros_lib` documents each argument.
#[proc_macro_attribute]
pub fn op(args: TokenStream, item: TokenStream) -> TokenStream {
    or_error(op::expand(args.into(), item.into())).into()
}

/// List what a dialect registers
#[proc_macro]
pub fn dialect(input: TokenStream) -> TokenStream {
    or_error(dialect::expand(input.into())).into()
}

/// Define a dialect's type by its parameters
#[proc_macro_attribute]
pub fn dialect_type(args: TokenStream, item: TokenStream) -> TokenStream {
    or_error(params::expand(params::What::Type, args.into(), item.into())).into()
}

/// Define a dialect's attribute by its parameters
#[proc_macro_attribute]
pub fn dialect_attr(args: TokenStream, item: TokenStream) -> TokenStream {
    or_error(params::expand(params::What::Attr, args.into(), item.into())).into()
}
