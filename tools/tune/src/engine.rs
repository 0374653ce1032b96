//! The way of a trial to a worker process and back, whatever becomes of that process.
//!
//! A worker that ends, says nothing any more or says what is no answer costs one trial one repetition. Time in which nothing is
//! heard counts here; how long a trial may take counts on the worker.

pub(crate) mod running;

use crate::args::Farm;
use crate::errors::environment;
use crate::stop::Stop;
use running::{Heard, Running};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use terrace_diag::Diagnostic;
use terrace_search_trials::{About, Answer, LONGEST_TRIAL, Said, Status, Trial, Wrong};

/// Workers that try one trial
const ATTEMPTS: u32 = 2;

/// Time without a sign of life after which a worker counts as gone: several times that between two signs
const PATIENCE: Duration = Duration::from_secs(10);

/// Time in which a command that has started a worker elsewhere ends it: of one that is killed, Slurm keeps the step
const PARTING: Duration = Duration::from_secs(5);

/// Why there is no answer
pub(crate) enum NoAnswer {
    /// The user has requested the end
    Interrupted,
    /// No worker can be started
    NoWorker(String),
}

/// Why a worker gave no answer
enum Broken {
    Interrupted,
    Ended(String),
    Silent,
    Garbage(String),
}

/// How a worker is started
#[derive(Clone)]
pub(crate) struct Start {
    /// The program that is a worker or brings one, and its arguments
    program: PathBuf,
    args: Vec<OsString>,
    /// Time without a sign of life, once it has greeted and before that
    patience: Duration,
    greets: Duration,
    /// Workers that try one trial, one after the other
    attempts: u32,
    /// Time in which it ends what it has started elsewhere
    parting: Duration,
    /// Where workers have to be, where they are started elsewhere: where the first one was
    about: Option<Arc<OnceLock<About>>>,
}

/// What answers trials by one worker, one at a time
pub(crate) struct Engine {
    start: Start,
    stop: Stop,
    running: Option<Running>,
    /// What back ends need in the environment of the worker that runs
    variables: Vec<(&'static str, OsString)>,
}

/// This program
fn own() -> Result<PathBuf, Diagnostic> {
    std::env::current_exe().map_err(|error| environment(format!("this program is not found: {error}")))
}

impl Start {
    /// On this machine, with a folder where workers keep results for each other
    pub(crate) fn here(folder: &Path) -> Result<Start, Diagnostic> {
        let results = folder.join("results");
        std::fs::create_dir_all(&results)
            .map_err(|error| environment(format!("no folder for results: {error}")))?;
        let turn = folder.join("turn").into_os_string();
        let args = vec!["worker".into(), "--results".into(), results.into(), "--turn".into(), turn];
        let (patience, parting) = (PATIENCE, Duration::ZERO);
        Ok(Start {
            program: own()?,
            args,
            patience,
            greets: PATIENCE,
            attempts: ATTEMPTS,
            parting,
            about: None,
        })
    }

    /// One that stays on this machine after this process
    pub(crate) fn warm() -> Result<Start, Diagnostic> {
        let args = vec!["worker".into(), "--warm".into()];
        let (patience, parting, about) = (PATIENCE, Duration::ZERO, Some(Arc::default()));
        Ok(Start { program: own()?, args, patience, greets: PATIENCE, attempts: ATTEMPTS, parting, about })
    }

