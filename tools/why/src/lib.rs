//! From a wrong result to the rewrite that made it.
//!
//! [`explain`] runs a program in the interpreter before and after each pass of a pipeline. In the first pass after which a call
//! does something else it bisects the number of applications, and then reduces the program as long as the same rule makes a
//! difference. Passes that fail are explained likewise.
//!
//! Not here: passes that do not return, and what back ends make of a program.

mod args;
pub mod bisect;
mod report;
pub mod search;
pub mod steps;

pub use report::{Report, test_file};

use args::Args;
use bisect::{Culprit, Mistake, again, bisect};
use search::{Tried, levels, search, some_calls};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};
use steps::{Pass, passes};
use terrace_diag::{Diagnostic, Diags};
use terrace_ir::verify::verify;
use terrace_ir::{Context, Ir};
use terrace_opt::{Tool, codes, language};
use terrace_pass::Pipeline;
use terrace_refine::Call;
use terrace_refine::functions::{functions, numbers};
use terrace_shrink::{Options, Weight, reduce};

/// New calls that a candidate of the reduction is tried with, for each function
const CALLS: u64 = 40;

/// A mistake of a pass, with a small program that shows it
pub struct Finding {
    /// Number of the pass, from 0
    pub pass: usize,
    /// Its name
    pub name: &'static str,
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

/// How long parts of the work may take
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// Trying calls
    pub search: Duration,
    /// Reducing the program
    pub reduce: Duration,
}

/// Find the first mistake that a pipeline makes in a program; `say` hears what is being done
pub fn explain(
    module: &Ir,
    pipeline: &Pipeline,
    calls: &[Call],
    times: Times,
    say: &dyn Fn(&str),
) -> Result<Finding, Tried> {
    let passes = passes(pipeline);
    let all = levels(module, &passes);
    let mut tried = Tried::default();
    // A pass that fails is what to look at first.
    let (number, mistake) = match &all.failed {
        Some((number, failure)) => (*number, Mistake::Fails(failure.clone())),
        None => {
            let found = search(&all, calls, Instant::now() + times.search, &mut tried);
            let (number, shown) = found.ok_or(tried)?;
            (number, Mistake::Meaning(Box::new(shown)))
        }
    };
    let (pass, before) = (&passes[number], &all.modules[number]);
    say(&format!("pass {} of {}, `{}`, makes a difference", number + 1, passes.len(), pass.name));
    // Runs are the same every time, so that what was seen once is seen again.
    let culprit = bisect(before, pass, &mistake).ok_or(tried)?;
    let ops = Weight::of(before).all_ops();
    say(&format!("reducing {ops} ops"));
    let start = Instant::now();
    let (module, judged) = reduced(before, pass, &culprit, start + times.reduce);
    let (reduced, mistake) = match smallest(&module, pass, &culprit) {
        Some(mistake) => (bisect(&module, pass, &mistake), mistake),
        None => (None, mistake),
    };
    let (module, reduced) = match reduced {
        Some(reduced) => (module, reduced),
        None => (before.clone_unit(), bisect(before, pass, &mistake).ok_or(tried)?),
    };
    let size = (ops, Weight::of(&module).all_ops(), judged, start.elapsed());
    Ok(Finding { pass: number, name: pass.name, culprit, reduced, module, size, tried })
}

/// What makes two applications the same: the rule, or the pass where it does not count
fn rule(culprit: &Culprit) -> Option<&'static str> {
    culprit.application.as_ref().and_then(|one| one.last).map(|last| last.what)
}

/// The smallest program on which the same rule makes a mistake, and how many were judged
fn reduced(before: &Ir, pass: &Pass, culprit: &Culprit, until: Instant) -> (Box<Ir>, u64) {
    let numbers = numbers(before);
    let known: Vec<Call> = match &culprit.mistake {
        Mistake::Meaning(shown) => vec![shown.call.clone()],
        Mistake::Fails(_) => Vec::new(),
    };
    let guilty = rule(culprit);
    let judge = |module: &Ir, _: &str| {
        if Instant::now() > until {
            return false;
        }
        let calls = some_calls(module, &known, &numbers, CALLS);
        let Some(mistake) = again(module, pass, &culprit.mistake, calls) else { return false };
        // Another rule is another mistake.
        matches!(mistake, Mistake::Fails(_))
            || bisect(module, pass, &mistake).is_some_and(|found| rule(&found) == guilty)
    };
    let options = Options { jobs: 2, until: Some(until), asks_nothing: false, ..Options::default() };
    match reduce(before, &judge, options, &mut |_, _| {}) {
        Ok(done) => (done.module, done.report.tests),
        Err(_) => (before.clone_unit(), 0),
    }
}

