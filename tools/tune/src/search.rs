//! The search: propose, measure, tell, log, until the budget is spent.

use crate::args::{Args, Budget};
use crate::errors::environment;
use crate::finish::{Ending, Reached, enough, finish};
use crate::measure::Bench;
use crate::progress::Progress;
use crate::recorded::Recorded;
use crate::report;
use crate::resume;
use crate::stop::{Clocked, Stop};
use crate::subject::{Chosen, Subject};
use crate::technique::Technique;
use crate::tried::Tried;
use crate::under_way::{Measuring, UnderWay};
use crate::written::Written;
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use terrace_diag::{Diagnostic, Diags};
use terrace_schedule_model::{Decision, Point};
use terrace_search_explore::log::{Course, End, Entry, Header, Outcome, Setting, Stages, Version};
use terrace_search_explore::{Explorer, Next, Plan, Prior, Proposal, Space, fingerprint, sample};
use terrace_search_records::Store;
use terrace_view::program::fail;

/// What is searched, and how candidates are judged
pub(crate) struct Search<'a> {
    pub subject: &'a dyn Subject,
    pub bench: Bench,
    /// What has the right results
    pub baseline: Baseline,
    /// What one would take without measuring
    pub chosen: Option<Chosen>,
    pub flops: Option<f64>,
    pub least: Option<u64>,
    pub begun: Begun,
    /// Where what is found is kept
    pub store: Option<&'a Store>,
}

/// Whoever searches what is ready. What a search borrows lives as long as it
pub(crate) type Then<'t> = &'t mut dyn FnMut(Search<'_>, &mut Diags) -> Result<(), Diagnostic>;

/// A program whose results are those that candidates are compared with
pub(crate) struct Baseline {
    /// How it is run
    pub by: Bench,
    pub text: String,
    /// What it is, for messages
    pub words: String,
    /// Is it what is chosen without measuring, whose time is of use?
    pub is_chosen: bool,
}

impl Baseline {
    /// What is chosen without measuring, run as candidates are
    pub(crate) fn chosen(bench: &Bench, text: &str, words: &str) -> Baseline {
        Baseline { by: bench.again(), text: text.into(), words: words.into(), is_chosen: true }
    }
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
            (Some(_), None) => resume::setting(args, runs, stop)?,
            (None, _) => Setting::default(),
        };
        let starts = resume::starts(args, subject.space())?;
        let (lag, moving, stop) = (args.lag(), args.course.moving(), args.course.stop.0);
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
        command: command(),
    }
}

/// The command line of this process
fn command() -> Vec<String> {
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    std::iter::once("terrace-tune".to_owned()).chain(words).collect()
}

fn none_in_time(subject: &dyn Subject) -> Diagnostic {
    environment(format!("the search ended before a point was found{}", subject.refusals()))
}

/// A search that runs: what was found so far, and where it is noted
pub(crate) struct Running<'a> {
    args: &'a Args,
    search: &'a Search<'a>,
    /// What it is called among others
    name: &'a str,
    explorer: Explorer<'a>,
    /// Proposals that were made and are not written yet
    open: VecDeque<UnderWay>,
    entries: Vec<Entry>,
    /// Seconds of the best
    best: f64,
    log: Option<Written>,
    /// Seconds that it took so far
    spent: f64,
    /// Those, less what the clock said when its round began
    before: f64,
    /// Did drawing give up?
    is_over: bool,
}

/// Search, and write what was found
pub(crate) fn search(args: &Args, mut search: Search<'_>) -> Result<(), Diagnostic> {
    search.refer()?;
    let stop = &search.bench.stop;
    stop.start();
    let prepared = Prepared::new(args, &search);
    let mut running = prepared.begin("")?;
    let progress = Progress::new(args.budget, stop, running.entries.len());
    stop.start();
    let most = match args.budget {
        Budget::Points(points) => points,
        Budget::Time(_) => usize::MAX,
    };
    let went = running.until(most, &progress);
    progress.clear();
    went?;
    running.finish(enough(args.budget)).map(drop)
}

/// What a search borrows while it runs
pub(crate) struct Prepared<'a> {
    args: &'a Args,
    search: &'a Search<'a>,
    space: Clocked<'a>,
    estimate: Box<Prior<'a>>,
    course: Course,
}

