//! From a wrong result to the rewrite that made it.
//!
//! [`explain`] runs a program in the interpreter before and after each pass of a pipeline. In the first pass after which a call
//! does something else it bisects the number of applications, and then reduces the program as long as the same rule makes a
//! difference. Passes that fail are explained likewise. Where the program cannot be run in between, several passes are
//! blamed together.
//!
//! Not here: passes that do not return, and what back ends make of a program.

mod args;
pub mod bisect;
pub mod proofs;
pub mod prove;
mod report;
pub mod search;
pub mod steps;

pub use report::{Report, is_shown_by, test_file, text};

use args::Args;
use bisect::{Culprit, Mistake, again, bisect, located};
use proofs::{Change, Proofs};
use prove::prove;
use search::{Found, Tried, levels, limits, search, some_calls};
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};
use steps::{Pass, passes};
use terrace_diag::{Diagnostic, Diags};
use terrace_ir::verify::verify;
use terrace_ir::{Context, Ir};
use terrace_lowering_smt::Solver;
use terrace_opt::language;
use terrace_opt::{Tool, codes};
use terrace_pass::Pipeline;
use terrace_refine::functions::{functions, numbers};
use terrace_refine::{Call, Limits};
use terrace_shrink::{Judge, Options, Verdict, Weight, reduce};
use terrace_text::ParseOptions;

/// New calls that a candidate of the reduction is tried with, for each function
const CALLS: u64 = 40;

/// A mistake of a pass, with a small program that shows it
pub struct Finding {
    /// The pass; several where the program cannot be run in between
    pub pass: Pass,
    /// Their numbers, from 0
    pub numbers: Range<usize>,
    /// Why the program cannot be run after the first of several passes
    pub between: Option<String>,
    /// In the program as it was before the pass
    pub culprit: Culprit,
    /// In the reduced program
    pub reduced: Culprit,
    /// The reduced program
    pub module: Box<Ir>,
    /// Ops before and after the reduction, programs judged, time
    pub size: (usize, usize, u64, Duration),
    /// What was tried until then
    pub tried: Tried,
}

/// How much work a search is worth
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Time in which calls are tried
    pub search: Duration,
    /// Time in which the program is reduced
    pub reduce: Duration,
    /// Steps that a call of the input may take
    pub steps: u64,
}

/// Find the first mistake that a pipeline makes in a program; `say` hears what is being done
///
/// With a solver each function that a pass changes is compared for all arguments first. What it refutes is tried, and where
/// everything is proven nothing else is.
pub fn explain(
    module: &Ir,
    pipeline: &Pipeline,
    calls: &[Call],
    effort: Effort,
    solver: Option<&mut Solver>,
    say: &dyn Fn(&str),
) -> Result<Finding, Tried> {
    let mut passes = passes(pipeline);
    let (count, limits) = (passes.len(), limits(effort.steps));
    let mut all = levels(module, &passes);
    let mut tried = Tried::default();
    // A pass that fails is what to look at first.
    let (numbers, between, mistake) = match all.failed.take() {
        Some((number, failure)) => (number..number + 1, None, Mistake::Fails(failure)),
        None => {
            tried.proofs = solver.map(|solver| prove(&all, solver));
            let refuted = tried.proofs.as_ref().map(Proofs::calls).unwrap_or_default();
            // Without calls the search would make some.
            let mut found = None;
            if !refuted.is_empty() {
                found = search(&all, &refuted, &limits, Instant::now(), &mut tried);
            }
            if found.is_none() && !tried.proofs.as_ref().is_some_and(Proofs::is_complete) {
                found = search(&all, calls, &limits, Instant::now() + effort.search, &mut tried);
            }
            let Some(Found { passes, between, shown }) = found else { return Err(tried) };
            (passes, between, Mistake::Meaning(shown))
        }
    };
    let before = all.all.swap_remove(numbers.start).module;
    drop(all);
    let Some(pass) = Pass::together(&passes.drain(numbers.clone()).collect::<Vec<_>>()) else {
        return Err(tried);
    };
    let last = if pass.is_range() { format!(" to {}", numbers.end) } else { String::new() };
    say(&format!(
        "pass {}{last} of {count}, `{}`, makes a difference",
        numbers.start + 1,
        pass.names.join("`, `")
    ));
    // Runs are the same every time, so that what was seen once is seen again.
    let Some(culprit) = bisect(&before, &pass, &mistake, &limits) else { return Err(tried) };
    let ops = Weight::of(&before).all_ops();
    say(&format!("reducing {ops} ops"));
    let start = Instant::now();
    let reduction = Reduction::new(&before, &pass, &culprit, limits, start + effort.reduce);
    let (module, judged) = reduction.reduced(&before);
    let (module, reduced) = match reduction.smallest(&module) {
        Some(reduced) => (module, reduced),
        None => match bisect(&before, &pass, &mistake, &limits) {
            Some(reduced) => (before.clone_unit(), reduced),
            None => return Err(tried),
        },
    };
    let size = (ops, Weight::of(&module).all_ops(), judged, start.elapsed());
    Ok(Finding { pass, numbers, between, culprit, reduced, module, size, tried })
}

