//! Running a pipeline over a tree of units.
//!
//! A nest runs whole on one unit before the next (the unit stays in the cache), units of one nest in parallel. The results
//! of each unit are merged in the order of the text.

use crate::codes;
use crate::cx::{Analyses, PassCx, Stats};
use crate::instrument::Instrument;
use crate::limit::{Counted, RewriteLimit};
use crate::pass::Scope;
use crate::pipeline::{Instance, Pipeline, Step};
use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use terrace_diag::{Diagnostic, Diags, Reported};
use terrace_ir::steps::Steps;
use terrace_ir::symbols::{ScopeId, Symbols, symbol_name};
use terrace_ir::verify::verify_unit;
use terrace_ir::{Ir, OpId, Traits};

/// A unit as it was before or after a pass
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dump {
    /// `before` or `after`
    pub when: &'static str,
    /// The pass
    pub pass: &'static str,
    /// The unit
    pub text: String,
}

impl fmt::Display for Dump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "// -----// IR Dump {} {} //----- //\n{}", self.when, self.pass, self.text)
    }
}

/// What a run left behind besides the changed IR
#[derive(Default)]
pub struct RunReport {
    /// Errors, warnings and remarks in order of the text
    pub diags: Diags,
    /// IR printed meanwhile, in order
    pub dumps: Vec<Dump>,
    /// What passes printed, and what a [`Watch`](crate::Watch) returned, in order
    pub watched: Vec<String>,
    /// Applications per pass and unit, in order of the text, if they were counted
    pub counted: Vec<Counted>,
    /// Numbers per pass, in order of the pipeline
    pub stats: Vec<(String, Stats)>,
    /// Time per pass, in order of the pipeline
    pub times: Vec<(String, Duration)>,
}

impl RunReport {
    fn merge(&mut self, other: RunReport) {
        self.diags.append(other.diags);
        self.dumps.extend(other.dumps);
        self.watched.extend(other.watched);
        self.counted.extend(other.counted);
        for (name, stats) in other.stats {
            self.stats_of(&name).merge(&stats);
        }
        for (name, time) in other.times {
            self.add_time(&name, time);
        }
    }

    fn stats_of(&mut self, name: &str) -> &mut Stats {
        let at = self.stats.iter().position(|(other, _)| other == name).unwrap_or_else(|| {
            self.stats.push((name.to_string(), Stats::default()));
            self.stats.len() - 1
        });
        &mut self.stats[at].1
    }

    fn add_time(&mut self, name: &str, time: Duration) {
        match self.times.iter_mut().find(|(other, _)| other == name) {
            Some((_, sum)) => *sum += time,
            None => self.times.push((name.to_string(), time)),
        }
    }
}

/// Run a pipeline on a tree of verified units; stops at the first pass that fails
pub fn run(root: &mut Ir, pipeline: &Pipeline, instrument: &Instrument) -> (RunReport, Result<(), Reported>) {
    let mut report = RunReport::default();
    let found = root.op_name(root.root()).to_string();
    if pipeline.anchor != found {
        let message = format!("the pipeline is for '{}', but the input is '{found}'", pipeline.anchor);
        let failed = Err(report.diags.emit(Diagnostic::error(&codes::ANCHOR, message)));
        return (report, failed);
    }
    let symbols = Symbols::read(root);
    // A number over all units is one only where they come one after the other.
    let total = matches!(instrument.limit, Some(RewriteLimit::Total(_)));
    let threads = if total { 1 } else { instrument.threads };
    let at = Place { instrument, symbols: &symbols, scope: symbols.root(), threads, path: None, pass: 1 };
    let result = run_pipeline(root, pipeline, at, &mut report);
    (report, result)
}

/// The anchor of a nest on units of every kind
const ANY: &str = "any";

/// Does a nest run on units like this one?
fn is_anchored(nest: &Pipeline, unit: &Ir) -> bool {
    nest.anchor == ANY || unit.op_name(unit.root()) == nest.anchor
}