impl<'a> Prepared<'a> {
    pub(crate) fn new(args: &'a Args, search: &'a Search<'a>) -> Prepared<'a> {
        let space = Clocked { space: search.subject.space(), stop: &search.bench.stop };
        let estimate = Box::new(|point: &[Decision]| search.subject.estimate(point));
        Prepared { args, search, space, estimate, course: course(args, search) }
    }

    /// From the start, or from where the log ends
    pub(crate) fn begin(&self, name: &'a str) -> Result<Running<'_>, Diagnostic> {
        let Prepared { args, search, space, estimate, course } = self;
        search.subject.take_spent();
        Running::start(args, search, name, space, course, estimate)
    }
}

/// A whole line of the log
fn write(log: &mut Written, line: &str) -> Result<(), Diagnostic> {
    log.line(line).map_err(|error| {
        let error = environment(format!("cannot write the log: {error}"));
        error.help("its last line is whole; `--resume` goes on with it")
    })
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
    fn measuring(&self) -> Measuring<'_> {
        let Search { subject, bench, chosen, begun, .. } = self;
        Measuring { subject: *subject, bench, chosen: chosen.as_ref(), recorded: begun.recorded.as_ref() }
    }

    /// Run what has the right results, unless results are those of a log
    pub(crate) fn refer(&mut self) -> Result<(), Diagnostic> {
        if self.begun.recorded.is_some() {
            return Ok(());
        }
        let Baseline { by, text, words, is_chosen } = &self.baseline;
        let (seconds, flops) =
            (self.bench.refer(by, text)).map_err(|why| environment(format!("{words}: {}", why.message)))?;
        if let Some(chosen) = self.chosen.as_mut().filter(|_| *is_chosen) {
            chosen.seconds = Some(seconds);
            let counted = flops.map(|flops| flops as f64).filter(|flops| *flops > 0.0);
            self.flops = self.flops.or(counted);
        }
        Ok(())
    }

    /// From now on by the workers that measure for another search
    pub(crate) fn measure_with(&mut self, other: &Search<'_>) {
        self.bench.share(&other.bench);
        self.baseline.by.share(&other.bench);
    }
}

impl<'a> Running<'a> {
    fn start(
        args: &'a Args,
        search: &'a Search<'a>,
        name: &'a str,
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
            name,
            explorer: Explorer::new(space, technique, options),
            open: VecDeque::new(),
            entries: Vec::new(),
            best: f64::INFINITY,
            log: None,
            spent: 0.0,
            before: 0.0,
            is_over: false,
        };
        for entry in search.begun.entries.iter().flatten() {
            running.again(entry)?;
        }
        running.spent = running.entries.last().map_or(0.0, |entry| entry.at);
        running.log = resume::open(args, &header)?;
        Ok(running)
    }

