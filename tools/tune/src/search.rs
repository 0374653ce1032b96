//! The search: propose, measure, tell, log, until the budget is spent.

use crate::args::{Args, Budget};
use crate::drawn::Drawn;
use crate::errors::environment;
use crate::measure::Bench;
use crate::report;
use crate::resume;
use crate::stop::{Clocked, Stop};
use crate::subject::{Chosen, Made, Subject};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{IsTerminal, Write};
use terrace_diag::Diagnostic;
use terrace_schedule_model::{Decision, Point};
use terrace_search_explore::log::{Entry, Header, Outcome, Setting, Stages, Version};
use terrace_search_explore::{Explorer, Space, Technique, fingerprint, sample};

/// What is searched, and how candidates are judged
pub(crate) struct Search<'a> {
    pub subject: &'a dyn Subject,
    pub bench: Bench,
    /// What one would take without measuring
    pub chosen: Option<Chosen>,
    pub flops: Option<f64>,
    pub least: Option<u64>,
    pub begun: Begun,
}

/// What is known before the first candidate runs
pub(crate) struct Begun {
    /// Where and how candidates run; empty where no log is written
    setting: Setting,
    /// What the log that is resumed holds
    entries: Vec<Entry>,
    /// Points that are measured first
    starts: Vec<Point>,
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
        let setting = match args.log {
            Some(_) => resume::setting(args, runs)?,
            None => Setting::default(),
        };
        let header = header(args, subject, setting);
        let entries = resume::resume(args, &header)?;
        let starts = resume::starts(args, subject.space())?;
        return Ok(Some(Begun { setting: header.setting, entries, starts }));
    }
    let wanted = shown(args.budget);
    let mut explorer = Explorer::new(space, args.technique.1, args.seed);
    let mut points: Vec<Point> = Vec::new();
    let mut drawn = 0;
    while drawn < wanted {
        let Some(point) = explorer.propose() else { break };
        drawn += 1;
        if points.len() < SHOWN {
            points.push(point);
        }
    }
    terrace_opt::write_output(None, subject.dry(&points, drawn).as_bytes())?;
    Ok(None)
}

/// The head of the log, but for what the reference shows
fn header(args: &Args, subject: &dyn Subject, setting: Setting) -> Header {
    Header {
        version: Version::Three,
        space: fingerprint(&subject.identity()),
        names: subject.space().names(),
        technique: args.technique.0.into(),
        seed: args.seed,
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
    entries: Vec<Entry>,
    log: Option<File>,
    /// Seconds that earlier runs of the search took
    before: f64,
}

/// What became of a candidate
struct Tried {
    outcome: Outcome,
    bytes: Option<u64>,
    stages: Stages,
    times: Vec<u64>,
}

/// Search, and write what was found
pub(crate) fn search(args: &Args, search: Search<'_>) -> Result<(), Diagnostic> {
    let stop = &search.bench.stop;
    let space: &dyn Space = &Clocked { space: search.subject.space(), stop };
    let mut running = Running::start(args, &search, space)?;
    let mut first: VecDeque<Point> =
        running.chosen()?.into_iter().chain(search.begun.starts.iter().cloned()).collect();
    // What a resumed log has, or the chosen point is, need not be measured twice.
    let mut known: Vec<Point> = running.entries.iter().map(|entry| entry.point.clone()).collect();
    first.retain(|point| {
        !known.contains(point) && {
            known.push(point.clone());
            true
        }
    });
    let bar = bar(args);
    stop.start();
    search.subject.take_spent();
    let mut gave_up = false;
    let mut drawn = Drawn::new(if args.technique.1 == Technique::Exhaustive { 1 } else { args.prune.into() });
    while !stop.now() && !spent(args.budget, running.entries.len()) {
        let (point, estimate, rejected) = match first.pop_front() {
            Some(point) => (point, None, 0),
            None => match drawn.next(search.subject, &mut running.explorer) {
                Some((point, estimate)) => (point, estimate, running.explorer.rejected()),
                None => {
                    gave_up = args.technique.1 == Technique::Reject && !stop.now();
                    break;
                }
            },
        };
        let Tried { outcome, bytes, stages, times } = search.attempt(&point);
        if stop.interrupted() {
            // It was not let finish.
            break;
        }
        let at = running.before + stop.elapsed().as_secs_f64();
        let number = running.entries.len() + 1;
        let estimate = match estimate {
            None if args.prune > 1 => search.subject.estimate(&point),
            known => known,
        };
        let stages = Some(stages);
        running.add(Entry {
            bytes,
            estimate,
            stages,
            times,
            rejected,
            ..Entry::new(number, point, outcome, at)
        })?;
        running.show(&bar);
    }
    bar.finish_and_clear();
    if gave_up {
        let text = format!("gave up: {} draws in a row were refused\n", running.explorer.rejected());
        terrace_opt::write_output(None, text.as_bytes())?;
    }
    finish(args, &search, &running.entries)
}

impl Search<'_> {
    /// Make a candidate and run it
    fn attempt(&self, point: &Point) -> Tried {
        let made = self.subject.make(point);
        let (rewriting, solving) = self.subject.take_spent();
        let stages = Stages { rewriting, solving, ..Stages::default() };
        match made {
            Ok(Made { text, bytes }) => {
                let (outcome, spent, times) = self.bench.outcome(&text);
                let (lowering, compiling, running) = (spent.lowering, spent.rest, spent.running);
                Tried { outcome, bytes, stages: Stages { lowering, compiling, running, ..stages }, times }
            }
            Err(error) => {
                let outcome = Outcome::Failed { kind: "refused".into(), reason: error.message };
                Tried { outcome, bytes: None, stages, times: Vec::new() }
            }
        }
    }
}

