//! Searching schedules by measuring them: the driver behind `terrace-tune`.
//!
//! The space is what open fields stand for (`search/schedules`), the technique that of `search/explore`; a candidate is legal if
//! `mdh-to-sched` carries it out and the result verifies. Each is run by `terrace-run` in a process of its own.

mod args;
mod curves;
mod figures;
mod layers;
mod logs;
mod measure;
mod pareto;
mod report;
mod search;

use args::{Args, Free};
use clap::Parser;
use std::process::ExitCode;
use std::sync::Arc;
use terrace_devices::Device;
use terrace_diag::{Diagnostic, Diags, render_all};
use terrace_dialect_mdh::schedule::{Draft, Schedule, Token};
use terrace_ir::Context;
use terrace_opt::Tool;
use terrace_search_schedules::ScheduleSpace;
use terrace_view::program::{Program, fail, read_schedule};

/// Run the tool on the process's arguments
pub fn main(tool: Tool) -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let cx = Context::new(&(tool.dialects)());
    let mut diags = Diags::default();
    if let Err(error) = run(tool, &args, &cx, &mut diags) {
        let _ = diags.emit(error);
    }
    eprint!("{}", render_all(diags.iter(), cx.sources(), false));
    ExitCode::from(u8::from(diags.has_errors()))
}

fn run(tool: Tool, args: &Args, cx: &Arc<Context>, diags: &mut Diags) -> Result<(), Diagnostic> {
    let Some(file) = &args.file else { return args.logs.answer(args.output.as_deref()) };
    let device = Device::find(&args.target).map_err(fail)?;
    let Some(program) = Program::load(cx, file, args.compute.as_deref(), &args.set, diags)? else {
        return Ok(());
    };
    let mut chosen = program.without_schedule()?;
    let choose = format!("func.func(mdh-schedule{{target={}}})", args.target);
    if chosen.lower(tool, &choose, diags).is_none() {
        return Ok(());
    }
    let default = chosen.document()?.draft;
    let document = program.document()?;
    let (dims, ins, outs) = (document.dims.len(), document.ins.len(), document.outs.len());
    let mut draft = match &args.schedule {
        _ if args.auto => terrace_search_schedules::auto(&device, dims, ins, outs),
        Some(file) => read_schedule(cx, file, &document, diags)?,
        None if !document.draft.steps.is_empty() => document.draft.clone(),
        None => default.clone(),
    };
    open(&mut draft, &args.free);
    let legal = |schedule: &Schedule| legal(tool, &program, schedule);
    let extents = document.dims.iter().map(|dim| dim.size).collect();
    let space = ScheduleSpace::new(draft, extents, &device, &legal).map_err(|error| fail(error.message))?;
    search::search(args, &program, &space, &default)
}

/// Leave fields open; a tail stays
fn open(draft: &mut Draft, kinds: &[Free]) {
    let open = |token: &mut Token| {
        let tail = token.text.find('~').map_or(String::new(), |at| token.text[at..].to_owned());
        *token = Token::new(format!("?{tail}"));
    };
    for step in &mut draft.steps {
        for kind in kinds {
            match kind {
                // `^` stays: a step speaks of the dimensions that it tiles.
                Free::Size => step.sizes.iter_mut().filter(|size| !size.text.starts_with('^')).for_each(open),
                Free::Core => step.cores.iter_mut().filter(|core| core.text != "^").for_each(open),
                Free::Region => {
                    step.ins.iter_mut().chain(&mut step.outs).for_each(|entry| open(&mut entry.region));
                }
                Free::Label => open(&mut step.label),
            }
        }
    }
}

/// Can it be carried out? The error begins with its rule
fn legal(tool: Tool, program: &Program, schedule: &Schedule) -> Result<(), String> {
    let mut candidate = program.with(&Draft::from(schedule)).map_err(|error| error.message.clone())?;
    let mut diags = Diags::default();
    match candidate.lower(tool, "func.func(mdh-to-sched)", &mut diags) {
        Some(()) => Ok(()),
        None => {
            let message = diags.iter().next().map_or(String::new(), |error| error.message.clone());
            // The rule's name stands somewhere in it: `'mdh.compute' op S-DIV: 7 does not …`.
            let is_rule = |word: &&str| {
                word.len() > 3 && word.ends_with(':') && word.starts_with(|c: char| c.is_ascii_uppercase())
            };
            let rule = message.split_whitespace().find(is_rule);
            Err(format!("{} {message}", rule.unwrap_or("other:")))
        }
    }
}