/// Does the pipeline do nothing but run passes on units of the root, each without the others?
pub fn is_by_unit(pipeline: &Pipeline) -> bool {
    let unit = |step: &Step| matches!(step, Step::Pass(one) if one.info.scope == Scope::Unit);
    let nest = |step: &Step| matches!(step, Step::Nest(inner) if inner.steps.iter().all(unit));
    pipeline.steps.iter().all(nest)
}

/// Run what a pipeline that [`is_by_unit`] does on one unit of the root, with the root's symbols
pub fn run_on_unit(
    unit: &mut Ir,
    pipeline: &Pipeline,
    instrument: &Instrument,
    symbols: &Symbols,
) -> (RunReport, Result<(), Reported>) {
    debug_assert!(is_by_unit(pipeline));
    let mut report = RunReport::default();
    let mut at = Place { instrument, symbols, scope: symbols.root(), threads: 1, path: None, pass: 1 };
    let mut result = Ok(());
    for step in &pipeline.steps {
        if let Step::Nest(inner) = step
            && is_anchored(inner, unit)
        {
            result = result.and_then(|()| run_pipeline(unit, inner, at, &mut report));
        }
        at.pass += step.passes();
    }
    (report, result)
}

/// Where a unit is among the symbols of its tree, and how passes run on it
#[derive(Clone, Copy)]
struct Place<'p> {
    instrument: &'p Instrument,
    symbols: &'p Symbols,
    scope: ScopeId,
    /// Threads for the unit and those inside
    threads: usize,
    /// The way from the root; none at the root
    path: Option<&'p Link<'p>>,
    /// Number of the first pass, from 1
    pass: usize,
}

/// The last slot on the way to a unit, and the way to the unit around it
struct Link<'p> {
    slot: OpId,
    /// Name of the unit, if applications are counted
    name: Option<String>,
    around: Option<&'p Link<'p>>,
}

impl<'p> Place<'p> {
    /// That of a child unit, at the end of a link
    fn child(self, unit: &Ir, link: &'p Link<'p>) -> Place<'p> {
        Place { scope: self.symbols.child_scope(self.scope, unit), threads: 1, path: Some(link), ..self }
    }

    /// The link to a child unit
    fn link(self, slot: OpId, unit: &Ir) -> Link<'p> {
        let name = self.counts().then(|| {
            let name = symbol_name(unit, unit.root()).map(|name| unit.cx().str(name));
            format!("@{}", name.unwrap_or(""))
        });
        Link { slot, name, around: self.path }
    }

    fn counts(self) -> bool {
        self.instrument.count || self.instrument.limit.is_some()
    }

    /// Name of the unit, with those around it
    fn name(self) -> String {
        let links = std::iter::successors(self.path, |link| link.around);
        let mut names: Vec<&str> = links.filter_map(|link| link.name.as_deref()).collect();
        names.reverse();
        if names.is_empty() { "module".into() } else { names.join("::") }
    }

    /// Slots from the root down
    fn slots(self) -> Vec<OpId> {
        let links = std::iter::successors(self.path, |link| link.around);
        let mut slots: Vec<OpId> = links.map(|link| link.slot).collect();
        slots.reverse();
        slots
    }
}

