//! The command line.

use clap::{Parser, ValueEnum};

const EXAMPLES: &str = "\
Examples:
  terrace-view matmul.mlir --target=x86-64-v4 -o matmul.svg
      draw the schedule that would be chosen for this device
  terrace-view matmul.mlir -o matmul.html
      a page: the picture, the loop nest, bytes and reuse of each buffer; fields can be edited
  terrace-view matmul.mlir -o matmul.toml; $EDITOR matmul.toml; terrace-view matmul.mlir --apply=matmul.toml
      the same schedule as a file; then the program with the changed schedule in it
  terrace-view matmul.mlir --apply=matmul.svg --to=text
      what a drawing says, as text
  terrace-view matmul.mlir --to=traffic
      how many bytes each buffer costs, and how often each is used again
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
    #[arg(long, value_name = "DEVICE", visible_alias = "device")]
    pub target: Option<String>,
    /// Put this schedule in its place: a picture, a page, TOML, JSON, text of steps, or a script of tvm.te; by its content
    #[arg(long, value_name = "SCHEDULE")]
    pub apply: Option<String>,
    /// What to write; if not given the output file's name says it (`.svg`, `.html`, `.txt`, `.toml`, `.json`, `.py`, `.mlir`), else
    /// with `--apply` the program, without it the picture
    #[arg(long, value_enum, value_name = "FORM")]
    pub to: Option<Form>,
    /// Output file; standard output if not given. Written whole or not at all
    #[arg(short = 'o', long = "output", value_name = "OUT")]
    pub output: Option<String>,
}

impl Form {
    /// What a file's name says of it; nothing if it has no ending
    pub(crate) fn of_file(file: &str) -> Option<Result<Form, String>> {
        let (_, ending) = std::path::Path::new(file).file_name()?.to_str()?.rsplit_once('.')?;
        let all = [
            ("svg", Form::Svg),
            ("html", Form::Html),
            ("txt", Form::Text),
            ("toml", Form::Toml),
            ("json", Form::Json),
            ("py", Form::Tvm),
            ("mlir", Form::Mlir),
        ];
        let known = all.map(|(name, _)| format!(".{name}")).join(", ");
        let found = all.iter().find(|(name, _)| *name == ending);
        Some(found.map(|(_, form)| *form).ok_or_else(|| format!("`.{ending}` is none of {known}")))
    }
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
