//! The reference interpreter as a back end: it takes a program of any level, and gives the values that others are compared with.

use terrace_target_api::{Failed, Job, NamedPipeline, Outcome, Target, interp};

/// It has no pipeline
pub const PIPELINES: &[NamedPipeline] = &[];

/// The back end
pub struct Interpreter;

/// Its entry in the list
pub const TARGET: Interpreter = Interpreter;

impl Target for Interpreter {
    fn name(&self) -> &'static str {
        "interp"
    }

    fn help(&self) -> &'static str {
        "The reference interpreter, on the file as it is"
    }

    fn pipeline(&self) -> Option<&'static str> {
        None
    }

    fn run(&self, job: &Job<'_>) -> Result<Outcome, Failed> {
        interp::run(job)
    }
}
