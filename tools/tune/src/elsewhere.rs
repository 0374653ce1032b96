//! Machines and compilers of workers that are started elsewhere: a search measures on one kind.

use crate::args::Args;
use crate::engine::{Engine, NoAnswer, Start};
use crate::errors::environment;
use crate::hyperqueue::HyperQueue;
use crate::measure;
use crate::stop::Stop;
use std::time::{Duration, Instant};
use terrace_diag::Diagnostic;
use terrace_search_trials::{About, Call, Down, Executor, Policy, Trial, VERSION};

/// What the first worker states of itself
pub(crate) fn about(args: &Args, stop: &Stop) -> Result<About, Diagnostic> {
    if let Some(known) = args.farm.about.get() {
        return Ok(known.clone());
    }
    if args.farm.hyperqueue.is_some() {
        by_task(args, stop)?;
    }
    // Where the first one is out of reach, another may be there.
    let mut missing = None;
    for start in Start::through(&args.farm)? {
        match Engine::new(start, stop).warm() {
            Ok(()) => {
                missing = None;
                break;
            }
            Err(NoAnswer::NoWorker(why)) => missing = missing.or(Some(why)),
            Err(NoAnswer::Interrupted) => return Err(interrupted()),
        }
    }
    if let Some(why) = missing {
        return Err(environment(why));
    }
    let known = args.farm.about.get().cloned();
    known.ok_or_else(|| environment("no worker says where it is".into()))
}

fn interrupted() -> Diagnostic {
    environment("interrupted before a worker was there".into())
}

/// The answer to any trial states it, also to one that is none
fn by_task(args: &Args, stop: &Stop) -> Result<(), Diagnostic> {
    let folder = measure::folder()?;
    let call = Call {
        entry: "none".into(),
        on: "interp".into(),
        seeds: Vec::new(),
        results: Vec::new(),
        threads: None,
        pipeline: None,
        flops: None,
    };
    let (id, program, policy) = ("about".into(), String::new(), Policy::default());
    let trial = Trial { trial: VERSION, id, point: None, program, call, policy, reference: None };
    let mut tasks = HyperQueue::new(&args.farm, folder.path(), stop)?;
    let fail = |why: Down| environment(why.to_string());
    tasks.submit(&trial).map_err(fail)?;
    let start = Instant::now();
    while args.farm.about.get().is_none() && start.elapsed() < args.farm.patience {
        if stop.interrupted() {
            return Err(interrupted());
        }
        let answers = tasks.poll(Duration::from_millis(50)).map_err(fail)?;
        if let (Some(answer), None) = (answers.first(), args.farm.about.get()) {
            let why = answer.reason.clone().unwrap_or_default();
            return Err(environment(format!(
                "the first task of HyperQueue is {}: {why}",
                answer.status.word()
            )));
        }
    }
    Ok(())
}