/// What makes two applications the same: the rule, or the pass where it does not count
fn rule(culprit: &Culprit) -> Option<&'static str> {
    culprit.application.as_ref().and_then(|one| one.last).map(|last| last.what)
}

/// The search for a smaller program on which the same rule makes a mistake
struct Reduction<'a> {
    pass: &'a Pass,
    culprit: &'a Culprit,
    /// The call that showed the mistake first
    known: Vec<Call>,
    numbers: terrace_refine::functions::Numbers,
    limits: Limits,
    until: Instant,
}

impl<'a> Reduction<'a> {
    fn new(
        before: &Ir,
        pass: &'a Pass,
        culprit: &'a Culprit,
        limits: Limits,
        until: Instant,
    ) -> Reduction<'a> {
        let known = match &culprit.mistake {
            Mistake::Meaning(shown) => vec![shown.call.clone()],
            Mistake::Fails(_) => Vec::new(),
        };
        Reduction { pass, culprit, known, numbers: numbers(before), limits, until }
    }

    /// The smallest program, and how many were judged
    fn reduced(&self, before: &Ir) -> (Box<Ir>, u64) {
        let options = Options { jobs: 2, until: Some(self.until), asks_nothing: false, ..Options::default() };
        match reduce(before, self, options, &mut |_, _| {}) {
            Ok(done) => (done.module, done.report.tests),
            Err(_) => (before.clone_unit(), 0),
        }
    }

    /// The mistake in the reduced program, shown by the simplest call
    fn smallest(&self, module: &Ir) -> Option<Culprit> {
        let numbers = numbers(module);
        let shown = |known: &[Call]| {
            let calls = some_calls(module, known, &numbers, CALLS);
            let (ran, mistake) = again(module, self.pass, &self.culprit.mistake, calls, &self.limits)?;
            let found = located(module, self.pass, ran, mistake, &self.limits);
            (rule(&found) == rule(self.culprit)).then_some(found)
        };
        shown(&[]).or_else(|| shown(&self.known))
    }
}

impl Judge for Reduction<'_> {
    fn judge(&self, module: &Ir, _: &str) -> Verdict {
        if Instant::now() > self.until {
            return Verdict::Stop;
        }
        let calls = some_calls(module, &self.known, &self.numbers, CALLS);
        let found = again(module, self.pass, &self.culprit.mistake, calls, &self.limits);
        // Another rule is another mistake.
        let same = found.is_some_and(|(ran, mistake)| match mistake {
            Mistake::Fails(_) => true,
            Mistake::Meaning(_) => {
                rule(&located(module, self.pass, ran, mistake, &self.limits)) == rule(self.culprit)
            }
        });
        if same { Verdict::Interesting } else { Verdict::Uninteresting }
    }
}

/// Run the tool on the process's arguments
pub fn main(tool: Tool) -> ExitCode {
    let args = match terrace_opt::command_line::<Args>() {
        Ok(args) => args,
        Err(code) => return code,
    };
    let cx = match tool.start() {
        Ok(cx) => cx,
        Err(code) => return code,
    };
    steps::quiet_panics();
    let mut diags = Diags::default();
    match run(tool, &args, &cx, &mut diags) {
        Ok(Some((text, code))) => {
            if let Err(error) = terrace_opt::write_output(None, text.as_bytes()) {
                let _ = diags.emit(error);
                return terrace_opt::finish(&cx, &diags);
            }
            let _ = terrace_opt::finish(&cx, &diags);
            code
        }
        Ok(None) => terrace_opt::finish(&cx, &diags),
        Err(error) => {
            let nothing = error.code == Some(&codes::NO_DIFFERENCE);
            let _ = diags.emit(error);
            let code = terrace_opt::finish(&cx, &diags);
            if nothing { ExitCode::from(3) } else { code }
        }
    }
}

