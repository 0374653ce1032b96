//! Run a function of an IR file on arrays, on any back end, and compare: the driver behind `terrace-run`.
//!
//! The file's own signature (tensors, memrefs, numbers) is what the command line talks about; what lowering makes of it is
//! mapped back. Exit codes: 0; 1 for a diagnosed error or results that do not agree; 2 for misuse of the command line.
//! Output files are checked before anything runs and written whole or not at all; none is written if results do not agree.
//! Links no vendor library.

mod agree;
mod args;
mod arrays;
mod bound;
mod data;
mod flops;
mod measure;
mod on;
mod records;
mod report;
mod sizes;

pub use on::{Misused, Ran, Request, run_on};

use agree::Bounds;
use args::{Args, ArrayFile, Bound};
use std::cell::Cell;
use std::process::ExitCode;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags};
use terrace_dialect_tune as tune;
use terrace_ir::Context;
use terrace_ir::verify::verify;
use terrace_opt::language::{Content, Program};
use terrace_opt::{Tool, codes};
use terrace_pass::Pipeline;
use terrace_target_api::{
    Failed, Job, Limits, Outcome, Signature, SlotId, Target, Workers, find, lower_with,
};

/// Run the tool on the process's arguments
pub fn main(tool: Tool) -> ExitCode {
    let args = match terrace_opt::command_line::<Args>() {
        Ok(args) => args,
        Err(code) => return code,
    };
    begin_anew(&args);
    let cx = match tool.start() {
        Ok(cx) => cx,
        Err(code) => return code,
    };
    let mut diags = Diags::default();
    let text = match run(tool, &args, &cx, &mut diags) {
        Ok(text) => text,
        Err(Failed(errors)) => {
            for error in errors {
                let _ = diags.emit(error);
            }
            String::new()
        }
    };
    let code = terrace_opt::finish(&cx, &diags);
    let Err(error) = terrace_opt::write_output(None, text.as_bytes()) else { return code };
    let mut diags = Diags::default();
    let _ = diags.emit(error);
    terrace_opt::finish(&cx, &diags)
}

/// Start this program in place of itself where a back end wants variables of the environment that it lacks
fn begin_anew(args: &Args) {
    let targets = args.compare.iter().chain(std::iter::once(&args.on));
    let variables: Vec<_> = targets.flat_map(|target| target.environment()).collect();
    let Some(exe) = std::env::current_exe().ok().filter(|_| !variables.is_empty()) else { return };
    let mut command = std::process::Command::new(exe);
    command.args(std::env::args_os().skip(1)).envs(variables);
    // Without it the driver is not found, and that is said.
    #[cfg(unix)]
    let _ = std::os::unix::process::CommandExt::exec(&mut command);
}

/// Threads of a subgroup on a device; of a device that is not named 32
fn subgroup(device: Option<&str>) -> Result<u64, Diagnostic> {
    let Some(device) = device else { return Ok(32) };
    let found = terrace_devices::Device::find(device).map_err(|why| {
        let error = Diagnostic::error(&terrace_target_api::codes::ARGUMENT, why.to_string());
        error.help("a device is one of those that `mdh-schedule` knows, or a file that ends in `.toml`")
    })?;
    Ok(found.warp.max(1).unsigned_abs())
}

/// What standard output gets; errors are in `diags` or returned
fn run(tool: Tool, args: &Args, cx: &Arc<Context>, diags: &mut Diags) -> Result<String, Failed> {
    let content = terrace_opt::read_program(&args.file, args.input.as_deref())?;
    let limits = Limits::each(std::time::Duration::from_secs(args.time_limit));
    let how = How { limits, stop_ns: None, workers: &Workers::default() };
    let Some(done) = carry_out(tool, args, content, how, cx, diags)? else { return Ok(String::new()) };
    let Done { mut text, outcome, slots, whole, .. } = done;
    let Some(outcome) = outcome.filter(|_| !diags.has_errors()) else { return Ok(text) };
    for (slot, file) in slots.iter().zip(&done.files) {
        if let Some(array) = outcome.arrays.iter().find(|array| array.slot == *slot) {
            data::write(array, file)?;
        }
    }
    for file in whole {
        file.write(&outcome.arrays)?;
    }
    if args.outputs.is_empty() && args.compare.is_empty() && args.bench.is_none() {
        text.push_str(&report::values(&outcome.arrays));
    }
    Ok(text)
}

/// What the command line does not say of a run
struct How<'a> {
    limits: Limits,
    stop_ns: Option<u64>,
    workers: &'a Workers,
}

/// A run that came to its end
struct Done {
    /// Times, and how results compare
    text: String,
    /// Of the first back end
    outcome: Option<Outcome>,
    source: Signature,
    flops: Option<u64>,
    lowering_ns: u64,
    /// Arrays that go into files, and these
    slots: Vec<SlotId>,
    files: Vec<ArrayFile>,
    whole: Vec<records::RecordFile>,
}

