//! `cargo xtask replay`: does a change of the source change what the tools write?
//!
//! `record` runs the tools over a corpus (the test files, the programs of `bench cpu`, the papers' listings, random programs of
//! fixed seeds) and writes one text file per case. `compare` reads two such folders and shows what differs. What the corpus is
//! and what is done with it is one table, in `cases.rs`.
//!
//! **Invariant:** a recording depends on the tools and the corpus alone: not on the clock, the number of jobs, or the machine's
//! folders. Two recordings of the same tools are equal.
//!
//! A recording of debug tools equals one of optimized tools, so either can be the baseline of the other.

mod cases;
mod compare;
mod corpus;
mod record;

use crate::workspace::Workspace;
use crate::{Fallible, tools};
use clap::Subcommand;
use std::path::PathBuf;

#[derive(Subcommand)]
pub enum Action {
    /// Run the tools over the corpus and write one file per case
    Record(RecordOptions),
    /// Show the cases that differ; exit with 1 if there are any
    Compare {
        /// Recording of the tools before the change
        old: PathBuf,
        /// Recording of the tools after it
        new: PathBuf,
        /// Only cases whose names contain this
        #[arg(long)]
        only: Option<String>,
        /// Cases to show with their first difference
        #[arg(long, default_value_t = 20)]
        show: usize,
    },
}

/// What is recorded, from what, and where it goes
#[derive(clap::Args)]
pub struct RecordOptions {
    /// Folder to write; a recording in it is replaced
    out: PathBuf,
    /// Folder of the tools; those of `cargo xtask build`, built first, if not given
    #[arg(long)]
    tools: Option<PathBuf>,
    /// Folder of the generated programs; written anew if not given
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// Only cases whose names contain this
    #[arg(long)]
    only: Option<String>,
    /// An eleventh of the cases, of every kind some
    #[arg(long)]
    quick: bool,
    /// Tools that run at once; as many as the processor has threads if not given
    #[arg(long)]
    jobs: Option<usize>,
}

/// `cargo xtask replay`
pub fn command(ws: &Workspace, action: &Action) -> Fallible {
    match action {
        Action::Compare { old, new, only, show } => compare::command(old, new, only.as_deref(), *show),
        Action::Record(options) => {
            let tools = match &options.tools {
                Some(folder) => folder.canonicalize().map_err(|e| format!("{}: {e}", folder.display()))?,
                None => tools::build(ws, tools::ALL, tools::Profile::Tools)?,
            };
            let corpus = match &options.corpus {
                Some(folder) => folder.canonicalize().map_err(|e| format!("{}: {e}", folder.display()))?,
                None => corpus::generate(ws, &tools)?,
            };
            let mut cases = cases::all(ws, &corpus)?;
            if options.quick {
                cases::thin(&mut cases);
            }
            cases.retain(|case| options.only.as_ref().is_none_or(|only| case.name.contains(only.as_str())));
            let jobs = options.jobs.or_else(|| std::thread::available_parallelism().ok().map(usize::from));
            let selection = record::Selection { quick: options.quick, only: options.only.clone() };
            record::record(&cases, &selection, &tools, &options.out, jobs.unwrap_or(1))
        }
    }
}
