//! The end of a search: the best points once more, what was found, its record, its program.

use crate::args::{Args, Budget};
use crate::confirm::{Rounds, Verdict};
use crate::errors::environment;
use crate::keep;
use crate::measure::Bench;
use crate::recorded::Recorded;
use crate::report::{self, Against};
use crate::subject::{Chosen, Subject};
use std::time::{Duration, Instant};
use terrace_diag::Diagnostic;
use terrace_schedule_model::{Decision, Point};
use terrace_search_explore::log::{Best, End, Entry, Outcome};
use terrace_search_records::Store;

/// How many of the best are measured again
const CANDIDATES: usize = 3;
/// Rounds at least, and at most
const ROUNDS: [usize; 2] = [3, 9];
/// Time after which there are no more rounds than needed; a tenth of a longer budget
const ENOUGH: Duration = Duration::from_secs(5);

/// How long rounds at the end may take
pub(crate) fn enough(budget: Budget) -> Duration {
    match budget {
        Budget::Time(time) => ENOUGH.max(time / 10),
        Budget::Points(_) => ENOUGH,
    }
}

/// What the end of a search has to know of it
#[derive(Clone, Copy)]
pub(crate) struct Ending<'a> {
    pub subject: &'a dyn Subject,
    pub bench: &'a Bench,
    /// What one would take without measuring
    pub chosen: Option<&'a Chosen>,
    pub flops: Option<f64>,
    /// Results that were taken in place of measuring
    pub recorded: Option<&'a Recorded>,
    /// Where what is found is kept
    pub store: Option<&'a Store>,
    /// Time after which there are no more rounds than needed
    pub enough: Duration,
}

/// What a search has come to
pub(crate) struct Reached {
    /// The best point
    pub point: Point,
    /// Its seconds
    pub seconds: f64,
    /// Seconds of the schedule chosen without measuring
    pub chosen: Option<f64>,
    /// How both compare in rounds at the end
    pub against: Option<Against>,
    /// Are times those of the search, and not of rounds at its end?
    pub is_logged: bool,
}

/// What is measured again
struct Contestant<'a> {
    /// Its point, where it is one of the search
    entry: Option<&'a Entry>,
    text: String,
}

/// What the new run has shown
struct Confirmed<'a> {
    best: Option<(&'a Entry, f64)>,
    /// Seconds of the schedule chosen without measuring
    chosen: Option<f64>,
    against: Option<Against>,
}

impl Confirmed<'_> {
    /// As the last line of a log, but for the time
    fn end(&self, search: Ending<'_>, entries: &[Entry]) -> End {
        let best = |(entry, seconds): (&Entry, f64)| Best {
            number: entry.number,
            seconds,
            text: search.subject.show(&entry.point),
        };
        End {
            points: entries.len(),
            at: 0.0,
            interrupted: search.bench.stop.interrupted(),
            replayed: search.recorded.is_some(),
            best: self.best.map(best),
            chosen: self.chosen,
            against: self.against.map(|against| against.logged()),
            refused: search.subject.refused(),
        }
    }
}

/// Confirm the best, note how it ended, say what was found, write the program
pub(crate) fn finish(
    args: &Args,
    search: Ending<'_>,
    entries: &[Entry],
    note: &mut dyn FnMut(End) -> Result<(), Diagnostic>,
) -> Result<Reached, Diagnostic> {
    let Ending { subject, bench, flops, recorded, .. } = search;
    let found = match bench.stop.interrupted() || recorded.is_some() {
        // Who was interrupted has no time for that: what the log says counts.
        true => as_logged(search, entries),
        false => confirm(args, search, entries)?,
    };
    note(found.end(search, entries))?;
    let unmeasured = bench.stop.interrupted() || recorded.is_some();
    let replayed = recorded.map_or(String::new(), Recorded::line);
    let summary = report::summary(subject, entries, found.best, found.chosen, found.against, flops);
    terrace_opt::write_output(None, (replayed + &summary).as_bytes())?;
    if let (Some(store), Some((best, seconds)), false) = (search.store, found.best, unmeasured)
        && let Some(kept) = subject.kept(&best.point)?
    {
        // Without a comparison the chosen schedule is the best, or there is none.
        let alone = found.chosen.is_some() || search.chosen.is_none();
        let is_faster = found.against.map_or(alone, |against| against.verdict == Verdict::Faster);
        let said = keep::keep(args, store, kept, seconds, found.chosen, is_faster)?;
        terrace_opt::write_output(None, said.as_bytes())?;
    }
    let Some((best, seconds)) = found.best else {
        return Err(environment(match bench.stop.interrupted() {
            true => "interrupted before a candidate ran".into(),
            false => "no candidate ran; the log says why".into(),
        }));
    };
    if let Some(output) = &args.output {
        let made = subject.make(&best.point)?;
        terrace_opt::write_output(Some(output), made.text.as_bytes())?;
    }
    let Confirmed { chosen, against, .. } = found;
    Ok(Reached { point: best.point.clone(), seconds, chosen, against, is_logged: unmeasured })
}

