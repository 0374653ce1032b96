//! The reference interpreter as a back end: it takes a program of any level, and gives the values that others are compared with.

use terrace_target_api::{About, Failed, Job, NamedPipeline, Outcome, Target, interp};

/// What its programs go through
pub const PIPELINES: &[NamedPipeline] = &[NamedPipeline {
    name: "to-interp",
    text: "mdh-accumulators,func.func(mdh-fix-bits)",
    summary: "What a program means where a reduction states an accumulator or a bracket: both written out. All else stays as it is",
}];

/// The back end
pub struct Interpreter;

/// Its entry in the list
pub const TARGET: Interpreter = Interpreter;

impl Target for Interpreter {
    fn about(&self) -> About {
        About::new("interp", "The reference interpreter, on the file as it is").through("to-interp")
    }

    fn run(&self, job: &Job<'_>) -> Result<Outcome, Failed> {
        interp::run(job)
    }
}