type Answer = Option<(String, ExitCode)>;

fn run(tool: Tool, args: &Args, cx: &Arc<Context>, diags: &mut Diags) -> Result<Answer, Diagnostic> {
    // The search must not end in a place that cannot be written.
    terrace_opt::check_output(args.output.as_deref().unwrap_or("why.mlir"))?;
    let effort = effort(args)?;
    let Ok(pipeline) = Pipeline::parse(&args.pipeline, &tool.registry, cx.sources(), diags) else {
        return Ok(None);
    };
    let Some(module) = program(args, cx, diags)? else { return Ok(None) };
    let calls: Vec<Call> =
        args.calls.iter().map(|call| parse_call(&module, call)).collect::<Result<_, _>>()?;
    let quiet = args.quiet;
    let say = |text: &str| {
        if !quiet {
            terrace_opt::say(&format!("{text}\n"));
        }
    };
    let mut solver = solver(args)?;
    let found = explain(&module, &pipeline, &calls, effort, solver.as_mut(), &say)
        .map_err(|tried| nothing(&tried, &passes(&pipeline), args.steps))?;
    let mut lines = Report { file: name(args), passes: pipeline.passes(), found: &found }.lines();
    let (line, shown) = written(tool, args, cx, &found)?;
    lines.push(format!("  test   {line}"));
    Ok(Some((lines.join("\n") + "\n", ExitCode::from(if shown { 0 } else { 3 }))))
}

fn name(args: &Args) -> &str {
    if args.file == "-" { "<stdin>" } else { &args.file }
}

/// The verified input; `None` if messages say why there is none
fn program(args: &Args, cx: &Arc<Context>, diags: &mut Diags) -> Result<Option<Ir>, Diagnostic> {
    let (name, input) = (name(args), args.input.as_deref());
    let content = terrace_opt::read_program(&args.file, input)?;
    let options =
        ParseOptions { allow_unregistered: args.allow_unregistered_dialect, ..ParseOptions::default() };
    let module =
        language::load(cx, name, content, input, &args.set, &options, diags).map(|program| program.ir);
    if let Some(module) = module.as_ref().filter(|_| !diags.has_errors()) {
        diags.append(verify(module, 1));
    }
    Ok(module.filter(|_| !diags.has_errors()))
}

fn seconds(seconds: f64) -> Result<Duration, Diagnostic> {
    let usage =
        || Diagnostic::error(&terrace_pass::codes::OPTION, format!("`{seconds}` is no number of seconds"));
    Duration::try_from_secs_f64(seconds).ok().filter(|time| time.as_secs() < 1 << 30).ok_or_else(usage)
}

fn effort(args: &Args) -> Result<Effort, Diagnostic> {
    Ok(Effort { search: seconds(args.seconds)?, reduce: seconds(args.reduce_seconds)?, steps: args.steps })
}

/// Write the test file: what to say of it, and whether it shows the mistake
fn written(
    tool: Tool,
    args: &Args,
    cx: &Arc<Context>,
    found: &Finding,
) -> Result<(String, bool), Diagnostic> {
    let output = args.output.clone().unwrap_or_else(|| format!("why-{}.mlir", found.pass.names.join("-")));
    let rules = terrace_rewrite::strategy::known_rules(cx);
    let known = rule(&found.reduced).is_some_and(|rule| rules.iter().any(|other| other.name() == rule));
    let test = match test_file(found, known, args.allow_unregistered_dialect) {
        Ok(test) => test,
        Err(why) => return Ok((format!("not written: {why}"), false)),
    };
    terrace_opt::write_output(Some(&output), test.as_bytes())?;
    Ok(match terrace_filetest::check_file(tool, Path::new(&output)) {
        Err(failure) if is_shown_by(&found.reduced.mistake, &failure) => {
            (format!("{output} fails: run terrace-filetest {output}"), true)
        }
        Err(failure) => {
            let why = failure.to_string();
            (format!("{output} fails for another reason: {}", why.lines().next().unwrap_or("")), false)
        }
        Ok(()) => (format!("{output} does not fail: the test runner does not see what differs"), false),
    })
}

