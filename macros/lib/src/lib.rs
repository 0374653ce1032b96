//! The proc-macros' library: ordinary functions from tokens to tokens, testable without the compiler.
//!
//! `parse → model → emit`. Macros emit data tables and thin accessors only; algorithms live once in the framework
//! (measured five times cheaper to compile). Emitted paths start with `::terrace_ir`, those of
//! passes with `::terrace_pass`. [`tokens::through_facade`] makes paths of the facade of them.
//!
//! - [`args`]: what stands in `#[op(…)]`; [`fields`]: the struct's fields; [`format`]: assembly formats;
//!   [`derive`]: which types need not be said.
//! - [`op`]: the model of an op; [`expand`]: its struct and table; [`accessors`]; [`build`]; [`tokens`]: common to all.
//! - [`params`]: types and attributes; [`dialect`]: `dialect! { … }`; [`pass`]: passes and their options.

pub mod accessors;
pub mod args;
pub mod build;
pub mod derive;
pub mod dialect;
pub mod expand;
pub mod fields;
pub mod format;
pub mod op;
pub mod params;
pub mod pass;
pub mod tokens;

use proc_macro2::TokenStream;

/// Tokens of the result, or of `compile_error!` at the right place
pub fn or_error(result: syn::Result<TokenStream>) -> TokenStream {
    result.unwrap_or_else(|error| error.to_compile_error())
}
