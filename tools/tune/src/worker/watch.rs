//! What a worker says while it is busy: signs of life, and the answer to a trial that takes too long.
//!
//! Passes, the interpreter and devices run in the worker's own process, where nothing can end them but the end of the process.

use rustix::process::{Signal, getpid, kill_process};
use std::fs::File;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use terrace_search_trials::{Answer, Beat, Said, Served, Status};

/// Time between two signs of life
pub(crate) const BEAT: Duration = Duration::from_secs(1);

/// Time between two looks at the clock
const TICK: Duration = Duration::from_millis(50);

/// What is watched
struct Busy {
    id: String,
    /// What became of the trial where this takes too long
    status: Status,
    end: Option<Instant>,
    limit: Duration,
    beat: Instant,
    /// Since when it waits for its turn on the device, which counts for no limit
    waits: Option<Instant>,
}

struct State {
    /// Where answers go
    out: File,
    busy: Option<Busy>,
    trials: u32,
    /// Time that the trial has waited for its turn
    waited: Duration,
}

/// The watch over trials
#[derive(Clone)]
pub(crate) struct Watch(Arc<Mutex<State>>);

impl Watch {
    /// Answers go to what is standard output now; what programs print goes to standard error from now on
    pub(crate) fn start() -> std::io::Result<Watch> {
        let out = File::from(rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 0)?);
        rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
        let watch = Watch(Arc::new(Mutex::new(State { out, busy: None, trials: 0, waited: Duration::ZERO })));
        let state = watch.0.clone();
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(TICK);
                lock(&state).look();
            }
        });
        Ok(watch)
    }

    /// A line
    pub(crate) fn say(&self, said: &Said) {
        lock(&self.0).say(said);
    }

    /// A part of a trial begins, and may take so long; else this becomes of the trial
    pub(crate) fn begin(&self, id: &str, status: Status, limit: Duration) {
        let now = Instant::now();
        // A limit that no clock reaches is none.
        let end = now.checked_add(limit);
        let mut state = lock(&self.0);
        let beat = state.busy.as_ref().map_or(now, |busy| busy.beat);
        if state.busy.is_none() {
            state.waited = Duration::ZERO;
        }
        state.busy = Some(Busy { id: id.to_owned(), status, end, limit, beat, waits: None });
    }

    /// It waits for its turn from now on, or does no longer
    pub(crate) fn waits(&self, waits: bool) {
        let mut state = lock(&self.0);
        let Some(busy) = &mut state.busy else { return };
        if waits {
            busy.waits = Some(Instant::now());
        } else if let Some(start) = busy.waits.take() {
            let waited = start.elapsed();
            busy.end = busy.end.and_then(|end| end.checked_add(waited));
            state.waited += waited;
        }
    }

    /// Time that the trial has waited so far
    pub(crate) fn waited(&self) -> Duration {
        lock(&self.0).waited
    }

    /// It has ended
    pub(crate) fn end(&self, answer: Answer) {
        let mut state = lock(&self.0);
        state.busy = None;
        state.trials += 1;
        state.say(&Said::Answer(Box::new(answer)));
    }
}

impl State {
    fn say(&mut self, said: &Said) {
        let Ok(line) = said.line() else { return };
        // Whole, so that what reads it sees no half. A reader that is gone shows in the end of the input.
        let _ = self.out.write_all(line.as_bytes());
    }

    fn look(&mut self) {
        let now = Instant::now();
        let Some(busy) = &mut self.busy else { return };
        if busy.waits.is_none() && busy.end.is_some_and(|end| now >= end) {
            let reason = format!("no answer within {} s", busy.limit.as_secs_f64());
            let worker = Some(Served { process: std::process::id(), trials: self.trials + 1, ends: true });
            let answer = Answer::failed(Some(busy.id.clone()), busy.status, reason);
            self.say(&Said::Answer(Box::new(Answer { worker, ..answer })));
            // What runs holds whatever an orderly end would wait for. Workers of back ends end with this process.
            let _ = kill_process(getpid(), Signal::KILL);
        } else if now.duration_since(busy.beat) >= BEAT {
            busy.beat = now;
            let beat = busy.id.clone();
            self.say(&Said::Beat(Beat { beat }));
        }
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
