//! The test runner: expectations stand in the IR files.
//!
//! One test per file, found at run time, its name is its path. A file holds IR and directives in comments:
//!
//! ```text
//! // test: opt --pipeline="func.func(canonicalize)"      run the tool on this file (several lines: several runs)
//! // check: TEXT       a line of the output after the one matched last has TEXT; runs of blanks count as one
//! // next: TEXT        the very next line of the output has TEXT
//! // not: TEXT         no line from here to the next match has TEXT
//! // rule: NAME, NAME  these rules must have been applied in the runs of this file
//! // eval: @f(7, -1) == 7   the interpreter gives this on the input and on each run's output; several values in
//! //                        parentheses, vectors in brackets, `poison`, `trap E0301`
//! ```
//!
//! `{{…}}` in TEXT matches anything on the line. `--verify-diagnostics` runs expect `// expected-error {{…}}` comments
//! instead. A run that expects nothing is an error, and so is a file without a `test:` line, but for files that only have
//! to round-trip, which say `// test: round-trip`. Every file that parses must round-trip in custom and generic form.
//!
//! With `TERRACE_BLESS` in the environment `check:` and `next:` lines that fail are rewritten to what the output says now
//! (`cargo xtask bless`); never where `CI` is set.

mod bless;
mod directives;
mod eval;
mod matching;
mod round_trip;
mod runner;

pub use runner::{cases, main};
