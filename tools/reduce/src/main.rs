//! `terrace-reduce` with every dialect of this repository.

use std::process::ExitCode;

fn main() -> ExitCode {
    terrace_reduce::main(terrace_opt::Tool {
        name: "terrace-reduce",
        dialects: terrace_opt::all_dialects,
        registry: terrace_opt::REGISTRY,
        ..terrace_opt::Tool::OPT
    })
}
