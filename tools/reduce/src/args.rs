//! The command line.

use clap::{Parser, ValueEnum};

const EXAMPLES: &str = "\
The script takes the name of a file as its last argument. Exit code 0 means that the program in the file is interesting, as for
C-Reduce. Each run has its own empty working directory. After --timeout the run is killed with all processes that it has
started, and the program is not accepted. A script for a pass that crashes:

  #!/bin/sh
  terrace-opt \"$1\" --pipeline=cse 2>&1 | grep -q E0215

Examples:
  terrace-reduce big.mlir --test=./crashes.sh -o small.mlir
      keep what makes the script succeed; small.mlir always contains the best program so far
  terrace-reduce big.mlir --test=./crashes.sh --jobs=8 --max-seconds=60
      judge eight candidates at once, for one minute; print the result
  terrace-reduce big.mlir --test=./fails.sh --interesting=nonzero
      the script fails on interesting programs
  terrace-reduce --as=mlir-reduce big.mlir --reduction-tree='traversal-mode=0 test=./fails.sh'
      a script and an option as for MLIR's tool

Ctrl-C stops and gives the smallest program so far; a second Ctrl-C ends at once.

Exit codes: 0; 1 for an error in the input, or a script that decides nothing (E0414) or cannot be run (E0415); 2 for misuse; 130
after Ctrl-C.";

/// Which exit codes of the script mean an interesting program
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Codes {
    /// 0
    Zero,
    /// Any other
    Nonzero,
}

/// Make a program smaller while a script finds it interesting
///
/// Each candidate is an edit of the IR, never of text, and is valid. Edits go from coarse to fine: functions, ops, regions, blocks,
/// arguments, types, attributes, constants. The result does not depend on --jobs, and no single edit of it is accepted.
#[derive(Parser, Debug)]
#[command(version, verbatim_doc_comment, after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Input file; `-` is standard input
    pub file: String,
    /// Script that decides whether a program is interesting
    #[arg(long, value_name = "SCRIPT", required_unless_present = "reduction_tree")]
    pub test: Option<String>,
    /// Argument of the script, before the file's name (repeatable)
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    pub test_arg: Vec<String>,
    /// Output file, replaced as a whole after each improvement [default: standard output, at the end]
    #[arg(short = 'o', long = "output", value_name = "OUT")]
    pub output: Option<String>,
    /// Exit codes of the script that mean an interesting program [default: zero; nonzero with --as=mlir-reduce]
    #[arg(long, value_name = "CODES", value_enum)]
    pub interesting: Option<Codes>,
    /// Take the script as MLIR's tool does: a failure is interesting
    #[arg(long = "as", value_name = "TOOL", value_parser = clap::builder::PossibleValuesParser::new(["mlir-reduce"]))]
    pub like: Option<String>,
    /// The script as an option of MLIR's pass: `traversal-mode=0 test=SCRIPT test-arg=ARG`; with --as=mlir-reduce
    #[arg(long, value_name = "OPTIONS", requires = "like", conflicts_with = "test")]
    pub reduction_tree: Option<String>,
    /// Seconds that a run of the script may take
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    pub timeout: f64,
    /// Runs of the script at once; the result does not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
    /// Verdicts of the script to use at most, 3 or more; those that --jobs throws away are not counted
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(3..))]
    pub max_tests: Option<u64>,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS")]
    pub max_seconds: Option<f64>,
    /// Keep verdicts in this file for the next run with the same script
    #[arg(long, value_name = "FILE")]
    pub cache: Option<String>,
    /// Accept unregistered ops and dialects
    #[arg(long)]
    pub allow_unregistered_dialect: bool,
    /// Do not report progress
    #[arg(short, long)]
    pub quiet: bool,
}
