//! Tries edits, several at once, and accepts the first interesting one in order.

use crate::cache::Cache;
use crate::edit::{Edit, Tries};
use crate::edits::{self, FAMILIES};
use crate::weight::Weight;
use crate::{Judge, Verdict};
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
    /// Candidates judged at most, counted as in [`Report::tests`]; at least 3
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
    /// Candidates judged up to each accepted one, in order; the two runs of the input and that of the empty module are
    /// among them. Verdicts behind an accepted one are thrown away and not counted, so that this does not depend on `jobs`
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
    /// The judge stopped before it decided anything
    Stopped,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::Uninteresting => "the input itself is not interesting",
            Refusal::Unsteady => "the input is interesting in one run and not in another",
            Refusal::Everything => {
                "a module with nothing in it is interesting as well: everything is accepted"
            }
            Refusal::Stopped => "the run was stopped before anything was decided",
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
        match judge.judge(module, &text) {
            Verdict::Interesting => {}
            Verdict::Stop => return Err(Refusal::Stopped),
            _ if report.tests == 1 => return Err(Refusal::Uninteresting),
            _ => return Err(Refusal::Unsteady),
        }
    }
    let mut empty = module.clone_unit();
    if options.asks_nothing && edits::empty(&mut empty) && !verify(&empty, 1).has_errors() {
        report.tests += 1;
        match judge.judge(&empty, &shown(&empty)) {
            Verdict::Interesting => return Err(Refusal::Everything),
            Verdict::Stop => return Err(Refusal::Stopped),
            Verdict::Uninteresting | Verdict::Unknown => {}
        }
    }
    let current = module.clone_unit();
    let cache = options.cache.clone();
    let mut engine = Engine { current, judge, options, report, cache, better, stopped: false };
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
    /// The judge cannot go on
    stopped: bool,
}

/// Edits that gave nothing to judge
#[derive(Clone, Copy, Default)]
struct Skipped {
    known: u64,
    invalid: u64,
}

/// A valid program that is smaller, and what is known of it
struct Candidate {
    module: Box<Ir>,
    text: String,
    key: (u64, u64),
    weight: Weight,
    /// From the cache, or from the judge
    verdict: Option<Verdict>,
    is_known: bool,
    /// Edits between the candidate before and this one
    skipped: Skipped,
    /// The edit behind it
    next: usize,
}

/// Candidates that are judged at once
struct Batch {
    candidates: Vec<Candidate>,
    /// Edits behind the last candidate
    skipped: Skipped,
    /// The edit behind all that were looked at
    end: usize,
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
        self.stopped
            || self.report.tests >= self.options.tests
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
            let batch = self.candidates(&edits, at);
            at = batch.end;
            if let Some(next) = self.settle(batch) {
                at = next;
                any = true;
                self.sweep();
            }
        }
        any
    }
}

impl Engine<'_> {
    /// Judge candidates at once and accept the first interesting one in order: the edit behind it
    fn settle(&mut self, mut batch: Batch) -> Option<usize> {
        self.judge_all(&mut batch.candidates);
        for candidate in batch.candidates {
            self.skip(candidate.skipped);
            let verdict = candidate.verdict.unwrap_or(Verdict::Stop);
            if verdict == Verdict::Stop {
                self.stopped = true;
                return None;
            }
            if candidate.is_known {
                self.report.known += 1;
            } else {
                self.report.tests += 1;
                self.cache.put(candidate.key, verdict);
            }
            if verdict == Verdict::Interesting {
                let next = candidate.next;
                self.accept(candidate);
                return Some(next);
            }
        }
        self.skip(batch.skipped);
        None
    }

    fn skip(&mut self, skipped: Skipped) {
        self.report.known += skipped.known;
        self.report.invalid += skipped.invalid;
    }

    fn accept(&mut self, candidate: Candidate) {
        self.current = candidate.module;
        self.report.accepted += 1;
        self.report.after = candidate.weight;
        (self.better)(&self.current, &self.report);
    }

    /// Dead ops go, if the rest is interesting without them
    fn sweep(&mut self) {
        if !self.is_over() {
            let batch = self.candidates(&[Box::new(edits::sweep)], 0);
            self.settle(batch);
        }
    }

    /// The next candidates that have to be judged: no more than the limit of tests leaves
    fn candidates(&self, edits: &[Edit], mut at: usize) -> Batch {
        let left = self.options.tests.saturating_sub(self.report.tests);
        let room = self.options.jobs.max(1).min(usize::try_from(left).unwrap_or(usize::MAX));
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut skipped = Skipped::default();
        while at < edits.len() && candidates.len() < room && !self.is_over() {
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
                skipped.invalid += 1;
                continue;
            }
            let key = Cache::key(&module);
            let verdict = self.cache.get(key);
            let refused = verdict.is_some_and(|verdict| verdict != Verdict::Interesting);
            if refused || candidates.iter().any(|other| other.key == key) {
                skipped.known += 1;
                continue;
            }
            let (text, is_known) = (shown(&module), verdict.is_some());
            let skipped = std::mem::take(&mut skipped);
            candidates.push(Candidate { text, module, key, weight, verdict, is_known, skipped, next: at });
        }
        Batch { candidates, skipped, end: at }
    }

    fn judge_all(&self, batch: &mut [Candidate]) {
        let judge = self.judge;
        let work = |candidate: &mut Candidate| {
            if candidate.verdict.is_none() {
                candidate.verdict = Some(judge.judge(&candidate.module, &candidate.text));
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
