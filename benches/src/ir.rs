//! `terrace-benches ir`: Terrace's `opt` against upstream's, whole processes on the same files.
//!
//! Pairs alternate, and which side goes first alternates too; a pair gives one ratio, and the table shows the
//! median of those. One pair before them warms the page cache and is dropped. Both sides run canonicalize
//! nested on `func.func`: on the whole module upstream takes 2.5 times as long, which would flatter.
//! A missing tool is named and its columns stay empty. Peak memory includes a floor (see `process`).

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde_json::{Value, json};

use crate::Done;
use crate::count;
use crate::generate::{self, Form, Recipe, Workload};
use crate::machine::Facts;
use crate::opt::{Job, Opt, Style};
use crate::process::{self, Affinity, Cost};
use crate::stats::Summary;

const PIPELINE: &str = "builtin.module(func.func(canonicalize,cse))";
const TINY: &str = "module {\n  func.func @f(%arg0: i32) -> i32 {\n    return %arg0 : i32\n  }\n}\n";

/// What to measure
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// A file of three ops
    StartUp,
    /// Text in, no passes, text out
    RoundTrip,
    /// Text in, canonicalize and cse, text out
    Optimize,
    /// Nanoseconds per op over the sizes of the parts above
    Linear,
}

/// Options of `ir`
#[derive(clap::Args)]
pub struct Options {
    /// Ops per file
    #[arg(long, default_value = "10k,100k,1M", value_delimiter = ',', value_parser = crate::count_from_text)]
    sizes: Vec<u64>,
    /// Kinds of files
    #[arg(long, default_value = "wide,nest,giant,cfg", value_delimiter = ',')]
    kinds: Vec<Workload>,
    /// What to measure
    #[arg(long, default_value = "start-up,optimize,round-trip,linear", value_delimiter = ',')]
    parts: Vec<Part>,
    /// Pairs of runs per row
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Numbers of threads
    #[arg(long, default_value = "1,4", value_delimiter = ',', value_parser = crate::threads_from_text)]
    threads: Vec<usize>,
    /// Pass the generic form in
    #[arg(long)]
    generic: bool,
    /// Seed of the generated files
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Terrace's tool: a name or a path
    #[arg(long, default_value = "terrace-opt")]
    terrace: String,
    /// Whose options it takes
    #[arg(long, default_value = "terrace")]
    terrace_style: Style,
    /// The other tool
    #[arg(long, default_value = "mlir-opt-22")]
    peer: String,
    /// Whose options it takes
    #[arg(long, default_value = "mlir")]
    peer_style: Style,
    /// Folder for the files; a temporary one, removed afterwards, if absent
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Write every figure to this file too
    #[arg(long)]
    json: Option<PathBuf>,
}

/// Measures and prints
pub fn run(options: &Options) -> Done {
    let own = options.folder.is_none();
    let folder = options
        .folder
        .clone()
        .unwrap_or_else(|| std::env::temp_dir().join(format!("terrace-benches-{}", std::process::id())));
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let result = Bench::new(options, &folder).and_then(Bench::all);
    if own {
        std::fs::remove_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    result
}

/// One row of the table
struct Row {
    part: Part,
    kind: &'static str,
    ops: u64,
    threads: usize,
    sides: [Side; 2],
}

/// What one tool did in one row; no costs if it is missing
#[derive(Default)]
struct Side {
    costs: Vec<Cost>,
    ops_left: u64,
    failure: Option<String>,
}

struct Bench<'a> {
    options: &'a Options,
    folder: &'a Path,
    tools: [Option<Opt>; 2],
    facts: Facts,
    rows: Vec<Row>,
}

impl<'a> Bench<'a> {
    fn new(options: &'a Options, folder: &'a Path) -> Done<Self> {
        let mut facts = Facts::gather();
        let names = [(&options.terrace, options.terrace_style), (&options.peer, options.peer_style)];
        let tools = names.map(|(name, style)| Opt::find(name, style));
        for ((name, _), (tool, side)) in names.iter().zip(tools.iter().zip(["terrace", "peer"])) {
            match tool {
                Some(tool) => facts.add(side, tool.version()),
                None => facts.add(side, format!("skipped: `{name}` was not found")),
            }
        }
        if tools.iter().all(Option::is_none) {
            return Err(format!("neither `{}` nor `{}` was found", options.terrace, options.peer).into());
        }
        facts.add("pipeline", format!("`{PIPELINE}`, {} pairs per row", options.runs));
        Ok(Self { options, folder, tools, facts, rows: vec![] })
    }

