//! `terrace-filetest DIR [FILTER]`: run the tests in a folder with the dialects and passes of this repository.

/// Text of `--help`
const HELP: &str = "\
Run the tests in the .mlir files below a folder: one test per file, named by its path

usage: terrace-filetest DIR|FILE [FILTER] [--list] [--exact] [--test-threads=N]

Comments in a file state what runs and what is expected:
  // test: round-trip                         prints and parses to the same, in both forms
  // test: opt --pipeline=\"func.func(cse)\"    as terrace-opt; several runs write one output
  // check: arith.addi %a, {{.*}}             somewhere after the last match; next: on the next line; not: not before the next
  // snapshot: after=cse,canonicalize      the IR after these passes, in snapshots/; without a pass: the output
  // rule: fold_if                            this rule was applied
  // eval: @f(7, -1) == 7                     in the interpreter, before and after the runs; == trap E0301
  // eval: @g([1, 2]) == () leaving [2, 2]    what a buffer holds afterwards
  // expected-error@+1 {{must be positive}}   with --verify-diagnostics

Every file must round-trip. TERRACE_BLESS=1 (never in CI) updates failing expectations.

Examples:
  terrace-filetest test-files                 run all tests
  terrace-filetest test-files passes/         those whose path contains this
  terrace-filetest found.mlir                 one that --reproducer wrote
  TERRACE_BLESS=1 terrace-filetest test-files passes/general/cse      update its expectations; read the diff

Exit codes: 0; 1 if a test failed, or no name matches the filter; 2 for misuse.";

use std::path::PathBuf;
use std::process::ExitCode;

/// Say what was asked
fn tell(text: &str) -> ExitCode {
    match terrace_opt::write_output(None, format!("{text}\n").as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            terrace_opt::say(&format!("{}\n", error.message));
            ExitCode::from(1)
        }
    }
}

fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_none_or(|word| word.starts_with('-')) {
        if words.iter().any(|word| word == "--help" || word == "-h") {
            return tell(HELP);
        }
        if words.iter().any(|word| word == "--version" || word == "-V") {
            return tell(concat!("terrace-filetest ", env!("CARGO_PKG_VERSION")));
        }
        terrace_opt::say(
            "usage: terrace-filetest DIR|FILE [FILTER] [--list] [--exact] [--test-threads=N]\nTry --help.\n",
        );
        return ExitCode::from(2);
    }
    let mut folder = PathBuf::from(words.remove(0));
    // A file, such as a reproducer, is the one test of that name in its folder.
    if folder.is_file()
        && let (Some(parent), Some(name)) = (folder.parent(), folder.file_stem())
    {
        words.splice(0..0, [name.to_string_lossy().into_owned(), "--exact".to_owned()]);
        folder = if parent.as_os_str().is_empty() { PathBuf::from(".") } else { parent.to_path_buf() };
    }
    let tool = terrace_opt::Tool::OPT;
    let filter = words.iter().find(|word| !word.starts_with('-'));
    if let (Some(filter), Ok(tests)) = (filter, terrace_filetest::cases(tool, &folder))
        && !tests.iter().any(|test| test.name().contains(filter.as_str()))
    {
        let there = tests.len();
        terrace_opt::say(&format!(
            "no test has `{filter}` in its name; --list shows the {there} there are\n"
        ));
        return ExitCode::from(1);
    }
    terrace_filetest::main(tool, &folder, words)
}
