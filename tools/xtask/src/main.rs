//! `cargo xtask`: set-up, demo, tests, lint and benchmarks of this repository
//!
//! One module per command. What a machine can serve is one table, in `components.rs`; nothing else
//! knows a package name, a feature or a probe. It depends on no crate of the framework, so that it
//! builds in seconds on a machine that has only Rust and a C linker.
//!
//! Exit codes: 0; 1 when something failed; 2 for misuse.

#![warn(clippy::print_stdout)]

#[macro_use]
mod say;

mod bench;
mod bless;
mod chroot;
mod components;
mod demo;
mod docs;
mod fuzz;
mod lint;
mod lit;
mod measure;
mod process;
mod programs;
mod progress;
mod replay;
mod score;
mod setup;
mod source;
mod tally;
mod test;
mod tools;
mod workspace;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// What went wrong, as one text for the user
pub type Fallible<T = ()> = Result<T, String>;

/// Shown after the commands
const EXAMPLES: &str = "\
Examples:
  cargo xtask demo
      the first thing to run: a matrix product from mathematics to machine code, on every back end of this machine
  cargo xtask build && export PATH=\"$PWD/target/tools:$PATH\"
      all tools, to be called by name as the documents do
  cargo xtask setup --check
      what is here, what is missing and what is skipped without it
  cargo xtask test matmul
      the tests whose names contain `matmul`; the whole output is kept in target/terrace/test.log
  cargo xtask lint && cargo xtask test
      what a change is held against; .ci/run does both
  cargo xtask bless passes/general && git diff
      expectations fitted to what the passes do now, to be read before they are kept
  cargo xtask replay record old --quick    (and after a change: record new; cargo xtask replay compare old new)
      did a refactoring change what any tool writes?
  cargo xtask calibrate --out=my-machine
      this processor's own numbers for the cost model, in a minute; terrace-tune --target=my-machine uses them
  cargo xtask bench cpu --list
      the rows of a benchmark; `bench cpu --quick --only=dot` measures one of them

Exit codes: 0; 1 when something failed; 2 for misuse.";

/// Set-up, demo, tests, lint and benchmarks of Terrace
///
/// Each command first looks for what this machine has (LLVM, MLIR, OpenCL, …), and builds with that; what is missing is
/// skipped by name.
#[derive(Parser)]
#[command(name = "cargo xtask", version, verbatim_doc_comment, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Find missing components and install them, or print how
    Setup {
        /// Also install ptxas, nvdisasm and NVRTC (NVIDIA's wheels, in a private environment under target/)
        #[arg(long)]
        nvidia: bool,
        /// Also bring Intel's OpenCL, which takes SPIR-V (Intel's wheels, in a private environment under target/)
        #[arg(long)]
        intel: bool,
        /// Also bring HyperQueue, by which a test measures (its wheel, in a private environment under target/)
        #[arg(long)]
        hyperqueue: bool,
        /// Also bring AMD's headers for high-level synthesis, with which tests compile code for FPGAs (the wheel of hls4ml, in a private
        /// environment under target/)
        #[arg(long)]
        hls: bool,
        /// Also install Verilator and Yosys, with which tests run code for FPGAs as hardware
        #[arg(long)]
        fpga: bool,
        /// Change nothing; exit with 1 when something is missing
        #[arg(long)]
        check: bool,
    },
    /// Set up, then run every test of the workspace; report skipped ones by name
    Test {
        /// Run only the tests whose names contain this
        filter: Option<String>,
    },
    /// Set up, build, and lower a matrix product from mathematics to machine code
    Demo,
    /// Set up, and build the tools with the features that this machine supports
    Build {
        /// Optimize as for published figures; slower to build
        #[arg(long)]
        release: bool,
    },
    /// Compare and time the programs of test-files/demo on every back end
    Programs {
        /// Threads of each
        #[arg(long)]
        threads: Option<u32>,
    },
    /// Rewrite the expectations of tests, and show the diff
    Bless {
        /// Only the tests whose names contain this
        filter: Option<String>,
    },
    /// Regenerate the reference pages under docs/reference
    Docs,
    /// Run the fuzz targets for a while
    Fuzz {
        /// Only this one: parse, round-trip, passes, pipeline
        target: Option<String>,
        /// Seconds per target
        #[arg(long, default_value_t = 20)]
        seconds: u32,
    },
    /// Build the benchmarks in release and run the named ones
    Bench {
        /// Names and options, passed to `terrace-benches` unchanged
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        names: Vec<String>,
    },
    /// Measure this processor's own numbers, and write a device's file that `--target` finds by name
    Calibrate {
        /// Options of `terrace-benches calibrate`: --out=NAME, --out=FILE.toml, --quick
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Format, clippy and the tidy checks
    Lint,
    /// Figures of the source: sizes, long functions, duplicates, circles, strings in place of types
    Score {
        /// Show the figures of this revision next to today's
        #[arg(long)]
        against: Option<String>,
        /// List the places that a figure counts: functions, duplicates, duplicates-with-tests, circles, spoken, op-names, string-results
        #[arg(long)]
        list: Option<String>,
    },
    /// Run a folder of `lit` tests with `mlir-opt` and with `terrace-opt` in its place, and count those that pass
    Lit {
        #[command(flatten)]
        options: lit::Options,
    },
    /// Record what the tools write for a corpus of programs, and compare two recordings
    Replay {
        #[command(subcommand)]
        action: replay::Action,
    },
    /// Try the README in a bare Debian that has only Rust and gcc (needs root and mmdebstrap)
    Chroot {
        /// Folder of the new system; must not exist
        dir: PathBuf,
    },
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let outcome = workspace::Workspace::find().and_then(|ws| match cli.command {
        Command::Setup { nvidia, intel, hyperqueue, hls, fpga, check } => {
            setup::command(&ws, setup::Wanted { nvidia, intel, hyperqueue, hls, fpga }, check)
        }
        Command::Test { filter } => test::command(&ws, filter.as_deref()),
        Command::Programs { threads } => programs::command(&ws, threads),
        Command::Demo => demo::command(&ws),
        Command::Build { release: true } => tools::command(&ws, tools::Profile::Release),
        Command::Build { release: false } => tools::command(&ws, tools::Profile::Tools),
        Command::Bless { filter } => bless::command(&ws, filter.as_deref()),
        Command::Fuzz { target, seconds } => fuzz::command(&ws, target.as_deref(), seconds),
        Command::Docs => docs::command(&ws),
        Command::Bench { names } => bench::command(&ws, &names),
        Command::Calibrate { options } => {
            bench::command(&ws, &[vec!["calibrate".to_owned()], options].concat())
        }
        Command::Lint => lint::command(&ws),
        Command::Score { against, list } => score::command(&ws, against.as_deref(), list.as_deref()),
        Command::Lit { options } => lit::command(&ws, &options),
        Command::Replay { action } => replay::command(&ws, &action),
        Command::Chroot { dir } => chroot::command(&ws, &dir),
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
