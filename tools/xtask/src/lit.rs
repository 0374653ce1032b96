//! `cargo xtask lit FOLDER`: how many `lit` tests that pass with `mlir-opt` pass with `terrace-opt` in its place
//!
//! `RUN` lines are run by bash with `FileCheck`, first with MLIR's tool. A test that fails there is not applicable: it needs
//! another version, or another program. What is left passes or fails with this tool.

use crate::workspace::Workspace;
use crate::{Fallible, process};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// What to compare, and with what
#[derive(clap::Args)]
pub struct Options {
    /// Folder with tests, `*.mlir`
    folder: PathBuf,
    /// Names in `RUN` lines that stand for `mlir-opt`, such as `circt-opt`
    #[arg(long, value_name = "NAMES", default_value = "mlir-opt", value_delimiter = ',')]
    tools: Vec<String>,
    /// MLIR's own tool
    #[arg(long, value_name = "FILE", default_value = "mlir-opt-22")]
    theirs: String,
    /// This tool
    #[arg(long, value_name = "FILE", default_value = "target/tools/terrace-opt")]
    ours: PathBuf,
    /// LLVM's checker of outputs
    #[arg(long, value_name = "FILE", default_value = "FileCheck-22")]
    filecheck: String,
    /// List the tests that fail, with the first line of what was reported
    #[arg(long)]
    list: bool,
    /// Tests at the same time
    #[arg(long, default_value_t = 2)]
    jobs: usize,
}

/// How a test ended
#[derive(Clone, PartialEq, Eq)]
enum Ended {
    Passed,
    Failed(String),
    NotApplicable,
}

/// `cargo xtask lit`
pub fn command(ws: &Workspace, options: &Options) -> Fallible {
    for program in [&options.theirs, &options.filecheck] {
        if !process::in_path(program) && !Path::new(program).is_file() {
            return Err(format!("`{program}` is not installed; `cargo xtask setup` installs MLIR 22"));
        }
    }
    let ours = ws.root.join(&options.ours);
    if !ours.is_file() {
        return Err(format!("`{}` is not there; `cargo xtask build` makes it", options.ours.display()));
    }
    let links = ws.root.join("target/terrace/lit");
    let _ = fs::remove_dir_all(&links);
    let here = |error: std::io::Error| format!("{}: {error}", links.display());
    for (name, target) in [("theirs", PathBuf::from(which(&options.theirs))), ("ours", ours)] {
        let folder = links.join(name);
        fs::create_dir_all(folder.join("out")).map_err(here)?;
        link(&target, &folder.join("mlir-opt")).map_err(here)?;
        link(&PathBuf::from(which(&options.filecheck)), &folder.join("FileCheck")).map_err(here)?;
    }
    let mut files = Vec::new();
    tests_below(&options.folder, &mut files)?;
    files.sort();
    let ended = all(&files, options, &links);
    report(&options.folder, &files, &ended, options.list);
    let _ = fs::remove_dir_all(&links);
    Ok(())
}

#[cfg(unix)]
fn link(target: &Path, at: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, at)
}

#[cfg(not(unix))]
fn link(target: &Path, at: &Path) -> std::io::Result<()> {
    fs::copy(target, at).map(drop)
}

/// Where a program lies
fn which(name: &str) -> String {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file());
    found.map_or(name.to_string(), |file| file.display().to_string())
}

fn tests_below(folder: &Path, found: &mut Vec<PathBuf>) -> Fallible {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries.flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => tests_below(&path, found)?,
            Ok(_) if path.extension().is_some_and(|ending| ending == "mlir") => found.push(path),
            _ => {}
        }
    }
    Ok(())
}

fn all(files: &[PathBuf], options: &Options, links: &Path) -> Vec<Ended> {
    let next = AtomicUsize::new(0);
    let ended = Mutex::new(vec![Ended::NotApplicable; files.len()]);
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.clamp(1, 64) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(file) = files.get(at) else { break };
                    let how = one(file, options, links);
                    ended.lock().unwrap_or_else(PoisonError::into_inner)[at] = how;
                }
            });
        }
    });
    ended.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn one(file: &Path, options: &Options, links: &Path) -> Ended {
    let lines = run_lines(&fs::read_to_string(file).unwrap_or_default());
    let ours = |line: &String| words(line).any(|word| options.tools.iter().any(|tool| tool == word));
    if lines.is_empty() || !lines.iter().all(ours) {
        return Ended::NotApplicable;
    }
    if run(file, &lines, options, &links.join("theirs")).is_err() {
        return Ended::NotApplicable;
    }
    match run(file, &lines, options, &links.join("ours")) {
        Ok(()) => Ended::Passed,
        Err(why) => Ended::Failed(why),
    }
}

