//! Make a program smaller while a user's script finds it interesting.
//!
//! The work is that of `terrace_shrink`; here are the script, the files and what is reported on the way.

mod args;
mod script;

pub use script::Script;

use args::{Args, Codes};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use terrace_diag::{Diagnostic, Diags};
use terrace_ir::verify::verify;
use terrace_ir::{Context, Ir};
use terrace_opt::{Tool, codes};
use terrace_shrink::{Cache, Options, Refusal, Report, reduce};
use terrace_text::{ParseOptions, PrintOptions};

/// Exit code of a program that was interrupted, as shells give it
const INTERRUPTED: u8 = 130;

/// Run the tool on the process's arguments
///
/// Ctrl-C (and SIGTERM) ends the script that runs and gives the smallest program so far; a second one ends the process at once.
pub fn main(tool: Tool) -> ExitCode {
    let stop = Arc::new(AtomicBool::new(false));
    let code = tool.drive(|args: &Args, cx, diags| {
        listen(&stop).map_err(|error| environment(format!("signals cannot be seen: {error}")))?;
        match run(args, cx, &stop, diags)? {
            Some(text) => terrace_opt::write_output(args.output.as_deref(), text.as_bytes()),
            None => Ok(()),
        }
    });
    if stop.load(Ordering::Relaxed) { ExitCode::from(INTERRUPTED) } else { code }
}

fn listen(stop: &Arc<AtomicBool>) -> std::io::Result<()> {
    for signal in [SIGINT, SIGTERM] {
        // In this order: the first signal sets the flag, the second one finds it set.
        flag::register_conditional_shutdown(signal, INTERRUPTED.into(), stop.clone())?;
        flag::register(signal, stop.clone())?;
    }
    Ok(())
}

fn environment(message: String) -> Diagnostic {
    Diagnostic::error(&codes::SCRIPT_START, message)
}

/// The smaller program; `None` if messages say why there is none
fn run(
    args: &Args,
    cx: &Arc<Context>,
    stop: &Arc<AtomicBool>,
    diags: &mut Diags,
) -> Result<Option<String>, Diagnostic> {
    let script = script(args, stop)?;
    for file in [&args.output, &args.cache].into_iter().flatten() {
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
    let start = Instant::now();
    let mut said = start;
    let mut better = |module: &Ir, report: &Report| {
        // What cannot be written now is written at the end, or that fails.
        if let Some(file) = &args.output {
            let _ = terrace_opt::write_output(Some(file), printed(module).as_bytes());
        }
        if !args.quiet && said.elapsed() > Duration::from_millis(500) {
            said = Instant::now();
            terrace_opt::say(&format!("{} ops after {} runs\n", report.after.all_ops(), report.tests));
        }
    };
    let reduced = match reduce(&module, &script, limits(args, start)?, &mut better) {
        Ok(reduced) => reduced,
        Err(refusal) => {
            return match script.problem() {
                Some(problem) => Err(not_run(args, &problem)),
                None if refusal == Refusal::Stopped => Ok(None),
                None => Err(refused(refusal, &script)),
            };
        }
    };
    // What was reached is kept, whatever went wrong then.
    if let Some(problem) = script.problem() {
        let _ = diags.emit(not_run(args, &problem).note("the smallest program until then is kept"));
    }
    if let Some(file) = &args.cache
        && let Err(error) = terrace_opt::write_output(Some(file), reduced.cache.to_text().as_bytes())
    {
        let _ = diags.emit(error);
    }
    if !args.quiet {
        terrace_opt::say(&summary(&reduced.report, script.timeouts(), start.elapsed()));
    }
    Ok(Some(printed(&reduced.module)))
}

fn limits(args: &Args, start: Instant) -> Result<Options, Diagnostic> {
    let cache = match &args.cache {
        Some(file) if std::path::Path::new(file).exists() => {
            Cache::from_text(&terrace_opt::read_input(file)?)
        }
        _ => Cache::default(),
    };
    let seconds = |seconds: f64| Duration::try_from_secs_f64(seconds).ok();
    Ok(Options {
        jobs: args.jobs.into(),
        tests: args.max_tests.unwrap_or(u64::MAX),
        until: args.max_seconds.and_then(seconds).and_then(|limit| start.checked_add(limit)),
        cache,
        ..Options::default()
    })
}

fn not_run(args: &Args, problem: &std::io::Error) -> Diagnostic {
    let script = args.test.as_deref().unwrap_or("the script");
    environment(format!("cannot run `{script}`: {problem}"))
        .help("it has to be a program, or a script with `#!/bin/sh` in its first line that may be executed")
}

fn printed(module: &Ir) -> String {
    let mut text = String::new();
    terrace_text::print(module, &PrintOptions::default(), &mut text);
    text
}

fn script(args: &Args, stop: &Arc<AtomicBool>) -> Result<Script, Diagnostic> {
    let usage = |message: &str| environment(message.into());
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
    Ok(Script::new(&program, &given, timeout, codes == Codes::Zero, stop.clone()))
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
        Refusal::Stopped => error,
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
