//! Searching an array program: numbers of a space, and levels of maps.

use crate::args::{Args, Choose, Which};
use crate::call;
use crate::errors::environment;
use crate::measure::{self, Bench};
use crate::search::{self, Baseline, Search};
use crate::stop::Stop;
use crate::subject::{Chosen, Made, Subject};
use crate::technique::Technique;
use crate::trial;
use std::fmt::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};
use terrace_devices::Device;
use terrace_diag::{Diagnostic, Diags, Severity};
use terrace_dialect_func::Func;
use terrace_ir::symbols::{ScopeId, Symbols};
use terrace_ir::verify::verify;
use terrace_ir::{Context, Ir};
use terrace_lowering_array::memory;
use terrace_opt::Tool;
use terrace_pass::{Instrument, Pipeline};
use terrace_schedule_model::{Decision, Point};
use terrace_search_arrays::{ArraySpace, Levels, Program, Setup, choose, program};
use terrace_search_explore::Space;
use terrace_search_explore::log::Refused;
use terrace_search_mapping::Limits;
use terrace_search_mapping::{MapLevels, Options, Tag, Uses};
use terrace_search_schedules::{Refusal, Refusals};
use terrace_text::{ParseOptions, PrintOptions};

/// Runs of a candidate, unless the command line has another number
const RUNS: u32 = 3;

/// The longest time of the reference, as a multiple of that of a candidate
const PATIENCE: u32 = 20;

/// Read a file, if there is an array program in it
pub(crate) fn load(args: &Args, file: &str, cx: &Arc<Context>) -> Result<Option<Ir>, Diagnostic> {
    if !file.ends_with(".mlir") {
        return Ok(None);
    }
    let content = terrace_opt::read_input(file)?;
    let source = cx.sources().add(file, content);
    let mut diags = Diags::default();
    let read = terrace_opt::language::read(cx, source, None, &args.set, &ParseOptions::default(), &mut diags);
    // Mistakes are reported by the reader of the file.
    Ok(read.filter(|module| !diags.has_errors() && program::has_arrays(module)))
}

/// Run a pipeline and verify
pub(crate) fn run_passes(tool: Tool, module: &mut Ir, pipeline: &str) -> Result<(), Diagnostic> {
    let cx = module.cx_arc().clone();
    let mut diags = Diags::default();
    let first = |diags: &Diags, what: &str| {
        let error = diags.iter().find(|each| each.severity == Severity::Error).cloned();
        error.unwrap_or_else(|| environment(format!("{what} failed without a word")))
    };
    let parsed = Pipeline::parse(pipeline, &tool.registry, cx.sources(), &mut diags);
    let Ok(parsed) = parsed else { return Err(first(&diags, "the pipeline")) };
    let (report, result) = terrace_pass::run(module, &parsed, &Instrument::quiet(print));
    if result.is_err() {
        return Err(first(&report.diags, "a pass"));
    }
    let wrong = verify(module, 1);
    if wrong.has_errors() { Err(first(&wrong, "the verifier")) } else { Ok(()) }
}

pub(crate) fn print(ir: &Ir) -> String {
    let mut text = String::new();
    terrace_text::print(ir, &PrintOptions::default(), &mut text);
    text
}

fn misuse(why: impl Into<String>) -> Diagnostic {
    Diagnostic::error(&terrace_search_mapping::errors::SPACE, why.into())
}

