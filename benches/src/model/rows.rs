//! Which programs are drawn from, and which of them a model may be fitted to.

use std::path::{Path, PathBuf};

use terrace_search_explore::fingerprint;
use toml::Table;

use crate::Done;

/// The device whose spaces are drawn from, and whose file judges the logs
pub const DEVICE: &str = "x86-64-v4";

/// A program with sizes and a number of threads: one log
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Folder of its text
    pub class: String,
    /// Name of its text
    pub program: String,
    /// Sizes that are set
    pub sizes: Vec<(String, String)>,
    /// Of the program
    pub threads: u16,
}

/// Sixteenths of all names that a model may be fitted to
const FITTED: &str = "012345";

impl Row {
    /// A model is not fitted to it. By the name of its program alone: all sizes of one program are on one side
    pub fn is_held_out(&self) -> bool {
        !fingerprint(&self.title()).starts_with(|digit| FITTED.contains(digit))
    }

    /// `class/program`
    pub fn title(&self) -> String {
        format!("{}/{}", self.class, self.program)
    }

    /// Title, sizes and threads
    pub fn name(&self) -> String {
        let sizes: Vec<String> = self.sizes.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let threads = if self.threads == 1 { "thread" } else { "threads" };
        format!("{} {}, {} {threads}", self.title(), sizes.join(" "), self.threads)
    }

    /// The text
    pub fn file(&self, shapes: &Path) -> PathBuf {
        shapes.join(&self.class).join(format!("{}.tensor", self.program))
    }

    /// Its log
    pub fn log(&self, folder: &Path) -> PathBuf {
        let sizes: String = self.sizes.iter().map(|(name, value)| format!("_{name}{value}")).collect();
        folder.join(format!("{}{sizes}_{}.jsonl", self.program, self.threads))
    }
}

/// All rows of `programs.toml`, those that a model may be fitted to first
pub fn read(folder: &Path) -> Done<Vec<Row>> {
    let path = folder.join("programs.toml");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let table: Table = text.parse().map_err(|e| format!("{}: {e}", path.display()))?;
    let mut rows = Vec::new();
    for (class, programs) in &table {
        for (program, sizes) in programs.as_table().into_iter().flatten() {
            for one in sizes.as_array().into_iter().flatten().filter_map(toml::Value::as_str) {
                let of = self::rows(class, program, one);
                rows.extend(
                    of.ok_or_else(|| format!("{program}: `{one}` is not `NAME=NUMBER …: THREADS …`"))?,
                );
            }
        }
    }
    rows.sort_by_key(Row::is_held_out);
    Ok(rows)
}

/// `M=192 N=192: 1 2`
fn rows(class: &str, program: &str, text: &str) -> Option<Vec<Row>> {
    let (sizes, threads) = text.split_once(':')?;
    let size = |word: &str| word.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
    let sizes: Vec<(String, String)> = sizes.split_whitespace().map(size).collect::<Option<_>>()?;
    let row = |threads: &str| {
        let threads = threads.parse().ok()?;
        Some(Row { class: class.to_owned(), program: program.to_owned(), sizes: sizes.clone(), threads })
    };
    threads.split_whitespace().map(row).collect()
}
