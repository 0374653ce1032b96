//! The command line.

use clap::Parser;

const EXAMPLES: &str = "\
Examples:
  terrace-why x.mlir --pipeline='func.func(canonicalize,cse)'
      try calls of all public functions, and explain the first difference that a pass makes
  terrace-why x.mlir --pipeline=to-host --in='@f(7, -1)' --in='@g([1, 2, 3], 4x1[0, 0, 0, 0])'
      try these calls; vectors and buffers are lists of elements, after the sizes of the buffer if one is dynamic
  terrace-why x.mlir --pipeline=cse --seconds=60 -o found.mlir
      search for one minute; write the test file to found.mlir
  terrace-why x.mlir --pipeline='func.func(canonicalize)' --prove
      prove by z3 or cvc5 that each function means the same for all arguments, or explain the arguments for which it does not
  terrace-filetest found.mlir
      the test file fails until the mistake is fixed

The tool compares results, buffers that are arguments or results, public globals and traps, bit for bit; all NaNs are equal. A call that
traps before a pass may do anything after it, and poison may become any value. Parallel parts run in nine orders, each compared with the
same order before the pass; a call whose result depends on the order decides nothing. Passes that fail are explained as well: panics, IR
that the verifier refuses, rewriting without an end.

Exit codes: 0 if a mistake was found and its test fails because of it; 1 for an error in the input; 2 for misuse; 3 if nothing was
found, or no test file shows it.";

/// Find the pass, the rule and the single rewrite that make a program wrong
///
/// Runs the program in the interpreter before and after each pass. Bisects the number of applications (--rewrite-limit of terrace-opt) of
/// the first pass that changes the result of a call. Then reduces the program as long as the same rule makes a difference, and writes it
/// as a test file that fails.
#[derive(Parser, Debug)]
#[command(version, verbatim_doc_comment, after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Input file; `-` is standard input
    pub file: String,
    /// Passes to run, as for terrace-opt
    #[arg(long, value_name = "TEXT")]
    pub pipeline: String,
    /// Try this call, `@f(7, -1)`, instead of generated ones (repeatable)
    #[arg(long = "in", value_name = "CALL", allow_hyphen_values = true)]
    pub calls: Vec<String>,
    /// Prove that each pass keeps the meaning of the functions it changes, by an SMT solver: z3, cvc5 or bitwuzla in the path
    ///
    /// Functions of integers without memory, loops and calls are proven for all arguments. A call that refutes is tried, and
    /// explained. Where everything is proven, no other call is tried.
    #[arg(long)]
    pub prove: bool,
    /// The solver of --prove: a program that reads SMT-LIB from its standard input
    #[arg(long, value_name = "PROGRAM", requires = "prove")]
    pub solver: Option<std::path::PathBuf>,
    /// Seconds for each question to the solver
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, requires = "prove")]
    pub solver_seconds: f64,
    /// Seconds for trying calls
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    pub seconds: f64,
    /// Seconds for reducing the program
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0)]
    pub reduce_seconds: f64,
    /// Steps that a call of the input may take; a call that takes more decides nothing
    #[arg(long, value_name = "N", default_value_t = 2_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub steps: u64,
    /// Where the test file is written [default: `why-PASS.mlir`]
    #[arg(short = 'o', long = "output", value_name = "OUT")]
    pub output: Option<String>,
    /// Input language [default: by file name], as for terrace-opt
    #[arg(long, value_name = "LANGUAGE", value_parser = clap::builder::PossibleValuesParser::new(terrace_opt::language::names()))]
    pub input: Option<String>,
    /// Define a constant of the input, as for terrace-opt
    #[arg(long, value_name = "NAME=VALUE", value_parser = terrace_opt::language::set)]
    pub set: Vec<(String, String)>,
    /// Accept unregistered ops and dialects
    #[arg(long)]
    pub allow_unregistered_dialect: bool,
    /// Do not report progress
    #[arg(short, long)]
    pub quiet: bool,
}
