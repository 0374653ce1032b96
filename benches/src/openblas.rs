//! The peer of `terrace-benches cpu`: the OpenBLAS inside numpy's wheel, in one process that answers requests.
//!
//! The wheel goes into a virtual environment of its own, made by the first run. `OPENBLAS_CORETYPE` and the
//! variables that limit threads are taken out of its environment, so that it picks what it would pick for a user.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::opt;

const DRIVER: &str = include_str!("../programs/openblas.py");
const UNSET: [&str; 4] = ["OPENBLAS_CORETYPE", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "GOTO_NUM_THREADS"];

/// The process that holds the library
pub struct OpenBlas {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// Versions of wheel and library, and the processor it chose
    pub version: String,
}

impl OpenBlas {
    /// Starts it, after making its environment in `folder` if that is not there
    pub fn start(folder: &Path) -> Result<Self, String> {
        let python = environment(folder)?;
        let mut command = Command::new(python);
        for name in UNSET {
            command.env_remove(name);
        }
        command.args(["-c", DRIVER]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|e| format!("python does not start: {e}"))?;
        let requests = child.stdin.take().ok_or("python has no standard input")?;
        let answers = BufReader::new(child.stdout.take().ok_or("python has no standard output")?);
        let mut blas = Self { child, requests, answers, version: String::new() };
        let hello = blas.answer()?;
        blas.version = hello["version"].as_str().unwrap_or("unknown version").to_owned();
        Ok(blas)
    }

    /// Median time of `runs` products of M×K by K×N on `threads` threads, in nanoseconds
    pub fn median_ns(&mut self, [m, n, k]: [u64; 3], threads: usize, runs: u32) -> Result<f64, String> {
        let request = json!({ "m": m, "n": n, "k": k, "threads": threads, "runs": runs });
        writeln!(self.requests, "{request}").map_err(|e| format!("OpenBLAS's process went away: {e}"))?;
        let answer = self.answer()?;
        answer["median_ns"].as_f64().ok_or_else(|| format!("no `median_ns` in {answer}"))
    }

    fn answer(&mut self) -> Result<Value, String> {
        let mut line = String::new();
        self.answers.read_line(&mut line).map_err(|e| format!("OpenBLAS's process went away: {e}"))?;
        let answer: Value =
            serde_json::from_str(&line).map_err(|e| format!("OpenBLAS's process said {line:?}: {e}"))?;
        match answer["error"].as_str() {
            Some(error) => Err(error.to_owned()),
            None => Ok(answer),
        }
    }
}

impl Drop for OpenBlas {
    fn drop(&mut self) {
        // It may have ended by itself; either way nobody is left to tell.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn environment(folder: &Path) -> Result<PathBuf, String> {
    let python = folder.join("bin/python");
    let works = |python: &Path| {
        let check = Command::new(python).args(["-c", "import numpy"]).stderr(Stdio::null()).status();
        check.is_ok_and(|s| s.success())
    };
    if works(&python) {
        return Ok(python);
    }
    let system = opt::find("python3").ok_or("`python3` was not found")?;
    eprintln!("making a Python environment with numpy");
    step(Command::new(system).args(["-m", "venv"]).arg(folder))?;
    step(Command::new(&python).args(["-m", "pip", "install", "--quiet", "numpy"]))?;
    if works(&python) { Ok(python) } else { Err("numpy was installed but cannot be imported".to_owned()) }
}

fn step(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|e| e.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(format!("`{}` failed: {}", crate::process::shown(command), text.trim()))
}
