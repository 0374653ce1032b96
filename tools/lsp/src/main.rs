//! `terrace-lsp` with every dialect and pass of this repository.

use std::process::ExitCode;

fn main() -> ExitCode {
    terrace_lsp::main(terrace_opt::Tool { name: "terrace-lsp", ..terrace_opt::Tool::OPT })
}
