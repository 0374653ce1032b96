//! Results that another search has measured, in place of measuring: techniques are compared on the same times.

use crate::args::Args;
use crate::resume;
use crate::tried::Tried;
use std::collections::HashMap;
use terrace_diag::Diagnostic;
use terrace_schedule_model::Point;
use terrace_search_explore::log::{Entry, Header, LOST, Outcome, Setting};
use terrace_view::program::fail;

/// A log whose results are taken
pub(crate) struct Recorded {
    file: String,
    setting: Setting,
    entries: HashMap<Point, Entry>,
}

/// The back end of a log that was not measured
const REPLAY: &str = "replay";

impl Recorded {
    /// Of the command line, where it names one; it is to be of the same space
    pub(crate) fn load(args: &Args, space: &str) -> Result<Option<Recorded>, Diagnostic> {
        let Some(file) = &args.replay else { return Ok(None) };
        let (Header { space: found, setting, .. }, entries) = resume::read(file)?;
        if found != space {
            let error = fail(format!("`{file}` is the log of another search: {found} is not {space}"));
            return Err(
                error.help("its program, schedule and open fields are to be those of the command line")
            );
        }
        let entries = entries.into_iter().map(|entry| (entry.point.clone(), entry)).collect();
        Ok(Some(Recorded { file: file.clone(), setting, entries }))
    }

    /// Where results come from
    pub(crate) fn setting(&self) -> Setting {
        Setting { on: REPLAY.into(), ..self.setting.clone() }
    }

    /// What became of a point then
    pub(crate) fn tried(&self, point: &Point) -> Tried {
        match self.entries.get(point) {
            Some(Entry { outcome, bytes, stages, times, again, anchor, .. }) => Tried {
                outcome: outcome.clone(),
                bytes: *bytes,
                stages: stages.unwrap_or_default(),
                times: times.clone(),
                again: again.clone(),
                anchor: anchor.clone(),
            },
            None => {
                let reason = format!("`{}` has no such point", self.file);
                let outcome = Outcome::Failed { kind: LOST.into(), reason };
                Tried::failed(outcome, Default::default())
            }
        }
    }

    /// For the report
    pub(crate) fn line(&self) -> String {
        format!("nothing was measured: results are those of `{}`\n", self.file)
    }
}
