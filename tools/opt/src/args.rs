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
      lower from any level to assembly for this CPU; --list-passes shows what `to-host` expands to
  terrace-opt in.mlir --pipeline=to-ptx --emit=ptx --target-cpu=sm_90
      emit kernels for an NVIDIA GPU
  terrace-opt matmul.c --set I=512 --pipeline=to-host --emit=shared -o libmatmul.so
      build a library for C, Rust and Python; --emit=header writes its declarations
  generate | terrace-opt - --pipeline=canonicalize --print-changed --timing --stats
      print the IR after each change, with times and statistics
  terrace-opt in.mlir --pipeline=canonicalize --explain-miss=for_zero_trips
      report why this rewrite rule does not apply
  terrace-opt in.mlir --pipeline=cse --verify-each --reproducer=found.mlir
      write a test file that reproduces a failing pass; terrace-filetest runs it
  terrace-opt matmul.c --set I=512 --pipeline=to-host --emit=asm
      compile C loops with or without `#pragma mdh`
  terrace-opt matmul.c --emit=mdh
      print the computation of these loops as MDH text
  terrace-opt two_nests.mlir --explain-mapping=A=block.x,B=thread.x,D=thread.x
      check a mapping of maps to levels, and print the minimal change to a valid one
  terrace-opt matmul.c --set I=512 --explain-schedule
      print what was proposed as a schedule, and the time that the cost model expects of it
  terrace-opt matmul.c --set I=512 --pipeline=to-host --emit=asm --records=store
      take schedules that `terrace-tune --records=store` has found
  terrace-opt in.mlir --dialect=MyOps.json
      read ops of a C++ project; `llvm-tblgen --dump-json -I include MyOps.td` wrote the file
  terrace-opt --explain=E0103
      explain an error code
  terrace-opt --new-dialect=money
      write a crate with a dialect, a pass and a tool of your own
  terrace-opt --as=mlir-opt in.mlir -canonicalize -cse --mlir-print-ir-after-all
      take the command line of MLIR's tool, as a link of the name `mlir-opt` does

Exit codes: 0; 1 for an error in the input; 2 for misuse.";