/// Search the array program of a module
pub(crate) fn run(
    tool: Tool,
    args: &Args,
    module: &Ir,
    cx: &Arc<Context>,
    stop: &Stop,
    then: &mut dyn FnMut(Search<'_>) -> Result<(), Diagnostic>,
) -> Result<(), Diagnostic> {
    let wrong = verify(module, 1);
    if let Some(error) = wrong.iter().find(|each| each.severity == Severity::Error) {
        return Err(error.clone());
    }
    let schedules = args.schedule.is_some() || args.primitives.is_some() || args.auto || args.forms;
    if schedules || !args.free.is_empty() {
        return Err(misuse("--schedule, --auto, --forms and --free are for computations of `mdh`")
            .help("what is open in an array program are parameters of a `tune.space` and levels of maps"));
    }
    let mut sizes = std::collections::BTreeMap::new();
    for (name, value) in &args.set {
        let number = value.parse().ok().filter(|number: &i64| *number >= 0);
        let number = number.ok_or_else(|| misuse(format!("@{name} is a number from 0, not `{value}`")))?;
        sizes.insert(name.clone(), number);
    }
    let device = Device::find(args.target.as_deref().unwrap_or("host"))
        .map_err(|why| Diagnostic::error(&terrace_search_mapping::errors::MAPPING, why.to_string()))?;
    let by_hand = args.technique == Technique::Manual;
    let levels = match args.levels {
        _ if by_hand => Levels::Written,
        Which::Free => Levels::Free,
        Which::All => Levels::All,
        Which::Written => Levels::Written,
    };
    let passes = |module: &mut Ir, pipeline: &str| run_passes(tool, module, pipeline);
    let setup = Setup {
        module,
        entry: args.entry.as_deref(),
        space: args.space.as_deref(),
        sizes: sizes.clone(),
        fixes: args.fix.clone(),
        then: args.pipeline.clone(),
        options: options(args, &device)?,
        levels,
        run: &passes,
    };
    let program = Program::new(setup)?;
    let start = Instant::now();
    let clock = || start.elapsed().as_secs_f64();
    let space = ArraySpace::new(&program, &clock)?;
    let device = match args.threads {
        Some(threads) => Device { units: i64::from(threads), ..device.clone() },
        None => device,
    };
    let subject = Arrays { space, args, device, stop };
    let runs = args.bench.unwrap_or(RUNS);
    let Some(begun) = search::begin(args, &subject, stop, runs)? else { return Ok(()) };
    let folder = measure::folder()?;
    let chosen = if args.trials { None } else { subject.choose()? };
    let first = program.listed.spread(0, 1).unwrap_or_default();
    let sequential = subject.space.sequential(&subject.space.point_of(&first, &[]))?;
    let least = memory_of(&sequential, &program.entry).map(|memory| memory.least());
    let bench = subject.bench(folder.path())?;
    let reference = match &args.reference {
        Some(file) => subject.other(tool, file, &sizes, cx)?,
        None => print(&sequential),
    };
    let once = subject.once(&bench);
    if args.trials {
        return trial::lines(args, &subject, &bench, &once.reference(&reference));
    }
    let words = format!("the reference ({})", once.call.on);
    let baseline = Baseline { by: once, text: reference, words, is_chosen: false };
    let flops = args.flops.map(|flops| flops as f64);
    then(Search { subject: &subject, bench, baseline, chosen, flops, least, begun, store: None })
}

/// How mappings are chosen
fn options(args: &Args, device: &Device) -> Result<Options, Diagnostic> {
    let mut tags = Vec::new();
    for word in &args.tags {
        let all = || Tag::WORDS.iter().map(|(_, word)| *word);
        let tag = Tag::from_word(word).ok_or_else(|| {
            let near = terrace_diag::nearest(word, all());
            misuse(format!("`{word}` is no tag; did you mean `{}`?", near.unwrap_or("printed".into())))
        })?;
        tags.push(tag);
    }
    let levels = MapLevels::of(device);
    Ok(Options { uses: Uses::Scope, tags, levels, limits: Limits::of(device), ..Options::default() })
}

struct Arrays<'a> {
    space: ArraySpace<'a>,
    args: &'a Args,
    device: Device,
    stop: &'a Stop,
}

/// The function of a program
fn function_of<'a>(module: &'a Ir, entry: &str) -> Option<(&'a Ir, Symbols, ScopeId)> {
    let symbols = Symbols::read(module);
    let named = |unit: &&Ir| {
        let func = Func::cast(unit, unit.root());
        func.is_some_and(|func| func.sym_name(unit).as_str(unit.cx()) == Some(entry))
    };
    let unit = module.walk().filter_map(|op| module.child(op)).find(named)?;
    let scope = symbols.child_scope(symbols.root(), unit);
    Some((unit, symbols, scope))
}