/// Lower and run a program; `None` if that failed with messages
fn carry_out(
    tool: Tool,
    args: &Args,
    content: Content,
    how: How<'_>,
    cx: &Arc<Context>,
    diags: &mut Diags,
) -> Result<Option<Done>, Failed> {
    let Some(Program { mut ir, weights }) = load(args, content, cx, diags) else { return Ok(None) };
    let threads = args.threads.map_or_else(default_threads, usize::from);

    let records = records::open(&mut ir, args.entry.as_deref())?;
    let (unit, entry) = find(&ir, args.entry.as_deref())?;
    let flops = args.flops.or_else(|| flops::of(unit));
    let source = Signature::of(unit, entry)?;
    let inputs = data::inputs(&source, &records::bindings(&records, &args.inputs), &args.shapes, &weights)?;
    let (files, whole) = records::files(&records, &args.outputs);
    let slots = data::plan_outputs(&source, &files)?;
    arrays::bind(&mut ir, &source, &inputs);
    sizes::bind(&mut ir, &source, &inputs)?;
    let (unit, entry) = find(&ir, Some(&source.entry))?;
    let source = Signature::of(unit, entry)?;
    let scheduling = args.scheduling();
    args.records.check()?;
    if scheduling.records.is_some() && !records_apply(tool, args, cx) {
        let said = "`--records` says nothing here: nothing in this run chooses schedules";
        let _ = diags.emit(Diagnostic::warning(None, said).help("`--on=host` does, and other compilers do"));
    }
    let start = std::time::Instant::now();
    if lower_with(&tool.registry, &mut ir, &args.pipeline, (threads, &scheduling), diags).is_none() {
        return Ok(None);
    }
    // What was open is decided or a mistake; a space itself has no form in code.
    let spaces: Vec<_> = ir.walk().filter(|op| ir.is(*op, tune::Space::DEF)).collect();
    spaces.into_iter().for_each(|space| ir.erase(space));
    let lowering_ns = Cell::new(u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX));
    let (unit, entry) = find(&ir, Some(&source.entry))?;
    let lowered = Signature::of(unit, entry)?;

    let job = Job {
        registry: &tool.registry,
        ir: &ir,
        source: &source,
        signature: &lowered,
        inputs: &inputs,
        bench: args.bench.map(measure::first),
        threads,
        scheduling: &scheduling,
        fuel: args.fuel,
        limits: how.limits,
        workers: how.workers,
        stop_ns: how.stop_ns,
        order: args.order,
        subgroup: subgroup(args.device.as_deref())?,
        lowering_ns: &lowering_ns,
    };
    let mut text = String::new();
    let outcome = on_each(args, &job, flops, &mut text, diags)?;
    Ok(Some(Done { text, outcome, flops, lowering_ns: lowering_ns.get(), slots, files, whole, source }))
}

/// Run on every back end of the command line and compare with the first, whose outcome this is
fn on_each(
    args: &Args,
    job: &Job<'_>,
    flops: Option<u64>,
    text: &mut String,
    diags: &mut Diags,
) -> Result<Option<Outcome>, Failed> {
    let targets: &[&dyn Target] = if args.compare.is_empty() { &[args.on] } else { &args.compare };
    let mut first: Option<Outcome> = None;
    let mut bounds: Option<Bounds> = None;
    for target in targets {
        let outcome = measure::run(job, *target, args.bench)?;
        let (name, reference_name) = (target.name(), targets[0].name());
        if args.bench.is_some() {
            let lowering_ns = job.lowering_ns.get();
            text.push_str(&report::times(name, &job.source.entry, &outcome, flops, lowering_ns));
        }
        if let Some(cycles) = outcome.cycles {
            text.push_str(&report::cycles(name, cycles));
        }
        let Some(reference) = &first else {
            first = Some(outcome);
            continue;
        };
        if bounds.is_none() {
            bounds = Some(match args.tolerance {
                Bound::Auto => bound::bounds(job, targets[0], &reference.arrays)?,
                Bound::Fixed { abs, rel } => Bounds::Fixed { abs, rel },
            });
        }
        let Some(bounds) = &bounds else { continue };
        let verdict = agree::compare_runs(&outcome.arrays, &reference.arrays, bounds)?;
        for line in &verdict.lines {
            text.push_str(&format!("{name} and {reference_name}: {line}\n"));
        }
        if !verdict.agrees {
            let message = format!("`{name}` and `{reference_name}` give different results");
            let _ = diags.emit(Diagnostic::error(&codes::DISAGREE, message));
        }
    }
    Ok(first)
}

/// Does a pipeline of this run apply records?
fn records_apply(tool: Tool, args: &Args, cx: &Context) -> bool {
    let targets = args.compare.iter().chain(std::iter::once(&args.on));
    let texts = targets.filter_map(|target| target.pipeline()).chain(std::iter::once(args.pipeline.as_str()));
    let applies = |text: &str| {
        let parsed = Pipeline::parse(text, &tool.registry, cx.sources(), &mut Diags::default());
        // Setting what is set already counts the steps.
        parsed.is_ok_and(|mut pipeline| {
            pipeline.set("mdh-apply-records", "from", "").is_ok_and(|steps| steps > 0)
        })
    };
    texts.into_iter().any(applies)
}

fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Read, parse, verify; `None` if that failed with messages
fn load(args: &Args, content: Content, cx: &Arc<Context>, diags: &mut Diags) -> Option<Program> {
    let name = if args.file == "-" { "<stdin>" } else { &args.file };
    let program = terrace_opt::language::load(
        cx,
        name,
        content,
        args.input.as_deref(),
        &args.set,
        &terrace_text::ParseOptions::default(),
        diags,
    )?;
    if !diags.has_errors() {
        diags.append(verify(&program.ir, 1));
    }
    Some(program).filter(|_| !diags.has_errors())
}
