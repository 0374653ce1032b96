//! Trying edits, many at once, accepting the first that does.

use crate::Judge;
use crate::cache::Cache;
use crate::edit::{Edit, Tries};
use crate::edits::{self, FAMILIES};
use crate::weight::Weight;
use std::fmt;
use std::time::Instant;
use terrace_ir::Ir;
use terrace_ir::verify::verify;
use terrace_text::PrintOptions;

/// Limits of a run
#[derive(Clone, Debug)]
pub struct Options {
    /// Candidates judged at once
    pub jobs: usize,
    /// Candidates judged at most
    pub tests: u64,
    /// When to stop; what was reached by then depends on time
    pub until: Option<Instant>,
    /// Is a module with nothing in it judged first? If it is interesting, the judge accepts everything
    pub asks_nothing: bool,
    /// Verdicts from before
    pub cache: Cache,
}

impl Default for Options {
    fn default() -> Self {
        Options { jobs: 1, tests: u64::MAX, until: None, asks_nothing: true, cache: Cache::default() }
    }
}

/// What a run took
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Report {
    /// Weight at the start
    pub before: Weight,
    /// Weight now
    pub after: Weight,
    /// Candidates judged that decide something, in order; the two runs of the input are among them
    pub tests: u64,
    /// Candidates whose verdict was known
    pub known: u64,
    /// Candidates that the verifier refused
    pub invalid: u64,
    /// Edits accepted
    pub accepted: u64,
    /// Every single edit was tried on the result
    pub minimal: bool,
}

/// Why nothing was reduced
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The input itself is not interesting
    Uninteresting,
    /// The input is interesting at one time and not at another
    Unsteady,
    /// A module with nothing in it is interesting as well
    Everything,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::Uninteresting => "the input itself is not interesting",
            Refusal::Unsteady => "the input is interesting in one run and not in another",
            Refusal::Everything => {
                "a module with nothing in it is interesting as well: everything is accepted"
            }
        })
    }
}

impl std::error::Error for Refusal {}

/// A smaller program
pub struct Reduced {
    /// The program
    pub module: Box<Ir>,
    /// What it took
    pub report: Report,
    /// All verdicts
    pub cache: Cache,
}

/// Make a module smaller as long as it stays interesting; `better` sees each smaller one
pub fn reduce(
    module: &Ir,
    judge: &dyn Judge,
    options: Options,
    better: &mut dyn FnMut(&Ir, &Report),
) -> Result<Reduced, Refusal> {
    let mut report = Report { before: Weight::of(module), ..Report::default() };
    report.after = report.before;
    let text = shown(module);
    for _ in 0..2 {
        report.tests += 1;
        if !judge.is_interesting(module, &text) {
            return Err(if report.tests == 1 { Refusal::Uninteresting } else { Refusal::Unsteady });
        }
    }
    if options.asks_nothing {
        let mut empty = module.clone_unit();
        let emptied = edits::empty(&mut empty);
        report.tests += u64::from(emptied);
        if emptied && !verify(&empty, 1).has_errors() && judge.is_interesting(&empty, &shown(&empty)) {
            return Err(Refusal::Everything);
        }
    }
    let current = module.clone_unit();
    let cache = options.cache.clone();
    let mut engine = Engine { current, judge, options, report, cache, better };
    engine.run();
    Ok(Reduced { module: engine.current, report: engine.report, cache: engine.cache })
}

fn shown(module: &Ir) -> String {
    let mut text = String::new();
    terrace_text::print(module, &PrintOptions::default(), &mut text);
    text
}

struct Engine<'a> {
    current: Box<Ir>,
    judge: &'a dyn Judge,
    options: Options,
    report: Report,
    cache: Cache,
    better: &'a mut dyn FnMut(&Ir, &Report),
}

/// A valid program that is smaller, and what is known of it
struct Candidate {
    module: Box<Ir>,
    text: String,
    key: (u64, u64),
    weight: Weight,
    verdict: Option<bool>,
    /// The edit behind it
    next: usize,
}

impl Engine<'_> {
    fn run(&mut self) {
        loop {
            let mut any = false;
            for family in FAMILIES {
                any |= family(self);
                if self.is_over() {
                    return;
                }
            }
            if !any {
                self.report.minimal = true;
                return;
            }
        }
    }

    fn is_over(&self) -> bool {
        self.report.tests >= self.options.tests
            || self.options.until.is_some_and(|until| Instant::now() > until)
    }
}

impl Tries for Engine<'_> {
    fn module(&self) -> &Ir {
        &self.current
    }

    fn try_all(&mut self, edits: Vec<Edit>) -> bool {
        let mut any = false;
        let mut at = 0;
        while at < edits.len() && !self.is_over() {
            let mut batch = self.candidates(&edits, at);
            let Some(last) = batch.last() else { break };
            at = last.next;
            self.judge_all(&mut batch);
            for candidate in batch {
                let interesting = candidate.verdict == Some(true);
                self.report.tests += 1;
                self.cache.put(candidate.key, interesting);
                if interesting {
                    at = candidate.next;
                    self.accept(candidate);
                    self.sweep();
                    any = true;
                    break;
                }
            }
        }
        any
    }
}

impl Engine<'_> {
    fn accept(&mut self, candidate: Candidate) {
        self.current = candidate.module;
        self.report.accepted += 1;
        self.report.after = candidate.weight;
        (self.better)(&self.current, &self.report);
    }

    /// Dead ops go, if the rest is interesting without them
    fn sweep(&mut self) {
        let mut batch = self.candidates(&[Box::new(edits::sweep)], 0);
        self.judge_all(&mut batch);
        for candidate in batch {
            let interesting = candidate.verdict == Some(true);
            self.report.tests += 1;
            self.cache.put(candidate.key, interesting);
            if interesting {
                self.accept(candidate);
            }
        }
    }

    /// The next candidates that have to be judged
    fn candidates(&mut self, edits: &[Edit], mut at: usize) -> Vec<Candidate> {
        let mut batch: Vec<Candidate> = Vec::new();
        while at < edits.len() && batch.len() < self.options.jobs.max(1) && !self.is_over() {
            let edit = &edits[at];
            at += 1;
            let mut module = self.current.clone_unit();
            if !edit(&mut module) {
                continue;
            }
            let weight = Weight::of(&module);
            if weight >= self.report.after {
                continue;
            }
            if verify(&module, 1).has_errors() {
                self.report.invalid += 1;
                continue;
            }
            let key = Cache::key(&module);
            let verdict = self.cache.get(key);
            if verdict == Some(false) || batch.iter().any(|other| other.key == key) {
                self.report.known += 1;
                continue;
            }
            batch.push(Candidate { text: shown(&module), module, key, weight, verdict, next: at });
        }
        batch
    }

    fn judge_all(&self, batch: &mut [Candidate]) {
        let judge = self.judge;
        let work = |candidate: &mut Candidate| {
            if candidate.verdict.is_none() {
                candidate.verdict = Some(judge.is_interesting(&candidate.module, &candidate.text));
            }
        };
        match batch {
            [one] => work(one),
            several => std::thread::scope(|scope| {
                for candidate in several {
                    scope.spawn(move || work(candidate));
                }
            }),
        }
    }
}