    fn all(mut self) -> Done {
        say!("{}", self.facts.markdown());
        say!("{HEADER}");
        if self.options.parts.contains(&Part::StartUp) {
            let input = self.folder.join("tiny.mlir");
            std::fs::write(&input, TINY)?;
            self.row(Part::StartUp, "tiny", 3, 1, &input)?;
        }
        for &kind in &self.options.kinds {
            for &ops in &self.options.sizes {
                self.file(kind, ops)?;
            }
        }
        if self.options.parts.contains(&Part::Linear) {
            say_part!("{}", linear(&self.rows));
        }
        let Some(path) = &self.options.json else { return Ok(()) };
        let rows: Vec<Value> = self.rows.iter().map(Row::json).collect();
        let text = serde_json::to_string_pretty(&json!({ "facts": self.facts.json(), "rows": rows }))?;
        std::fs::write(path, text + "\n").map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(())
    }

    fn file(&mut self, kind: Workload, ops: u64) -> Done {
        let input = self.folder.join(format!("{}-{ops}.mlir", kind.name()));
        let form = if self.options.generic { Form::Generic } else { Form::Pretty };
        let recipe = Recipe { kind, ops, seed: self.options.seed, form };
        let size =
            generate::generate_file(recipe, &input).map_err(|e| format!("{}: {e}", input.display()))?;
        for part in [Part::Optimize, Part::RoundTrip] {
            if !self.options.parts.contains(&part) {
                continue;
            }
            for &threads in &self.options.threads {
                self.row(part, kind.name(), size.ops, threads, &input)?;
            }
        }
        std::fs::remove_file(&input).map_err(|e| format!("{}: {e}", input.display()))?;
        Ok(())
    }

    fn row(&mut self, part: Part, kind: &'static str, ops: u64, threads: usize, input: &Path) -> Done {
        let _limit = (threads > 1).then(|| Affinity::limit(threads));
        let mut row = Row { part, kind, ops, threads, sides: [Side::default(), Side::default()] };
        for pair in 0..=self.options.runs {
            let order = if pair % 2 == 0 { [0, 1] } else { [1, 0] };
            for side in order {
                let Some(tool) = &self.tools[side] else { continue };
                if row.sides[side].failure.is_some() {
                    continue;
                }
                let output = self.folder.join("out.mlir");
                let pipeline = (part == Part::Optimize).then_some(PIPELINE);
                let mut command = tool.command(Job { input, output: &output, pipeline, threads });
                match process::run(&mut command, &self.folder.join("messages.txt")) {
                    Err(why) => row.sides[side].failure = Some(why.to_string()),
                    Ok(_) if pair == 0 => {
                        let counted = count::ops_in_file(&output);
                        row.sides[side].ops_left =
                            counted.map_err(|e| format!("{}: {e}", process::shown(&command)))?.0;
                    }
                    Ok(cost) => row.sides[side].costs.push(cost),
                }
            }
        }
        say!("{}", row.markdown());
        for message in row.sides.iter().filter_map(|s| s.failure.as_ref()) {
            say!("\n{message}\n");
        }
        self.rows.push(row);
        Ok(())
    }
}

const HEADER: &str = "\
| part | kind | ops | threads | terrace ms (min–max) | peer ms (min–max) | peer / terrace (min–max) | user ms, terrace / peer | peak MB, terrace / peer (share) | ops left, terrace / peer |
|---|---|---:|---:|---:|---:|---:|---:|---:|---:|";

impl Side {
    fn wall(&self) -> Vec<f64> {
        self.costs.iter().map(|c| c.wall.as_secs_f64() * 1e3).collect()
    }

    fn user(&self) -> Summary {
        Summary::of(self.costs.iter().map(|c| c.user.as_secs_f64() * 1e3))
    }

    fn system(&self) -> Summary {
        Summary::of(self.costs.iter().map(|c| c.system.as_secs_f64() * 1e3))
    }

    fn peak_mb(&self) -> Summary {
        Summary::of(self.costs.iter().map(|c| c.peak_kib as f64 * 1024.0 / 1e6))
    }

    fn measured(&self) -> bool {
        !self.costs.is_empty()
    }

    fn cell(&self, value: String) -> String {
        if self.measured() { value } else { "–".to_owned() }
    }

    fn json(&self) -> Value {
        json!({
            "wall_ms": Summary::of(self.wall()).json(), "wall_ms_each": self.wall(),
            "user_ms": self.user().json(), "system_ms": self.system().json(), "peak_mb": self.peak_mb().json(),
            "ops_left": self.ops_left, "failure": self.failure,
        })
    }
}

impl Row {
    fn ratio(&self) -> Option<Summary> {
        let [terrace, peer] = &self.sides;
        let both = terrace.measured() && peer.measured();
        both.then(|| Summary::of_ratios(&peer.wall(), &terrace.wall()))
    }