/// The mistake in the reduced program, shown by the simplest call
fn smallest(module: &Ir, pass: &Pass, culprit: &Culprit) -> Option<Mistake> {
    let numbers = numbers(module);
    let known = match &culprit.mistake {
        Mistake::Meaning(shown) => vec![shown.call.clone()],
        Mistake::Fails(_) => Vec::new(),
    };
    let same =
        |mistake: &Mistake| bisect(module, pass, mistake).is_some_and(|found| rule(&found) == rule(culprit));
    let simple = again(module, pass, &culprit.mistake, some_calls(module, &[], &numbers, CALLS));
    simple
        .filter(same)
        .or_else(|| again(module, pass, &culprit.mistake, some_calls(module, &known, &numbers, CALLS)))
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
    // A panic of a pass is what is looked for, and reported at the end.
    std::panic::set_hook(Box::new(|_| {}));
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
    let Ok(pipeline) = Pipeline::parse(&args.pipeline, &tool.registry, cx.sources(), diags) else {
        return Ok(None);
    };
    let input = args.input.as_deref();
    let content = terrace_opt::read_program(&args.file, input)?;
    let name = if args.file == "-" { "<stdin>" } else { &args.file };
    let Some(program) =
        language::load(cx, name, content, input, &args.set, &terrace_text::ParseOptions::default(), diags)
    else {
        return Ok(None);
    };
    let module = program.ir;
    diags.append(verify(&module, 1));
    if diags.has_errors() {
        return Ok(None);
    }
    let calls: Vec<Call> =
        args.calls.iter().map(|call| parse_call(&module, call)).collect::<Result<_, _>>()?;
    let seconds = |seconds: f64| {
        let usage = || {
            Diagnostic::error(&terrace_pass::codes::OPTION, format!("`{seconds}` is no number of seconds"))
        };
        Duration::try_from_secs_f64(seconds).ok().filter(|time| time.as_secs() < 1 << 30).ok_or_else(usage)
    };
    let times = Times { search: seconds(args.seconds)?, reduce: seconds(args.reduce_seconds)? };
    let quiet = args.quiet;
    let say = |text: &str| {
        if !quiet {
            terrace_opt::say(&format!("{text}\n"));
        }
    };
    let found = explain(&module, &pipeline, &calls, times, &say).map_err(nothing)?;
    let count = pipeline.passes();
    let output = args.output.clone().unwrap_or_else(|| format!("why-{}.mlir", found.name));
    let alone = &passes(&pipeline)[found.pass].alone;
    let rules = terrace_rewrite::strategy::known_rules(cx);
    let known = rule(&found.reduced).is_some_and(|rule| rules.iter().any(|other| other.name() == rule));
    terrace_opt::write_output(
        Some(&output),
        test_file(&found.module, alone, &found.reduced, known).as_bytes(),
    )?;
    let failing = terrace_filetest::check_file(tool, Path::new(&output)).is_err();
    let (before, after, judged, time) = found.size;
    let report = Report {
        file: name,
        pass: (found.name, found.pass + 1, count),
        culprit: &found.culprit,
        reduced: &found.reduced,
        size: (before, after, judged, time.as_secs_f64()),
        tried: (found.tried.calls, found.tried.trapped),
    };
    let mut lines = report.lines();
    lines.push(match failing {
        true => format!("  test   {output} fails: run terrace-filetest {output}"),
        false => format!("  test   {output} does not fail: what differs is not seen by the test runner"),
    });
    Ok(Some((lines.join("\n") + "\n", ExitCode::from(if failing { 0 } else { 3 }))))
}

fn nothing(tried: Tried) -> Diagnostic {
    let Tried { calls, trapped, skipped } = tried;
    let message =
        format!("no difference found: {calls} calls were tried, {trapped} of which trap before any pass");
    let error = Diagnostic::error(&codes::NO_DIFFERENCE, message);
    let error = match skipped {
        0 => error,
        skipped => error.note(format!("{skipped} functions take types of which no value is known here")),
    };
    error.help("`--in='@f(7, -1)'` tries a call; `--seconds` searches longer")
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
