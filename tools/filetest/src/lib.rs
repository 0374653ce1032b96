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
//! // snapshot:         the whole output is the snapshot `snapshots/FILE@FORM.snap`, FORM being `mlir` or what `--emit=` says
//! // snapshot: after=NAME,NAME   so is the IR after each of these passes, `snapshots/FILE@NAME.snap`
//! // eval: @f(7, -1) == 7   the interpreter gives this on the input and on each run's output; several values in
//! //                        parentheses, vectors and buffers in brackets, `poison`, `trap E0301`; `leaving [1, 2]`
//! //                        says what buffers hold afterwards
//! ```
//!
//! `{{…}}` in TEXT matches anything on the line. `--verify-diagnostics` runs expect `// expected-error {{…}}` comments
//! instead. A run that expects nothing is an error, and so is a file without a `test:` line, but for files that only have
//! to round-trip, which say `// test: round-trip`. Every file that parses must round-trip in custom and generic form.
//!
//! With `TERRACE_BLESS` in the environment `check:` and `next:` lines that fail are rewritten to what the output says now
//! (`cargo xtask bless`); never where `CI` is set. Snapshots are those of `insta`: `cargo insta review` and `accept` work on
//! them, and one that no file names, or that is not reviewed, is a failed test of its own, `snapshots`. In Rust tests
//! [`assert_ir_snapshot!`] makes them.

mod bless;
mod checks;
mod directives;
mod eval;
mod failure;
mod ir_snapshot;
mod matching;
mod round_trip;
mod runner;
mod snapshots;

pub use checks::{is_test, mistake, written};
pub use failure::{Failure, Kind};
pub use runner::{cases, check_file, main};
pub use snapshots::check as check_snapshots;

/// For [`assert_ir_snapshot!`]
#[doc(hidden)]
pub mod __private {
    pub use crate::ir_snapshot::{IrText, after};
    pub use insta;
    pub use terrace_opt::Tool;
}