/// The error that nothing was found, with what was tried
fn nothing(tried: &Tried, passes: &[Pass], steps: u64) -> Diagnostic {
    let Tried { calls, trapped, long, dependent, skipped, proofs, not_run } = tried;
    if let Some(proofs) = proofs.as_ref().filter(|proofs| proofs.is_complete()) {
        let message = format!("no difference is possible: {}", proven(proofs));
        return Diagnostic::error(&codes::NO_DIFFERENCE, message);
    }
    let mut message =
        format!("no difference found: {calls} calls were tried, {trapped} of which trap before any pass");
    if *dependent > 0 {
        message += &format!(", {dependent} give something else in another order of parallel parts");
    }
    if *long > 0 {
        message += &format!(", {long} need over {steps} steps or too much memory");
    }
    let mut error = Diagnostic::error(&codes::NO_DIFFERENCE, message);
    if *skipped > 0 {
        error = error.note(format!("{skipped} functions take types of which no value is known here"));
    }
    let name_of = |number: usize| passes.get(number).map_or(String::new(), |pass| pass.names.join("`, `"));
    if let Some(proofs) = proofs {
        error = with_proofs(error, proofs, &name_of);
    }
    for (number, why) in not_run {
        let name = name_of(*number);
        error = error.note(format!("calls could not be run after `{name}` (pass {}): {why}", number + 1));
    }
    error.help(
        "`--in='@f(7, -1)'` tries a call; `--seconds` searches longer; `--steps` lets a call run longer",
    )
}

/// How many functions are proven
fn proven(proofs: &Proofs) -> String {
    let all = proofs.proven.len() + proofs.open.len() + proofs.refuted.len();
    match all {
        0 => "no pass changes a function".to_owned(),
        1 if proofs.proven.len() == 1 => {
            format!("{} proves the one change of a function for all arguments", proofs.solver)
        }
        _ => format!(
            "{} proves {} of {all} changes of functions for all arguments",
            proofs.solver,
            proofs.proven.len()
        ),
    }
}

/// Changes named of those that are not proven
const OPEN: usize = 5;

/// What the solver said
fn with_proofs(error: Diagnostic, proofs: &Proofs, name_of: &dyn Fn(usize) -> String) -> Diagnostic {
    let mut error = error.note(proven(proofs));
    let place = |change: &Change| format!("@{} after `{}`", change.function, name_of(change.pass));
    for (change, why) in proofs.open.iter().take(OPEN) {
        error = error.note(format!("{}: not proven, {why}", place(change)));
    }
    if proofs.open.len() > OPEN {
        error = error.note(format!("{} more are not proven", proofs.open.len() - OPEN));
    }
    // Refuted by the formula alone: then one of the two is wrong.
    for (change, call) in &proofs.refuted {
        error = error.note(format!(
            "{}: the solver refutes it with {call}, and the interpreter sees no difference there; this is a mistake in Terrace",
            place(change)
        ));
    }
    error
}

/// The solver of `--prove`
fn solver(args: &Args) -> Result<Option<Solver>, Diagnostic> {
    if !args.prove {
        return Ok(None);
    }
    let limit = seconds(args.solver_seconds)?;
    Solver::start(args.solver.as_deref(), limit).map(Some).map_err(|why| {
        Diagnostic::error(&codes::SOLVER, why.to_string())
            .help("install z3 or cvc5, or name a program that reads SMT-LIB with `--solver`")
    })
}

/// `@f(7, -1)`
fn parse_call(module: &Ir, text: &str) -> Result<Call, Diagnostic> {
    let usage =
        |why: String| Diagnostic::error(&terrace_pass::codes::OPTION, format!("`--in={text}`: {why}"));
    let parts = text
        .trim()
        .strip_prefix('@')
        .and_then(|rest| rest.strip_suffix(')'))
        .and_then(|rest| rest.split_once('('));
    let (name, args) = parts.ok_or_else(|| usage("a call is `@f(7, -1)`".into()))?;
    let all = functions(module);
    let Some(function) = all.iter().find(|function| function.name == name) else {
        let error = usage(format!("there is no public function @{name} with a body"));
        let near = terrace_diag::nearest(name, all.iter().map(|function| function.name.as_str()));
        return Err(match near {
            Some(near) => error.help(format!("did you mean `@{near}`?")),
            None => error,
        });
    };
    Call::parse(module.cx(), name, args, &function.inputs).map_err(usage)
}
