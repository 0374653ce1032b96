//! The command line.

use clap::Parser;

/// Shown after the options
const EXAMPLES: &str = "\
Examples:
  terrace-opt in.mlir
      parse, verify, print
  terrace-opt in.mlir --pipeline='func.func(canonicalize{simplify-regions=false},cse),symbol-dce' -o out.mlir
      run passes and write a file
  terrace-opt in.mlir --pipeline=to-host --emit=asm
      from any level to assembly of this CPU; --list-passes tells what `to-host` stands for
  terrace-opt in.mlir --pipeline=to-ptx --emit=ptx --target-cpu=sm_90
      kernels for an NVIDIA GPU
  terrace-opt matmul.c --set I=512 --pipeline=to-host --emit=shared -o libmatmul.so
      a library for C, Rust, Python; --emit=header says what it has
  generate | terrace-opt - --pipeline=canonicalize --print-changed --timing --stats
      watch passes at work
  terrace-opt in.mlir --pipeline=canonicalize --explain-miss=for_zero_trips
      why does this rule not apply?
  terrace-opt in.mlir --pipeline=cse --verify-each --reproducer=found.mlir
      if a pass fails, a test file that shows it; terrace-filetest runs it
  terrace-opt matmul.c --set I=512 --pipeline=to-host --emit=asm
      C loops with or without `#pragma mdh`
  terrace-opt matmul.c --emit=mdh
      the computation that these loops are, as MDH text
  terrace-opt two_nests.mlir --explain-mapping=A=block.x,B=thread.x,D=thread.x
      may these loops run at these levels, and what would be right?
  terrace-opt --explain=E0103
      what an error code means

Exit codes: 0; 1 for an error in the input; 2 for misuse.";

/// Parse, verify, transform and print IR
///
/// Reads MLIR text, runs a pipeline of passes, writes text or code. A pipeline is written as it nests: names with commas
/// between, in the parentheses of the op that they work on, options in braces. What is not nested works on the module.
#[derive(Parser, Debug)]
#[command(version, verbatim_doc_comment, after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Input file; `-` is standard input
    #[arg(default_value = "-")]
    pub file: String,
    /// Passes to run, for example `func.func(canonicalize,cse)`; or the name of a pipeline
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub pipeline: String,
    #[arg(long, value_name = "FORM", default_value = "mlir", hide_possible_values = true, help = crate::emit::help(),
          value_parser = clap::builder::PossibleValuesParser::new(crate::emit::names()))]
    pub emit: String,
    /// How hard LLVM optimizes the code it emits: 0 (the IR as it was built) to 3
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=3))]
    pub opt_level: u8,
    /// CPU by LLVM's name to emit code for, this machine's if not given; for PTX the chip, `sm_80` if not given
    #[arg(long, value_name = "CPU")]
    pub target_cpu: Option<String>,
    /// CPU features as LLVM writes them, such as `+avx2,-fma`
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub target_features: Option<String>,
    /// Output file; standard output if not given. Written whole or not at all
    #[arg(short = 'o', long = "output", value_name = "OUT")]
    pub output: Option<String>,
    /// Language of the input; the file's name says it if not given: `.c`, `.mdh`, `.tensor`, anything else is MLIR
    ///
    /// c: functions over arrays, with or without `#pragma mdh`. mdh: views and `md_hom`, as the papers write them. tensor:
    /// `A : f32 [4, 5]; y[i] = sum{j} exp(A[i, j]);`, also `v[i], p[i] = argmax{j} A[i, j]`, `T[P[i], j]`, `bf16(x)`. All of each:
    /// docs/input-languages.md.
    #[arg(long, value_name = "LANGUAGE", value_parser = clap::builder::PossibleValuesParser::new(crate::language::NAMES))]
    pub input: Option<String>,
    /// A constant from outside: macros and size parameters of C, sizes and types of MDH text, `let` of tensor expressions
    #[arg(long, value_name = "NAME=VALUE", value_parser = crate::language::set)]
    pub set: Vec<(String, String)>,
    /// Treat each part between `// -----` lines as a file of its own
    #[arg(long)]
    pub split_input_file: bool,
    /// Compare diagnostics with `expected-error {{…}}` comments; exit 0 if they are exactly those
    #[arg(long)]
    pub verify_diagnostics: bool,
    /// Verify after each pass
    #[arg(long)]
    pub verify_each: bool,
    /// Accept ops and dialects that are not registered
    #[arg(long)]
    pub allow_unregistered_dialect: bool,
    /// Print locations
    #[arg(long)]
    pub print_debuginfo: bool,
    /// Print the IR before these passes (names with commas, or `all`)
    #[arg(long, value_name = "PASSES", value_delimiter = ',')]
    pub print_before: Vec<String>,
    /// Print the IR after these passes (names with commas, or `all`)
    #[arg(long, value_name = "PASSES", value_delimiter = ',')]
    pub print_after: Vec<String>,
    /// Print the IR after each pass that changed it
    #[arg(long)]
    pub print_changed: bool,
    /// Show the time each pass took
    #[arg(long)]
    pub timing: bool,
    /// Show what passes counted
    #[arg(long)]
    pub stats: bool,
    /// Threads to use; the output does not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// If a pass fails, write input and pipeline to this file as a test that can be run
    #[arg(long, value_name = "FILE")]
    pub reproducer: Option<String>,
    /// Do not apply this rewrite rule (may be given several times)
    #[arg(long, value_name = "NAME")]
    pub disable_rule: Vec<String>,
    /// Remark why this rewrite rule does not apply, at each op it starts from
    #[arg(long, value_name = "RULE")]
    pub explain_miss: Option<String>,
    /// Say what is wrong with a mapping of maps to levels, after the pipeline: `A=block.x,B=L0,C=0`; prints no IR
    #[arg(long, value_name = "MAPPING")]
    pub explain_mapping: Option<String>,
    /// Device whose levels `--explain-mapping` takes
    #[arg(long, value_name = "DEVICE", visible_alias = "target", default_value = "opencl")]
    pub device: String,
    /// List passes and named pipelines
    #[arg(long)]
    pub list_passes: bool,
    /// List dialects and their ops
    #[arg(long)]
    pub list_dialects: bool,
    /// List rewrite rules with the ops they start from
    #[arg(long)]
    pub list_rules: bool,
    /// Write the reference of all dialects, passes and codes into this folder, as Markdown
    #[arg(long, value_name = "DIR")]
    pub reference: Option<String>,
    /// Leave the IR to the process's end instead of freeing it op by op; set by `main`
    #[arg(skip)]
    pub leave_memory: bool,
    /// Explain an error code
    #[arg(long, value_name = "CODE")]
    pub explain: Option<String>,
}
