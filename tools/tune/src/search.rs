//! The search: propose, measure, tell, log, until the budget is spent.

use crate::args::{Args, Budget};
use crate::errors::environment;
use crate::finish::{Ending, finish};
use crate::measure::{Bench, Measured};
use crate::recorded::Recorded;
use crate::report;
use crate::resume;
use crate::stop::{Clocked, Stop};
use crate::subject::{Chosen, Made, Subject};
use crate::technique::Technique;
use crate::tried::Tried;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{IsTerminal, Write};
use terrace_diag::Diagnostic;
use terrace_schedule_model::{Decision, Point};
use terrace_search_explore::log::{Course, Entry, Header, Outcome, Setting, Stages, Version};
use terrace_search_explore::{Explorer, Next, Plan, Prior, Proposal, Space, fingerprint, sample};
use terrace_search_records::Store;
use terrace_view::program::fail;

/// What is searched, and how candidates are judged
pub(crate) struct Search<'a> {
    pub subject: &'a dyn Subject,
    pub bench: Bench,
    /// What one would take without measuring
    pub chosen: Option<Chosen>,
    pub flops: Option<f64>,
    pub least: Option<u64>,
    pub begun: Begun,
    /// Where what is found is kept
    pub store: Option<&'a Store>,
}

/// What is known before the first candidate runs
pub(crate) struct Begun {
    /// Where and how candidates run; empty where no log is written
    setting: Setting,
    /// How points follow from those before
    course: Course,
    /// What the log holds that is resumed, where one is
    entries: Option<Vec<Entry>>,
    /// Results that are taken in place of measuring
    pub recorded: Option<Recorded>,
}

/// Part of the best time below which a point is measured again: the least of many times is too good by chance
const SURPRISE: f64 = 0.95;

/// Points after which the chosen schedule is measured again: the machine is not the same at all times
const ANCHOR: usize = 20;

/// Points that a dry run shows
const SHOWN: usize = 5;

/// Points that are drawn where nothing is measured
pub(crate) fn shown(budget: Budget) -> usize {
    match budget {
        Budget::Points(points) => points,
        Budget::Time(_) => SHOWN,
    }
}

/// Is there something to search, and may the log be gone on with? `None` if that was all that was asked
///
/// Before anything is measured: a file that is of no use must not cost a run.
pub(crate) fn begin(
    args: &Args,
    subject: &dyn Subject,
    stop: &Stop,
    runs: u32,
) -> Result<Option<Begun>, Diagnostic> {
    if subject.space().names().is_empty() {
        return Err(subject.nothing());
    }
    stop.start();
    let space: &dyn Space = &Clocked { space: subject.space(), stop };
    let mut rng = terrace_support::Random::new(args.seed);
    if !subject.is_known() && sample(space, &mut rng).is_none() {
        return Err(if stop.now() { none_in_time(subject) } else { subject.empty() });
    }
    if !args.dry_run {
        let recorded = Recorded::load(args, &fingerprint(&subject.identity()))?;
        let setting = match (&args.log, &recorded) {
            (Some(_), Some(recorded)) => recorded.setting(),
            (Some(_), None) => resume::setting(args, runs)?,
            (None, _) => Setting::default(),
        };
        let starts = resume::starts(args, subject.space())?;
        let (lag, moving, stop) = (args.course.lag, args.course.moving(), args.course.stop.0);
        let course = Course { lag, moving, stop, begin: starts };
        let mut header = header(args, subject, course, setting);
        let entries = resume::resume(args, &mut header)?;
        return Ok(Some(Begun { setting: header.setting, course: header.course, entries, recorded }));
    }
    let wanted = shown(args.budget);
    let mut explorer = unmeasured(args, space)?;
    let mut points: Vec<Point> = Vec::new();
    let mut drawn = 0;
    while drawn < wanted {
        let Next::Measure(Proposal { point, .. }) = explorer.next_point() else { break };
        drawn += 1;
        if points.len() < SHOWN {
            points.push(point);
        }
    }
    terrace_opt::write_output(None, subject.dry(&points, drawn).as_bytes())?;
    Ok(None)
}

/// The points of a search that never sees a time
pub(crate) fn unmeasured<'a>(args: &Args, space: &'a dyn Space) -> Result<Explorer<'a>, Diagnostic> {
    let technique = args.technique.start(space, args.course.moving(), args.seed)?;
    Ok(Explorer::new(space, technique, Plan { lag: u64::MAX, ..Plan::new(args.seed) }))
}

/// The head of the log, but for what the reference shows
fn header(args: &Args, subject: &dyn Subject, course: Course, setting: Setting) -> Header {
    Header {
        version: Version::default(),
        space: fingerprint(&subject.identity()),
        names: subject.space().names(),
        technique: args.technique.word().into(),
        seed: args.seed,
        course,
        setting,
        flops: None,
        least: None,
        draft: subject.draft(),
        note: args.note.clone(),
    }
}

fn none_in_time(subject: &dyn Subject) -> Diagnostic {
    environment(format!("the search ended before a point was found{}", subject.refusals()))
}