fn run_pipeline(
    unit: &mut Ir,
    pipeline: &Pipeline,
    at: Place<'_>,
    report: &mut RunReport,
) -> Result<(), Reported> {
    let mut fresh: Option<Symbols> = None;
    let mut analyses = Analyses::default();
    let mut pass = at.pass;
    for step in &pipeline.steps {
        let at = match &fresh {
            Some(fresh) => Place { symbols: fresh, scope: fresh.root(), pass, ..at },
            None => Place { pass, ..at },
        };
        pass += step.passes();
        match step {
            Step::Nest(inner) => {
                let anchored = |unit: &Ir| is_anchored(inner, unit);
                let work = |unit: &mut Ir, at: Place<'_>, report: &mut RunReport| {
                    run_pipeline(unit, inner, at, report)
                };
                each_child(unit, at, report, &anchored, &work)?;
            }
            Step::Pass(instance) => {
                let watch = at.instrument.watch.as_deref().zip(instance.part);
                let path = watch.map_or(Vec::new(), |_| at.slots());
                let begins = watch.filter(|(_, part)| part.first);
                report.watched.extend(begins.and_then(|(watch, part)| watch.before(part.step, unit, &path)));
                let result = if instance.info.scope == Scope::Unit {
                    run_everywhere(unit, instance, at, report, &mut analyses)
                } else {
                    run_pass(unit, instance, at, report, &mut analyses)
                };
                let ends = watch.filter(|(_, part)| part.last || result.is_err());
                report.watched.extend(
                    ends.and_then(|(watch, part)| watch.after(part.step, unit, &path, result.is_ok())),
                );
                result?;
                // Passes over trees may add and remove symbols. What holds none is among those of others.
                if instance.info.scope == Scope::Tree && is_table(unit) {
                    fresh = Some(Symbols::read(unit));
                }
            }
        }
    }
    Ok(())
}

/// A pass over single units on this unit and all inside, inner ones first
fn run_everywhere(
    unit: &mut Ir,
    instance: &Instance,
    at: Place<'_>,
    report: &mut RunReport,
    analyses: &mut Analyses,
) -> Result<(), Reported> {
    let work = |unit: &mut Ir, at: Place<'_>, report: &mut RunReport| {
        let mut analyses = Analyses::default();
        // On a stack that grows: units nest as deep as memory allows.
        stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || {
            run_everywhere(unit, instance, at, report, &mut analyses)
        })
    };
    each_child(unit, at, report, &|_| true, &work)?;
    run_pass(unit, instance, at, report, analyses)
}

type Work<'w> = dyn Fn(&mut Ir, Place<'_>, &mut RunReport) -> Result<(), Reported> + Sync + 'w;

/// Work on each child unit that is wanted, on several threads if there are several
fn each_child(
    unit: &mut Ir,
    at: Place<'_>,
    report: &mut RunReport,
    wanted: &dyn Fn(&Ir) -> bool,
    work: &Work<'_>,
) -> Result<(), Reported> {
    if !unit.has_children() {
        return Ok(());
    }
    let slots: Vec<OpId> = unit.walk().filter(|op| unit.child(*op).is_some_and(wanted)).collect();
    let threads = at.threads.min(slots.len());
    if threads <= 1 {
        // After a failure the others run too, as they do on several threads: what is said is the same.
        let mut first = Ok(());
        for slot in slots {
            let Some(child) = unit.child_mut(slot) else { continue };
            let link = at.link(slot, child);
            first = first.and(work(child, at.child(child, &link), report));
        }
        return first;
    }
    type Job = (OpId, Option<Box<Ir>>, RunReport, Result<(), Reported>);
    let jobs: Vec<Mutex<Job>> = slots
        .into_iter()
        .map(|slot| Mutex::new((slot, unit.take_child(slot), RunReport::default(), Ok(()))))
        .collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|threads_scope| {
        for _ in 0..threads {
            threads_scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut job = job.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    let (slot, child, report, result) = &mut *job;
                    let child = child.as_deref_mut().expect("taken out above");
                    let link = at.link(*slot, child);
                    *result = work(child, at.child(child, &link), report);
                }
            });
        }
    });
    let mut first = Ok(());
    for job in jobs {
        let (slot, child, part, result) = job.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        unit.put_child(slot, child.expect("each job keeps its unit"));
        report.merge(part);
        first = first.and(result);
    }
    first
}

/// Does the unit hold symbols, or other units?
fn is_table(unit: &Ir) -> bool {
    unit.has(unit.root(), Traits::SymbolTable) || unit.has_children()
}

