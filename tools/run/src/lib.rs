//! Run a function of an IR file on arrays, on any back end, and compare: the driver behind `terrace-run`.
//!
//! The file's own signature (tensors, memrefs, numbers) is what the command line talks about; what lowering makes of it is
//! mapped back. Exit codes: 0; 1 for a diagnosed error or results that do not agree; 2 for misuse of the command line.
//! Output files are checked before anything runs and written whole or not at all; none is written if results do not agree.
//! Links no vendor library (design.md §8.9).

mod agree;
mod args;
mod arrays;
mod bound;
mod data;
mod device;
mod flops;
mod interp;
mod job;
mod measure;
mod names;
mod openmp;
mod records;
mod report;
mod signature;
mod sizes;
mod worker;

use agree::Bounds;
use args::{Args, Backend, Bound};
use job::{Failed, Job, Outcome};
use signature::Signature;
use std::cell::Cell;
use std::process::ExitCode;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags};
use terrace_ir::verify::verify;
use terrace_ir::{Context, Ir};
use terrace_opt::{Tool, codes};
use terrace_pass::{Instrument, Pipeline};
use terrace_text::{ParseOptions, PrintOptions};

/// Run the tool on the process's arguments
pub fn main(tool: Tool) -> ExitCode {
    terrace_native_client::orphan::end_with_input();
    let args = match terrace_opt::command_line::<Args>() {
        Ok(args) => args,
        Err(code) => return code,
    };
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

/// Threads of a subgroup on a device; of a device that is not named 32
fn subgroup(device: Option<&str>) -> Result<u64, Diagnostic> {
    let Some(device) = device else { return Ok(32) };
    let found = terrace_devices::Device::find(device).map_err(|why| {
        let error = Diagnostic::error(&codes::ARGUMENT, why);
        error.help("a device is one of those that `mdh-schedule` knows, or a file that ends in `.toml`")
    })?;
    Ok(found.warp.max(1).unsigned_abs())
}

/// What standard output gets; errors are in `diags` or returned
fn run(tool: Tool, args: &Args, cx: &Arc<Context>, diags: &mut Diags) -> Result<String, Failed> {
    let mut text = String::new();
    let Some(mut ir) = load(args, cx, diags)? else { return Ok(text) };
    let threads = args.threads.map_or_else(default_threads, usize::from);

    let records = records::open(&mut ir, args.entry.as_deref())?;
    let (unit, entry) = signature::find(&ir, args.entry.as_deref())?;
    let flops = args.flops.or_else(|| flops::of(unit));
    let source = Signature::of(unit, entry)?;
    let inputs = data::inputs(&source, &records::bindings(&records, &args.inputs), &args.shapes)?;
    let (outputs, whole) = records::targets(&records, &args.outputs);
    let places = data::plan_outputs(&source, &outputs)?;
    arrays::bind(&mut ir, &source, &inputs.buffers);
    sizes::bind(&mut ir, &source, &inputs.buffers)?;
    let (unit, entry) = signature::find(&ir, Some(&source.entry))?;
    let source = Signature::of(unit, entry)?;
    let start = std::time::Instant::now();
    if lower(tool, &mut ir, &args.pipeline, threads, diags).is_none() {
        return Ok(text);
    }
    // What was open is decided or a mistake; a space itself has no form in code.
    let spaces: Vec<_> = ir.walk().filter(|op| ir.op_name(*op) == "tune.space").collect();
    spaces.into_iter().for_each(|space| ir.erase(space));
    let lowering_ns = Cell::new(u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX));
    let (unit, entry) = signature::find(&ir, Some(&source.entry))?;
    let lowered = Signature::of(unit, entry)?;

    let job = Job {
        tool,
        ir: &ir,
        source: &source,
        signature: &lowered,
        inputs: &inputs.buffers,
        bench: args.bench.map(measure::first),
        threads,
        fuel: args.fuel,
        limit: std::time::Duration::from_secs(args.time_limit),
        order: args.order,
        subgroup: subgroup(args.device.as_deref())?,
        lowering_ns: &lowering_ns,
    };
    let backends: &[Backend] = if args.compare.is_empty() { &[args.on] } else { &args.compare };
    let mut first: Option<Outcome> = None;
    let mut bounds: Option<Bounds> = None;
    for backend in backends {
        let outcome = measure::run(&job, *backend, args.bench)?;
        if args.bench.is_some() {
            text.push_str(&report::times(*backend, &source.entry, &outcome, flops, lowering_ns.get()));
        }
        let Some(reference) = &first else {
            first = Some(outcome);
            continue;
        };
        if bounds.is_none() {
            bounds = Some(match args.tolerance {
                Bound::Auto => bound::bounds(&job, backends[0], &reference.arrays)?,
                Bound::Fixed { abs, rel } => Bounds::Fixed { abs, rel },
            });
        }
        let Some(bounds) = &bounds else { continue };
        let verdict = agree::compare_runs(&outcome.arrays, &reference.arrays, bounds)?;
        for line in &verdict.lines {
            text.push_str(&format!("{} and {}: {line}\n", backend.name(), backends[0].name()));
        }
        if !verdict.agrees {
            let message = format!("`{}` and `{}` give different results", backend.name(), backends[0].name());
            let _ = diags.emit(Diagnostic::error(&codes::DISAGREE, message));
        }
    }
    let Some(outcome) = first.filter(|_| !diags.has_errors()) else { return Ok(text) };
    for (place, target) in places.iter().zip(&outputs) {
        if let Some(array) = outcome.arrays.iter().find(|array| array.place == *place) {
            data::write(array, target)?;
        }
    }
    for target in whole {
        target.write(&outcome.arrays)?;
    }
    if args.outputs.is_empty() && args.compare.is_empty() && args.bench.is_none() {
        text.push_str(&report::values(&outcome.arrays));
    }
    Ok(text)
}

fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Read, parse, verify; `None` if that failed with messages
fn load(args: &Args, cx: &Arc<Context>, diags: &mut Diags) -> Result<Option<Ir>, Diagnostic> {
    let content = terrace_opt::read_input(&args.file)?;
    let name = if args.file == "-" { "<stdin>" } else { &args.file };
    let source = cx.sources().add(name, content);
    let options = ParseOptions::default();
    let ir = terrace_opt::language::read(cx, source, args.input.as_deref(), &args.set, &options, diags);
    let Some(ir) = ir else { return Ok(None) };
    if !diags.has_errors() {
        diags.append(verify(&ir, 1));
    }
    Ok(Some(ir).filter(|_| !diags.has_errors()))
}

/// Run a pipeline and verify; `None` if that failed with messages
fn lower(tool: Tool, ir: &mut Ir, text: &str, threads: usize, diags: &mut Diags) -> Option<()> {
    let pipeline = Pipeline::parse(text, &tool.registry, ir.cx_arc().clone().sources(), diags).ok()?;
    if pipeline.steps.is_empty() {
        return Some(());
    }
    let instrument = Instrument {
        threads,
        ..Instrument::quiet(|ir| {
            let mut text = String::new();
            terrace_text::print(ir, &PrintOptions::default(), &mut text);
            text
        })
    };
    let (report, result) = terrace_pass::run(ir, &pipeline, &instrument);
    diags.append(report.diags);
    result.ok()?;
    diags.append(verify(ir, threads));
    (!diags.has_errors()).then_some(())
}