    /// By the commands that the command line names, this program's name behind each
    pub(crate) fn through(farm: &Farm) -> Result<Vec<Start>, Diagnostic> {
        let (own, turn) = (own()?, user_turn());
        let start = |command: &String| {
            let mut words = command.split_whitespace().map(OsString::from);
            let program = words.next().unwrap_or_default().into();
            let mut args: Vec<OsString> = words.collect();
            args.extend([own.clone().into(), "worker".into(), "--about".into(), "--turn".into()]);
            args.push(turn.clone().into());
            // Where it is started by others, it may wait for a place.
            let greets = farm.patience;
            let (patience, about) = (PATIENCE, Some(farm.about.clone()));
            // Another worker may be there sooner than the next one of this place.
            Start { program, args, patience, greets, attempts: 1, parting: PARTING, about }
        };
        Ok(farm.through.iter().map(start).collect())
    }
}

/// Name of the turn that all workers of a user take on one machine, whoever starts them
pub(crate) fn user_turn() -> String {
    format!("terrace-turn-{}", rustix::process::getuid().as_raw())
}

impl Engine {
    /// With workers that are started so
    pub(crate) fn new(start: Start, stop: &Stop) -> Engine {
        Engine { start, stop: stop.clone(), running: None, variables: Vec::new() }
    }

    /// Where its worker is, as far as that is known
    pub(crate) fn about(&self) -> Option<&About> {
        self.start.about.as_ref()?.get()
    }

    /// Have a worker, if there is none yet
    pub(crate) fn warm(&mut self) -> Result<(), NoAnswer> {
        let running = match self.running.take() {
            Some(running) => running,
            None => self.start().map_err(|why| match why {
                NoAnswerYet::Never(why) => why,
                NoAnswerYet::Broken(_) => NoAnswer::Interrupted,
            })?,
        };
        self.running = Some(running);
        Ok(())
    }

    /// What became of a trial
    pub(crate) fn ask(&mut self, trial: &Trial) -> Result<Answer, NoAnswer> {
        let mut attempt = 1;
        loop {
            let answered = self.once(trial);
            let ends = |answer: &Answer| {
                answer.status == Status::Crashed || answer.worker.is_some_and(|worker| worker.ends)
            };
            if answered.as_ref().map_or(true, ends) {
                // It ends by itself, or is not to be trusted any more.
                self.running = None;
            }
            let (status, reason) = match answered {
                Ok(answer) if answer.status != Status::Crashed || attempt == self.start.attempts => {
                    return Ok(Answer { attempt, ..answer });
                }
                Ok(answer) => (answer.status, answer.reason.unwrap_or_default()),
                Err(NoAnswerYet::Never(why)) => return Err(why),
                Err(NoAnswerYet::Broken(Broken::Interrupted)) => return Err(NoAnswer::Interrupted),
                Err(NoAnswerYet::Broken(Broken::Ended(how))) => (Status::Crashed, how),
                Err(NoAnswerYet::Broken(Broken::Silent)) => (
                    Status::Lost,
                    format!("the worker gave no sign of life for {} s", self.start.patience.as_secs_f64()),
                ),
                Err(NoAnswerYet::Broken(Broken::Garbage(what))) => (Status::Garbage, what),
            };
            if attempt == self.start.attempts {
                return Ok(Answer { attempt, ..Answer::failed(Some(trial.id.clone()), status, reason) });
            }
            attempt += 1;
        }
    }

    /// By the worker that is there, or a new one
    fn once(&mut self, trial: &Trial) -> Result<Answer, NoAnswerYet> {
        // That is no fault of a worker: another one would not take it either.
        let unwritten = |why: String| Answer::failed(Some(trial.id.clone()), Status::Garbage, why);
        let line = match trial.line() {
            Ok(line) if line.len() as u64 <= LONGEST_TRIAL => line,
            Ok(_) => return Ok(unwritten(Wrong::Long(LONGEST_TRIAL).to_string())),
            Err(why) => return Ok(unwritten(why.to_string())),
        };
        let needed = variables(trial);
        let fits = needed.iter().all(|one| self.variables.contains(one));
        let mut running = match self.running.take().filter(|_| fits) {
            Some(running) => running,
            None => {
                self.variables = needed;
                self.start()?
            }
        };
        running.write(line);
        let answer = loop {
            match self.hear(&mut running, self.start.patience)? {
                Said::Answer(answer) if answer.id.as_ref() == Some(&trial.id) => break *answer,
                // What it still said of a trial before.
                Said::Beat(_) => {}
                Said::Answer(_) => return Err(garbage("it answered another trial")),
                Said::Greeting(_) => return Err(garbage("it greeted twice")),
            }
        };
        self.running = Some(running);
        Ok(answer)
    }