/// Parse, verify, transform and print IR
///
/// Reads MLIR text, runs a pass pipeline, and writes text or code. A pipeline mirrors the nesting of ops: comma-separated pass
/// names in parentheses after the op that they run on, with options in braces. Passes at the top level run on the module.
#[derive(Parser, Debug)]
#[command(version, verbatim_doc_comment, after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Input file; `-` is standard input
    #[arg(default_value = "-")]
    pub file: String,
    /// Passes to run, for example `func.func(canonicalize,cse)`; or the name of a pipeline
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub pipeline: String,
    #[arg(long, value_name = "FORM", default_value = "mlir", hide_possible_values = true, help = crate::forms::help(),
          value_parser = clap::builder::PossibleValuesParser::new(crate::forms::names()))]
    pub emit: String,
    /// LLVM optimization level: 0 (the IR as built) to 3
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=3))]
    pub opt_level: u8,
    /// Target CPU by LLVM's name [default: this machine's]; for PTX the chip [default: `sm_80`]
    #[arg(long, value_name = "CPU")]
    pub target_cpu: Option<String>,
    /// CPU features as LLVM writes them, such as `+avx2,-fma`
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub target_features: Option<String>,
    /// Output file, written whole or not at all [default: standard output]
    #[arg(short = 'o', long = "output", value_name = "OUT")]
    pub output: Option<String>,
    /// Input language [default: by file name: `.c`, `.info` and `.json`, `.mdh`, `.onnx`, `.tensor`; any other is MLIR, as text or bytecode]
    ///
    /// c: functions over arrays, with or without `#pragma mdh`. composite: fused sub-graphs of MindSpore, JSON. mdh: views and `md_hom`, as the papers write them. onnx: models, whose open
    /// sizes `--set` gives. tensor:
    /// `A : f32 [4, 5]; y[i] = sum{j} exp(A[i, j]);`, also `v[i], p[i] = argmax{j} A[i, j]`, `T[P[i], j]`, `bf16(x)`. Reference:
    /// docs/input-languages.md.
    #[arg(long, value_name = "LANGUAGE", value_parser = clap::builder::PossibleValuesParser::new(crate::language::names()))]
    pub input: Option<String>,
    /// Define a constant: a macro or size parameter of C, a size or type of MDH text, a `let` of tensor expressions
    #[arg(long, value_name = "NAME=VALUE", value_parser = crate::language::set)]
    pub set: Vec<(String, String)>,
    /// Process each part between `// -----` lines as a separate file
    #[arg(long)]
    pub split_input_file: bool,
    /// Compare diagnostics with `expected-error {{…}}` comments; exit with 0 if they match exactly
    #[arg(long)]
    pub verify_diagnostics: bool,
    /// Verify after each pass
    #[arg(long)]
    pub verify_each: bool,
    /// Accept unregistered ops and dialects
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
    /// Print the time of each pass
    #[arg(long)]
    pub timing: bool,
    /// Print pass statistics
    #[arg(long)]
    pub stats: bool,
    /// Threads to use; the output does not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// If a pass fails, write its input and pipeline to this file as a runnable test
    #[arg(long, value_name = "FILE")]
    pub reproducer: Option<String>,
    /// Disable this rewrite rule (repeatable)
    #[arg(long, value_name = "NAME")]
    pub disable_rule: Vec<String>,
    /// Emit a remark at each op that this rewrite rule did not match, with the reason
    #[arg(long, value_name = "RULE")]
    pub explain_miss: Option<String>,
    /// Stop after so many applications of rules and other single changes, and report the last one: `40`, or `3:@f:17` for the 17th of the
    /// third pass in @f
    ///
    /// Every change of `canonicalize`, `rewrite`, `cse`, `dce` and `licm` has a number; any other pass is one application on each
    /// unit. A plain number counts over all passes and units. `PASS:UNIT:NUMBER` counts those of one pass in one unit (`module` is
    /// the root): on other units the pass runs in full, and no pass runs after it. terrace-why finds a wrong one.
    #[arg(long, value_name = "LIMIT")]
    pub rewrite_limit: Option<terrace_pass::RewriteLimit>,
    /// Check a mapping of maps to levels after the pipeline and explain violations: `A=block.x,B=L0,C=0`; prints no IR
    #[arg(long, value_name = "MAPPING")]
    pub explain_mapping: Option<String>,
    /// Explain the schedule of each computation: what was proposed, what it is estimated to take, who proposed nothing; prints no IR
    ///
    /// Of each `mdh-schedule` in the pipeline; without a pipeline, the program is lowered up to there. As text, or as one JSON object
    /// per computation and line.
    #[arg(long, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "text",
          value_parser = clap::builder::PossibleValuesParser::new(["text", "json"]))]
    pub explain_schedule: Option<String>,
    /// Device for `--explain-mapping` [default: opencl] and `--explain-schedule` without a pipeline [default: host]
    #[arg(long, value_name = "DEVICE", visible_alias = "target")]
    pub device: Option<String>,
    /// Threads that the program will run with: each `mdh-schedule` for a processor chooses for so many [default: those of the
    /// device's file]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub units: Option<u16>,
    #[command(flatten)]
    pub dialects: crate::DialectArgs,
    #[command(flatten)]
    pub records: crate::beyond::RecordArgs,
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
    #[command(flatten)]
    pub new: crate::new_dialect::NewDialect,
    /// Leave the IR to the process's end instead of freeing it op by op; set by `main`
    #[arg(skip)]
    pub leave_memory: bool,
    /// Explain an error code
    #[arg(long, value_name = "CODE")]
    pub explain: Option<String>,
}
