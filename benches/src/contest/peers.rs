//! The peers in one process that answers requests: libraries of a Python environment.
//!
//! The environment is made by the first run, of several GB. `OPENBLAS_CORETYPE` and the variables that limit threads are
//! taken out of the process's own environment, so that the libraries pick what they would pick for a user. Threads are
//! limited by processor affinity, which it is started under.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::{Done, opt};

const DRIVER: &str = include_str!("../../programs/peers.py");
const UNSET: [&str; 5] =
    ["OPENBLAS_CORETYPE", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "GOTO_NUM_THREADS", "MKL_NUM_THREADS"];
/// Memory that the libraries free is used again, and lies in huge pages: else page faults would be measured
const MEMORY: &str = "glibc.malloc.hugetlb=1:glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=68719476736";
/// What the environment holds; what cannot be had is left out and said so
pub const PACKAGES: [&str; 3] = ["numpy", "torch", "jax"];

/// The process that holds the libraries
pub struct Peers {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// Versions of what is there
    pub version: String,
}

/// Peers of a case, with a first idea of their times in nanoseconds
pub struct Prepared {
    /// Names of the inputs; each is a file `NAME.npy`
    pub inputs: Vec<String>,
    /// Names of peers with times
    pub peers: Vec<(String, f64)>,
    /// Peers that do not take part, with the reason
    pub left_out: Vec<String>,
}

impl Peers {
    /// Starts them, in an environment that [`environment`] made, with more variables; `device` is torch's word for where they run
    pub fn start(python: &Path, variables: &[(&str, String)], device: &str) -> Done<Self> {
        let mut command = Command::new(python);
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        for name in UNSET {
            command.env_remove(name);
        }
        command.env("GLIBC_TUNABLES", MEMORY);
        command
            .args(["-c", DRIVER, device])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().map_err(|e| format!("python does not start: {e}"))?;
        let requests = child.stdin.take().ok_or("python has no standard input")?;
        let answers = BufReader::new(child.stdout.take().ok_or("python has no standard output")?);
        let mut peers = Self { child, requests, answers, version: String::new() };
        let hello = peers.answer()?;
        peers.version = hello["version"].as_str().unwrap_or("unknown version").to_owned();
        Ok(peers)
    }

    /// Make the inputs of what is requested, as files in `folder`; `only` names peers, none means all
    pub fn prepare(&mut self, what: &Value, folder: &Path, only: &[String]) -> Done<Prepared> {
        let answer = self.ask(&json!({ "op": "prepare", "what": what, "dir": folder, "only": only }))?;
        let inputs = answer["inputs"].as_array().into_iter().flatten();
        let peers = answer["peers"].as_object().into_iter().flatten();
        Ok(Prepared {
            inputs: inputs.filter_map(|name| Some(name.as_str()?.to_owned())).collect(),
            peers: peers.filter_map(|(name, ns)| Some((name.clone(), ns.as_f64()?))).collect(),
            left_out: answer["left_out"].as_object().into_iter().flatten().map(left_out).collect(),
        })
    }

    /// Median time of `runs` calls, in nanoseconds
    pub fn median_ns(&mut self, peer: &str, runs: u32) -> Done<f64> {
        let answer = self.ask(&json!({ "op": "time", "peer": peer, "runs": runs }))?;
        answer["median_ns"].as_f64().ok_or_else(|| format!("no `median_ns` in {answer}").into())
    }

    /// Do these results equal the reference? The largest difference relative to the largest element
    pub fn check(&mut self, files: &[PathBuf]) -> Done<(bool, f64)> {
        let answer = self.ask(&json!({ "op": "check", "files": files }))?;
        Ok((answer["right"] == json!(true), answer["worst"].as_f64().unwrap_or(f64::NAN)))
    }

    /// The same of what a peer's last call in `prepare` gave
    pub fn check_peer(&mut self, peer: &str) -> Done<(bool, f64)> {
        let answer = self.ask(&json!({ "op": "check", "peer": peer }))?;
        Ok((answer["right"] == json!(true), answer["worst"].as_f64().unwrap_or(f64::NAN)))
    }

    fn ask(&mut self, request: &Value) -> Done<Value> {
        writeln!(self.requests, "{request}").map_err(|e| format!("the peers' process went away: {e}"))?;
        self.answer()
    }

    fn answer(&mut self) -> Done<Value> {
        let mut line = String::new();
        self.answers.read_line(&mut line).map_err(|e| format!("the peers' process went away: {e}"))?;
        let answer: Value =
            serde_json::from_str(&line).map_err(|e| format!("the peers' process said {line:?}: {e}"))?;
        match answer["error"].as_str() {
            Some(error) => Err(error.into()),
            None => Ok(answer),
        }
    }
}

/// `jax: no such function`
fn left_out((name, why): (&String, &Value)) -> String {
    format!("{name} is left out: {}", why.as_str().unwrap_or_default())
}

impl Drop for Peers {
    fn drop(&mut self) {
        // It may have ended by itself; either way there is nothing left to end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The Python of an environment with `packages`, made in `folder` if it is not there; `more` are modules with the packages they are in
pub fn environment(folder: &Path, packages: &[&str], more: &[(&str, &[&str])]) -> Done<PathBuf> {
    let python = folder.join("bin/python");
    let has = |name: &str| {
        let mut check = Command::new(&python);
        check.args([
            "-c",
            &format!("import importlib.util as u, sys; sys.exit(u.find_spec('{name}') is None)"),
        ]);
        check.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    if !python.is_file() {
        let system = opt::find("python3").ok_or("`python3` was not found")?;
        step(Command::new(system).args(["-m", "venv"]).arg(folder))?;
    }
    for name in packages.iter().filter(|name| !has(name)) {
        eprintln!("installing {name} (once; up to several GB)");
        let install = step(Command::new(&python).args(["-m", "pip", "install", "--quiet", name]));
        match install {
            Err(why) if *name == "numpy" => return Err(why),
            Err(why) => eprintln!("left out: {name}: {why}"),
            Ok(()) => {}
        }
    }
    for (name, packages) in more.iter().filter(|(name, _)| !has(name)) {
        eprintln!("installing {name} (once)");
        let install = step(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(*packages));
        if let Err(why) = install {
            eprintln!("left out: {name}: {why}");
        }
    }
    Ok(python)
}

fn step(command: &mut Command) -> Done {
    let output = command.output()?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(format!("`{}` failed: {}", crate::process::shown(command), text.trim()).into())
}