    fn start(&self) -> Result<Running, NoAnswerYet> {
        let never = |why: String| {
            let path = self.start.program.display();
            NoAnswerYet::Never(NoAnswer::NoWorker(format!("`{path}` is no worker: {why}")))
        };
        let mut last = String::new();
        for _ in 0..self.start.attempts {
            let Start { program, args, greets, parting, about, .. } = &self.start;
            let started = Running::start(program, args, self.variables.iter().cloned());
            let started = started.map_err(|error| never(error.to_string()))?;
            let mut running = started.with_time_to_end(*parting);
            last = match self.hear(&mut running, *greets) {
                Ok(Said::Greeting(found)) if found.greeting == terrace_search_trials::VERSION => {
                    match about.as_ref().and_then(|wanted| elsewhere(wanted, found.about)) {
                        None => return Ok(running),
                        Some(why) => why,
                    }
                }
                Ok(_) => "it does not greet as this tool does".into(),
                Err(NoAnswerYet::Broken(Broken::Ended(how) | Broken::Garbage(how))) => how,
                Err(NoAnswerYet::Broken(Broken::Silent)) => "it says nothing".into(),
                Err(other) => return Err(other),
            };
        }
        Err(never(last))
    }

    /// What a worker says next
    fn hear(&self, running: &mut Running, patience: Duration) -> Result<Said, NoAnswerYet> {
        let heard = match running.hear(patience, &self.stop) {
            // This process may have been stopped itself: what was said since then is there.
            Heard::Nothing => running.hear(Duration::from_secs(1).min(patience), &self.stop),
            heard => heard,
        };
        match heard {
            Heard::Line(line) => match Said::read(&line) {
                Some(said) => Ok(said),
                None => Err(garbage(&format!("it said `{}`", short(&line)))),
            },
            Heard::Wrong(what) => Err(garbage(&what)),
            Heard::Ended(how) => Err(NoAnswerYet::Broken(Broken::Ended(how))),
            Heard::Nothing => Err(NoAnswerYet::Broken(Broken::Silent)),
            Heard::Interrupted => Err(NoAnswerYet::Broken(Broken::Interrupted)),
        }
    }
}

/// Why a worker is none of this search: times of two machines or compilers cannot be compared
fn elsewhere(wanted: &OnceLock<About>, found: Option<About>) -> Option<String> {
    let Some(found) = found else { return Some("it does not say where it is".into()) };
    let wanted = wanted.get_or_init(|| found.clone());
    let parts =
        [("machine", &wanted.machine, &found.machine), ("compiler", &wanted.compiler, &found.compiler)];
    let (what, wanted, found) = parts.into_iter().find(|(_, wanted, found)| wanted != found)?;
    Some(format!("its {what} is {found}, that of this search {wanted}"))
}

/// What the back ends of a trial need in the environment of a process
fn variables(trial: &Trial) -> Vec<(&'static str, OsString)> {
    let calls = std::iter::once(&trial.call).chain(trial.reference.as_ref().map(|one| &one.call));
    calls.filter_map(|call| terrace_targets::find(&call.on)).flat_map(|on| on.environment()).collect()
}

/// Why one worker gave no answer, and whether another one may
enum NoAnswerYet {
    Broken(Broken),
    Never(NoAnswer),
}

fn garbage(what: &str) -> NoAnswerYet {
    NoAnswerYet::Broken(Broken::Garbage(format!("the worker's answer cannot be read: {what}")))
}

/// The beginning of what was said
fn short(line: &str) -> String {
    let text: String = line.trim().chars().take(80).collect();
    text.replace(char::is_control, " ")
}

#[cfg(test)]
mod tests;
