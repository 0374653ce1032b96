//! The search: propose, measure, tell, log, until the budget is spent.

use crate::args::{Args, Budget};
use crate::measure::{self, Bench};
use crate::report;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::OpenOptions;
use std::io::{IsTerminal, Write};
use std::time::Instant;
use terrace_diag::Diagnostic;
use terrace_dialect_mdh::schedule::Draft;
use terrace_opt::codes;
use terrace_search_explore::log::{self, Entry, Header, Outcome};
use terrace_search_explore::{Explorer, Space, fingerprint, sample};
use terrace_search_schedules::ScheduleSpace;
use terrace_view::program::{Program, fail};

/// Search, and write what was found
pub(crate) fn search(
    args: &Args,
    program: &Program,
    space: &ScheduleSpace<'_>,
    default: &Draft,
) -> Result<(), Diagnostic> {
    let names = space.names();
    if names.is_empty() {
        let error = fail("nothing is open in the schedule");
        return Err(error.help("write `?` or `{4,8}` in its fields, or say --free=size,core"));
    }
    let mut rng = fastrand::Rng::with_seed(args.seed);
    if sample(space, &mut rng).is_none() {
        let refused = report::refusals(space);
        return Err(fail(format!("S-EMPTY: no schedule is left{refused}"))
            .help("open more fields, or widen the lists"));
    }
    if args.dry_run {
        print!("{}", report::dry(space, &mut rng));
        return Ok(());
    }
    let folder =
        tempfile::tempdir().map_err(|error| environment(format!("no folder for candidates: {error}")))?;
    let mut bench = bench(args, program, folder.path())?;
    let reference = bench.run(&program.with(default)?.print());
    let reference =
        reference.map_err(|(kind, why)| environment(format!("the chosen schedule: {kind}: {why}")))?;
    bench.expected = reference.results;
    // Programs on integers have none.
    let flops = reference.gflops.map(|rate| rate * reference.seconds * 1e9).filter(|flops| *flops > 0.0);

    let header = Header {
        space: format!("{:016x}", fingerprint(&format!("{}\n{}", program.print(), space.fill(&[])))),
        names,
        technique: args.technique.0.into(),
        seed: args.seed,
        on: args.on.clone(),
        flops: flops.map(|flops| flops.round() as u64),
        least: None,
    };
    let mut explorer = Explorer::new(space, args.technique.1, args.seed);
    let mut entries = resume(args, &header)?;
    for entry in &entries {
        explorer.tell(&entry.point, entry.cost());
    }
    let mut log = open_log(args, &header)?;
    let mut log_entry = |entry: &Entry| -> Result<(), Diagnostic> {
        let Some(log) = &mut log else { return Ok(()) };
        let written = log.write_all(entry.line().as_bytes()).and_then(|()| log.flush());
        written.map_err(|error| environment(format!("cannot write the log: {error}")))
    };
    if let Some(point) = space.point(default).filter(|_| entries.is_empty()) {
        // Where the chosen schedule is in the space, the search begins there.
        let outcome = Outcome::Ran { seconds: reference.seconds };
        let entry = Entry::new(1, point, outcome, 0.0);
        log_entry(&entry)?;
        explorer.tell(&entry.point, entry.cost());
        entries.push(entry);
    }
    let bar = bar(args);
    let before = entries.last().map_or(0.0, |entry: &Entry| entry.at);
    let start = Instant::now();
    while !spent(args.budget, start, entries.len()) {
        let Some(point) = explorer.propose() else { break };
        let outcome = bench.outcome(&program.with(&space.fill(&point))?.print());
        let at = before + start.elapsed().as_secs_f64();
        let entry = Entry::new(entries.len() + 1, point, outcome, at);
        log_entry(&entry)?;
        explorer.tell(&entry.point, entry.cost());
        entries.push(entry);
        let best = explorer.best().map_or(f64::INFINITY, |(_, seconds)| seconds);
        bar.set_message(format!("{} points, best {}", entries.len(), report::rate(best, flops)));
        bar.set_position(match args.budget {
            Budget::Time(_) => start.elapsed().as_secs(),
            Budget::Points(_) => entries.len() as u64,
        });
    }
    bar.finish_and_clear();
    finish(args, (program, default), space, &bench, &entries, (reference.seconds, flops))
}

/// How many of the best are measured again
const CANDIDATES: usize = 3;
/// How often
const ROUNDS: usize = 3;

