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
    /// How both compare in rounds that alternate them: the least of many noisy times is too good by chance
    ratio: f64,
    /// Factor that a program differs by from itself in these rounds; none were run where the chosen one is the best
    noise: Option<f64>,
    /// Choices of the best one
    pub text: String,
}

impl Regret {
    /// Is the chosen one within a factor of the best, or within noise of that?
    fn within(&self, most: f64) -> bool {
        self.ratio <= most * self.noise.unwrap_or(1.0)
    }
}

pub const HEADER: &str =
    "| program | schedules | chosen, µs | best, µs | chosen / best | noise |\n|---|---:|---:|---:|---:|---:|";

/// A line of the table
impl fmt::Display for Regret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Regret { schedules, chosen, best, ratio, noise, .. } = self;
        let (chosen, best) = (chosen * 1e6, best * 1e6);
        let noise = noise.map_or("–".into(), |noise| format!("{noise:.2}"));
        write!(f, "{schedules} | {chosen:.1} | {best:.1} | {ratio:.2} | {noise}")
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
    let text = text?;
    let (_, entries) = log::read(&text).map_err(|why| format!("{}: {why}", row.name()))?;
    let schedules = entries.iter().filter(|entry| entry.cost().is_some()).count();
    let end = log::ending(&text).and_then(|end| Some((end.chosen?, end.best?, end.against)));
    let (chosen, best, against) =
        end.ok_or_else(|| format!("{}: the chosen schedule did not run", row.name()))?;
    let (ratio, noise) = against.map_or((1.0, None), |against| (against.mean, Some(against.noise)));
    Ok(Regret { schedules, chosen, best: best.seconds, ratio, noise, text: best.text })
}

/// What all of them come to
pub fn summary(all: &[Regret]) -> String {
    let ratios = Summary::of(all.iter().map(|each| each.ratio));
    let within = |most: f64| all.iter().filter(|each| each.within(most)).count();
    format!(
        "{} programs: chosen / best {:.2} (to {:.2}), {} within 5 % and noise, {} within 15 % and noise",
        all.len(),
        ratios.median,
        ratios.max,
        within(1.05),
        within(1.15),
    )
}
