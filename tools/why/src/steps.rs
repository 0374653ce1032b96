//! The passes of a pipeline, each alone, and what they make of a module.

use std::panic::{AssertUnwindSafe, catch_unwind};
use terrace_diag::Severity;
use terrace_ir::Ir;
use terrace_ir::verify::verify;
use terrace_pass::{Counted, Instrument, Pipeline, RewriteLimit, Step};

/// One pass, nested as in its pipeline
pub struct Pass {
    /// The pipeline that runs it alone
    pub alone: Pipeline,
    /// Its name
    pub name: &'static str,
}

/// All passes of a pipeline in order
pub fn passes(pipeline: &Pipeline) -> Vec<Pass> {
    let named = |alone: Pipeline| Pass { name: leaf(&alone), alone };
    pipeline.one_by_one().into_iter().map(named).collect()
}

fn leaf(pipeline: &Pipeline) -> &'static str {
    match pipeline.steps.first() {
        Some(Step::Pass(instance)) => instance.info.name,
        Some(Step::Nest(inner)) => leaf(inner),
        None => "",
    }
}

/// How a pass fails
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Code of the first error; the last one where a pass left what is not valid
    pub code: &'static str,
    /// Its message
    pub message: String,
}

/// What a pass makes of a module
pub struct Ran {
    /// The module afterwards
    pub module: Box<Ir>,
    /// Applications in each unit
    pub counted: Vec<Counted>,
    /// Why it failed, if so
    pub failure: Option<Failure>,
}

impl Ran {
    /// Applications in all units
    pub fn total(&self) -> u64 {
        self.counted.iter().map(|one| one.count).sum()
    }
}

/// Run a pass on a copy of a module, up to so many applications
pub fn run(module: &Ir, pass: &Pass, limit: Option<u64>) -> Ran {
    let mut after = module.clone_unit();
    let limit = limit.map(RewriteLimit::Total);
    let instrument = Instrument { limit, count: true, ..Instrument::quiet(|_| String::new()) };
    let ran = catch_unwind(AssertUnwindSafe(|| terrace_pass::run(&mut after, &pass.alone, &instrument)));
    let (report, result) = match ran {
        Ok(ran) => ran,
        Err(_) => {
            let failure = Failure {
                code: terrace_pass::codes::PANIC.id,
                message: format!("pass `{}` panicked", pass.name),
            };
            return Ran { module: after, counted: Vec::new(), failure: Some(failure) };
        }
    };
    let first = |diags: &terrace_diag::Diags| {
        let error = diags.iter().find(|one| one.severity == Severity::Error)?;
        Some(Failure { code: error.code.map_or("", |code| code.id), message: error.message.clone() })
    };
    let failure = match result {
        Err(_) => first(&report.diags),
        Ok(()) => first(&verify(&after, 1)),
    };
    Ran { module: after, counted: report.counted, failure }
}