    fn markdown(&self) -> String {
        let [terrace, peer] = &self.sides;
        let part = self.part.to_possible_value().map_or_else(String::new, |v| v.get_name().to_owned());
        let wall = |side: &Side| {
            let all = Summary::of(side.wall());
            side.cell(format!("{:.1} ({:.1}–{:.1})", all.median, all.min, all.max))
        };
        let ratio = self
            .ratio()
            .map_or_else(|| "–".to_owned(), |r| format!("**{:.2}** ({:.2}–{:.2})", r.median, r.min, r.max));
        let user = |side: &Side| side.cell(format!("{:.1}", side.user().median));
        let peak = |side: &Side| side.cell(format!("{:.1}", side.peak_mb().median));
        let share = match self.ratio() {
            Some(_) => format!(" ({:.2})", terrace.peak_mb().median / peer.peak_mb().median),
            None => String::new(),
        };
        let left = |side: &Side| side.cell(side.ops_left.to_string());
        format!(
            "| {part} | {} | {} | {} | {} | {} | {ratio} | {} / {} | {} / {}{share} | {} / {}{} |",
            self.kind,
            self.ops,
            self.threads,
            wall(terrace),
            wall(peer),
            user(terrace),
            user(peer),
            peak(terrace),
            peak(peer),
            left(terrace),
            left(peer),
            if self.ratio().is_some() && terrace.ops_left > peer.ops_left { " (more)" } else { "" },
        )
    }

    fn json(&self) -> Value {
        json!({
            "part": self.part.to_possible_value().map(|v| v.get_name().to_owned()), "kind": self.kind,
            "ops": self.ops, "threads": self.threads, "ratio": self.ratio().map(Summary::json),
            "terrace": self.sides[0].json(), "peer": self.sides[1].json(),
        })
    }
}

/// Nanoseconds that each further op costs between two sizes: constant where a tool is linear
fn linear(rows: &[Row]) -> String {
    let mut text = "\nNanoseconds per further op, from the size on the left to that on the right (linear: equal down a column)\n\n\
                    | part | kind | threads | from | to | terrace | peer |\n|---|---|---:|---:|---:|---:|---:|\n"
        .to_owned();
    let mut any = false;
    for (i, from) in rows.iter().enumerate() {
        let same = |to: &&Row| (to.part, to.kind, to.threads) == (from.part, from.kind, from.threads);
        let Some(to) = rows[i + 1..].iter().filter(same).find(|to| to.ops > from.ops) else { continue };
        let part = from.part.to_possible_value().map_or_else(String::new, |v| v.get_name().to_owned());
        // Writing to a string cannot fail.
        let _ = write!(text, "| {part} | {} | {} | {} | {} |", from.kind, from.threads, from.ops, to.ops);
        for (a, b) in from.sides.iter().zip(&to.sides) {
            let more = Summary::of(b.wall()).median - Summary::of(a.wall()).median;
            let cell = format!("{:.0}", more * 1e6 / (to.ops - from.ops) as f64);
            let _ = write!(text, " {} |", if a.measured() { b.cell(cell) } else { "–".to_owned() });
        }
        text.push('\n');
        any = true;
    }
    if any { text } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn side(ms: &[u64]) -> Side {
        let cost = |&ms| Cost {
            wall: Duration::from_millis(ms),
            user: Duration::from_millis(ms),
            system: Duration::ZERO,
            peak_kib: 1000,
        };
        Side { costs: ms.iter().map(cost).collect(), ops_left: 5, failure: None }
    }

    fn row(ops: u64, terrace: &[u64], peer: &[u64]) -> Row {
        Row { part: Part::Optimize, kind: "wide", ops, threads: 1, sides: [side(terrace), side(peer)] }
    }

    #[test]
    fn a_row_shows_the_median_of_the_pairs() {
        let text = row(10, &[1, 2, 4], &[10, 10, 12]).markdown();
        assert!(text.contains("**5.00** (3.00–10.00)"), "{text}");
        assert!(text.contains("1.0 / 1.0 (1.00)") && text.ends_with("| 5 / 5 |"), "{text}");
    }

    #[test]
    fn a_missing_tool_leaves_its_cells_empty() {
        let text = row(10, &[], &[10]).markdown();
        assert!(text.contains("| – | 10.0 (10.0–10.0) | – |"), "{text}");
    }

    #[test]
    fn linear_compares_neighboring_sizes() {
        let text = linear(&[row(1_000, &[1], &[10]), row(2_000, &[3], &[10])]);
        assert!(text.ends_with("| optimize | wide | 1 | 1000 | 2000 | 2000 | 0 |\n"), "{text}");
    }
}
