//! Searching what is open in a program by measuring: the driver behind `terrace-tune`.
//!
//! The space is what open fields of a schedule stand for (`search/schedules`), or the numbers and levels of an array program
//! (`search/arrays`); the technique is one of `search/explore` or `search/learn`. Candidates are measured by a worker, another process of
//! this tool that stays from one to the next ([`worker`]).

mod args;
mod arrays;
mod call;
mod confirm;
mod curves;
mod elsewhere;
mod engine;
mod errors;
mod figures;
mod finish;
mod forms;
mod hyperqueue;
mod keep;
mod layers;
mod local;
mod logs;
mod measure;
mod nests;
mod open;
mod page;
mod pareto;
mod progress;
mod recorded;
mod records;
mod report;
mod resume;
mod schedules;
mod search;
mod stop;
mod subject;
mod technique;
mod together;
mod trial;
mod tried;
mod under_way;
mod warm;
mod worker;
mod written;

use args::{Args, Command};
use std::process::ExitCode;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags};
use terrace_ir::Context;
use terrace_opt::Tool;

/// Run the tool on the process's arguments
pub fn main(tool: Tool) -> ExitCode {
    let (mut interrupted, mut down) = (false, false);
    let code = tool.drive(|args: &Args, cx, diags| {
        let stop = stop::Stop::new(args.budget);
        let done = run(tool, args, cx, &stop, diags);
        (interrupted, down) = (stop.interrupted(), stop.gave_up());
        done
    });
    match (interrupted, down) {
        (true, _) => ExitCode::from(stop::INTERRUPTED),
        (_, true) => ExitCode::from(stop::DOWN),
        _ => code,
    }
}

fn run(
    tool: Tool,
    args: &Args,
    cx: &Arc<Context>,
    stop: &stop::Stop,
    diags: &mut Diags,
) -> Result<(), Diagnostic> {
    if let Some(Command::Worker(serving)) = &args.command {
        if serving.warm {
            return warm::relay();
        }
        if let Some(place) = &serving.stays {
            return warm::stay(place, stop);
        }
        let about = serving.about.then(resume::here).transpose()?;
        return worker::serve(tool, serving, about);
    }
    if let Some(Command::Trial { file, warm }) = &args.command {
        // Signals end it at once, also while it waits for a line: every answer is written whole.
        return trial::answer(file.as_deref(), *warm, stop);
    }
    if let Some(Command::Records { what }) = &args.command {
        return records::manage(what, diags);
    }
    args.check_places()?;
    let Some(file) = args.files.first() else { return args.logs.answer(args.output.as_deref()) };
    if args.budget.is_nothing() && !args.dry_run {
        return Err(terrace_view::program::fail("a budget of nothing: no point can be measured")
            .help("--dry-run shows what there is to search"));
    }
    let tasks = together::tasks(args, cx)?;
    // A search of hours must not end in a place that cannot be written.
    let output = args.output.as_deref().filter(|file| *file != "-" && tasks.is_empty());
    output.map_or(Ok(()), terrace_opt::check_output)?;
    stop.listen().map_err(|error| errors::environment(format!("signals cannot be seen: {error}")))?;
    if !tasks.is_empty() {
        return together::run(tool, args, &tasks, cx, stop, diags);
    }
    open::open(tool, args, file, cx, stop, diags, &mut |search, _| search::search(args, search))
}
