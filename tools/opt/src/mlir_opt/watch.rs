//! What is seen of a run: IR around passes, times, numbers.

use super::pipeline::Named;
use super::request::{Dumps, Request};
use super::scope::Scope;
use super::steps::Lowered;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;
use std::time::{Duration, Instant};
use terrace_ir::symbols::symbol_name;
use terrace_ir::{Ir, OpId};
use terrace_pass::{Stats, Watch};
use terrace_text::{PrintOptions, op_text_with, print};

/// Follows the run of a pipeline
pub struct Watcher {
    dumps: Dumps,
    print: PrintOptions,
    /// Each step, and the one name for all of its names
    steps: Vec<(Named, &'static str)>,
    /// The module around what is worked on, where that is printed or names files
    scope: Option<Mutex<Scope>>,
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
    pub fn new(request: &Request, lowered: &Lowered, root: &Ir) -> Watcher {
        let scoped = request.dumps.module_scope || request.dumps.folder.is_some();
        Watcher {
            dumps: request.dumps.clone(),
            print: request.print.clone(),
            steps: lowered.steps.iter().map(|named| (*named, named.resolved(&request.registry))).collect(),
            scope: scoped.then(|| Mutex::new(Scope::new(root))),
            seen: Mutex::default(),
        }
    }

    /// Class of a step
    pub fn class(&self, step: usize) -> &'static str {
        self.steps[step].0.class()
    }

    /// What was gathered so far
    pub fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A unit as printed IR has it: the outermost with its aliases and a blank line more
    fn text(&self, unit: &Ir, path: &[OpId]) -> String {
        if !path.is_empty() || self.print.local_scope {
            return op_text_with(unit, unit.root(), &self.print) + "\n\n";
        }
        let mut text = String::new();
        print(unit, &self.print, &mut text);
        text + "\n\n"
    }

    /// A dump as text, unless it went into a file
    fn dump(&self, when: &str, step: usize, unit: &Ir, path: &[OpId], text: &str) -> Option<String> {
        let named = self.steps[step].0;
        let (name, class) = (named.name(), named.class());
        let (when, failed) = if when == FAILED { ("After", " Failed") } else { (when, "") };
        let mut whole = None;
        let mut op = String::new();
        if let Some(scope) = &self.scope
            && self.dumps.module_scope
        {
            let scope = scope.lock().unwrap_or_else(PoisonError::into_inner);
            whole = Some(self.text(scope.module(), &[]));
            let symbol = symbol_name(unit, unit.root());
            let symbol = symbol.map_or(String::new(), |name| format!(": @{}", unit.cx().str(name)));
            op = format!(" ('{}' operation{symbol})", unit.op_name(unit.root()));
        }
        let text = whole.as_deref().unwrap_or(text);
        let dump = format!("// -----// IR Dump {when} {class}{failed} ({name}){op} //----- //\n{text}");
        let (Some(folder), Some(scope)) = (&self.dumps.folder, &self.scope) else { return Some(dump) };
        let file = scope.lock().unwrap_or_else(PoisonError::into_inner).file(path, name);
        let file = Path::new(folder).join(file);
        let made = file.parent().map_or(Ok(()), std::fs::create_dir_all);
        let written = made.and_then(|()| std::fs::write(&file, dump));
        written.err().map(|error| format!("{}: {error}\n", file.display()))
    }
}

/// After a step that failed
const FAILED: &str = "Failed";

/// A step is on one unit at a time on each thread
fn key(step: usize) -> (ThreadId, usize) {
    (std::thread::current().id(), step)
}

impl Watch for Watcher {
    fn before(&self, step: usize, unit: &Ir, path: &[OpId]) -> Option<String> {
        let name = self.steps[step].1;
        let wants_change = self.dumps.on_change && self.dumps.after.is(name);
        let (dumped, compared) = (self.dumps.before.is(name), wants_change);
        let text = (dumped || compared).then(|| self.text(unit, path));
        let wanted = text.as_deref().filter(|_| dumped);
        let dump = wanted.and_then(|text| self.dump("Before", step, unit, path, text));
        let running = Running { start: Instant::now(), before: text.filter(|_| compared) };
        self.seen().running.insert(key(step), running);
        dump
    }

    fn after(&self, step: usize, unit: &Ir, path: &[OpId], done: bool) -> Option<String> {
        let name = self.steps[step].1;
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
        if let Some(scope) = &self.scope {
            scope.lock().unwrap_or_else(PoisonError::into_inner).update(unit, path);
        }
        let wanted = self.dumps.after.is(name);
        if !done {
            let text = (wanted || self.dumps.on_failure).then(|| self.text(unit, path));
            return text.and_then(|text| self.dump(FAILED, step, unit, path, &text));
        }
        if self.dumps.on_failure || !wanted {
            return None;
        }
        let text = self.text(unit, path);
        if before.as_ref() == Some(&text) { None } else { self.dump("After", step, unit, path, &text) }
    }

    fn counted(&self, step: usize, stats: &Stats) {
        self.seen().stats.entry(step).or_default().merge(stats);
    }
}