/// A place for files of candidates
pub(crate) fn folder() -> Result<terrace_target_api::Scratch, Diagnostic> {
    terrace_target_api::Scratch::new()
        .map_err(|error| environment(format!("no folder for candidates: {error}")))
}

/// A search that runs: what was found so far, and where it is noted
struct Running<'a> {
    args: &'a Args,
    search: &'a Search<'a>,
    explorer: Explorer<'a>,
    /// Proposals that were made and not measured yet
    open: VecDeque<Proposal>,
    entries: Vec<Entry>,
    /// Seconds of the best
    best: f64,
    log: Option<File>,
    /// Seconds that earlier runs of the search took
    before: f64,
}

/// Search, and write what was found
pub(crate) fn search(args: &Args, search: Search<'_>) -> Result<(), Diagnostic> {
    let stop = &search.bench.stop;
    let space: &dyn Space = &Clocked { space: search.subject.space(), stop };
    let estimate = |point: &[Decision]| search.subject.estimate(point);
    let course = course(args, &search);
    stop.start();
    let mut running = Running::start(args, &search, space, &course, &estimate)?;
    let bar = bar(args);
    stop.start();
    search.subject.take_spent();
    let gave_up = running.until_spent(&bar)?;
    bar.finish_and_clear();
    let mut said = String::new();
    if gave_up {
        said = format!("gave up: {} draws in a row were refused\n", running.explorer.rejected());
    }
    if let Some(trouble) = running.explorer.trouble() {
        said += &format!("{trouble}\n");
    }
    terrace_opt::write_output(None, said.as_bytes())?;
    let Search { subject, bench, chosen, flops, begun, store, .. } = &search;
    let (chosen, recorded) = (chosen.as_ref(), begun.recorded.as_ref());
    let ending = Ending { subject: *subject, bench, chosen, flops: *flops, recorded, store: *store };
    finish(args, ending, &running.entries)
}

/// With what a search begins: what is chosen without measuring, and the best of an older log; a log that goes on has its own
fn course(args: &Args, search: &Search<'_>) -> Course {
    let course = search.begun.course.clone();
    if search.begun.entries.is_some() {
        return course;
    }
    let chosen =
        search.chosen.as_ref().and_then(|chosen| chosen.point.clone()).filter(|_| !args.from_nothing);
    Course { begin: chosen.into_iter().chain(course.begin).collect(), ..course }
}

impl Search<'_> {
    /// Make a candidate and run it; not to the end where it takes longer than so many seconds. What seems far better than the best
    /// so far is measured again
    fn attempt(&self, point: &Point, stop: Option<f64>, best: f64) -> Result<Tried, Diagnostic> {
        if let Some(recorded) = &self.begun.recorded {
            return Ok(recorded.tried(point));
        }
        let made = self.subject.make(point);
        let (rewriting, solving) = self.subject.take_spent();
        let stages = Stages { rewriting, solving, ..Stages::default() };
        let Made { text, bytes } = match made {
            Ok(made) => made,
            Err(error) => {
                let outcome = Outcome::Failed { kind: "refused".into(), reason: error.message };
                return Ok(Tried::failed(outcome, stages));
            }
        };
        let Measured { mut outcome, times, spent, .. } = self.bench.measure(&text, stop)?;
        let (lowering, compiling, running) = (spent.lowering, spent.rest, spent.running);
        let stages = Stages { lowering, compiling, running, ..stages };
        let mut again = Vec::new();
        if let Outcome::Ran { seconds } = outcome
            && best.is_finite()
            && seconds < best * SURPRISE
        {
            let second = self.bench.measure(&text, None)?;
            again = second.times;
            // What fails the second time is no better for the first.
            outcome = match second.outcome {
                Outcome::Ran { seconds: other } => Outcome::Ran { seconds: seconds.max(other) },
                failed => failed,
            };
        }
        Ok(Tried { outcome, bytes, stages, times, again, anchor: Vec::new() })
    }

    /// Times of the schedule chosen without measuring, now
    fn anchor(&self) -> Result<Vec<u64>, Diagnostic> {
        let Some(chosen) = &self.chosen else { return Ok(Vec::new()) };
        Ok(self.bench.measure(&chosen.text, None)?.times)
    }
}

