//! Several computations that share a budget. Each is a search of its own, with a log of its own; rounds of points go where they are
//! worth most ([`terrace_search_explore::share`]).
//!
//! Everything is made ready and checked before anything is measured. What a search borrows lives on the stack of whoever opened it, so
//! the next one is opened from within.

mod rounds;
mod said;
mod tasks;

pub(crate) use tasks::{Task, tasks};

use crate::args::{Args, Budget};
use crate::errors::environment;
use crate::finish::{Reached, enough};
use crate::open;
use crate::progress::Progress;
use crate::search::{Prepared, Search};
use crate::stop::Stop;
use rounds::Rounds;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags};
use terrace_ir::Context;
use terrace_opt::Tool;

/// A computation that is ready to be searched
struct Opened<'a> {
    task: &'a Task,
    search: Search<'a>,
}

/// One that takes part in rounds, and those that are the same but for names
struct Distinct<'a> {
    first: Opened<'a>,
    others: Vec<Opened<'a>>,
}

impl Distinct<'_> {
    /// How often it counts
    fn weight(&self) -> f64 {
        self.first.task.weight + self.others.iter().map(|other| other.task.weight).sum::<f64>()
    }
}

/// What is the same for all that are opened
struct Opener<'a> {
    tool: Tool,
    /// Those of the command line
    args: &'a Args,
    cx: &'a Arc<Context>,
    stop: &'a Stop,
}

/// Search all
pub(crate) fn run(
    tool: Tool,
    args: &Args,
    tasks: &[Task],
    cx: &Arc<Context>,
    stop: &Stop,
    diags: &mut Diags,
) -> Result<(), Diagnostic> {
    let opener = Opener { tool, args, cx, stop };
    if !args.dry_run && !args.trials {
        return opener.open(tasks, Vec::new(), diags);
    }
    // Nothing is measured: one after the other.
    for task in tasks {
        if args.dry_run {
            terrace_opt::write_output(None, format!("{}:\n", task.name).as_bytes())?;
        }
        let opened = open::open(tool, &task.args, &task.file, cx, stop, diags, &mut |_, _| Ok(()));
        opened.map_err(|error| error.note(task.words()))?;
    }
    Ok(())
}

impl Opener<'_> {
    /// Open what is left, and search when all are open
    fn open(&self, left: &[Task], opened: Vec<Opened<'_>>, diags: &mut Diags) -> Result<(), Diagnostic> {
        let Some((task, left)) = left.split_first() else { return self.search(opened) };
        let mut opened = Some(opened);
        let mut is_inside = false;
        let Opener { tool, cx, stop, .. } = *self;
        let done = open::open(tool, &task.args, &task.file, cx, stop, diags, &mut |search, diags| {
            is_inside = true;
            let mut all: Vec<Opened<'_>> = opened.take().unwrap_or_default();
            all.push(Opened { task, search });
            self.open(left, all, diags)
        });
        // What went wrong further inside has its own words.
        done.map_err(|error| if is_inside { error } else { error.note(task.words()) })
    }

    /// Search those that are open
    fn search(&self, opened: Vec<Opened<'_>>) -> Result<(), Diagnostic> {
        let mut all = distinct(opened);
        check_budget(self.args, all.len())?;
        share_engine(&mut all);
        terrace_opt::write_output(None, said::same(&all).as_bytes())?;
        for one in &mut all {
            one.first.search.refer().map_err(|error| error.note(one.first.task.words()))?;
        }
        let prepared: Vec<Prepared<'_>> =
            all.iter().map(|one| Prepared::new(&one.first.task.args, &one.first.search)).collect();
        self.stop.start();
        let mut running = Vec::new();
        for (one, prepared) in all.iter().zip(&prepared) {
            let begun = prepared.begin(&one.first.task.name);
            running.push(begun.map_err(|error| error.note(one.first.task.words()))?);
        }
        let used = running.iter().map(|running| running.entries().len()).sum();
        let progress = Progress::new(self.args.budget, self.stop, used);
        self.stop.start();
        let mut rounds = Rounds::new(self.args, &all, &running);
        let went = rounds.run(&mut running, &progress);
        progress.clear();
        went?;
        let enough = enough(self.args.budget) / u32::try_from(all.len()).unwrap_or(u32::MAX).max(1);
        let mut reached: Vec<Option<Reached>> = Vec::new();
        let mut failed = None;
        for (one, running) in all.iter().zip(running) {
            terrace_opt::write_output(None, format!("\n{}:\n", one.first.task.name).as_bytes())?;
            match running.finish(enough) {
                Ok(found) => {
                    one.write_others(&found)?;
                    reached.push(Some(found));
                }
                // The others keep what they have found.
                Err(error) => {
                    failed = failed.or(Some(error.note(one.first.task.words())));
                    reached.push(None);
                }
            }
        }
        let points = rounds.points();
        terrace_opt::write_output(None, said::table(&all, &points, &reached).as_bytes())?;
        failed.map_or(Ok(()), Err)
    }
}

impl Distinct<'_> {
    /// The programs of those that are the same, with the best point of the first
    fn write_others(&self, found: &Reached) -> Result<(), Diagnostic> {
        for Opened { task, search } in &self.others {
            if let Some(output) = &task.args.output {
                let made = search.subject.make(&found.point)?;
                terrace_opt::write_output(Some(output), made.text.as_bytes())?;
            }
        }
        Ok(())
    }
}

/// Computations that differ, each with those that are the same
fn distinct(opened: Vec<Opened<'_>>) -> Vec<Distinct<'_>> {
    let mut all: Vec<Distinct<'_>> = Vec::new();
    for one in opened {
        let key = one.search.subject.key();
        match all.iter_mut().find(|known| known.first.search.subject.key() == key) {
            Some(known) => known.others.push(one),
            None => all.push(Distinct { first: one, others: Vec::new() }),
        }
    }
    all
}

/// The same workers measure the candidates of all
fn share_engine(all: &mut [Distinct<'_>]) {
    let Some((first, others)) = all.split_first_mut() else { return };
    for other in others {
        other.first.search.measure_with(&first.first.search);
    }
}

/// A budget that is less than a point for each is none
fn check_budget(args: &Args, count: usize) -> Result<(), Diagnostic> {
    match args.budget {
        Budget::Points(points) if points < count => Err(environment(format!(
            "a budget of {points} points is less than one for each of {count} computations"
        ))),
        _ => Ok(()),
    }
}