/// Bytes of the function of a program
fn memory_of(module: &Ir, entry: &str) -> Option<memory::Memory> {
    let (unit, symbols, scope) = function_of(module, entry)?;
    memory::bytes(unit, &symbols, scope).ok()
}

impl Arrays<'_> {
    /// What to try first
    fn choose(&self) -> Result<Option<Chosen>, Diagnostic> {
        let saturate = self.args.choose == Choose::Saturate;
        let Some(choice) = choose::saturate(&self.space, &self.device).filter(|_| saturate) else {
            return Ok(None);
        };
        let text = print(&*self.space.make_program(&choice.point)?);
        let said = format!("chosen without measuring: {choice}\n{}\n", self.show(&choice.point).trim_end());
        terrace_opt::write_output(None, said.as_bytes())?;
        Ok(Some(Chosen { point: Some(choice.point), text, seconds: None }))
    }

    /// How candidates run: random arguments
    fn bench(&self, folder: &std::path::Path) -> Result<Bench, Diagnostic> {
        let program = self.space.program();
        let unit = program.base().child(program.slot());
        let func = unit.and_then(|unit| Some((unit, Func::cast(unit, unit.root())?)));
        let (params, results) = func.map_or((0, 0), |(unit, func)| {
            let (params, results) = func.types(unit);
            (params.len(), results.len())
        });
        let mut call = call::of(self.args, &program.entry, params, (0..results).collect());
        if self.args.on == "interp" {
            // Else the patterns would be interpreted as they are, whatever their levels.
            call.pipeline = Some("func.func(array-place,array-to-sched)".into());
        }
        let mut bench = Bench::new(self.args, call, self.args.bench.unwrap_or(RUNS), self.stop, folder)?;
        bench.timeout = self.args.timeout;
        Ok(bench)
    }

    /// How the reference runs: once, by the compiler for this CPU where there is one, else by the interpreter
    fn once(&self, bench: &Bench) -> Bench {
        let compiled = terrace_native_client::client::find().is_ok() && self.args.on != "interp";
        let on = if compiled { "host" } else { "interp" };
        let call = terrace_search_trials::Call { on: on.into(), pipeline: None, ..bench.call.clone() };
        bench.with(call, 1, (bench.timeout * PATIENCE).max(Duration::from_secs(60)))
    }

    /// Another program with the same arguments and results
    fn other(
        &self,
        tool: Tool,
        file: &str,
        sizes: &std::collections::BTreeMap<String, i64>,
        cx: &Arc<Context>,
    ) -> Result<String, Diagnostic> {
        let source = cx.sources().add(file, terrace_opt::read_input(file)?);
        let mut diags = Diags::default();
        let read = terrace_opt::language::read(
            cx,
            source,
            None,
            &self.args.set,
            &ParseOptions::default(),
            &mut diags,
        );
        if let Some(error) = diags.iter().find(|each| each.severity == Severity::Error) {
            return Err(error.clone());
        }
        let mut module = read.ok_or_else(|| misuse(format!("`{file}` holds no program")))?;
        let list: Vec<String> = sizes.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let bind = format!("array-expand,array-inline,func.func(array-bind{{sizes={}}})", list.join(","));
        run_passes(tool, &mut module, &bind)?;
        // It is called by the name of the program that is searched, since arguments of runs are.
        let entry = &self.space.program().entry;
        match memory_of(&module, entry) {
            Some(_) => Ok(print(&module)),
            None => Err(misuse(format!("`{file}` has no function @{entry} whose sizes are all given"))
                .help("the reference has the name and the arguments of the function that is searched")),
        }
    }
}

