//! `terrace-view` with every dialect and pass of this repository.

use std::process::ExitCode;

fn main() -> ExitCode {
    terrace_view::main(terrace_opt::Tool {
        name: "terrace-view",
        dialects: terrace_opt::all_dialects,
        registry: terrace_opt::REGISTRY,
        ..terrace_opt::Tool::OPT
    })
}
