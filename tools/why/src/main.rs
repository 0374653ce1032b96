//! `terrace-why` with every dialect and pass of this repository.

use std::process::ExitCode;

fn main() -> ExitCode {
    terrace_why::main(terrace_opt::Tool {
        name: "terrace-why",
        dialects: terrace_opt::all_dialects,
        registry: terrace_opt::REGISTRY,
        ..terrace_opt::Tool::OPT
    })
}
