//! What is seen of a run: IR around passes, times, numbers.

use super::request::{Dumps, Request};
use super::steps::Lowered;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;
use std::time::{Duration, Instant};
use terrace_ir::Ir;
use terrace_pass::{Stats, Watch};
use terrace_text::{PrintOptions, op_text_with, print};

/// Follows the run of a pipeline
pub struct Watcher {
    dumps: Dumps,
    print: PrintOptions,
    /// Name and class of each step
    steps: Vec<(&'static str, &'static str)>,
    /// Name of the root's op: what is not nested
    root: String,
    seen: Mutex<Seen>,
}

/// What was gathered
#[derive(Default)]
pub struct Seen {
    /// Time of each step, over all units
    pub times: BTreeMap<usize, Duration>,
    /// Numbers of each step
    pub stats: BTreeMap<usize, Stats>,
    /// The first step that failed, and the op that it failed on
    pub failed: Option<(usize, String)>,
    running: HashMap<(ThreadId, usize), Running>,
}

/// A step that runs on a thread
struct Running {
    start: Instant,
    /// Text before it, where a change is to be seen
    before: Option<String>,
}

impl Watcher {
    /// One for a pipeline on a root of this name
    pub fn new(request: &Request, lowered: &Lowered, root: &str) -> Watcher {
        Watcher {
            dumps: request.dumps.clone(),
            print: request.print.clone(),
            steps: lowered.steps.iter().map(|named| (named.name(), named.class())).collect(),
            root: root.to_string(),
            seen: Mutex::default(),
        }
    }

    /// Class of a step
    pub fn class(&self, step: usize) -> &'static str {
        self.steps[step].1
    }

    /// What was gathered so far
    pub fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A unit as printed IR has it: the outermost with its aliases and a blank line more
    fn text(&self, unit: &Ir) -> String {
        if unit.op_name(unit.root()) != self.root || self.print.local_scope {
            return op_text_with(unit, unit.root(), &self.print) + "\n\n";
        }
        let mut text = String::new();
        print(unit, &self.print, &mut text);
        text + "\n\n"
    }

    fn dump(&self, when: &str, step: usize, text: &str) -> String {
        let (name, class) = self.steps[step];
        let (when, failed) = if when == FAILED { ("After", " Failed") } else { (when, "") };
        format!("// -----// IR Dump {when} {class}{failed} ({name}) //----- //\n{text}")
    }
}

/// After a step that failed
const FAILED: &str = "Failed";

/// A step is on one unit at a time on each thread
fn key(step: usize) -> (ThreadId, usize) {
    (std::thread::current().id(), step)
}

impl Watch for Watcher {
    fn before(&self, step: usize, unit: &Ir) -> Option<String> {
        let name = self.steps[step].0;
        let wants_change = self.dumps.on_change && self.dumps.after.is(name);
        let (dumped, compared) = (self.dumps.before.is(name), wants_change);
        let text = (dumped || compared).then(|| self.text(unit));
        let dump = text.as_deref().filter(|_| dumped).map(|text| self.dump("Before", step, text));
        let running = Running { start: Instant::now(), before: text.filter(|_| compared) };
        self.seen().running.insert(key(step), running);
        dump
    }

    fn after(&self, step: usize, unit: &Ir, done: bool) -> Option<String> {
        let name = self.steps[step].0;
        let before = {
            let mut seen = self.seen();
            let running = seen.running.remove(&key(step));
            if let Some(running) = &running {
                *seen.times.entry(step).or_default() += running.start.elapsed();
            }
            if !done && seen.failed.is_none() {
                seen.failed = Some((step, unit.op_name(unit.root()).to_string()));
            }
            running.and_then(|running| running.before)
        };
        let wanted = self.dumps.after.is(name);
        if !done {
            return (wanted || self.dumps.on_failure).then(|| self.dump(FAILED, step, &self.text(unit)));
        }
        if self.dumps.on_failure || !wanted {
            return None;
        }
        let text = self.text(unit);
        (before.as_ref() != Some(&text)).then(|| self.dump("After", step, &text))
    }

    fn counted(&self, step: usize, stats: &Stats) {
        self.seen().stats.entry(step).or_default().merge(stats);
    }
}