/// Confirm the best, say what was found, write the program
fn finish(
    args: &Args,
    (program, default): (&Program, &Draft),
    space: &ScheduleSpace<'_>,
    bench: &Bench,
    entries: &[Entry],
    (reference, flops): (f64, Option<f64>),
) -> Result<(), Diagnostic> {
    let mut ran: Vec<(&Entry, f64)> =
        entries.iter().filter_map(|entry| Some((entry, entry.cost()?))).collect();
    ran.sort_by(|a, b| a.1.total_cmp(&b.1));
    ran.truncate(CANDIDATES);
    // The machine was not the same at all times: the best ones and the chosen one again, side by side.
    let chosen = program.with(default)?.print();
    let mut again: Vec<Vec<f64>> = vec![Vec::new(); ran.len() + 1];
    for _ in 0..ROUNDS {
        for (n, times) in again.iter_mut().enumerate() {
            let text = match n.checked_sub(1) {
                None => chosen.clone(),
                Some(n) => program.with(&space.fill(&ran[n].0.point))?.print(),
            };
            times.extend(bench.run(&text).ok().map(|run| run.seconds));
        }
    }
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied()
    };
    let medians: Vec<Option<f64>> = again.iter_mut().map(median).collect();
    let reference = medians[0].unwrap_or(reference);
    let confirmed =
        ran.iter().zip(&medians[1..]).filter_map(|((entry, _), seconds)| Some((*entry, (*seconds)?)));
    let best = confirmed.min_by(|a, b| a.1.total_cmp(&b.1));
    print!("{}", report::summary(space, entries, best, reference, flops));
    let Some((best, _)) = best else {
        return Err(environment("no candidate ran; the log says why".into()));
    };
    match &args.output {
        Some(_) => {
            let text = program.with(&space.fill(&best.point))?.print();
            terrace_opt::write_output(args.output.as_deref(), text.as_bytes())
        }
        None => Ok(()),
    }
}

fn spent(budget: Budget, start: Instant, points: usize) -> bool {
    match budget {
        Budget::Time(time) => start.elapsed() >= time,
        Budget::Points(most) => points >= most,
    }
}

/// How candidates of a program run: its function, random arguments
fn bench(args: &Args, program: &Program, folder: &std::path::Path) -> Result<Bench, Diagnostic> {
    let runner =
        measure::runner().ok_or_else(|| environment("terrace-run is not beside terrace-tune".into()))?;
    let (entry, params, results) = program.function()?;
    let mut list =
        vec![format!("--entry={entry}"), format!("--on={}", args.on), format!("--bench={}", args.bench)];
    list.extend((0..params).map(|n| format!("--in={n}=random:{}", args.seed + n as u64)));
    if args.on == "interp" {
        // Else the computation would be interpreted as it is, whatever its schedule says.
        list.push(format!("--pipeline=func.func(mdh-schedule{{target={}}},mdh-to-sched)", args.target));
    }
    list.extend(args.threads.map(|threads| format!("--threads={threads}")));
    Ok(Bench {
        runner,
        args: list,
        results,
        timeout: args.timeout,
        folder: folder.into(),
        expected: Vec::new(),
    })
}

/// What a log says so far
fn resume(args: &Args, header: &Header) -> Result<Vec<Entry>, Diagnostic> {
    let Some(file) = args.log.as_deref().filter(|file| args.resume && std::path::Path::new(file).exists())
    else {
        return Ok(Vec::new());
    };
    let (found, entries) =
        log::read(&terrace_opt::read_input(file)?).map_err(|why| fail(format!("`{file}`: {why}")))?;
    if found.space != header.space || found.names != header.names {
        let error =
            fail(format!("`{file}` is the log of another search: {} is not {}", found.space, header.space));
        return Err(error.help("another program, schedule or set of open fields; give the log another name"));
    }
    Ok(entries)
}

/// The log to write to; its head and what is kept of it are there
fn open_log(args: &Args, header: &Header) -> Result<Option<std::fs::File>, Diagnostic> {
    let Some(file) = &args.log else { return Ok(None) };
    let fail =
        |error: std::io::Error| Diagnostic::error(&codes::WRITE, format!("cannot write `{file}`: {error}"));
    let path = std::path::Path::new(file);
    if path.exists() && !args.resume {
        let error = Diagnostic::error(&codes::WRITE, format!("`{file}` is there already"));
        return Err(error.help("go on with it: --resume; or give another name"));
    }
    let kept = if path.exists() { std::fs::read_to_string(path).map_err(fail)? } else { String::new() };
    // A last line that was cut off would join the next one.
    let whole = kept.rfind('\n').map_or(0, |end| end + 1);
    let mut log = OpenOptions::new().create(true).truncate(false).write(true).open(path).map_err(fail)?;
    log.set_len(whole as u64).map_err(fail)?;
    std::io::Seek::seek(&mut log, std::io::SeekFrom::End(0)).map_err(fail)?;
    if whole == 0 {
        log.write_all(header.line().as_bytes()).map_err(fail)?;
    }
    Ok(Some(log))
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

fn environment(why: String) -> Diagnostic {
    Diagnostic::error(&codes::BACKEND, why)
}