impl Subject for Arrays<'_> {
    fn space(&self) -> &dyn Space {
        &self.space
    }

    fn identity(&self) -> String {
        format!("{}\n{}", print(self.space.program().base()), self.space.program().identity())
    }

    fn nothing(&self) -> Diagnostic {
        misuse("nothing is open in the program")
    }

    fn empty(&self) -> Diagnostic {
        let refused = self.refusals();
        misuse(format!("no point was found{refused}"))
            .help("`terrace-opt --explain-mapping` says what is wrong with a mapping")
    }

    fn dry(&self, points: &[Point], drawn: usize) -> String {
        let mut text = String::new();
        let (numbers, mappings) = self.space.counts();
        let program = self.space.program();
        let names: Vec<String> = program.choice_names().iter().map(|name| format!("@{name}")).collect();
        if !names.is_empty() {
            let _ = writeln!(text, "{}: {numbers} points", names.join(" "));
        }
        let levels = self.space.names().len() - self.space.num_numbers();
        if let Some(mappings) = mappings {
            let with = if names.is_empty() { "" } else { " with the first numbers" };
            let _ = writeln!(text, "levels of {levels} maps: {mappings} mappings{with}");
        }
        let _ = writeln!(text, "{drawn} different points drawn{}", self.refusals());
        for point in points {
            let _ = write!(text, "\n{}", self.show(point));
        }
        text
    }

    fn refusals(&self) -> String {
        let all = self.space.refusals();
        let mut text = match all.values().sum::<usize>() {
            0 => String::new(),
            n => {
                let (most, times) = all.iter().max_by_key(|(_, n)| **n).map_or(("", &0), |(a, n)| (a, n));
                format!("; {n} choices of numbers have no mapped program ({times} of them: {most})")
            }
        };
        if self.args.technique == Technique::Reject {
            let found = self.space.rejections();
            let rate = |(drawn, kept): (u64, u64)| {
                format!("{kept} of {drawn}, {:.2e}", kept as f64 / (drawn.max(1)) as f64)
            };
            let _ = write!(text, "; accepted: numbers {}", rate(found.numbers));
            if found.levels.0 > 0 {
                let _ = write!(text, ", levels {}", rate(found.levels));
            }
            let mut rules: Vec<_> = found.rules.iter().collect();
            rules.sort_by_key(|(rule, n)| (u64::MAX - **n, *rule));
            let rules: Vec<String> = rules.iter().take(4).map(|(rule, n)| format!("{rule} {n}")).collect();
            if !rules.is_empty() {
                let _ = write!(text, "; refused most by: {}", rules.join("; "));
            }
        }
        text
    }

    fn refused(&self) -> Vec<Refused> {
        let mut all = Refusals::default();
        for (message, count) in self.space.refusals() {
            all.add_many(&Refusal::of(message), count);
        }
        all.list()
    }

    fn make(&self, point: &[Decision]) -> Result<Made, Diagnostic> {
        let module = self.space.make_program(point)?;
        let bytes = memory_of(&module, &self.space.program().entry).map(|memory| memory.total());
        Ok(Made { text: print(&module), bytes })
    }

    /// Samples without a solver are all measured: their cost is the question
    fn estimate(&self, point: &[Decision]) -> Option<f64> {
        if matches!(self.args.technique, Technique::Reject | Technique::Manual) {
            return None;
        }
        let module = self.space.make_program(point).ok()?;
        let (unit, symbols, scope) = function_of(&module, &self.space.program().entry)?;
        Some(choose::estimate(unit, &symbols, scope, &self.device)?.total)
    }

    fn show(&self, point: &[Decision]) -> String {
        let names = self.space.names();
        let numbers = self.space.num_numbers();
        let pair = |(name, value): (&String, &Decision)| match name.strip_prefix("m.") {
            Some(map) => format!("{map}={value}"),
            None => format!("{name}={value}"),
        };
        let (first, rest) =
            (names.iter().zip(point)).enumerate().partition::<Vec<_>, _>(|(n, _)| *n < numbers);
        let line = |part: Vec<(usize, (&String, &Decision))>| {
            let all: Vec<String> = part.into_iter().map(|(_, each)| pair(each)).collect();
            if all.is_empty() { String::new() } else { format!("  {}\n", all.join(" ")) }
        };
        line(first) + &line(rest)
    }

    fn take_spent(&self) -> (f64, f64) {
        self.space.take_spent()
    }
}
