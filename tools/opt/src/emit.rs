//! Forms of output.
//!
//! Text of IR is printed here. Code and dialects of C are forms of back ends, which have them in tables.

use crate::args::Args;
use crate::{beyond, codes};
use terrace_diag::Diagnostic;
use terrace_ir::Ir;
use terrace_text::PrintOptions;

/// How IR is printed as text
pub(crate) fn print_options(args: &Args) -> PrintOptions {
    PrintOptions {
        generic: args.emit == "generic",
        debuginfo: args.print_debuginfo,
        threads: args.threads.into(),
        ..PrintOptions::default()
    }
}

/// Text or code of a verified module
pub(crate) fn emit(args: &Args, ir: &Ir, out: &mut Vec<u8>) -> Result<(), Vec<Diagnostic>> {
    let options = print_options(args);
    if let Some(done) = beyond::emit(args, ir, out) {
        return done;
    }
    if args.emit == "bytecode" {
        let bytes = terrace_bytecode::write(ir, terrace_bytecode::WriteOptions::default());
        out.extend(bytes.map_err(|error| vec![*error])?);
        return Ok(());
    }
    terrace_text::print_to(ir, &options, out)
        .map_err(|error| vec![Diagnostic::error(&codes::WRITE, format!("cannot write the output: {error}"))])
}
