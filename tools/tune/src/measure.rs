//! Candidates as trials: given away one by one, or several at a time.

use crate::args::Args;
use crate::errors::environment;
use crate::hyperqueue::HyperQueue;
use crate::local::Local;
use crate::stop::Stop;
use std::cell::{Cell, RefCell};
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;
use terrace_diag::Diagnostic;
use terrace_search_explore::log::Outcome;
use terrace_search_trials::{Answer, Call, Desk, Down, Executor, Policy, Reference, Status, Trial, VERSION};

/// The kind of a run that was not let finish
pub(crate) const INTERRUPTED: &str = "interrupted";

/// A place for files of candidates
pub(crate) fn folder() -> Result<terrace_target_api::Scratch, Diagnostic> {
    terrace_target_api::Scratch::new()
        .map_err(|error| environment(format!("no folder for candidates: {error}")))
}

/// Time in which whoever waits looks up
const WAIT: Duration = Duration::from_millis(50);

/// How candidates are run
pub(crate) struct Bench {
    desk: Rc<RefCell<Desk>>,
    /// What is the same for all
    pub call: Call,
    /// Runs of each
    pub runs: u32,
    /// Longest time of its compilation, and of its runs
    pub timeout: Duration,
    /// Whether the user has requested the end
    pub stop: Stop,
    /// What has the right results
    pub reference: Option<Reference>,
    /// Candidates that were run so far
    trials: Rc<Cell<u64>>,
}

/// What a measurement gave
pub(crate) struct Measured {
    pub outcome: Outcome,
    /// Nanoseconds of each run, in their order
    pub times: Vec<u64>,
    pub spent: Spent,
    /// Operations on numbers of one run, where they are known
    pub flops: Option<u64>,
}

/// Seconds of a measurement
#[derive(Clone, Copy, Default)]
pub(crate) struct Spent {
    /// Passes
    pub lowering: f64,
    /// All measured runs together
    pub running: f64,
    /// All else: reading, the back end's compiler, moving data
    pub rest: f64,
}

impl Bench {
    /// With a time limit of ten seconds, and nothing to compare with
    pub(crate) fn new(
        args: &Args,
        call: Call,
        runs: u32,
        stop: &Stop,
        folder: &Path,
    ) -> Result<Bench, Diagnostic> {
        let executor: Box<dyn Executor> = match args.farm.hyperqueue {
            Some(_) => Box::new(HyperQueue::new(&args.farm, folder, stop)?),
            None => Box::new(Local::new(&args.farm, folder, stop)?),
        };
        Ok(Bench {
            desk: Rc::new(RefCell::new(Desk::new(executor))),
            call,
            runs,
            timeout: Duration::from_secs(10),
            stop: stop.clone(),
            reference: None,
            trials: Rc::default(),
        })
    }

    /// The same for another call
    pub(crate) fn with(&self, call: Call, runs: u32, timeout: Duration) -> Bench {
        Bench {
            desk: self.desk.clone(),
            call,
            runs,
            timeout,
            stop: self.stop.clone(),
            reference: None,
            trials: self.trials.clone(),
        }
    }

    /// The same once more
    pub(crate) fn again(&self) -> Bench {
        self.with(self.call.clone(), self.runs, self.timeout)
    }

    /// From now on by the workers of another one
    pub(crate) fn share(&mut self, other: &Bench) {
        (self.desk, self.trials) = (other.desk.clone(), other.trials.clone());
    }

    /// A program with the right results, as lines have it
    pub(crate) fn reference(&self, program: &str) -> Reference {
        Reference {
            program: program.to_owned(),
            call: self.call.clone(),
            seconds: self.timeout.as_secs_f64(),
        }
    }

    /// How often and how long a candidate runs
    pub(crate) fn policy(&self, stop: Option<f64>) -> Policy {
        let seconds = self.timeout.as_secs_f64();
        let stop_ns = stop.map(|stop| (stop * 1e9).round() as u64);
        Policy { runs: self.runs, build_s: seconds, run_s: seconds, stop_ns }
    }