/// The commands behind `// RUN:`, those that go on joined
fn run_lines(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in text.lines() {
        let Some((_, command)) = line.split_once("RUN:") else { continue };
        let command = command.trim();
        let (part, more) = match command.strip_suffix('\\') {
            Some(part) => (part.trim_end(), true),
            None => (command, false),
        };
        match found.last_mut().filter(|_| goes_on) {
            Some(last) => *last += &format!(" {part}"),
            None => found.push(part.to_string()),
        }
        goes_on = more;
    }
    found
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_alphanumeric() || "-_.".contains(c)))
}

/// A command with the file and temporary places in it, and `mlir-opt` for each of its names
fn substituted(line: &str, file: &Path, tools: &[String], temporary: &Path) -> String {
    let folder = file.parent().unwrap_or(file);
    let mut line = line.to_string();
    for (from, to) in [("%s", file), ("%S", folder), ("%t", temporary), ("%T", temporary)] {
        line = line.replace(from, &to.display().to_string());
    }
    for tool in tools.iter().filter(|tool| *tool != "mlir-opt") {
        line = line.replace(tool.as_str(), "mlir-opt");
    }
    line
}

/// `lit` fails where any part of a pipe fails, and has `not`
const PRELUDE: &str = "set -o pipefail; not() { ! \"$@\"; }; ";

/// Run all lines with the programs of a folder first in the path; the error is the first line that was reported
fn run(file: &Path, lines: &[String], options: &Options, programs: &Path) -> Fallible {
    let file = fs::canonicalize(file).map_err(|error| error.to_string())?;
    let mut path = vec![programs.to_path_buf()];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let path = std::env::join_paths(path).map_err(|error| error.to_string())?;
    let name: String =
        file.to_string_lossy().chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    // One path for all lines: what one of them writes, another one reads.
    let temporary = programs.join("out").join(name);
    for line in lines {
        let line = substituted(line, &file, &options.tools, &temporary);
        let mut bash = Command::new("timeout");
        bash.args(["60", "bash", "-c"]).arg(format!("{PRELUDE}{line}")).env("PATH", &path);
        let output = process::capture(bash.current_dir(programs.join("out")))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let first = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("nothing was reported");
            return Err(first.to_string());
        }
    }
    Ok(())
}

fn report(root: &Path, files: &[PathBuf], ended: &[Ended], list: bool) {
    let mut table: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    for (file, how) in files.iter().zip(ended) {
        let below = file.parent().and_then(|folder| folder.strip_prefix(root).ok()).unwrap_or(Path::new(""));
        let row = table.entry(below.display().to_string()).or_default();
        row[match how {
            Ended::Passed => 0,
            Ended::Failed(_) => 1,
            Ended::NotApplicable => 2,
        }] += 1;
    }
    say!("{:>6} {:>6} {:>6}", "passed", "failed", "n/a");
    for (folder, [passed, failed, other]) in table.iter().filter(|(_, row)| row[0] + row[1] > 0) {
        say!("{passed:>6} {failed:>6} {other:>6}  {folder}");
    }
    let sum = |n: usize| table.values().map(|row| row[n]).sum::<usize>();
    say!("{:>6} {:>6} {:>6}  in all", sum(0), sum(1), sum(2));
    if list {
        for (file, how) in files.iter().zip(ended) {
            if let Ended::Failed(why) = how {
                say!("{}: {why}", file.strip_prefix(root).unwrap_or(file).display());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_go_on_are_joined() {
        let text = "// RUN: mlir-opt %s \\\n// RUN:   -cse | FileCheck %s\n// no run\n  // RUN: true\n";
        assert_eq!(run_lines(text), ["mlir-opt %s -cse | FileCheck %s", "true"]);
    }

    #[test]
    fn places_and_names_are_put_in() {
        let line = substituted("a-opt %s -o %t", Path::new("d/f.mlir"), &["a-opt".into()], Path::new("x"));
        assert_eq!(line, "mlir-opt d/f.mlir -o x");
    }
}
