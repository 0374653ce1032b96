//! The command line.

use clap::Parser;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use terrace_opt::RecordArgs;
use terrace_runtime_buffers::Binding;
use terrace_target_api::{Scheduling, Target};
use terrace_targets::TARGETS;

/// Shown after the options
const EXAMPLES: &str = "\
Examples:
  terrace-run matmul.mlir --in=A=random:1 --in=B=random:2
      run the only public function in the interpreter and print its results
  terrace-run matmul.mlir --in=A=a.npy --in=B=b.npy --out=C=c.npy --on=host
      run on this CPU through LLVM, with arrays from and to files
  terrace-run matmul.mlir --in=A=random:1 --in=B=random:2 --compare=interp,host,openmp,opencl,mlir
      compare the results; prints the worst element and its error bound
  terrace-run matmul.mlir --in=A=random:1 --in=B=random:2 --on=host --bench=20 --threads=1
      print median, minimum and maximum time as one line of JSON, and GFLOP/s if the operations are known
  terrace-run scale.mlir --entry=@scale --in=x=iota --in=a=fill:0.5 --shape=x=12
      set dynamic sizes
  terrace-run kernel.mlir --in=x=iota --on=opencl
      run kernels on an OpenCL device, timed by the device's clock

Exit codes: 0; 1 for an error or results that do not agree; 2 for misuse.";

/// Run a function of an IR file on arrays, on any back end
///
/// The file may be at any level. It is lowered with the named pipeline of the back end first (`terrace-opt
/// --list-passes` shows them). NAME in `--in`, `--out` and `--shape` is the `terrace.name` attribute of an argument or
/// result, else its printed name, else its position. A memref argument is input and output; without `--in` it starts
/// undefined.
#[derive(Parser, Debug)]
#[command(version, verbatim_doc_comment, after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Input file; `-` is standard input
    pub file: String,
    /// Input language [default: by file name: `.c`, `.info` and `.json`, `.mdh`, `.onnx`, `.tensor`; any other is MLIR]
    ///
    /// c: functions over arrays, with or without `#pragma mdh`. composite: fused sub-graphs of MindSpore, JSON. mdh: views and `md_hom`, as the papers write them. onnx: models, whose open
    /// sizes `--set` gives. tensor:
    /// `A : f32 [4, 5]; y[i] = sum{j} exp(A[i, j]);`, also `v[i], p[i] = argmax{j} A[i, j]`, `T[P[i], j]`, `bf16(x)`. Reference:
    /// docs/input-languages.md.
    #[arg(long, value_name = "LANGUAGE", value_parser = clap::builder::PossibleValuesParser::new(terrace_opt::language::names()))]
    pub input: Option<String>,
    /// Define a constant: a macro or size parameter of C, a size or type of MDH text, a `let` of tensor expressions
    #[arg(long, value_name = "NAME=VALUE", value_parser = terrace_opt::language::set)]
    pub set: Vec<(String, String)>,
    /// Function to run [default: the only public one with a body]
    #[arg(long, value_name = "@NAME")]
    pub entry: Option<String>,
    /// Value of an argument: FILE.npy, random:SEED, iota or fill:VALUE
    #[arg(long = "in", value_name = "NAME=SOURCE")]
    pub inputs: Vec<Binding>,
    /// Output file for a result or a written argument
    #[arg(long = "out", value_name = "NAME=FILE.npy")]
    pub outputs: Vec<ArrayFile>,
    /// Sizes of an argument of dynamic shape, such as `A=16x32`
    #[arg(long = "shape", value_name = "NAME=SIZES")]
    pub shapes: Vec<Sizes>,
    /// Where to run
    #[arg(long, value_name = "BACKEND", default_value = "interp", value_parser = backends())]
    pub on: &'static dyn Target,
    /// Run on these back ends (comma-separated) and compare the results with the first
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = backends())]
    pub compare: Vec<&'static dyn Target>,
    /// Tolerance for floats: `auto`, `exact`, `ABS` or `ABS,REL`
    #[arg(long, value_name = "BOUND", default_value = "auto")]
    pub tolerance: Bound,
    /// Time N runs [default: 10] and print one line of JSON; `ci`: repeat until the 99 % confidence interval is within
    /// 5 % of the mean
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "10")]
    pub bench: Option<Runs>,
    /// Floating-point operations of one call, for GFLOP/s [default: counted, if the file's mathematics permits]
    #[arg(long, value_name = "N")]
    pub flops: Option<u64>,
    /// Passes to run first
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub pipeline: String,
    /// Threads of passes and of the program [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Threads that schedules are chosen for on processors [default: `--threads`, or those of the device's file]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub units: Option<u16>,
    #[command(flatten)]
    pub records: RecordArgs,
    /// Op limit of the interpreter
    #[arg(long, value_name = "N", default_value_t = 1 << 40)]
    pub fuel: u64,
    /// Time limit of the program in seconds, where it runs in a process of its own: host, mlir, openmp
    #[arg(long, value_name = "SECONDS", default_value_t = terrace_native_client::client::LIMIT.as_secs(),
          value_parser = clap::value_parser!(u64).range(1..=1 << 32))]
    pub time_limit: u64,
    /// Order in which the interpreter runs threads, blocks and parallel iterations: `forward`, `reverse`, or a seed
    #[arg(long, value_name = "ORDER", default_value = "forward")]
    pub order: terrace_interp::Order,
    /// Device whose subgroup size the interpreter uses: a name or a file, as for schedules [default: subgroups of 32]
    #[arg(long, value_name = "DEVICE", visible_alias = "target")]
    pub device: Option<String>,
}

