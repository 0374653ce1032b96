//! The way of trials to a worker process and back, whatever becomes of that process.
//!
//! A worker that ends, says nothing any more or says what is no answer costs one trial one repetition. Time in which nothing is
//! heard counts here; how long a trial may take counts on the worker.

mod running;

use crate::errors::environment;
use crate::stop::Stop;
use running::{Heard, Running};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;
use terrace_diag::Diagnostic;
use terrace_search_trials::{Answer, LONGEST_TRIAL, Said, Status, Trial, Wrong};

/// Workers that try one trial
const ATTEMPTS: u32 = 2;

/// Time without a sign of life after which a worker counts as gone: several times that between two signs
const PATIENCE: Duration = Duration::from_secs(10);

/// Why there is no answer
pub(crate) enum NoAnswer {
    /// The user has requested the end
    Interrupted,
    /// No worker can be started
    NoWorker(Diagnostic),
}

/// Why a worker gave no answer
enum Broken {
    Interrupted,
    Ended(String),
    Silent,
    Garbage(String),
}

/// What answers trials on this machine, one at a time
pub(crate) struct Engine {
    /// The program that is a worker, and its arguments
    program: PathBuf,
    args: Vec<OsString>,
    patience: Duration,
    stop: Stop,
    running: Option<Running>,
    /// What back ends need in the environment of the worker that runs
    variables: Vec<(&'static str, OsString)>,
}

impl Engine {
    /// With a folder where workers keep results for each other
    pub(crate) fn new(folder: &Path, stop: &Stop) -> Result<Engine, Diagnostic> {
        let program = std::env::current_exe()
            .map_err(|error| environment(format!("this program is not found: {error}")))?;
        let results = folder.join("results");
        std::fs::create_dir_all(&results)
            .map_err(|error| environment(format!("no folder for results: {error}")))?;
        let args = vec!["worker".into(), "--results".into(), results.into()];
        Ok(Engine {
            program,
            args,
            patience: PATIENCE,
            stop: stop.clone(),
            running: None,
            variables: Vec::new(),
        })
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
                Ok(answer) if answer.status != Status::Crashed || attempt == ATTEMPTS => {
                    return Ok(Answer { attempt, ..answer });
                }
                Ok(answer) => (answer.status, answer.reason.unwrap_or_default()),
                Err(NoAnswerYet::Never(why)) => return Err(why),
                Err(NoAnswerYet::Broken(Broken::Interrupted)) => return Err(NoAnswer::Interrupted),
                Err(NoAnswerYet::Broken(Broken::Ended(how))) => (Status::Crashed, how),
                Err(NoAnswerYet::Broken(Broken::Silent)) => (
                    Status::Lost,
                    format!("the worker gave no sign of life for {} s", self.patience.as_secs_f64()),
                ),
                Err(NoAnswerYet::Broken(Broken::Garbage(what))) => (Status::Garbage, what),
            };
            if attempt == ATTEMPTS {
                return Ok(Answer { attempt, ..Answer::failed(Some(trial.id.clone()), status, reason) });
            }
            attempt += 1;
        }
    }

    /// By the worker that is there, or a new one
    fn once(&mut self, trial: &Trial) -> Result<Answer, NoAnswerYet> {
        let unwritten = |why: String| {
            NoAnswerYet::Never(NoAnswer::NoWorker(environment(format!("a trial cannot be written: {why}"))))
        };
        let line = trial.line().map_err(|why| unwritten(why.to_string()))?;
        if line.len() as u64 > LONGEST_TRIAL {
            return Err(unwritten(Wrong::Long(LONGEST_TRIAL).to_string()));
        }
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
            match self.hear(&mut running)? {
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
            let path = self.program.display();
            NoAnswerYet::Never(NoAnswer::NoWorker(environment(format!("`{path}` is no worker: {why}"))))
        };
        let mut last = String::new();
        for _ in 0..ATTEMPTS {
            let started = Running::start(&self.program, &self.args, self.variables.iter().cloned());
            let mut running = started.map_err(|error| never(error.to_string()))?;
            last = match self.hear(&mut running) {
                Ok(Said::Greeting(found)) if found.greeting == terrace_search_trials::VERSION => {
                    return Ok(running);
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
    fn hear(&self, running: &mut Running) -> Result<Said, NoAnswerYet> {
        let heard = match running.hear(self.patience, &self.stop) {
            // This process may have been stopped itself: what was said since then is there.
            Heard::Nothing => running.hear(Duration::from_secs(1).min(self.patience), &self.stop),
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
