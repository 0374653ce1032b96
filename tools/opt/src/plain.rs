//! What `full` is without the feature of that name: nothing of back ends and schedules.

use crate::args::Args;
use crate::language::Binary;
use terrace_diag::{Diagnostic, SourceId};
use terrace_ir::Ir;
use terrace_pass::Pipeline;
use terrace_rewrite::Rule;

pub(crate) const BINARIES: &[Binary] = &[];

/// Elements of an argument that a file has
#[derive(Debug)]
pub struct Weight {}

/// A program that was read from bytes
pub struct Model {
    /// The module
    pub ir: Ir,
    /// A listing, for messages
    pub source: SourceId,
    /// Elements of arguments
    pub weights: Vec<Weight>,
}

/// No flags
#[derive(clap::Args, Clone, Debug)]
pub struct RecordArgs {}

pub(crate) mod codes {
    terrace_diag::codes! {
        /// The output holds one module, and the file has several cases.
        ///
        /// Wrong: `--split-input-file --emit=bytecode` of a file with several cases.
        ///
        /// Right: `--split-input-file --emit=mlir`.
        pub EMIT: "E0405" Usage "cannot emit this form";
    }
}

pub(crate) fn forms() -> Vec<&'static str> {
    Vec::new()
}

pub(crate) fn help_of_forms() -> String {
    " for the IR".into()
}

pub(crate) fn comment(_: &str) -> Option<Option<&'static str>> {
    None
}

pub(crate) fn missing(_: &str) -> Option<&'static str> {
    None
}

pub(crate) fn emit(_: &Args, _: &Ir, _: &mut Vec<u8>) -> Option<Result<(), Vec<Diagnostic>>> {
    None
}

pub(crate) fn schedule(args: &Args, _: Option<&str>, _: &mut Pipeline) -> Result<(), Diagnostic> {
    let asked = [
        ("--units", args.units.is_some()),
        ("--explain-schedule", args.explain_schedule.is_some()),
        ("--explain-mapping", args.explain_mapping.is_some()),
    ];
    match asked.iter().find(|(_, asked)| *asked) {
        None => Ok(()),
        Some((flag, _)) => {
            let why = format!("`{flag}` is about schedules, which this tool was built without");
            let help = "the feature `full` of `terrace-opt` has them";
            Err(Diagnostic::error(&terrace_pass::codes::OPTION, why).help(help))
        }
    }
}

pub(crate) fn scheduling() -> String {
    String::new()
}

pub(crate) fn is_choice(_: &Diagnostic) -> bool {
    false
}

pub(crate) fn library() -> Vec<&'static dyn Rule> {
    Vec::new()
}

pub(crate) fn dependent() -> Vec<(&'static str, &'static str)> {
    Vec::new()
}
