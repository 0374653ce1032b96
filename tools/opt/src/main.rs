//! `terrace-opt` with every dialect and pass of this repository.

use std::process::ExitCode;

fn main() -> ExitCode {
    terrace_opt::main(terrace_opt::Tool::OPT)
}
