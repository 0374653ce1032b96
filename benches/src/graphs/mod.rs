//! `terrace-benches graphs`: the twelve sub-graphs of the paper on reductions, at full size, against libraries.
//!
//! Terrace runs the file itself. Libraries get a function that is written from the same JSON, op by op ([`reader`]): numpy and torch
//! call each op, `jax.jit` and TorchInductor compile the function. The reference is that function in f64, where only a `Cast` rounds. A peer
//! whose values differ from it takes no part, with a message.

mod reader;

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::Done;
use crate::bound::Demand;
use crate::contest::{self, Limit, Subject, Timed};
use crate::shapes::table;
use reader::Graph;

/// The table's class
const CLASS: &str = "graphs";

/// Number of sub-graphs that the paper has
const COUNT: u32 = 12;

/// Options of `graphs`
#[derive(clap::Args)]
pub struct Options {
    /// Sub-graphs by a part of their names; all if absent
    #[arg(long, value_delimiter = ';')]
    only: Vec<String>,
    /// List the sub-graphs, run none
    #[arg(long)]
    list: bool,
    /// Folder of `table_2_01.info` and so on
    #[arg(long, default_value = "test-files/frontends/composite")]
    folder: PathBuf,
    /// Other sub-graphs instead
    #[arg(long, value_name = "FILE", conflicts_with = "folder")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    contest: contest::Options,
}

/// A sub-graph and its file
struct Row {
    file: PathBuf,
    graph: Graph,
}

impl Row {
    fn read(file: PathBuf) -> Done<Self> {
        let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let graph = Graph::read(&text).map_err(|why| format!("{}: {why}", file.display()))?;
        Ok(Self { file, graph })
    }
}

impl Subject for Row {
    fn name(&self) -> String {
        self.graph.title()
    }

    fn request(&self) -> Value {
        self.graph.request()
    }

    fn program(&self, _: &Path) -> Done<contest::Program> {
        Ok(contest::Program { file: self.file.clone(), arguments: vec![], outputs: self.graph.results() })
    }

    fn limit(&self) -> Option<Limit> {
        contest::limit(Demand { traffic: Some(self.graph.traffic()), operations: None })
    }

    fn line(&self, timed: &Timed) -> String {
        table::line((CLASS, &self.name()), timed)
    }

    fn json(&self, timed: &Timed) -> Value {
        table::json((CLASS, &self.name()), timed)
    }
}

/// The requested files
fn files(options: &Options) -> Vec<PathBuf> {
    if options.files.is_empty() {
        (1..=COUNT).map(|number| options.folder.join(format!("table_2_{number:02}.info"))).collect()
    } else {
        options.files.clone()
    }
}

/// Measures and prints
pub fn run(options: &Options) -> Done {
    let rows = files(options).into_iter().map(Row::read).collect::<Done<Vec<Row>>>()?;
    let wanted =
        |row: &Row| options.only.is_empty() || options.only.iter().any(|word| row.name().contains(word));
    let rows: Vec<Row> = rows.into_iter().filter(wanted).collect();
    if rows.is_empty() {
        let words = options.only.join(";");
        return Err(format!("no sub-graph is named by `{words}`; --list shows them").into());
    }
    if options.list {
        rows.iter().for_each(|row| say!("{}", row.name()));
        return Ok(());
    }
    let outcome = contest::run(&options.contest, &rows, table::header)?;
    let names: Vec<String> = rows.iter().map(Row::name).collect();
    let named: Vec<(&str, &str)> = names.iter().map(|name| (CLASS, name.as_str())).collect();
    say!("\n{}", table::summary(&named, &outcome.rows));
    outcome.finish(&options.contest, &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sub_graph_has_a_function_in_each_library() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../test-files/frontends/composite");
        for number in 1..=COUNT {
            let row = Row::read(folder.join(format!("table_2_{number:02}.info"))).expect("the file is read");
            let expressions = &row.request()["written"]["expressions"];
            // Each of the twelve has a sum.
            for (library, sum) in
                [("numpy", "np.sum("), ("torch", "torch.sum("), ("jax", "jnp.sum("), ("reference", "np.sum(")]
            {
                let text = expressions[library].as_str().expect("there is a function");
                assert!(text.contains(sum), "{number}, {library}: {text}");
            }
        }
    }
}
