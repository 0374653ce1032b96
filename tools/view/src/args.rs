//! The command line.

use clap::{Parser, ValueEnum};

const EXAMPLES: &str = "\
Examples:
  terrace-view matmul.mlir --target=x86-64-v4 -o matmul.svg
      draw the schedule that would be chosen for this device
  terrace-view matmul.mlir --to=html -o matmul.html
      a page: the picture, the loop nest, bytes and reuse of each buffer; fields can be edited
  terrace-view matmul.mlir --to=toml > matmul.toml; edit matmul.toml; terrace-view matmul.mlir --apply=matmul.toml
      the same schedule as a file; then the program with the changed schedule in it
  terrace-view matmul.mlir --apply=matmul.svg --to=text
      what a drawing says, as text

  terrace-view matmul.mlir --apply=matmul.py --to=text
      the steps that a script in the manner of tvm.te says; --to=tvm for the way back

Exit codes: 0; 1 for an error in the input; 2 for misuse.";

/// Draw the schedule of a computation, and read a drawing back
///
/// The schedule is the one that stands beside the computation (`mdh.schedule`), the one of `--apply`, or else the one that
/// `mdh-schedule` chooses. All forms hold the same tokens and read back to the same schedule.
#[derive(Parser, Debug)]
#[command(version, verbatim_doc_comment, after_help = EXAMPLES)]
pub(crate) struct Args {
    /// File with the computation, at the level of `mdh`, or in C, MDH text or tensor expressions; `-` is standard input
    pub file: String,
    /// Give a size or a type of the file a value
    #[arg(long, value_name = "NAME=VALUE", value_parser = terrace_opt::language::set)]
    pub set: Vec<(String, String)>,
    /// Name of the computation, if there are several
    #[arg(long, value_name = "NAME")]
    pub compute: Option<String>,
    /// Device for which a schedule is chosen if there is none (host), and which one that is there has to fit
    #[arg(long, value_name = "DEVICE")]
    pub target: Option<String>,
    /// Put this schedule in its place: a picture, a page, TOML, JSON, text of steps, or a script of tvm.te; by its content
    #[arg(long, value_name = "SCHEDULE")]
    pub apply: Option<String>,
    /// What to write; with `--apply` the program, else the picture
    #[arg(long, value_enum, value_name = "FORM")]
    pub to: Option<Form>,
    /// Output file; standard output if not given. Written whole or not at all
    #[arg(short = 'o', long = "output", value_name = "OUT")]
    pub output: Option<String>,
}

/// A form of the document
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// Picture
    Svg,
    /// Page with the picture, the loop nest and the table
    Html,
    /// Steps, one per line
    Text,
    /// Table
    Toml,
    /// Table
    Json,
    /// Script in the manner of tvm.te
    Tvm,
    /// The program with the schedule in it
    Mlir,
    /// The formalism's fifteen tuning parameters
    Parameters,
    /// Bytes, copies and reuse of each buffer
    Traffic,
}
