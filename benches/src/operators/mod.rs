//! `terrace-benches operators`: the operators of FlexTensor (ASPLOS 2020) at full size, against libraries and against a search.
//!
//! Rows are those of `benches/operators/flextensor.toml`: the 110 cases of the paper's Table 3 (among them Table 4's 15 layers of YOLO-v1), and BCM
//! and SHO of its section 6.4. The table has the form of those of [`crate::shapes`], and rows are measured as there. Ours has the schedule that is
//! chosen without measuring. With `--tuned` each row is searched too, and its best schedule runs in the same blocks, as does the chosen one a
//! second time: what a program differs by from itself is the noise.

mod counts;
mod search;
mod table;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::Done;
use crate::contest::{self, Limit, Subject, Timed};
use crate::shapes::programs::{self, Program};
use counts::Counts;
use search::Search;

/// The chosen schedule once more
const AGAIN: &str = "again";

/// The best schedule of a search
const TUNED: &str = "tuned";

/// Options of `operators`
#[derive(clap::Args)]
pub struct Options {
    /// Operators, or a part of a row's name, such as `gmv`, `c2d C1 ` or `R=9`
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// List the rows with what they count, run none
    #[arg(long)]
    list: bool,
    /// Search each row for so many seconds too, and measure the best schedule next to the chosen one
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    tuned: Option<u32>,
    /// Terrace's tool that searches: a name or a path
    #[arg(long, default_value = "terrace-tune")]
    tune: String,
    /// Terrace's tool that inlines what is searched: a name or a path
    #[arg(long, default_value = "terrace-opt")]
    opt: String,
    /// Folder of the table
    #[arg(long, default_value = "benches/operators")]
    folder: PathBuf,
    #[command(flatten)]
    contest: contest::Options,
}

/// A row
struct Case {
    program: Program,
    operator: String,
    counts: Counts,
    search: Option<Search>,
}

impl Case {
    fn new(program: Program, search: Option<Search>) -> Done<Self> {
        let operator = program.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let counts = Counts::of(&program)?;
        Ok(Self { program, operator, counts, search })
    }

    /// Whether one of the words is its operator or a part of its name; no words are all
    fn named_by(&self, only: &[String]) -> bool {
        only.contains(&self.operator) || self.program.named_by(only)
    }
}

impl Subject for Case {
    fn name(&self) -> String {
        self.program.name.clone()
    }

    fn request(&self) -> Value {
        self.program.request()
    }

    fn program(&self, folder: &Path) -> Done<contest::Program> {
        self.program.program(folder)
    }

    fn further(&self, folder: &Path, threads: usize) -> Done<Vec<(String, contest::Program)>> {
        let Some(search) = &self.search else { return Ok(vec![]) };
        let own = self.program.program(folder)?;
        let file = search.best(&own, &self.counts.main, folder, threads)?;
        let best = contest::Program { file, arguments: vec![], outputs: own.outputs.clone() };
        Ok(vec![(AGAIN.to_owned(), own), (TUNED.to_owned(), best)])
    }

    fn limit(&self) -> Option<Limit> {
        self.program.limit()
    }

    fn line(&self, timed: &Timed) -> String {
        table::line(self, timed)
    }

    fn json(&self, timed: &Timed) -> Value {
        table::json(self, timed)
    }
}

/// Measures and prints
pub fn run(options: &Options) -> Done {
    if options.tuned.is_some() && !options.contest.placement.is_host() {
        return Err("--tuned searches for this processor only; leave out --on".into());
    }
    let search = match options.tuned {
        Some(seconds) if !options.list => Some(Search::find(&options.tune, &options.opt, seconds)?),
        _ => None,
    };
    let mut cases = Vec::new();
    for program in programs::read(&options.folder)? {
        cases.push(Case::new(program, search.clone())?);
    }
    cases.retain(|case| case.named_by(&options.only));
    if cases.is_empty() {
        return Err(format!("no row is named by `{}`; --list shows them", options.only.join(",")).into());
    }
    if options.list {
        say!("{}", table::COUNTED);
        cases.iter().for_each(|case| say!("{}: {}", case.program.name, case.counts));
        return Ok(());
    }
    let header = |place: &str| table::header(place, search.is_some());
    let outcome = contest::run(&options.contest, &cases, header)?;
    say!("\n{}", table::COUNTED);
    say!("\n{}", table::summary(&cases, &outcome.rows));
    if let Some(text) = table::searched(&cases, &outcome.rows) {
        say!("\n{text}");
    }
    outcome.finish(&options.contest, &cases)
}
