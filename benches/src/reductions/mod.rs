//! `terrace-benches reductions`: the reductions of 418 kinds and sizes that graph compilers find in networks, against libraries.
//!
//! Rows are put into classes by the cache that holds their arguments. Small reductions are mostly the call itself, so a reduction of one
//! element is measured first, with the same contenders: a second mean is of what the times have beyond such a call.
//! Each row is also compared with a stream that reads as many bytes ([`crate::bound`]).

pub(crate) mod corpus;
mod table;

use std::path::Path;

use serde_json::{Value, json};
use terrace_devices::Region;

use crate::Done;
use crate::bound::Demand;
use crate::calibrate::system::System;
use crate::contest::{self, Limit, Subject, Timed};
use crate::shapes::table as rows;
use corpus::Entry;

/// Of so many rows of a class `--quick` measures one
const QUICK: usize = 8;

/// Options of `reductions`
#[derive(clap::Args)]
pub struct Options {
    /// Parts of the names of rows, such as `f16`, `128x1000@` or `@2,3`
    #[arg(long, value_delimiter = ';')]
    only: Vec<String>,
    /// List the rows, run none
    #[arg(long)]
    list: bool,
    /// Of so many rows of a class measure one; by default all, and with --quick one of 8
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    every: Option<u32>,
    #[command(flatten)]
    contest: contest::Options,
}

/// A row, with the cache that holds its argument
struct Row {
    entry: Entry,
    class: &'static str,
}

/// The class of a reduction of one element
const CALL: &str = "call";

/// Classes from small to large, each with its number of bytes
fn classes() -> Done<[(&'static str, i64); 4]> {
    let system = System::read().map_err(|why| why.to_string())?;
    let bytes = |cache| system.bytes(cache);
    let cache = |n: u8| (Region::Cache(n).word(), bytes(usize::from(n) - 1));
    Ok([cache(1), cache(2), cache(3), ("memory", i64::MAX)])
}

/// Bytes of an element
fn width(entry: &Entry) -> u64 {
    if entry.elem == "f16" { 2 } else { 4 }
}

impl Row {
    fn new(entry: Entry, classes: &[(&'static str, i64)]) -> Self {
        let bytes = (entry.elements() * width(&entry)) as i64;
        let class = classes.iter().find(|(_, most)| bytes <= *most).map_or("memory", |(name, _)| *name);
        Self { entry, class }
    }

    /// Bytes that are read and written
    fn traffic(&self) -> (u64, u64) {
        let bytes = width(&self.entry);
        (self.entry.elements() * bytes, self.entry.kept().iter().product::<u64>() * bytes)
    }

    /// The same reduction as an expression of a library that calls it so
    fn expression(&self, name: &str) -> String {
        let axes: Vec<String> = self.entry.axes.iter().map(usize::to_string).collect();
        format!("X.{name}(({},))", axes.join(","))
    }
}

impl Subject for Row {
    fn name(&self) -> String {
        self.entry.to_string()
    }

    fn request(&self) -> Value {
        let torch = if self.entry.operator == "max" { "amax" } else { "sum" };
        let expressions = json!({
            "numpy": self.expression(&self.entry.operator), "torch": self.expression(torch),
            "jax": self.expression(&self.entry.operator),
        });
        json!({ "written": {
            "inputs": [["X", self.entry.elem, self.entry.shape]], "outputs": [self.entry.elem], "sizes": {},
            "expressions": expressions, "ranges": {}, "tolerance": if self.entry.elem == "f16" { 4e-3 } else { 1e-3 },
        } })
    }

    fn program(&self, folder: &Path) -> Done<contest::Program> {
        let file = folder.join("reduction.tensor");
        std::fs::write(&file, self.entry.text()).map_err(|e| format!("{}: {e}", file.display()))?;
        Ok(contest::Program { file, arguments: vec![], outputs: vec!["y".into()] })
    }

    fn limit(&self) -> Option<Limit> {
        contest::limit(Demand { traffic: Some(self.traffic()), operations: None })
    }

    fn line(&self, timed: &Timed) -> String {
        rows::line((self.class, &self.name()), timed)
    }

    fn json(&self, timed: &Timed) -> Value {
        rows::json((self.class, &self.name()), timed)
    }
}

/// The rows that are wanted, by class and size, behind the call of one element
fn chosen(options: &Options) -> Done<Vec<Row>> {
    let classes = classes()?;
    let entries = corpus::all().ok_or("benches/reductions.toml is malformed")?;
    let wanted = |row: &Row| {
        let name = row.entry.to_string();
        options.only.is_empty()
            || options.only.iter().any(|word| row.class == *word || name.contains(word.as_str()))
    };
    let mut all: Vec<Row> =
        entries.into_iter().map(|entry| Row::new(entry, &classes)).filter(wanted).collect();
    all.sort_by_key(|row| row.traffic());
    let every = options.every.map_or(if options.contest.is_quick() { QUICK } else { 1 }, |n| n as usize);
    let mut counted = std::collections::BTreeMap::new();
    all.retain(|row| {
        let count = counted.entry(row.class).or_insert(0);
        *count += 1;
        (*count - 1) % every == 0
    });
    Ok(all)
}

/// Measures and prints
pub fn run(options: &Options) -> Done {
    let mut all = chosen(options)?;
    if all.is_empty() {
        return Err(format!("no row is named by `{}`; --list shows them", options.only.join(";")).into());
    }
    if options.list {
        all.iter().for_each(|row| say!("{}: {}", row.class, row.entry));
        return Ok(());
    }
    let call = Entry::read("sum", "f32", "1@0").ok_or("no entry")?;
    all.insert(0, Row { entry: call, class: CALL });
    let outcome = contest::run(&options.contest, &all, rows::header)?;
    let classes: Vec<&str> = all.iter().map(|row| row.class).collect();
    say!("\n{}", table::summary(&classes, &outcome.rows));
    outcome.finish(&options.contest, &all)
}
