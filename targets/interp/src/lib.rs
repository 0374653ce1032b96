//! The reference interpreter as a back end: it takes a program of any level, and gives the values that others are compared with.

use terrace_target_api::{About, Failed, Job, NamedPipeline, Outcome, Target, interp};

/// It has no pipeline
pub const PIPELINES: &[NamedPipeline] = &[];

/// The back end
pub struct Interpreter;

/// Its entry in the list
pub const TARGET: Interpreter = Interpreter;

impl Target for Interpreter {
    fn about(&self) -> About {
        About::new("interp", "The reference interpreter, on the file as it is")
    }

    fn run(&self, job: &Job<'_>) -> Result<Outcome, Failed> {
        interp::run(job)
    }
}
