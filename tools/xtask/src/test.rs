//! `cargo xtask test`: every test that this machine can run, with the features it can serve
//!
//! Two phases: the build, with cargo's own progress, then the run, whose output is read line by line.
//! The whole output is kept in `target/terrace/test.log`.

use crate::progress::Step;
use crate::tally::{Line, Tally};
use crate::workspace::Workspace;
use crate::{Fallible, components, process, setup};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::thread;

/// `cargo xtask test [filter]`
pub fn command(ws: &Workspace, filter: Option<&str>) -> Fallible {
    let features = prepare(ws, true)?;
    // Tests and the tools that they start in one command: built apart, dependencies that only tests ask more of
    // would be built twice, and with them most of the workspace.
    process::run(process::cargo(&ws.root).args(["build", "--workspace", "--all-targets"]).args(&features))?;

    let mut cargo = process::cargo(&ws.root);
    cargo.args(["test", "--workspace", "--no-fail-fast"]).args(&features);
    cargo.arg("--").args(filter).args(["--show-output", "--color=never"]);
    let log = ws.state().join("test.log");
    fs::write(&log, "").map_err(|e| format!("{}: {e}", log.display()))?;
    let mut tally = Tally::default();
    let success = watch(ws, &mut cargo, &mut tally)?;
    keep_summary(ws, &tally)?;
    close(&tally, success)
}

/// Set up, and find the features to build the workspace with: empty, or `--features a/x,b/y`
pub fn prepare(ws: &Workspace, for_tests: bool) -> Fallible<Vec<String>> {
    let features = features(ws, for_tests)?;
    Ok(if features.is_empty() { Vec::new() } else { vec!["--features".into(), features.join(",")] })
}

/// Set up, and find the features that this machine can serve, each as `package/feature`
pub fn features(ws: &Workspace, for_tests: bool) -> Fallible<Vec<String>> {
    let machine = setup::ensure(ws, for_tests)?;
    Ok(components::features(&ws.packages()?, |component| machine.has(component)))
}

/// Run the tests, showing what matters and counting
fn watch(ws: &Workspace, cargo: &mut Command, tally: &mut Tally) -> Fallible<bool> {
    say!("+ {}", process::shown(cargo));
    let path = ws.state().join("test.log");
    let opened = File::options().append(true).create(true).open(&path);
    let mut log = opened.map_err(|e| format!("{}: {e}", path.display()))?;
    cargo.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = cargo.spawn().map_err(|e| format!("cannot start cargo: {e}"))?;
    let (send, lines) = channel();
    let stdout = child.stdout.take().map(|pipe| read_lines(pipe, send.clone()));
    let stderr = child.stderr.take().map(|pipe| read_lines(pipe, send));

    let step = Step::start("tests");
    let mut of_passed = false;
    for line in lines {
        // The log is a convenience; a full disk must not hide a test's result.
        let _ = writeln!(log, "{line}");
        of_passed = match line.trim() {
            "successes:" => true,
            "failures:" => false,
            start if start.starts_with("test result") || start.starts_with("Running ") => false,
            _ => of_passed,
        };
        if tally.line(&line) == Line::Show && !of_passed && !noise(&line) {
            step.line(&line);
        }
        step.now(&format!("{}, {}", tally.summary(), line));
    }
    for reader in [stdout, stderr].into_iter().flatten() {
        reader.join().map_err(|_| "a reader of cargo's output stopped")?;
    }
    let status = child.wait().map_err(|e| format!("cargo: {e}"))?;
    step.end(&if status.success() { Ok(()) } else { Err(()) });
    Ok(status.success())
}

/// The closing line as a file too, for a script that ends later
fn keep_summary(ws: &Workspace, tally: &Tally) -> Fallible {
    let path = ws.state().join("test-summary.txt");
    fs::write(&path, format!("{}\n", tally.summary())).map_err(|e| format!("{}: {e}", path.display()))
}

fn close(tally: &Tally, success: bool) -> Fallible {
    let skipped = tally.skipped();
    for name in &skipped {
        say!("skipped: {name}");
    }
    for name in tally.failures() {
        say!("failed: {name}");
    }
    say!("{}", tally.summary());
    match (success, tally.failed()) {
        (true, 0) => Ok(()),
        (_, 0) => Err("cargo test failed before or beside the tests (see above)".into()),
        (_, failed) => Err(format!("{failed} failed")),
    }
}

/// What runners print around tests that passed
fn noise(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || (line.starts_with("running ") && line.ends_with(['s', 't']))
}

fn read_lines(pipe: impl Read + Send + 'static, send: Sender<String>) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let mut reader = BufReader::new(pipe);
        let mut bytes = Vec::new();
        // Bytes, since a test may print what is not UTF-8.
        while reader.read_until(b'\n', &mut bytes).is_ok_and(|read| read > 0) {
            let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
            bytes.clear();
            if send.send(line).is_err() {
                return;
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runners_print_around_is_noise() {
        assert!(noise("running 12 tests") && noise("running 1 test") && noise("  "));
        assert!(!noise("running out of memory"));
    }

    #[test]
    fn lines_survive_bad_text() {
        let (send, lines) = channel();
        read_lines(&b"a\xff\nb"[..], send).join().expect("the reader does not panic");
        assert_eq!(lines.iter().collect::<Vec<_>>(), ["a\u{fffd}", "b"]);
    }
}
