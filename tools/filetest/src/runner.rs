//! Finding files and running their tests.

use crate::directives::{self, Directives, Run};
use crate::failure::{Failure, Kind};
use crate::{bless, eval, matching, round_trip, snapshots};
use libtest_mimic::{Arguments, ColorSetting, Failed, Trial};
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use terrace_opt::{Tool, run_on};
use terrace_pass::Dump;
use terrace_text::ParseOptions;

/// Run the tests of a folder with command-line words as libtest takes them
pub fn main(tool: Tool, folder: &Path, words: Vec<String>) -> ExitCode {
    let words = std::iter::once(tool.name.to_string()).chain(words);
    let args = Arguments::from_iter(words);
    let trials = match cases(tool, folder) {
        Ok(trials) => trials,
        Err(why) => {
            terrace_opt::say(&format!("{why}\n"));
            return ExitCode::from(1);
        }
    };
    match relayed(args, |args| libtest_mimic::run(args, trials).has_failed()) {
        // The harness would say 101, as if it had panicked.
        Ok(failed) => ExitCode::from(u8::from(failed)),
        Err(error) => {
            terrace_opt::say(&format!("cannot write standard output: {error}\n"));
            ExitCode::from(1)
        }
    }
}

/// Run the harness with its output going through a pipe to standard output
///
/// The harness panics where it cannot print. Behind the pipe a full disk is an error at the end, and a reader that has seen
/// enough is none: the tests are run to their end, and the exit code is theirs.
fn relayed(mut args: Arguments, run: impl FnOnce(&Arguments) -> bool) -> io::Result<bool> {
    terrace_opt::stdout::check()?;
    if args.color.is_none() && io::stdout().is_terminal() {
        args.color = Some(ColorSetting::Always);
    }
    let real = rustix::io::dup(rustix::stdio::stdout())?;
    let mut out = File::from(real.try_clone()?);
    let (mut from, to) = io::pipe()?;
    rustix::stdio::dup2_stdout(&to)?;
    drop(to);
    let relay = std::thread::spawn(move || {
        let told = io::copy(&mut from, &mut out);
        let _ = io::copy(&mut from, &mut io::sink());
        told
    });
    let failed = run(&args);
    let flushed = io::stdout().flush();
    // The last writer of the pipe is gone: the relay ends.
    rustix::stdio::dup2_stdout(&real)?;
    let told = relay.join().unwrap_or(Ok(0));
    match flushed.and(told.map(|_| ())) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(failed),
    }
}

/// One trial per `.mlir` file, or file in another input language, below a folder, in order of path
pub fn cases(tool: Tool, folder: &Path) -> Result<Vec<Trial>, Failure> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(at) = folders.pop() {
        let failed = |error| Kind::File.because(format!("cannot read `{}`: {error}", at.display()));
        let entries = std::fs::read_dir(&at).map_err(failed)?;
        for entry in entries {
            let path = entry.map_err(failed)?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "mlir" || is_language(extension))
            {
                files.push(path);
            }
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(Kind::File.because(format!("no .mlir file below `{}`", folder.display())));
    }
    let whole = folder.to_path_buf();
    let kept = snapshots::any(folder)
        .then(|| Trial::test("snapshots", move || snapshots::check(&whole).map_err(Failed::from)));
    Ok(files
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(folder).unwrap_or(&path);
            let name = name.to_string_lossy().replace('\\', "/");
            let name = name.strip_suffix(".mlir").map_or(name.clone(), String::from);
            Trial::test(name.clone(), move || run_file(tool, &name, &path).map_err(Failed::from))
        })
        .chain(kept)
        .collect())
}

/// Does a front end read files that end so?
fn is_language(extension: &std::ffi::OsStr) -> bool {
    terrace_opt::language::LANGUAGES.iter().any(|language| extension == language.extension)
}

/// Whether expectations are rewritten: the environment has `TERRACE_BLESS`, and it is no CI
fn blessing() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "false");
    set("TERRACE_BLESS") && !set("CI")
}

/// Run the test of one file
pub fn check_file(tool: Tool, path: &Path) -> Result<(), Failure> {
    let name = path.file_stem().map_or(String::new(), |name| name.to_string_lossy().into_owned());
    run_file(tool, &name, &path.to_path_buf())
}

