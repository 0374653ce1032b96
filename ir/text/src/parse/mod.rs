//! The parser.

mod op_parser;

pub use op_parser::{Argument, Delim, OpParser, Signature, Unresolved};

use std::sync::Arc;
use terrace_diag::{Diags, SourceId};
use terrace_ir::{Context, Ir};

/// How to parse
#[derive(Clone, Debug)]
pub struct ParseOptions {
    /// Accept ops, types and attributes of dialects that are not registered
    pub allow_unregistered: bool,
    /// Threads to parse functions on
    pub threads: usize,
    /// Files below this many bytes are parsed on one thread
    pub parallel_from: usize,
}

impl Default for ParseOptions {
    fn default() -> Self {
        ParseOptions { allow_unregistered: false, threads: 1, parallel_from: 1 << 16 }
    }
}

/// Parse a source of the context into a module; `None` if there were errors
///
/// Every mistake found is in `diags`. A file that is one `builtin.module` gives that module, any other is wrapped in one.
pub fn parse(cx: &Arc<Context>, source: SourceId, options: &ParseOptions, diags: &mut Diags) -> Option<Ir> {
    let _ = (cx, source, options, diags);
    None
}
