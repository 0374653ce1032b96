//! Regret: the time of the schedule that is chosen without measuring, divided by that of the best one that a search finds.

use std::fmt;
use std::path::Path;
use std::process::Command;

use terrace_search_explore::log;

use super::rows::Row;
use crate::Done;
use crate::process::shown;
use crate::stats::Summary;

/// Runs of a schedule; the median counts
const RUNS: u32 = 15;

/// What a search found for a row
pub struct Regret {
    /// Schedules that ran
    schedules: usize,
    /// Seconds of the chosen one
    chosen: f64,
    /// Of the best one, which may be the chosen one
    best: f64,
}

impl Regret {
    /// 1: nothing better was found
    fn ratio(&self) -> f64 {
        self.chosen / self.best
    }
}

pub const HEADER: &str =
    "| program | schedules | chosen, µs | best, µs | chosen / best |\n|---|---:|---:|---:|---:|";

/// A line of the table
impl fmt::Display for Regret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (chosen, best) = (self.chosen * 1e6, self.best * 1e6);
        write!(f, "{} | {chosen:.1} | {best:.1} | {:.2}", self.schedules, self.ratio())
    }
}

/// Search so long for a row, from the chosen schedule on: sizes of its form are open, and what its loops run on
pub fn search(row: &Row, shapes: &Path, time: &str, tune: &Path) -> Done<Regret> {
    let name = format!("terrace-regret-{}.jsonl", std::process::id());
    let file = std::env::temp_dir().join(name);
    let mut command = Command::new(tune);
    command.arg(row.file(shapes));
    command.args(row.sizes.iter().map(|(name, value)| format!("--set={name}={value}")));
    command.args(["--free=size,core", "--seed=1", "--timeout=3s"]);
    command.args([
        format!("--budget={time}"),
        format!("--bench={RUNS}"),
        format!("--threads={}", row.threads),
    ]);
    command.arg(format!("--log={}", file.display()));
    let output = command.output().map_err(|why| format!("`{}`: {why}", shown(&command)))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(format!("`{}` failed: {}", shown(&command), text.trim()).into());
    }
    let text = std::fs::read_to_string(&file);
    // A file of an earlier search would be continued.
    let _ = std::fs::remove_file(&file);
    let (_, entries) = log::read(&text?).map_err(|why| format!("{}: {why}", row.name()))?;
    let times: Vec<f64> = entries.iter().filter_map(|entry| entry.cost()).collect();
    let chosen = entries.first().and_then(|entry| entry.cost());
    let chosen = chosen.ok_or_else(|| format!("{}: the chosen schedule did not run", row.name()))?;
    let best = times.iter().copied().fold(chosen, f64::min);
    Ok(Regret { schedules: times.len(), chosen, best })
}

/// What all of them come to
pub fn summary(all: &[Regret]) -> String {
    let ratios = Summary::of(all.iter().map(Regret::ratio));
    let within = |most: f64| all.iter().filter(|each| each.ratio() <= most).count();
    format!(
        "{} programs: chosen / best {:.2} (to {:.2}), {} within 5 %, {} within 15 %",
        all.len(),
        ratios.median,
        ratios.max,
        within(1.05),
        within(1.15),
    )
}