impl Args {
    /// What is stated of schedules
    pub(crate) fn scheduling(&self) -> Scheduling {
        Scheduling { units: self.units.or(self.threads), records: self.records.of(self.threads) }
    }
}

/// Why the value of a flag cannot be read; clap names the flag and the value
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArgError {
    /// Not a number of runs
    Runs,
    /// Not a name and a file
    ArrayFile,
    /// Not a name and sizes
    Sizes,
    /// Not a bound
    Bound,
}

impl fmt::Display for ArgError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Runs => "expected 1 to 1000000, or `ci`",
            Self::ArrayFile => "expected NAME=FILE.npy",
            Self::Sizes => "expected NAME=SIZES, such as `A=16x32`",
            Self::Bound => "expected `auto`, `exact`, or numbers of at least 0: ABS or ABS,REL",
        })
    }
}

impl std::error::Error for ArgError {}

/// How often to measure
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Runs {
    /// So many times
    Count(u32),
    /// Until the mean is known well enough
    Confident,
}

impl FromStr for Runs {
    type Err = ArgError;

    fn from_str(text: &str) -> Result<Runs, ArgError> {
        match text.parse() {
            _ if text == "ci" => Ok(Runs::Confident),
            Ok(n @ 1..=1_000_000) => Ok(Runs::Count(n)),
            _ => Err(ArgError::Runs),
        }
    }
}

/// The words for back ends, each with its line of help
fn backends() -> impl TypedValueParser<Value = &'static dyn Target> {
    let word = |target: &&dyn Target| PossibleValue::new(target.name()).help(target.help());
    let words: Vec<PossibleValue> = TARGETS.iter().map(word).collect();
    PossibleValuesParser::new(words)
        .try_map(|name| terrace_targets::find(&name).ok_or("there is no such back end"))
}

/// `NAME=FILE.npy`
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ArrayFile {
    pub name: String,
    pub file: PathBuf,
}

impl FromStr for ArrayFile {
    type Err = ArgError;

    fn from_str(text: &str) -> Result<ArrayFile, ArgError> {
        match text.split_once('=') {
            Some((name, file)) if !name.is_empty() && file.ends_with(".npy") => {
                Ok(ArrayFile { name: name.into(), file: file.into() })
            }
            _ => Err(ArgError::ArrayFile),
        }
    }
}

/// `NAME=16x32`
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sizes {
    pub name: String,
    pub sizes: Vec<u64>,
}

impl FromStr for Sizes {
    type Err = ArgError;

    fn from_str(text: &str) -> Result<Sizes, ArgError> {
        let (name, sizes) =
            text.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or(ArgError::Sizes)?;
        let sizes = sizes
            .split('x')
            .map(|size| size.parse().map_err(|_| ArgError::Sizes))
            .collect::<Result<_, _>>()?;
        Ok(Sizes { name: name.into(), sizes })
    }
}

/// How far floats may be apart
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Bound {
    /// From the program
    Auto,
    /// The same for every element
    Fixed { abs: f64, rel: f64 },
}

impl FromStr for Bound {
    type Err = ArgError;

    fn from_str(text: &str) -> Result<Bound, ArgError> {
        let number = |text: &str| match text.parse::<f64>() {
            Ok(number) if number >= 0.0 => Ok(number),
            _ => Err(ArgError::Bound),
        };
        match text {
            "auto" => Ok(Bound::Auto),
            "exact" => Ok(Bound::Fixed { abs: 0.0, rel: 0.0 }),
            _ => match text.split_once(',') {
                Some((abs, rel)) => Ok(Bound::Fixed { abs: number(abs)?, rel: number(rel)? }),
                None => Ok(Bound::Fixed { abs: number(text)?, rel: 0.0 }),
            },
        }
    }
}
