//! `terrace-filetest DIR [FILTER]`: run the tests in a folder with the dialects and passes of this repository.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_none_or(|word| word.starts_with('-')) {
        eprintln!("usage: terrace-filetest DIR [FILTER] [--list] [--exact] [--test-threads=N]");
        return ExitCode::from(if words.iter().any(|word| word == "--help") { 0 } else { 2 });
    }
    let folder = PathBuf::from(words.remove(0));
    let tool = terrace_opt::Tool {
        name: "terrace-opt",
        dialects: terrace_opt::all_dialects,
        registry: terrace_opt::REGISTRY,
    };
    terrace_filetest::main(tool, &folder, words)
}