impl<'a> Running<'a> {
    /// From the start, or from where the log ends
    fn start(
        args: &'a Args,
        search: &'a Search<'a>,
        space: &'a dyn Space,
        course: &Course,
        estimate: &'a Prior<'a>,
    ) -> Result<Running<'a>, Diagnostic> {
        let header = Header {
            flops: search.flops.map(|flops| flops.round() as u64),
            least: search.least,
            ..header(args, search.subject, course.clone(), search.begun.setting.clone())
        };
        let options = Plan {
            seed: args.seed,
            lag: course.lag,
            starts: course.begin.clone(),
            each: args.prune.into(),
            prior: Some(estimate),
            stop: course.stop,
        };
        let technique = args.technique.start(space, course.moving, args.seed)?;
        let mut running = Running {
            args,
            search,
            explorer: Explorer::new(space, technique, options),
            open: VecDeque::new(),
            entries: Vec::new(),
            best: f64::INFINITY,
            log: None,
            before: 0.0,
        };
        for entry in search.begun.entries.iter().flatten() {
            running.again(entry)?;
        }
        running.before = running.entries.last().map_or(0.0, |entry| entry.at);
        running.log = resume::open(args, &header)?;
        Ok(running)
    }

    /// Propose what an entry of the log was proposed as, and let the technique learn from it
    fn again(&mut self, entry: &Entry) -> Result<(), Diagnostic> {
        while self.open.is_empty() {
            match self.explorer.next_point() {
                Next::Measure(proposal) => self.open.push_back(proposal),
                // One proposal waits for the results of those before, which are all there.
                Next::Wait | Next::Done => break,
            }
        }
        match self.open.pop_front() {
            Some(proposal) if proposal.point == entry.point && proposal.number == entry.number as u64 => {
                self.note(entry.clone());
                Ok(())
            }
            _ => {
                let (log, number) = (self.args.log.as_deref().unwrap_or_default(), entry.number);
                let error = fail(format!(
                    "`{log}` cannot be resumed: its point {number} does not follow from those before"
                ));
                Err(error.help(format!("begin with its best points: --starts={log} and another --log")))
            }
        }
    }

    /// Propose and measure until the budget is spent; `true` if drawing gave up before
    fn until_spent(&mut self, bar: &ProgressBar) -> Result<bool, Diagnostic> {
        let stop = &self.search.bench.stop;
        let mut last = false;
        while !stop.now() {
            let proposed = self.entries.len() + self.open.len();
            let next = if last || spent(self.args.budget, proposed) {
                Next::Done
            } else {
                self.explorer.next_point()
            };
            match next {
                // A point that was drawn while time ran out is not what it would have been.
                Next::Measure(_) if stop.now() => break,
                Next::Measure(proposal) => {
                    self.open.push_back(proposal);
                    continue;
                }
                Next::Wait => {}
                Next::Done => last = true,
            }
            let Some(proposal) = self.open.pop_front() else {
                let is_spent = spent(self.args.budget, self.entries.len());
                return Ok(self.args.technique == Technique::Reject && !is_spent && !stop.now());
            };
            let Some(entry) = self.measure(proposal)? else { break };
            if let Some(log) = &mut self.log {
                let written = log.write_all(entry.line().as_bytes()).and_then(|()| log.flush());
                written.map_err(|error| environment(format!("cannot write the log: {error}")))?;
            }
            self.note(entry);
            self.show(bar);
        }
        Ok(false)
    }

    /// What became of a proposal; `None` if it was not let finish
    fn measure(&self, proposal: Proposal) -> Result<Option<Entry>, Diagnostic> {
        let Proposal { number, point, origin, estimate, rejected, stop } = proposal;
        let number = usize::try_from(number).unwrap_or(usize::MAX);
        // The reference has been measured already, before the search.
        let chosen =
            self.search.chosen.as_ref().filter(|chosen| number == 1 && chosen.point.as_ref() == Some(&point));
        if let Some(seconds) = chosen.and_then(|chosen| chosen.seconds) {
            return Ok(Some(Entry { origin, ..Entry::new(number, point, Outcome::Ran { seconds }, 0.0) }));
        }
        let Tried { outcome, bytes, stages, times, again, mut anchor } =
            self.search.attempt(&point, stop, self.best)?;
        if number.is_multiple_of(ANCHOR) && self.search.begun.recorded.is_none() {
            anchor = self.search.anchor()?;
        }
        if self.search.bench.stop.interrupted() {
            return Ok(None);
        }
        let at = self.before + self.search.bench.stop.elapsed().as_secs_f64();
        let estimate = match estimate {
            None if self.args.prune > 1 => self.search.subject.estimate(&point),
            known => known,
        };
        let stages = Some(stages);
        Ok(Some(Entry {
            bytes,
            origin,
            estimate,
            stages,
            times,
            again,
            anchor,
            rejected,
            ..Entry::new(number, point, outcome, at)
        }))
    }

    /// Let the technique learn from a result
    fn note(&mut self, entry: Entry) {
        self.best = self.best.min(entry.cost().unwrap_or(f64::INFINITY));
        self.explorer.tell(entry.number as u64, entry.feedback());
        self.entries.push(entry);
    }

    /// How far it is
    fn show(&self, bar: &ProgressBar) {
        let rate = report::rate(self.best, self.search.flops);
        bar.set_message(format!("{} points, best {rate}", self.entries.len()));
        bar.set_position(match self.args.budget {
            Budget::Time(_) => self.search.bench.stop.elapsed().as_secs(),
            Budget::Points(_) => self.entries.len() as u64,
        });
    }
}

/// Are there as many points as requested?
fn spent(budget: Budget, points: usize) -> bool {
    matches!(budget, Budget::Points(most) if points >= most)
}

fn bar(args: &Args) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let length = match args.budget {
        Budget::Time(time) => time.as_secs(),
        Budget::Points(points) => points as u64,
    };
    let style = ProgressStyle::with_template("{elapsed} [{bar:30}] {msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length).with_style(style)
}
