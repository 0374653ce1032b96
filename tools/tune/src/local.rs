//! Trials by worker processes over pipes: on this machine, or wherever a command takes them.
//!
//! Each worker has a thread that gives it one trial after the other. Threads begin as there is work for them, so one worker is started where one
//! trial is under way at a time.

use crate::args::Farm;
use crate::engine::{Engine, NoAnswer, Start};
use crate::stop::Stop;
use std::collections::{BTreeSet, VecDeque};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use terrace_diag::Diagnostic;
use terrace_search_trials::{Answer, Backoff, Down, Executor, Trial};

/// Trials that wait for a worker, and threads that wait for a trial
struct Queue {
    trials: VecDeque<Trial>,
    idle: usize,
    /// Threads that have not given up
    alive: usize,
    closed: bool,
    /// Why workers could not be had
    troubles: BTreeSet<String>,
}

/// What the threads share
struct Shared {
    queue: Mutex<Queue>,
    change: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next trial; `None` at the end
    fn next(&self) -> Option<Trial> {
        let mut queue = self.lock();
        loop {
            if queue.closed {
                return None;
            }
            if let Some(trial) = queue.trials.pop_front() {
                return Some(trial);
            }
            queue.idle += 1;
            queue = self.change.wait(queue).unwrap_or_else(PoisonError::into_inner);
            queue.idle -= 1;
        }
    }

    /// Another one may take it
    fn give_back(&self, trial: Trial) {
        self.lock().trials.push_front(trial);
        self.change.notify_one();
    }

    fn close(&self) {
        self.lock().closed = true;
        self.change.notify_all();
    }
}

/// Worker processes
pub(crate) struct Local {
    /// How workers are started; worker n as the n-th, and from the first on again
    starts: Vec<Start>,
    /// Workers, at most, and those that were started
    most: usize,
    threads: usize,
    /// Time for which workers elsewhere may be out of reach; `None`: they are here
    patience: Option<Duration>,
    stop: Stop,
    shared: Arc<Shared>,
    send: Sender<Result<Answer, Down>>,
    answers: Receiver<Result<Answer, Down>>,
}

impl Local {
    /// As the command line has it, with a folder for what workers of this machine share
    pub(crate) fn new(farm: &Farm, folder: &Path, stop: &Stop) -> Result<Local, Diagnostic> {
        let (starts, patience) = match farm.through.is_empty() {
            true => (vec![Start::here(folder)?], None),
            false => (Start::through(farm)?, Some(farm.patience)),
        };
        let (trials, troubles) = (VecDeque::new(), BTreeSet::new());
        let queue = Queue { trials, idle: 0, alive: 0, closed: false, troubles };
        let shared = Arc::new(Shared { queue: Mutex::new(queue), change: Condvar::new() });
        let (send, answers) = channel();
        let most = farm.jobs.into();
        Ok(Local { starts, most, threads: 0, patience, stop: stop.clone(), shared, send, answers })
    }

    fn begin(&mut self) {
        let start = self.starts[self.threads % self.starts.len()].clone();
        self.threads += 1;
        let engine = Engine::new(start, &self.stop);
        let (shared, send, patience) = (self.shared.clone(), self.send.clone(), self.patience);
        std::thread::spawn(move || serve(engine, &shared, patience, &send));
    }
}

/// One worker after the other, until there are no more trials or no worker can be had
fn serve(
    mut engine: Engine,
    shared: &Shared,
    patience: Option<Duration>,
    send: &Sender<Result<Answer, Down>>,
) {
    let mut backoff = Backoff::new(patience.unwrap_or_default());
    loop {
        // Elsewhere a worker may be long in coming: another one takes the trial meanwhile.
        let warm = if patience.is_some() { engine.warm() } else { Ok(()) };
        if warm.is_ok() && patience.is_some() {
            backoff.works();
        }
        let trial = if warm.is_ok() { shared.next() } else { None };
        let asked = match (warm, &trial) {
            (Err(why), _) => Err(why),
            (Ok(()), Some(trial)) => engine.ask(trial),
            (Ok(()), None) => return,
        };
        let why = match asked {
            Ok(answer) => {
                backoff.works();
                let _ = send.send(Ok(answer));
                continue;
            }
            Err(NoAnswer::Interrupted) => return,
            Err(NoAnswer::NoWorker(why)) => why,
        };
        shared.lock().troubles.insert(why.clone());
        let failed = match patience {
            Some(_) => backoff.failed(&why),
            None => Err(Down::Never(why)),
        };
        trial.into_iter().for_each(|trial| shared.give_back(trial));
        match failed {
            Ok(wait) => std::thread::sleep(wait),
            Err(down) => {
                let mut queue = shared.lock();
                queue.alive -= 1;
                if queue.alive == 0 {
                    let _ = send.send(Err(down));
                }
                return;
            }
        }
    }
}

impl Executor for Local {
    fn submit(&mut self, trial: &Trial) -> Result<(), Down> {
        let mut queue = self.shared.lock();
        queue.trials.push_back(trial.clone());
        let begins = queue.idle < queue.trials.len() && self.threads < self.most;
        queue.alive += usize::from(begins);
        drop(queue);
        if begins {
            self.begin();
        }
        self.shared.change.notify_one();
        Ok(())
    }

    fn poll(&mut self, wait: Duration) -> Result<Vec<Answer>, Down> {
        let first = match self.answers.recv_timeout(wait) {
            Ok(first) => first?,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return Ok(Vec::new()),
        };
        std::iter::once(Ok(first)).chain(self.answers.try_iter()).collect()
    }

    fn troubles(&self) -> Vec<String> {
        self.shared.lock().troubles.iter().cloned().collect()
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        self.shared.close();
    }
}