fn run_pass(
    unit: &mut Ir,
    instance: &Instance,
    at: Place<'_>,
    report: &mut RunReport,
    analyses: &mut Analyses,
) -> Result<(), Reported> {
    let Place { instrument, symbols, scope, threads, .. } = at;
    let name = instance.info.name;
    let unit_name = if at.counts() { at.name() } else { String::new() };
    let limit = match &instrument.limit {
        Some(limit) => limit.of(at.pass, &unit_name, report.counted.iter().map(|one| one.count).sum()),
        None => Some(u64::MAX),
    };
    let Some(limit) = limit else {
        // The report shows that the limit names something.
        if instrument.limit.as_ref().is_some_and(|limit| limit.names(at.pass, &unit_name)) {
            report.counted.push(Counted { pass: at.pass, name, unit: unit_name, count: 0, last: None });
        }
        return Ok(());
    };
    let steps = at.counts().then(|| Steps::up_to(limit));
    if instrument.print_before.is(instance.info) {
        report.dumps.push(Dump { when: "before", pass: name, text: (instrument.print)(unit) });
    }
    // What counts as a change when the pass does not say: other text.
    let before = instrument.print_changed.then(|| (instrument.print)(unit));
    let start = instrument.timing.then(Instant::now);
    let mut stats = Stats::default();
    let mut diags = Diags::default();
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let mut cx = PassCx {
            symbols,
            scope,
            outermost: at.path.is_none(),
            disabled_rules: &instrument.disabled_rules,
            explain_miss: instrument.explain_miss.as_deref(),
            steps: steps.as_ref(),
            threads,
            diags: &mut diags,
            stats: &mut stats,
            printed: &mut report.watched,
            analyses,
            preserved: None,
            changed: true,
        };
        let result = instance.pass.run(&mut cx, unit);
        cx.finish();
        result
    }));
    if let Some(start) = start {
        report.add_time(name, start.elapsed());
    }
    if let (Some(watch), Some(part)) = (&instrument.watch, instance.part) {
        watch.counted(part.step, &stats);
    }
    if let Some(steps) = steps {
        if !instance.pass.is_counted() {
            steps.take("pass", unit.def(unit.root()).name);
        }
        let (count, last) = (steps.count(), steps.last());
        report.counted.push(Counted { pass: at.pass, name, unit: unit_name, count, last });
    }
    report.stats_of(name).merge(&stats);
    report.diags.append(diags);
    match outcome {
        Ok(result) => result?,
        Err(panic) => return Err(report.diags.emit(panicked(name, unit, &*panic))),
    }
    if instrument.prints() {
        let changed = before.is_some_and(|before| before != (instrument.print)(unit));
        if instrument.print_after.is(instance.info) || changed {
            report.dumps.push(Dump { when: "after", pass: name, text: (instrument.print)(unit) });
        }
    }
    if instrument.verify_each { verify_after(unit, instance, at, report) } else { Ok(()) }
}

/// The error about a pass that panicked
fn panicked(name: &str, unit: &Ir, panic: &(dyn Any + Send)) -> Diagnostic {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
    let error = Diagnostic::error(&codes::PANIC, format!("pass `{name}` panicked: {text}"));
    error.at(unit.span(unit.root())).help("this is a bug; --reproducer=FILE writes a test file")
}

/// Is what a pass has left valid?
fn verify_after(
    unit: &Ir,
    instance: &Instance,
    at: Place<'_>,
    report: &mut RunReport,
) -> Result<(), Reported> {
    let tree = instance.info.scope == Scope::Tree && is_table(unit);
    let broken = match tree {
        true => terrace_ir::verify::verify(unit, at.threads),
        false => verify_unit(unit, at.symbols, at.scope),
    };
    if !broken.has_errors() {
        return Ok(());
    }
    report.diags.append(broken);
    let message = format!("pass `{}` left IR that is not valid", instance.info.name);
    Err(report.diags.emit(Diagnostic::error(&codes::BROKEN, message).at(unit.span(unit.root()))))
}
