//! The command line of `mlir-opt` 22, for scripts and tests that call it.
//!
//! It is spoken where the program's name begins with `mlir-opt` (a link), or where the first argument is
//! `--as=mlir-opt`. `line` and `words` read LLVM's grammar, `options` and `passes` know the names, `request` is what the two front
//! doors hand on; `pipeline`, `textual` and `steps` bring passes from MLIR's text to this tool's passes; `run` and `chunk` do
//! it, with `watch`, `messages`, `reports` and `reproducer` for diagnostics, dumps and reports.
//!
//! **Invariant:** no option is read and ignored: one that cannot be followed is refused by name, with what comes nearest.

mod absent;
mod chunk;
mod dead_functions;
mod given;
mod known;
mod line;
mod lists;
mod messages;
mod options;
mod outcome;
mod passes;
mod passing;
mod pipeline;
mod reports;
mod reproducer;
mod request;
mod run;
mod scope;
mod steps;
mod textual;
mod unused_ops;
mod values;
mod watch;
mod words;

use crate::{Tool, output, say};
use std::path::Path;
use std::process::ExitCode;

/// The program's name in messages and the words behind it, if this command line is meant for `mlir-opt`
pub(crate) fn addressed(words: impl IntoIterator<Item = String>) -> Option<(String, Vec<String>)> {
    let mut words = words.into_iter();
    let program = words.next()?;
    let name = Path::new(&program).file_name()?.to_str()?.to_string();
    if name.starts_with("mlir-opt") {
        return Some((name, words.collect()));
    }
    (words.next()? == "--as=mlir-opt").then(|| ("mlir-opt".to_string(), words.collect()))
}

/// Run the tool on a command line of `mlir-opt`; every failure is exit code 1
pub(crate) fn main(tool: Tool, program: &str, words: Vec<String>) -> ExitCode {
    let request = match line::parse(program, words, &tool.registry) {
        Ok(request) => request,
        Err(lines) => {
            lines.iter().for_each(|line| say(&format!("{line}\n")));
            return ExitCode::from(1);
        }
    };
    match request.list {
        Some(list) => match output::write(None, lists::text(tool, list, program).as_bytes()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                say(&format!("{program}: {}\n", error.message));
                ExitCode::from(1)
            }
        },
        None => run::run(tool, &request),
    }
}
