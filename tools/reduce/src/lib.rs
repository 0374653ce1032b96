//! Make a program smaller while a user's script finds it interesting.
//!
//! The work is that of `terrace_shrink`; here are the script, the files and what is reported on the way.

mod args;
mod script;

pub use script::Script;

use args::{Args, Codes};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};
use terrace_diag::{Diagnostic, Diags};
use terrace_ir::verify::verify;
use terrace_ir::{Context, Ir};
use terrace_opt::{Tool, codes};
use terrace_shrink::{Cache, Options, Refusal, Report, reduce};
use terrace_text::{ParseOptions, PrintOptions};

/// Run the tool on the process's arguments
pub fn main(tool: Tool) -> ExitCode {
    tool.drive(|args: &Args, cx, diags| match run(args, cx, diags)? {
        Some(text) => terrace_opt::write_output(args.output.as_deref(), text.as_bytes()),
        None => Ok(()),
    })
}

/// The smaller program; `None` if messages say why there is none
fn run(args: &Args, cx: &Arc<Context>, diags: &mut Diags) -> Result<Option<String>, Diagnostic> {
    let script = script(args)?;
    if let Some(file) = &args.output {
        terrace_opt::check_output(file)?;
    }
    let text = terrace_opt::read_input(&args.file)?;
    let source = cx.sources().add(&args.file, text);
    let options =
        ParseOptions { allow_unregistered: args.allow_unregistered_dialect, ..ParseOptions::default() };
    let parsed = terrace_text::parse(cx, source, &options, diags);
    let Some(module) = parsed.filter(|_| !diags.has_errors()) else { return Ok(None) };
    diags.append(verify(&module, 1));
    if diags.has_errors() {
        return Ok(None);
    }
    let cache = match &args.cache {
        Some(file) if std::path::Path::new(file).exists() => {
            Cache::from_text(&terrace_opt::read_input(file)?)
        }
        _ => Cache::default(),
    };
    let start = Instant::now();
    let seconds = |seconds: f64| Duration::try_from_secs_f64(seconds).ok();
    let options = Options {
        jobs: args.jobs.into(),
        tests: args.max_tests.unwrap_or(u64::MAX),
        until: args.max_seconds.and_then(seconds).and_then(|limit| start.checked_add(limit)),
        cache,
        ..Options::default()
    };
    let mut unwritten = None;
    let mut said = Instant::now();
    let mut better = |module: &Ir, report: &Report| {
        if let Some(file) = &args.output
            && let Err(error) = terrace_opt::write_output(Some(file), printed(module).as_bytes())
        {
            unwritten = Some(error);
        }
        if !args.quiet && said.elapsed() > Duration::from_millis(500) {
            said = Instant::now();
            terrace_opt::say(&format!("{} ops after {} runs\n", report.after.all_ops(), report.tests));
        }
    };
    let reduced = reduce(&module, &script, options, &mut better);
    if let Some(problem) = script.problem() {
        let message = format!("cannot run `{}`: {problem}", args.test.as_deref().unwrap_or("the script"));
        let help =
            "it has to be a program, or a script with `#!/bin/sh` in its first line that may be executed";
        return Err(Diagnostic::error(&codes::SCRIPT_START, message).help(help));
    }
    let reduced = reduced.map_err(|refusal| refused(refusal, &script))?;
    if let Some(error) = unwritten {
        return Err(error);
    }
    if let Some(file) = &args.cache {
        terrace_opt::write_output(Some(file), reduced.cache.to_text().as_bytes())?;
    }
    if !args.quiet {
        terrace_opt::say(&summary(&reduced.report, script.timeouts(), start.elapsed()));
    }
    Ok(Some(printed(&reduced.module)))
}

fn printed(module: &Ir) -> String {
    let mut text = String::new();
    terrace_text::print(module, &PrintOptions::default(), &mut text);
    text
}

fn script(args: &Args) -> Result<Script, Diagnostic> {
    let usage = |message: &str| Diagnostic::error(&codes::SCRIPT_START, message);
    let mut program = args.test.clone();
    let mut given = args.test_arg.clone();
    for option in args.reduction_tree.iter().flat_map(|options| options.split_whitespace()) {
        match option.split_once('=') {
            Some(("test", script)) => program = Some(script.into()),
            Some(("test-arg", arg)) => given.push(arg.into()),
            Some(("traversal-mode", _)) => {}
            _ => {
                return Err(usage(&format!("`--reduction-tree` has no option `{option}`"))
                    .help("it has `test=SCRIPT` and `test-arg=ARG`"));
            }
        }
    }
    let Some(program) = program else {
        return Err(usage("`--reduction-tree` names no script: `test=SCRIPT`"));
    };
    let timeout = Duration::try_from_secs_f64(args.timeout).ok().filter(|timeout| !timeout.is_zero());
    let Some(timeout) = timeout else { return Err(usage("`--timeout` takes seconds, more than 0")) };
    let codes = args.interesting.unwrap_or(if args.like.is_some() { Codes::Nonzero } else { Codes::Zero });
    Ok(Script::new(&program, &given, timeout, codes == Codes::Zero))
}

fn refused(refusal: Refusal, script: &Script) -> Diagnostic {
    let error = Diagnostic::error(&codes::SCRIPT_DECIDES, refusal.to_string());
    match refusal {
        Refusal::Everything => error.help(
            "a script says with its exit code what it found; one that ends with `echo` or `exit 0` always says yes",
        ),
        Refusal::Uninteresting if script.timeouts() > 0 => {
            error.help("the script took too long; `--timeout=SECONDS` gives it more time")
        }
        Refusal::Uninteresting => {
            error.help("0 means interesting; with `--interesting=nonzero` or `--as=mlir-reduce` a failure does")
        }
        Refusal::Unsteady => error.help("let the script try several times, or raise `--timeout`"),
    }
}

fn summary(report: &Report, timeouts: u64, time: Duration) -> String {
    let rest = match (report.minimal, timeouts) {
        (true, 0) => String::new(),
        (true, timeouts) => format!("; {timeouts} runs were ended after the timeout"),
        (false, _) => "; stopped before every edit was tried".into(),
    };
    format!(
        "{} ops of {} are left, after {} runs of the script ({} candidates known, {} not valid) and {:.1} s{rest}\n",
        report.after.all_ops(),
        report.before.all_ops(),
        report.tests,
        report.known,
        report.invalid,
        time.as_secs_f64()
    )
}