    /// Propose what an entry of the log was proposed as, and let the technique learn from it
    fn again(&mut self, entry: &Entry) -> Result<(), Diagnostic> {
        // It waits for no results but those before, which are all there.
        match self.explorer.next_point() {
            Next::Measure(proposal)
                if proposal.point == entry.point && proposal.number == entry.number as u64 =>
            {
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

    /// Its points so far
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Is the time over, or has the user ended it?
    pub(crate) fn is_stopped(&self) -> bool {
        self.search.bench.stop.now()
    }

    /// Propose and measure until there are so many points, or the time is over; `true` if there are no more
    pub(crate) fn until(&mut self, most: usize, progress: &Progress) -> Result<bool, Diagnostic> {
        let stop = &self.search.bench.stop;
        // The clock runs for others, too.
        self.before = self.spent - stop.elapsed().as_secs_f64();
        let done = self.propose_and_measure(most, progress);
        self.spent = self.before + stop.elapsed().as_secs_f64();
        self.is_over = matches!(done, Ok(true));
        done
    }

    fn propose_and_measure(&mut self, most: usize, progress: &Progress) -> Result<bool, Diagnostic> {
        let stop = &self.search.bench.stop;
        let mut last = false;
        while !stop.interrupted() {
            while !last {
                let proposed = self.entries.len() + self.open.len();
                let next = match stop.now() || proposed >= most {
                    true => Next::Done,
                    false => self.explorer.next_point(),
                };
                match next {
                    // A point that was drawn while time ran out is not what it would have been.
                    Next::Measure(_) if stop.now() => last = true,
                    Next::Measure(proposal) => self.begin(proposal)?,
                    Next::Wait => break,
                    Next::Done => last = true,
                }
            }
            if self.write(progress)? {
                continue;
            }
            if self.open.is_empty() {
                return Ok(self.entries.len() < most && !stop.now());
            }
            for (trial, measured) in self.search.bench.poll()? {
                if let Some(one) = self.open.iter_mut().find(|one| one.waits_for(trial)) {
                    one.hear(self.search.measuring(), measured)?;
                }
            }
        }
        Ok(false)
    }

    /// Have a proposal measured
    fn begin(&mut self, proposal: Proposal) -> Result<(), Diagnostic> {
        // The reference has been measured already, before the search.
        let is_chosen =
            |chosen: &&Chosen| proposal.number == 1 && chosen.point.as_ref() == Some(&proposal.point);
        let seconds = self.search.chosen.as_ref().filter(is_chosen).and_then(|chosen| chosen.seconds);
        let one = match seconds {
            Some(seconds) => {
                let tried = Tried::failed(Outcome::Ran { seconds }, Stages::default());
                UnderWay::known(proposal, None, tried)
            }
            None => {
                let estimate = match proposal.estimate {
                    None if self.args.prune > 1 => self.search.subject.estimate(&proposal.point),
                    known => known,
                };
                UnderWay::begin(self.search.measuring(), proposal, estimate)?
            }
        };
        self.open.push_back(one);
        Ok(())
    }

    /// Write what is known of the first proposals, in their order; `true` if there was any
    fn write(&mut self, progress: &Progress) -> Result<bool, Diagnostic> {
        let mut any = false;
        while let Some(one) = self.open.pop_front_if(|one| one.is_done()) {
            any = true;
            let entry = self.entry(one);
            if let Some(log) = &mut self.log {
                write(log, &entry.line())?;
            }
            self.note(entry);
            self.show(progress);
        }
        Ok(any)
    }

    /// What the log says of a proposal
    fn entry(&self, one: UnderWay) -> Entry {
        let UnderWay { proposal, estimate, tried, .. } = one;
        let Proposal { number, point, origin, rejected, .. } = proposal;
        let Tried { outcome, bytes, stages, times, again, anchor } = tried;
        let at = match self.search.begun.recorded {
            // The time that measuring has taken then.
            Some(_) => {
                let spent: f64 = stages.words().into_iter().map(|(_, seconds)| seconds).sum();
                self.entries.last().map_or(0.0, |last| last.at) + spent
            }
            None => self.before + self.search.bench.stop.elapsed().as_secs_f64(),
        };
        let stages = Some(stages).filter(|stages| *stages != Stages::default());
        let number = usize::try_from(number).unwrap_or(usize::MAX);
        let entry = Entry::new(number, point, outcome, at);
        Entry { bytes, origin, estimate, stages, times, again, anchor, rejected, ..entry }
    }

    /// Let the technique learn from a result
    fn note(&mut self, entry: Entry) {
        self.best = self.best.min(entry.cost().unwrap_or(f64::INFINITY));
        self.explorer.tell(entry.number as u64, entry.feedback());
        self.entries.push(entry);
    }

    /// How far it is
    fn show(&self, progress: &Progress) {
        let rate = report::rate(self.best, self.search.flops);
        let name = if self.name.is_empty() { String::new() } else { format!("{}: ", self.name) };
        progress.step(&format!("{name}{} points, best {rate}", self.entries.len()));
    }

    /// Measure the best once more, and write what was found; so long at most as is enough
    pub(crate) fn finish(self, enough: Duration) -> Result<Reached, Diagnostic> {
        let mut said = String::new();
        if self.is_over && self.args.technique == Technique::Reject {
            said = format!("gave up: {} draws in a row were refused\n", self.explorer.rejected());
        }
        for trouble in self.search.bench.troubles() {
            said += &format!("a worker was missing: {trouble}\n");
        }
        match self.search.bench.surplus() {
            0 => {}
            more => said += &format!("{more} answers came more than once\n"),
        }
        if let Some(trouble) = self.explorer.trouble() {
            said += &format!("{trouble}\n");
        }
        terrace_opt::write_output(None, said.as_bytes())?;
        let Running { args, search, entries, mut log, spent, .. } = self;
        let Search { subject, bench, chosen, flops, begun, store, .. } = search;
        let (chosen, recorded) = (chosen.as_ref(), begun.recorded.as_ref());
        let ending =
            Ending { subject: *subject, bench, chosen, flops: *flops, recorded, store: *store, enough };
        let start = Instant::now();
        finish(args, ending, &entries, &mut |end| {
            let at = spent + start.elapsed().as_secs_f64();
            log.as_mut().map_or(Ok(()), |log| write(log, &End { at, ..end }.line()))
        })
    }
}
