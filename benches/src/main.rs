//! Generators and side-by-side benchmarks
//!
//! `terrace-benches gen` writes test files, `terrace-benches ir` runs `terrace-opt` against upstream's on them,
//! `terrace-benches cpu` runs generated code against the libraries that people use, `terrace-benches gpu` the same on a GPU,
//! `terrace-benches elsewhere` compares its values on other back ends and asks NVIDIA's compilers, `terrace-benches fpga` simulates layers as hardware next to their model, `terrace-benches conv` layers of a network as
//! array programs, `terrace-benches shapes` programs of many kinds and sizes, `terrace-benches operators` those of a paper's table,
//! `terrace-benches reductions` those of networks, `terrace-benches graphs` fused sub-graphs, `terrace-benches jax` whole programs of JAX,
//! `terrace-benches networks` whole networks from ONNX models, `terrace-benches model` the cost model against measured schedules, `terrace-benches search` runs the solver, `terrace-benches compile` times the way from a mapped convolution to
//! kernels, `terrace-benches calibrate` measures the numbers of a device's file.
//! Nothing here is a test with a time limit: figures are printed, people judge them.

#![warn(clippy::print_stdout)]

#[path = "../../tools/xtask/src/say.rs"]
#[macro_use]
mod say;

mod bound;
mod calibrate;
mod compile;
mod contest;
mod conv;
mod corpus;
mod count;
mod cpu;
mod elsewhere;
mod fpga;
mod generate;
mod gpu;
mod graphs;
mod ir;
mod jax;
mod machine;
mod model;
mod networks;
mod operators;
mod opt;
mod perturbed;
mod process;
mod reductions;
mod search;
mod shapes;
mod stats;

use std::error::Error;
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use generate::{Form, Recipe, Workload};

#[derive(Parser)]
#[command(name = "terrace-benches", version, about = "Generators and side-by-side benchmarks")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write a test file
    Gen(Gen),
    /// Write the programs of `cargo xtask replay`: those of `cpu`, and random ones
    Corpus {
        /// Folder to write
        folder: PathBuf,
    },
    /// Terrace's `opt` against upstream's, as a table
    Ir(ir::Options),
    /// Generated code against libraries, as a table
    Cpu(cpu::Options),
    /// The programs of `cpu` on other back ends: values, and what NVIDIA's compilers accept
    Elsewhere(elsewhere::Options),
    /// Convolutions as hardware: cycles by simulation and resources by synthesis next to the model, as a table
    Fpga(fpga::Options),
    /// Kernels on a GPU: values of the test files, then speed against libraries; skipped without one
    Gpu(gpu::Options),
    /// This processor's own numbers, measured and written as a device's file
    Calibrate(calibrate::Options),
    /// From a mapped convolution to the text of its kernels
    Compile(compile::Options),
    /// Layers of VGG-16 as array programs against libraries: speed and memory
    Conv(conv::Options),
    /// Programs of many kinds and sizes against libraries, as a table
    Shapes(shapes::Options),
    /// The operators of the paper on schedules that are found against libraries, as a table
    Operators(operators::Options),
    /// The reductions that networks have against libraries, as a table
    Reductions(reductions::Options),
    /// The sub-graphs of the paper on reductions against libraries, as a table
    Graphs(graphs::Options),
    /// Whole programs of JAX at sizes of real use against `jax.jit`, as a table
    Jax(jax::Options),
    /// Whole networks from ONNX models against onnxruntime and torch, as a table
    Networks(networks::Options),
    /// How well the cost model puts measured schedules in order, as a table
    Model(model::Options),
    /// The solver: counts, draws and nodes per second on one core
    Search(search::Options),
}

#[derive(clap::Args)]
struct Gen {
    /// What the file contains
    kind: Workload,
    /// At least so many ops: 1000, 10k, 1M
    #[arg(long, default_value = "10k", value_parser = count_from_text)]
    ops: u64,
    /// Equal seeds give equal files
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the generic form
    #[arg(long)]
    generic: bool,
    /// Where to; standard output if absent
    #[arg(short)]
    output: Option<PathBuf>,
}

