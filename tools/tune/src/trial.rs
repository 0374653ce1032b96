//! Trials as lines: those that a search would measure, and answers to those of others.
//!
//! What an answer says of its machine and compiler is what the head of a log says. Mistakes in a line are an answer too.

use crate::args::Args;
use crate::engine::{Engine, NoAnswer, Start};
use crate::errors::environment;
use crate::measure::{self, Bench};
use crate::resume::here;
use crate::search;
use crate::stop::Stop;
use crate::subject::Subject;
use crate::worker::no_trial;
use std::io::BufRead;
use terrace_diag::Diagnostic;
use terrace_native_client::orphan;
use terrace_search_explore::{Next, Proposal, fingerprint};
use terrace_search_trials::{
    Answer, Input, LONGEST_TRIAL, Reference, Said, Status, Trial, VERSION, lines as lines_of,
};

/// Trials of points that a search would draw, as lines; nothing is measured
pub(crate) fn lines(
    args: &Args,
    subject: &dyn Subject,
    bench: &Bench,
    reference: &Reference,
) -> Result<(), Diagnostic> {
    let mut explorer = search::unmeasured(args, subject.space())?;
    let search = fingerprint(&subject.identity());
    for number in 1..=search::shown(args.budget) {
        let Next::Measure(Proposal { point, .. }) = explorer.next_point() else { break };
        if bench.stop.now() {
            break;
        }
        // A search notes why such a point is refused, and goes on.
        let Ok(made) = subject.make(&point) else { continue };
        let trial = Trial {
            trial: VERSION,
            id: format!("{}:{number:06}", &search[..12]),
            point: Some(subject.show(&point)),
            program: made.text,
            call: bench.call.clone(),
            policy: bench.policy(None),
            reference: Some(reference.clone()),
        };
        let line = trial.line().map_err(|why| environment(why.to_string()))?;
        terrace_opt::write_output(None, line.as_bytes())?;
    }
    Ok(())
}

/// Answer every line of a file, or of standard input, in order
pub(crate) fn answer(file: Option<&str>, warm: bool, stop: &Stop) -> Result<(), Diagnostic> {
    let folder = measure::folder()?;
    let start = if warm { Start::warm()? } else { Start::here(folder.path())? };
    let mut engine = Engine::new(start, stop);
    let own = if warm { None } else { Some(here()?) };
    let unreadable = |error: std::io::Error| {
        let name = file.unwrap_or("standard input");
        Diagnostic::error(&terrace_opt::codes::READ, format!("cannot read `{name}`: {error}"))
    };
    let input: Box<dyn BufRead> = match file.filter(|file| *file != "-") {
        Some(file) => Box::new(std::io::BufReader::new(std::fs::File::open(file).map_err(unreadable)?)),
        None => Box::new(std::io::stdin().lock()),
    };
    // Measurements that no reader sees are not made.
    orphan::end_with_reader();
    let mut wrong = 0;
    for line in lines_of(input, LONGEST_TRIAL) {
        if stop.interrupted() {
            break;
        }
        let read = match line.map_err(unreadable)? {
            Input::Line(line) | Input::Half(line) => Trial::read(&line),
            Input::Wrong(wrong) => Err((None, wrong)),
        };
        wrong += u32::from(read.is_err());
        let answer = match read {
            Ok(trial) => match engine.ask(&trial) {
                Ok(answer) => answer,
                Err(NoAnswer::Interrupted) => break,
                Err(NoAnswer::NoWorker(why)) => return Err(environment(why)),
            },
            Err((id, wrong)) => no_trial(id, &wrong),
        };
        let (machine, compiler) = match answer.status {
            Status::Garbage => (None, None),
            _ => own
                .as_ref()
                .or(engine.about())
                .map(|about| (about.machine.clone(), about.compiler.clone()))
                .unzip(),
        };
        let answer = Said::Answer(Box::new(Answer { machine, compiler, ..answer }));
        let line = answer.line().map_err(|why| environment(why.to_string()))?;
        terrace_opt::write_output(None, line.as_bytes())?;
    }
    match wrong {
        0 => Ok(()),
        _ => Err(environment(format!("{wrong} of the lines are no trials; their answers say why"))),
    }
}
