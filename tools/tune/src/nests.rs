//! Searching what a nest of `sched` leaves open: levels, orders of loops, buffers.

use crate::args::Args;
use crate::arrays::{print, run_passes};
use crate::call;
use crate::measure::{self, Bench};
use crate::search::{self, Baseline, Search};
use crate::stop::Stop;
use crate::subject::{Chosen, Made, Subject};
use crate::technique::Technique;
use crate::trial;
use std::fmt::Write;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags};
use terrace_dialect_func::Func;
use terrace_dialect_sched::open::{self, Open};
use terrace_ir::{Context, Ir, TypeKind};
use terrace_opt::Tool;
use terrace_schedule_model::{Decision, Point};
use terrace_search_explore::Space;
use terrace_search_explore::log::Refused;
use terrace_search_schedules::{NestSpace, Refusal};
use terrace_text::ParseOptions;
use terrace_view::program::fail;

/// Runs of a candidate, unless the command line has another number
const RUNS: u32 = 5;

/// A module with the function whose nest is searched
pub(crate) struct Nest {
    module: Ir,
    entry: String,
    open: Vec<Open>,
    params: usize,
    results: Vec<usize>,
}

/// Read a file, if a function in it has a nest with something open
pub(crate) fn load(args: &Args, file: &str, cx: &Arc<Context>) -> Result<Option<Nest>, Diagnostic> {
    if !file.ends_with(".mlir") {
        return Ok(None);
    }
    let content = terrace_opt::read_input(file)?;
    let source = cx.sources().add(file, content);
    let mut diags = Diags::default();
    let read = terrace_opt::language::read(cx, source, None, &args.set, &ParseOptions::default(), &mut diags);
    // Mistakes are reported by the reader of the file.
    let Some(module) = read.filter(|_| !diags.has_errors()) else { return Ok(None) };
    let mut found = Vec::new();
    for unit in module.walk().filter_map(|op| module.child(op)) {
        let Some(func) = Func::cast(unit, unit.root()) else { continue };
        let name = func.sym_name(unit).as_str(cx).unwrap_or("").to_owned();
        let all = open::open(unit).map_err(|two| fail(two.to_string()).at(unit.span(two.op)))?;
        if all.is_empty() || args.entry.as_ref().is_some_and(|entry| *entry.trim_start_matches('@') != name) {
            continue;
        }
        let (inputs, results) = func.types(unit);
        let memory = |n: &usize| matches!(inputs[*n].kind(cx), TypeKind::MemRef { .. });
        let results = match results.len() {
            0 => (0..inputs.len()).filter(memory).collect(),
            n => (0..n).collect(),
        };
        found.push((name, all, inputs.len(), results));
    }
    match found.len() {
        0 => Ok(None),
        1 => {
            let (entry, open, params, results) = found.remove(0);
            Ok(Some(Nest { module, entry, open, params, results }))
        }
        _ => {
            let names: Vec<String> = found.iter().map(|(name, ..)| format!("@{name}")).collect();
            Err(fail(format!("which function? Say --entry=@NAME; there are {}", names.join(", "))))
        }
    }
}

/// With values put in
fn decided(tool: Tool, module: &Ir, values: &[(String, Decision)]) -> Result<Ir, Diagnostic> {
    let mut module = *module.clone_unit();
    let values: Vec<String> = values.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let pipeline = format!("func.func(sched-decide{{values={}}})", values.join(","));
    run_passes(tool, &mut module, &pipeline)?;
    Ok(module)
}

/// Search the nest of a function
pub(crate) fn run(
    tool: Tool,
    args: &Args,
    nest: &Nest,
    stop: &Stop,
    then: &mut dyn FnMut(Search<'_>) -> Result<(), Diagnostic>,
) -> Result<(), Diagnostic> {
    if args.schedule.is_some()
        || args.primitives.is_some()
        || args.auto
        || args.forms
        || !args.free.is_empty()
        || args.space.is_some()
    {
        let error = fail("the file holds a nest of `sched`, whose open fields are searched");
        return Err(error.help(
            "--schedule, --auto, --forms and --free are for computations, --space for array programs",
        ));
    }
    if matches!(args.technique, Technique::Reject | Technique::Manual) {
        return Err(fail("reject and manual are for functions on `!array.of`"));
    }
    let legal = |values: &[(String, Decision)]| match decided(tool, &nest.module, values) {
        Ok(_) => Ok(()),
        Err(error) => Err(Refusal::of(error.message)),
    };
    let space = NestSpace::new(nest.open.clone(), &legal);
    let subject = Nests { nest, space, tool };
    let runs = args.bench.unwrap_or(RUNS);
    let Some(begun) = search::begin(args, &subject, stop, runs)? else { return Ok(()) };
    let folder = measure::folder()?;
    let call = call::of(args, &nest.entry, nest.params, nest.results.clone());
    let mut bench = Bench::new(args, call, runs, stop, folder.path())?;
    bench.timeout = args.timeout;
    // What the text means as long as nothing is decided.
    let neutral = subject.space.neutral();
    let text = subject.make(&neutral)?.text;
    if args.trials {
        return trial::lines(args, &subject, &bench, &bench.reference(&text));
    }
    let baseline = Baseline::chosen(&bench, &text, "the nest as it stands");
    let chosen = Some(Chosen { point: Some(neutral), text, seconds: None });
    let flops = args.flops.map(|flops| flops as f64);
    then(Search { subject: &subject, bench, baseline, chosen, flops, least: None, begun, store: None })
}

struct Nests<'a> {
    nest: &'a Nest,
    space: NestSpace<'a>,
    tool: Tool,
}

impl Subject for Nests<'_> {
    fn space(&self) -> &dyn Space {
        &self.space
    }

    fn identity(&self) -> String {
        print(&self.nest.module)
    }

    fn nothing(&self) -> Diagnostic {
        fail("nothing is open in the nest").help("write `: @m`, `perm @p` or `when @b` in it")
    }

    fn empty(&self) -> Diagnostic {
        fail(format!("S-EMPTY: no nest is left{}", self.refusals()))
    }

    fn dry(&self, points: &[Point], _: usize) -> String {
        let mut text = String::new();
        for open in &self.nest.open {
            let values: Vec<String> = open.values().iter().map(Decision::to_string).collect();
            let _ = writeln!(text, "@{} is one of {}", open.name, values.join(" "));
        }
        for point in points {
            let _ = writeln!(text, "{}", self.show(point));
        }
        text
    }

    fn refusals(&self) -> String {
        let refused = self.space.refusals();
        if refused.total() == 0 { String::new() } else { format!("; refused: {refused}") }
    }

    fn refused(&self) -> Vec<Refused> {
        self.space.refusals().list()
    }

    fn make(&self, point: &[Decision]) -> Result<Made, Diagnostic> {
        let module = decided(self.tool, &self.nest.module, &self.space.values_of(point));
        module.map(|module| Made { text: print(&module), bytes: None })
    }

    fn show(&self, point: &[Decision]) -> String {
        Point::named(point, &self.space.names(), ",")
    }
}
