//! The proc-macros' library: ordinary functions from tokens to tokens, testable without the compiler.
//!
//! `parse → model → emit`. Macros emit data tables and thin accessors only; algorithms live once in the framework
//! (style.md §3.2: measured five times cheaper to compile). Emitted paths start with `::terrace_ir`.
//!
//! - [`args`]: what stands in `#[op(…)]`; [`fields`]: the struct's fields; [`format`]: assembly formats.
//! - [`op`]: the op's table, accessors and `build`; [`dialect`]: `dialect! { … }`; [`params`]: types and attributes.

pub mod accessors;
pub mod args;
pub mod build;
pub mod dialect;
pub mod fields;
pub mod format;
pub mod op;
pub mod params;

use proc_macro2::TokenStream;

/// Tokens of the result, or of `compile_error!` at the right place
pub fn or_error(result: syn::Result<TokenStream>) -> TokenStream {
    result.unwrap_or_else(|error| error.to_compile_error())
}