    /// Have a candidate measured, which need not run to the end if it takes longer than so many seconds: the number of this trial
    pub(crate) fn submit(&self, program: &str, stop: Option<f64>) -> Result<u64, Diagnostic> {
        let number = self.trials.replace(self.trials.get() + 1);
        let trial = Trial {
            trial: VERSION,
            id: number.to_string(),
            point: None,
            program: program.to_owned(),
            call: self.call.clone(),
            policy: self.policy(stop),
            reference: self.reference.clone(),
        };
        self.desk.borrow_mut().submit(trial).map_err(|why| self.down(&why))?;
        Ok(number)
    }

    /// Trials that have ended, by their numbers; none after a while without any
    pub(crate) fn poll(&self) -> Result<Vec<(u64, Measured)>, Diagnostic> {
        let found = self.desk.borrow_mut().poll(WAIT).map_err(|why| self.down(&why))?;
        let number = |answer: &Answer| answer.id.as_ref()?.parse().ok();
        Ok(found.into_iter().filter_map(|answer| Some((number(&answer)?, measured(answer)))).collect())
    }

    /// How a candidate fares, while nothing else is measured
    pub(crate) fn measure(&self, program: &str, stop: Option<f64>) -> Result<Measured, Diagnostic> {
        let number = self.submit(program, stop)?;
        while !self.stop.interrupted() {
            if let Some((_, measured)) = self.poll()?.into_iter().find(|(own, _)| *own == number) {
                return Ok(measured);
            }
        }
        let outcome = Outcome::Failed { kind: INTERRUPTED.into(), reason: "interrupted".into() };
        Ok(Measured { outcome, times: Vec::new(), spent: Spent::default(), flops: None })
    }

    /// What went wrong with a part of what measures
    pub(crate) fn troubles(&self) -> Vec<String> {
        self.desk.borrow().troubles()
    }

    /// Answers that came besides the one of each trial
    pub(crate) fn surplus(&self) -> u64 {
        self.desk.borrow().surplus()
    }

    /// What measures is gone for good
    fn down(&self, why: &Down) -> Diagnostic {
        let error = environment(why.to_string());
        match why {
            Down::Never(_) => error,
            Down::Gone(..) => {
                self.stop.give_up();
                error.help("the log has all results so far; `--resume` goes on with it")
            }
        }
    }

    /// Seconds of a program, and operations of one run, that has the right results by definition: from now on they are compared
    /// with
    pub(crate) fn refer(&mut self, to: &Bench, program: &str) -> Result<(f64, Option<u64>), Diagnostic> {
        let reference = to.reference(program);
        let first = Bench { reference: Some(reference.clone()), ..to.again() };
        self.reference = Some(reference);
        let measured = first.measure(program, None)?;
        match measured.outcome {
            Outcome::Ran { seconds } | Outcome::Stopped { seconds } => Ok((seconds, measured.flops)),
            Outcome::Failed { kind, reason } => Err(environment(format!("{kind}: {reason}"))),
        }
    }
}

fn measured(answer: Answer) -> Measured {
    let seconds = answer.seconds();
    let outcome = match (answer.status, seconds) {
        (Status::Ran, Some(seconds)) => Outcome::Ran { seconds },
        (Status::Stopped, Some(seconds)) => Outcome::Stopped { seconds },
        (Status::Ran | Status::Stopped, None) => {
            Outcome::Failed { kind: Status::Garbage.word().into(), reason: "it ran and has no times".into() }
        }
        (status, _) => Outcome::Failed {
            kind: status.word().into(),
            reason: answer.reason.unwrap_or_else(|| "it says nothing".into()),
        },
    };
    let stages = answer.stages_ns;
    let seconds = |nanos: u64| nanos as f64 / 1e9;
    let spent =
        Spent { lowering: seconds(stages.lower), running: seconds(stages.run), rest: seconds(stages.build) };
    Measured { outcome, times: answer.times_ns, spent, flops: answer.flops }
}
