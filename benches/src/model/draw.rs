//! Logs: schedules that are drawn at random, each measured.

use std::path::Path;
use std::process::Command;

use terrace_search_explore::Origin;
use terrace_search_explore::log::{self, Entry, Outcome};

use super::judged;
use super::rows::{DEVICE, Row};
use crate::Done;
use crate::machine::Facts;
use crate::process::shown;

/// Schedules of a log
const DRAWS: u32 = 25;

/// Most dimensions of a program whose cores are open too: of more, most draws unroll so much that compiling takes seconds
const CORES: usize = 3;

/// Draw and measure a row's schedules: sizes of its default schedule are open, and cores where there are few dimensions; each choice
/// is drawn uniformly among those that the choices before it leave
pub fn draw(row: &Row, shapes: &Path, folder: &Path, tune: &Path) -> Done {
    let log = row.log(folder);
    let mut command = Command::new(tune);
    command.arg(row.file(shapes));
    command.args(row.sizes.iter().map(|(name, value)| format!("--set={name}={value}")));
    let cores = judged::computed(row, shapes)?.computation.dims.len() <= CORES;
    command.arg(if cores { "--free=size,core" } else { "--free=size" });
    command.args(["--technique=random", "--prune=1", "--seed=1", "--timeout=2s"]);
    // The default schedule is the first point, and no draw.
    command.args([format!("--budget={}", DRAWS + 1), format!("--target={DEVICE}"), "--bench=7".to_owned()]);
    command.arg("--stop=never");
    command.args([format!("--threads={}", row.threads), format!("--log={}", log.display())]);
    let facts = Facts::gather();
    command.arg(format!("--note={}", facts.json()));
    let output = command.output().map_err(|e| format!("`{}`: {e}", shown(&command)))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(format!("`{}` failed: {}", shown(&command), text.trim()).into());
    }
    let text = std::fs::read_to_string(&log)?;
    let (header, entries) = log::read(&text).map_err(|why| format!("{}: {why}", log.display()))?;
    let drawn = entries.into_iter().filter(|entry| entry.origin != Origin::Start).map(shortened);
    // Where files lay is no part of a log that others read.
    let header = log::Header { command: Vec::new(), ..header };
    std::fs::write(&log, header.line() + &drawn.map(|entry| entry.line()).collect::<String>())?;
    Ok(())
}

/// Without what is not compared: where the time of a trial went, and each run of it
fn shortened(entry: Entry) -> Entry {
    let outcome = match entry.outcome {
        Outcome::Ran { seconds } => Outcome::Ran { seconds: (seconds * 1e9).round() / 1e9 },
        Outcome::Stopped { seconds } => Outcome::Stopped { seconds },
        Outcome::Failed { kind, .. } => Outcome::Failed { kind, reason: String::new() },
    };
    let (times, again, anchor) = (Vec::new(), Vec::new(), Vec::new());
    Entry { outcome, at: entry.at.round(), stages: None, estimate: None, times, again, anchor, ..entry }
}