/// The best points that ran to the end, best first
fn best_of(entries: &[Entry]) -> Vec<(&Entry, f64)> {
    let mut ran: Vec<_> = entries.iter().filter_map(|entry| Some((entry, entry.cost()?))).collect();
    ran.sort_by(|a, b| a.1.total_cmp(&b.1));
    ran.truncate(CANDIDATES);
    ran
}

/// The point that is chosen without measuring, where it is one of the search
fn own<'a>(search: Ending<'_>, entries: &'a [Entry]) -> Option<&'a Entry> {
    let point = search.chosen?.point.as_ref()?;
    entries.iter().find(|entry| entry.point == *point)
}

fn as_logged<'a>(search: Ending<'_>, entries: &'a [Entry]) -> Confirmed<'a> {
    let own = || own(search, entries).and_then(Entry::cost);
    let chosen = search.chosen.and_then(|chosen| chosen.seconds.or_else(own));
    Confirmed { best: best_of(entries).first().copied(), chosen, against: None }
}

/// Measure the best and the chosen one again, alternately
fn confirm<'a>(args: &Args, search: Ending<'_>, entries: &'a [Entry]) -> Result<Confirmed<'a>, Diagnostic> {
    let make = |point: &[Decision]| search.subject.make(point).map(|made| made.text);
    let own = own(search, entries);
    let mut all: Vec<Contestant<'_>> = Vec::new();
    if let Some(chosen) = search.chosen {
        all.push(Contestant { entry: own, text: chosen.text.clone() });
    }
    for (entry, _) in best_of(entries) {
        if own.is_none_or(|own| own.number != entry.number) {
            all.push(Contestant { entry: Some(entry), text: make(&entry.point)? });
        }
    }
    if all.is_empty() {
        return Ok(as_logged(search, entries));
    }
    let rounds = measure(search.bench, &all, search.enough)?;
    if search.bench.stop.interrupted() && rounds.len() < ROUNDS[0] {
        return Ok(as_logged(search, entries));
    }
    // The first one is its own twin, at the end.
    let rounds = Rounds::new(rounds, (0, all.len()), args.seed);
    let ran = all.iter().enumerate().filter_map(|(n, one)| Some((n, one.entry?, rounds.seconds(n)?)));
    let best = ran.min_by(|a, b| a.2.total_cmp(&b.2));
    let chosen = search.chosen.and_then(|_| rounds.seconds(0));
    let against = best.filter(|(n, ..)| *n > 0 && chosen.is_some()).and_then(|(n, ..)| {
        let ratio = rounds.ratio(0, n)?;
        Some(Against { ratio, verdict: rounds.verdict(n, 0), noise: rounds.noise(), rounds: rounds.len() })
    });
    Ok(Confirmed { best: best.map(|(_, entry, seconds)| (entry, seconds)), chosen, against })
}

/// Seconds of all in rounds; one that fails has an infinite time, since it is none to take
fn measure(bench: &Bench, all: &[Contestant<'_>], enough: Duration) -> Result<Vec<Vec<f64>>, Diagnostic> {
    let start = Instant::now();
    let mut rounds: Vec<Vec<f64>> = Vec::new();
    while rounds.len() < ROUNDS[1] && (rounds.len() < ROUNDS[0] || start.elapsed() < enough) {
        let mut round = vec![f64::INFINITY; all.len() + 1];
        let forth: Vec<usize> = (0..round.len()).collect();
        let back = forth.iter().rev().copied().collect();
        // A machine that slows down meanwhile slows down whatever is last.
        let order = if rounds.len().is_multiple_of(2) { forth } else { back };
        for n in order {
            if let Outcome::Ran { seconds } = bench.measure(&all[n % all.len()].text, None)?.outcome {
                round[n] = seconds;
            }
            if bench.stop.interrupted() {
                return Ok(rounds);
            }
        }
        rounds.push(round);
    }
    Ok(rounds)
}
