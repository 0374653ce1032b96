//! Do the rules allow a schedule? The computation by itself is lowered with it, as a search does.

use super::alone::Alone;
use terrace_diag::{Diags, Severity};
use terrace_dialect_mdh::schedule::{OpenSchedule, Schedule};
use terrace_ir::verify::verify;
use terrace_ir::{Context, Ir};
use terrace_pass::{Instrument, Pipeline, Registry};

/// From a computation with a schedule to loops
const PASSES: &str = "mdh-accumulators,func.func(mdh-fix-bits,mdh-operators,mdh-schedule,mdh-to-sched)";

const REGISTRY: Registry =
    Registry { passes: &[crate::PASSES, terrace_lowering_mdh::PASSES], pipelines: &[] };

/// What judges schedules for one device
pub(super) struct Judge {
    /// The passes; the error says why there are none
    pipeline: Result<Pipeline, String>,
}

impl Judge {
    /// With these options of `mdh-schedule`
    pub(super) fn new(cx: &Context, options: &[(&'static str, String)]) -> Judge {
        let mut diags = Diags::default();
        let pipeline =
            Pipeline::parse(PASSES, &REGISTRY, cx.sources(), &mut diags).map_err(|_| first_error(&diags));
        let set = |mut pipeline: Pipeline| {
            for (option, value) in options {
                pipeline.set("mdh-schedule", option, value).map_err(|why| why.to_string())?;
            }
            Ok(pipeline)
        };
        Judge { pipeline: pipeline.and_then(set) }
    }

    /// The schedule of a record's steps for a computation; the error names the rule that refuses it
    pub(super) fn schedule(&self, alone: &Alone, steps: &[String]) -> Result<Schedule, String> {
        let read = OpenSchedule::read_steps(steps.iter().map(String::as_str));
        let schedule = read.and_then(|open| open.decided()).map_err(|why| why.to_string())?;
        let pipeline = self.pipeline.as_ref().map_err(String::clone)?;
        let mut candidate: Box<Ir> = alone.with(&schedule);
        let (report, result) =
            terrace_pass::run(&mut candidate, pipeline, &Instrument::quiet(|_| String::new()));
        let mut diags = report.diags;
        if result.is_ok() {
            diags.append(verify(&candidate, 1));
        }
        if result.is_err() || diags.has_errors() { Err(first_error(&diags)) } else { Ok(schedule) }
    }
}

fn first_error(diags: &Diags) -> String {
    let error = diags.iter().find(|one| one.severity == Severity::Error);
    error.map_or("no reason is given".into(), |error| error.message.clone())
}
