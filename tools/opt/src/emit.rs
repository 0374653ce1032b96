//! Forms of output.

use crate::args::Args;
use crate::codes;
use terrace_diag::Diagnostic;
use terrace_ir::Ir;
use terrace_text::PrintOptions;

/// Text or code of a verified module
pub(crate) fn emit(args: &Args, ir: &Ir, out: &mut Vec<u8>) -> Result<(), Diagnostic> {
    let options = PrintOptions {
        generic: args.emit == "generic",
        debuginfo: args.print_debuginfo,
        threads: args.threads.into(),
        ..PrintOptions::default()
    };
    match args.emit.as_str() {
        "mlir" | "generic" => terrace_text::print_to(ir, &options, out)
            .map_err(|error| Diagnostic::error(&codes::WRITE, format!("cannot write the output: {error}"))),
        form => {
            let message = format!("this build of the tool has no back end for `{form}`");
            Err(Diagnostic::error(&codes::EMIT, message).help("`--emit=mlir` and `--emit=generic` are there"))
        }
    }
}