/// What a step of a bench gives, or the message that the program ends with
type Done<T = ()> = Result<T, Box<dyn Error>>;

/// Why a word of the command line is not a number of ops or of threads
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NoNumber {
    Count,
    TooLarge,
    Threads,
}

impl fmt::Display for NoNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoNumber::Count => "expected a count such as 500, 10k or 1M",
            NoNumber::TooLarge => "this count is too large",
            NoNumber::Threads => "expected a number of threads, at least 1, or `all`",
        })
    }
}

impl Error for NoNumber {}

fn count_from_text(text: &str) -> Result<u64, NoNumber> {
    let (digits, scale) = match text.as_bytes().last() {
        Some(b'k' | b'K') => (&text[..text.len() - 1], 1_000),
        Some(b'M') => (&text[..text.len() - 1], 1_000_000),
        _ => (text, 1),
    };
    let count: u64 = digits.parse().map_err(|_| NoNumber::Count)?;
    count.checked_mul(scale).ok_or(NoNumber::TooLarge)
}

/// A number of threads; `all` is one for each processor that this process may use
fn threads_from_text(text: &str) -> Result<usize, NoNumber> {
    if text == "all" {
        return Ok(std::thread::available_parallelism().map_or(1, usize::from));
    }
    text.parse().ok().filter(|&n| n > 0).ok_or(NoNumber::Threads)
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Gen(options) => write_file(&options),
        Command::Corpus { folder } => corpus::write(&folder),
        Command::Ir(options) => ir::run(&options),
        Command::Cpu(options) => cpu::run(&options),
        Command::Elsewhere(options) => elsewhere::run(&options),
        Command::Fpga(options) => fpga::run(&options),
        Command::Gpu(options) => gpu::run(options),
        Command::Calibrate(options) => calibrate::run(&options),
        Command::Compile(options) => compile::run(&options),
        Command::Conv(options) => conv::run(&options),
        Command::Shapes(options) => shapes::run(&options),
        Command::Operators(options) => operators::run(&options),
        Command::Reductions(options) => reductions::run(&options),
        Command::Graphs(options) => graphs::run(&options),
        Command::Jax(options) => jax::run(&options),
        Command::Networks(options) => networks::run(&options),
        Command::Model(options) => model::run(&options),
        Command::Search(options) => search::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn write_file(options: &Gen) -> Done {
    let form = if options.generic { Form::Generic } else { Form::Pretty };
    let recipe = Recipe { kind: options.kind, ops: options.ops, seed: options.seed, form };
    let size = match &options.output {
        Some(path) => {
            generate::generate_file(recipe, path).map_err(|e| format!("{}: {e}", path.display()))?
        }
        None => generate::generate(recipe, Box::new(io::stdout().lock()))?,
    };
    writeln!(io::stderr(), "{} ops, {} bytes", size.ops, size.bytes)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        <Cli as clap::CommandFactory>::command().debug_assert();
    }

    #[test]
    fn counts_take_a_unit() {
        assert_eq!(count_from_text("500"), Ok(500));
        assert_eq!(count_from_text("10k"), Ok(10_000));
        assert_eq!(count_from_text("2M"), Ok(2_000_000));
        assert_eq!(count_from_text("1.5M"), Err(NoNumber::Count));
        assert_eq!(count_from_text(""), Err(NoNumber::Count));
        assert_eq!(count_from_text("99999999999999M"), Err(NoNumber::TooLarge));
    }

    #[test]
    fn threads_are_a_number_or_all() {
        assert_eq!(threads_from_text("3"), Ok(3));
        assert!(threads_from_text("all").is_ok_and(|all| all >= 1));
        assert_eq!(threads_from_text("0"), Err(NoNumber::Threads));
        assert_eq!(threads_from_text("any"), Err(NoNumber::Threads));
    }
}
