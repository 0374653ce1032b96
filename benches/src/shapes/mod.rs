//! `terrace-benches shapes`: programs of many kinds and sizes, as a user writes them, against the libraries that people use.
//!
//! A class is a table `benches/shapes/CLASS.toml` with a folder of programs in tensor text. The table has sizes, and the expression
//! that a user of each library would write. Extents are odd or prime. Contenders alternate in blocks ([`crate::contest`]); values
//! are compared with the first library's in `f64` before anything is timed. In each block it is measured what the processor can
//! do at most ([`crate::bound`]): the most that a ratio can be is the best peer's time divided by that.

mod demand;
pub(crate) mod programs;
pub(crate) mod signature;
pub(crate) mod table;

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::contest::{self, Limit, Subject, Timed};
use crate::{Done, perturbed};
use programs::Program;

/// Options of `shapes`
#[derive(clap::Args)]
pub struct Options {
    /// Classes, or a part of a program's name with its sizes
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// List the programs, run none
    #[arg(long)]
    list: bool,
    /// The rows of `cpu` instead, each with other extents, layouts and vectors, against itself
    #[arg(long)]
    perturbed: bool,
    /// Folder of the classes
    #[arg(long, default_value = "benches/shapes")]
    folder: PathBuf,
    #[command(flatten)]
    contest: contest::Options,
}

impl Subject for Program {
    fn name(&self) -> String {
        format!("{}: {}", self.class, self.name)
    }

    fn request(&self) -> Value {
        self.request()
    }

    fn program(&self, _: &Path) -> Done<contest::Program> {
        let arguments = self.sizes.iter().map(|(name, value)| format!("--set={name}={value}")).collect();
        let outputs = self.signature.outputs.iter().map(|tensor| tensor.name.clone()).collect();
        Ok(contest::Program { file: self.file.clone(), arguments, outputs })
    }

    fn limit(&self) -> Option<Limit> {
        contest::limit(self.demand)
    }

    fn line(&self, timed: &Timed) -> String {
        table::line((&self.class, &self.name), timed)
    }

    fn json(&self, timed: &Timed) -> Value {
        table::json((&self.class, &self.name), timed)
    }
}

/// Measures and prints
pub fn run(options: &Options) -> Done {
    if options.perturbed {
        let contest::Options { terrace, threads, .. } = &options.contest;
        let blocks = options.contest.blocks();
        return perturbed::run(&perturbed::Settings { only: &options.only, terrace, threads, blocks });
    }
    let all = programs::read(&options.folder)?;
    let programs: Vec<Program> = all.into_iter().filter(|program| program.named_by(&options.only)).collect();
    if programs.is_empty() {
        return Err(format!("no program is named by `{}`; --list shows them", options.only.join(",")).into());
    }
    if options.list {
        programs.iter().for_each(|program| say!("{}", Subject::name(program)));
        return Ok(());
    }
    let outcome = contest::run(&options.contest, &programs, table::header)?;
    let named: Vec<table::Named<'_>> =
        programs.iter().map(|program| (program.class.as_str(), program.name.as_str())).collect();
    say!("\n{}", table::summary(&named, &outcome.rows));
    outcome.finish(&options.contest, &programs)
}
