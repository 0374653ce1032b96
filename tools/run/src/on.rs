//! A run for another tool: on a text, as the command line would do it, with its arrays in memory.

use crate::args::Args;
use crate::{How, carry_out, data};
use clap::Parser;
use std::fmt;
use terrace_diag::{Diagnostic, Diags, Severity};
use terrace_ir::Context;
use terrace_opt::Tool;
use terrace_opt::language::Content;
use terrace_runtime_buffers::Buffer;
use terrace_target_api::{Failed, Limits, Workers};

/// What is to run
pub struct Request<'a> {
    /// The program
    pub text: &'a str,
    /// Its name in messages
    pub name: &'a str,
    /// What the command line of `terrace-run` says of it, without the program's name and file
    pub args: &'a [String],
    /// Positions or names of the arrays that are wanted
    pub outputs: &'a [String],
    /// Longest times
    pub limits: Limits,
    /// No more runs once it is clear that the program takes longer than so many nanoseconds
    pub stop_ns: Option<u64>,
}

/// What a run gave
pub struct Ran {
    /// Nanoseconds of each run, in their order
    pub times_ns: Vec<u64>,
    /// Nanoseconds that passes took
    pub lowering_ns: u64,
    /// Operations on numbers of one run, where they are known
    pub flops: Option<u64>,
    /// Arrays that were wanted
    pub arrays: Vec<Buffer>,
    /// Arguments that are values, and that the program wrote into all the same
    pub overwritten: Vec<String>,
}

/// Why there is no run
#[derive(Debug)]
pub enum Misused {
    /// The arguments are none of the command line
    Arguments(String),
    /// Errors of the program, of the back end, or of the run
    Failed(Vec<Diagnostic>),
}

impl fmt::Display for Misused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misused::Arguments(why) => f.write_str(why),
            Misused::Failed(errors) => {
                let first = errors.iter().find(|error| error.severity == Severity::Error);
                f.write_str(first.map_or("it failed without a message", |error| &error.message))
            }
        }
    }
}

impl std::error::Error for Misused {}

/// Run a text
pub fn run_on(tool: Tool, request: &Request<'_>, workers: &Workers) -> Result<Ran, Misused> {
    let words = ["terrace-run", request.name].into_iter();
    let words = words.chain(request.args.iter().map(String::as_str));
    let args = Args::try_parse_from(words).map_err(|error| Misused::Arguments(error.to_string()))?;
    // One of its own: what a program has interned is gone with it.
    let cx = Context::new(&tool.all_dialects());
    let mut diags = Diags::default();
    let how = How { limits: request.limits, stop_ns: request.stop_ns, workers };
    let done = carry_out(tool, &args, Content::Text(request.text.to_owned()), how, &cx, &mut diags);
    let failed = |Failed(errors): Failed| Misused::Failed(errors);
    let done = done.map_err(failed)?.filter(|_| !diags.has_errors());
    let Some((done, outcome)) = done.and_then(|mut done| done.outcome.take().map(|outcome| (done, outcome)))
    else {
        return Err(Misused::Failed(diags.into_vec()));
    };
    let wanted = request.outputs.iter().map(|name| {
        let slot = done.source.output(name)?;
        let array = outcome.arrays.iter().find(|array| array.slot == slot);
        let array = array.ok_or_else(|| data::missing(name))?;
        data::check_defined(array)?;
        Ok(array.buffer.clone())
    });
    let arrays = wanted.collect::<Result<_, _>>().map_err(|error| Misused::Failed(vec![error]))?;
    Ok(Ran {
        arrays,
        times_ns: outcome.times_ns,
        lowering_ns: done.lowering_ns,
        flops: done.flops,
        overwritten: outcome.overwritten,
    })
}
