//! `terrace-run` with every dialect, pass and back end of this repository.

use std::process::ExitCode;

fn main() -> ExitCode {
    terrace_run::main(terrace_opt::Tool {
        name: "terrace-run",
        dialects: terrace_opt::all_dialects,
        registry: terrace_opt::REGISTRY,
        ..terrace_opt::Tool::OPT
    })
}
