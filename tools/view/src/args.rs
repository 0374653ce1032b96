//! The command line.

use std::fmt;

use clap::{Parser, ValueEnum};

const EXAMPLES: &str = "\
Examples:
  terrace-view matmul.mlir --target=x86-64-v4 -o matmul.svg
      draw the default schedule for this device
  terrace-view matmul.mlir -o matmul.html
      write an editable page: the picture, the loop nest, bytes and reuse of each buffer
  terrace-view matmul.mlir -o matmul.toml; $EDITOR matmul.toml; terrace-view matmul.mlir --apply=matmul.toml
      write the schedule as a file, edit it, and print the program with the changed schedule
  terrace-view matmul.mlir --apply=matmul.svg --to=text
      print the schedule of a drawing as text
  terrace-view matmul.mlir --to=traffic
      print the bytes and the reuse of each buffer
  terrace-view matmul.mlir --apply=matmul.py --to=text
      print the steps of a script in the style of tvm.te; --to=tvm writes such a script

Exit codes: 0; 1 for an error in the input; 2 for misuse.";

/// Draw the schedule of a computation, and read a drawing back
///
/// The schedule is the one attached to the computation (`mdh.schedule`), the one of `--apply`, or the one that
/// `mdh-schedule` chooses. All forms hold the same tokens and read back to the same schedule.
#[derive(Parser, Debug)]
#[command(version, verbatim_doc_comment, after_help = EXAMPLES)]
pub(crate) struct Args {
    /// File with the computation, at the level of `mdh`, or in C, MDH text or tensor expressions; `-` is standard input
    pub file: String,
    /// Set a size or type of the file
    #[arg(long, value_name = "NAME=VALUE", value_parser = terrace_opt::language::set)]
    pub set: Vec<(String, String)>,
    /// Name of the computation, if the file has several
    #[arg(long, value_name = "NAME")]
    pub compute: Option<String>,
    /// Device for which a schedule is chosen, or that an existing schedule must fit [default: host]
    #[arg(long, value_name = "DEVICE", visible_alias = "device")]
    pub target: Option<String>,
    /// Replace the schedule by this one: a picture, a page, TOML, JSON, text of steps, or a script of tvm.te; by its content
    #[arg(long, value_name = "SCHEDULE")]
    pub apply: Option<String>,
    /// Output form [default: by output file name: `.svg`, `.html`, `.txt`, `.toml`, `.json`, `.py`, `.mlir`; else the program
    /// with `--apply`, or the picture]
    #[arg(long, value_enum, value_name = "FORM")]
    pub to: Option<Form>,
    /// Output file, written whole or not at all [default: standard output]
    #[arg(short = 'o', long = "output", value_name = "OUT")]
    pub output: Option<String>,
}

/// A file's name that says no form
pub(crate) struct UnknownEnding {
    ending: String,
    known: Vec<&'static str>,
}

impl fmt::Display for UnknownEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`.{}` is none of .{}", self.ending, self.known.join(", ."))
    }
}

impl Form {
    /// What a file's name says of it; nothing if it has no ending
    pub(crate) fn of_file(file: &str) -> Option<Result<Form, UnknownEnding>> {
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
        let found = all.iter().find(|(name, _)| *name == ending).map(|(_, form)| *form);
        Some(
            found.ok_or_else(|| UnknownEnding {
                ending: ending.into(),
                known: all.map(|(name, _)| name).into(),
            }),
        )
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
    /// Script in the style of tvm.te
    Tvm,
    /// The program with the schedule in it
    Mlir,
    /// The formalism's fifteen tuning parameters
    Parameters,
    /// Bytes, copies and reuse of each buffer
    Traffic,
}