fn run_file(tool: Tool, trial: &str, path: &PathBuf) -> Result<(), Failure> {
    let text = terrace_support::read::text(path)
        .map_err(|error| Kind::File.because(format!("cannot read: {error}")))?;
    let name = path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
    let found = directives::read(&text)?;
    if let Some(component) = found.runs.iter().find_map(|run| missing(&run.args)) {
        println!("skipped: {trial} (needs {component})");
        return Ok(());
    }
    if found.round_trip_only {
        round_trip::check(tool, &name, &text, &[])?;
    }
    let unregistered = found.runs.iter().any(|run| has(&run.args, "--allow-unregistered-dialect"));
    let options = ParseOptions { allow_unregistered: unregistered, ..ParseOptions::default() };
    eval::check(tool, &name, &text, &found.evals, false, &options)?;
    let mut output = String::new();
    let mut messages = String::new();
    let mut differs = Vec::new();
    for of_file in &found.runs {
        let before = output.len();
        let dumps = run(tool, &name, &text, of_file, &mut output, &mut messages)?;
        let is_ir =
            |arg: &String| !arg.starts_with("--emit=") || arg == "--emit=mlir" || arg == "--emit=generic";
        if !found.evals.is_empty() && of_file.args.iter().all(is_ir) {
            eval::check(tool, "output.mlir", &output[before..], &found.evals, true, &options)?;
        }
        differs.extend(compare(path, of_file, &output[before..], &dumps).err());
    }
    if expects_nothing(&found) {
        return Err(Kind::Output.because("the file expects nothing of its runs"));
    }
    let matched = matching::check(&output, &found.expectations);
    if matched.is_err() && blessing() {
        let new = bless::fitted(&text, &output, &found.expectations);
        let left = directives::read(&new)?;
        matching::check(&output, &left.expectations)?;
        std::fs::write(path, new).map_err(|error| Kind::File.because(format!("cannot write: {error}")))?;
    } else {
        matched?;
    }
    Failure::all(Kind::Snapshot, &differs)?;
    rules_fired(&found, &messages)
}

/// Runs whose output is compared with nothing
fn expects_nothing(found: &Directives) -> bool {
    found.runs.iter().all(|run| !run.expects_diagnostics())
        && !found.runs.is_empty()
        && found.expectations.is_empty()
        && found.rules.is_empty()
        && found.evals.is_empty()
        && found.snapshots().next().is_none()
}

/// Compare a run's output and the IR after its passes with the file's snapshots; the error has all that differ
fn compare(path: &Path, run: &Run, output: &str, dumps: &[Dump]) -> Result<(), Failure> {
    let mut differs = Vec::new();
    for snapshot in &run.snapshots {
        let Some(pass) = &snapshot.after else {
            differs.extend(snapshots::compare(path, snapshot.line, &snapshot.label, output).err());
            continue;
        };
        let of_pass = |dump: &&Dump| dump.when == "after" && dump.pass == pass;
        let units: Vec<&str> = dumps.iter().filter(of_pass).map(|dump| dump.text.as_str()).collect();
        if units.is_empty() {
            return Err(Kind::Snapshot.because(format!("no pass `{pass}` was run")).at(snapshot.line));
        }
        differs.extend(snapshots::compare(path, snapshot.line, &snapshot.label, &units.join("\n")).err());
    }
    Failure::all(Kind::Snapshot, &differs)
}

/// The component that this machine lacks for the form of output
fn missing(args: &[String]) -> Option<&'static str> {
    let form = args.iter().find_map(|arg| arg.strip_prefix("--emit="))?;
    terrace_opt::missing(form)
}

fn has(args: &[String], flag: &str) -> bool {
    args.iter().any(|arg| arg == flag)
}

pub(crate) fn run(
    tool: Tool,
    name: &str,
    text: &str,
    of_file: &Run,
    output: &mut String,
    messages: &mut String,
) -> Result<Vec<Dump>, Failure> {
    let Run { line, args, snapshots } = of_file;
    let mut words = args.to_vec();
    let after = snapshots.iter().filter_map(|snapshot| snapshot.after.as_deref());
    words.extend(after.map(|pass| format!("--print-after={pass}")));
    if !has(args, "--verify-each") {
        words.push("--verify-each".into());
    }
    words.push("--stats".into());
    if has(args, "--stats") {
        words.pop();
    }
    let finished =
        run_on(tool, &words, name, text).map_err(|why| Kind::Run.because(why.to_string()).at(*line))?;
    if finished.failed {
        return Err(Kind::Run.because(format!("the run failed\n{}", finished.messages)).at(*line));
    }
    messages.push_str(&finished.messages);
    if let Some(out) = finished.out {
        output.push_str(&String::from_utf8_lossy(&out));
        if !of_file.expects_diagnostics() {
            let keep = ["--allow-unregistered-dialect", "--split-input-file"];
            let front = |arg: &String| arg.starts_with("--input=") || arg.starts_with("--set=");
            let flags: Vec<String> =
                args.iter().filter(|arg| keep.contains(&arg.as_str()) || front(arg)).cloned().collect();
            round_trip::check(tool, name, text, &flags)?;
        }
    }
    Ok(finished.dumps)
}

/// Rules named by `rule:` must be in the statistics
fn rules_fired(found: &Directives, messages: &str) -> Result<(), Failure> {
    for rule in &found.rules {
        let words = format!("rule {rule}");
        if !messages.lines().any(|line| line.trim_end().ends_with(&words)) {
            return Err(Kind::Rule.because(format!("rule `{rule}` was not applied")));
        }
    }
    Ok(())
}