impl<'a> Running<'a> {
    /// From the start, or from where the log ends
    fn start(
        args: &'a Args,
        search: &'a Search<'a>,
        space: &'a dyn Space,
    ) -> Result<Running<'a>, Diagnostic> {
        let Begun { setting, entries, .. } = &search.begun;
        let header = Header {
            flops: search.flops.map(|flops| flops.round() as u64),
            least: search.least,
            ..header(args, search.subject, setting.clone())
        };
        let entries = entries.clone();
        let mut explorer = Explorer::new(space, args.technique.1, args.seed);
        for entry in &entries {
            explorer.tell(&entry.point, entry.cost());
        }
        let log = resume::open(args, &header)?;
        let before = entries.last().map_or(0.0, |entry| entry.at);
        Ok(Running { args, search, explorer, entries, log, before })
    }

    /// What is chosen without measuring is the first point, where it is one; returned if it is still to be measured
    fn chosen(&mut self) -> Result<Option<Point>, Diagnostic> {
        let Some(chosen) = self.search.chosen.as_ref().filter(|_| self.entries.is_empty()) else {
            return Ok(None);
        };
        match (&chosen.point, chosen.seconds) {
            (Some(point), Some(seconds)) => {
                self.add(Entry::new(1, point.clone(), Outcome::Ran { seconds }, 0.0))?;
                Ok(None)
            }
            (point, _) => Ok(point.clone()),
        }
    }

    /// Note a measured point, and let the technique learn from it
    fn add(&mut self, entry: Entry) -> Result<(), Diagnostic> {
        if let Some(log) = &mut self.log {
            let written = log.write_all(entry.line().as_bytes()).and_then(|()| log.flush());
            written.map_err(|error| environment(format!("cannot write the log: {error}")))?;
        }
        self.explorer.tell(&entry.point, entry.cost());
        self.entries.push(entry);
        Ok(())
    }

    /// How far it is
    fn show(&self, bar: &ProgressBar) {
        let best = self.explorer.best().map_or(f64::INFINITY, |(_, seconds)| seconds);
        let rate = report::rate(best, self.search.flops);
        bar.set_message(format!("{} points, best {rate}", self.entries.len()));
        bar.set_position(match self.args.budget {
            Budget::Time(_) => self.search.bench.stop.elapsed().as_secs(),
            Budget::Points(_) => self.entries.len() as u64,
        });
    }
}

/// How many of the best are measured again
const CANDIDATES: usize = 3;
/// How often
const ROUNDS: usize = 3;

/// Confirm the best, say what was found, write the program
fn finish(args: &Args, search: &Search<'_>, entries: &[Entry]) -> Result<(), Diagnostic> {
    let Search { subject, bench, chosen, flops, .. } = search;
    let mut ran: Vec<(&Entry, f64)> =
        entries.iter().filter_map(|entry| Some((entry, entry.cost()?))).collect();
    ran.sort_by(|a, b| a.1.total_cmp(&b.1));
    ran.truncate(CANDIDATES);
    // The machine was not the same at all times: the best ones and the chosen one again, side by side.
    let text = |point: &[Decision]| subject.make(point).map(|made| made.text);
    let mut texts = vec![chosen.as_ref().map(|chosen| chosen.text.clone())];
    for (entry, _) in &ran {
        texts.push(Some(text(&entry.point)?));
    }
    let mut again: Vec<Vec<f64>> = vec![Vec::new(); texts.len()];
    let rounds = if bench.stop.interrupted() { 0 } else { ROUNDS };
    for _ in 0..rounds {
        for (text, times) in texts.iter().zip(&mut again) {
            let Some(text) = text else { continue };
            times.extend(bench.run(text).ok().map(|run| run.seconds));
        }
    }
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied()
    };
    let medians: Vec<Option<f64>> = again.iter_mut().map(median).collect();
    let reference = medians[0].or(chosen.as_ref().and_then(|chosen| chosen.seconds));
    let confirmed =
        ran.iter().zip(&medians[1..]).filter_map(|((entry, _), seconds)| Some((*entry, (*seconds)?)));
    let confirmed = confirmed.min_by(|a, b| a.1.total_cmp(&b.1));
    // Who was interrupted has no time for that: what the log says counts.
    let best = confirmed.or_else(|| ran.first().copied().filter(|_| bench.stop.interrupted()));
    let summary = report::summary(*subject, entries, best, reference, *flops);
    terrace_opt::write_output(None, summary.as_bytes())?;
    let Some((best, _)) = best else {
        return Err(environment(match bench.stop.interrupted() {
            true => "interrupted before a candidate ran".into(),
            false => "no candidate ran; the log says why".into(),
        }));
    };
    match &args.output {
        Some(_) => terrace_opt::write_output(args.output.as_deref(), text(&best.point)?.as_bytes()),
        None => Ok(()),
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
