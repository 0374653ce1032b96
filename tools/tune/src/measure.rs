//! One candidate: run in a process of its own, with a time limit, its values compared with the reference.

use crate::call::{Call, Reference};
use crate::stop::Stop;
use rustix::process::{Pid, Signal, kill_process_group};
use std::cell::Cell;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use terrace_diag::Diagnostic;
use terrace_runtime_buffers::{Buffer, Tolerance, Value, compare};
use terrace_search_explore::log::Outcome;

/// The kind of a run that was not let finish
pub(crate) const INTERRUPTED: &str = "interrupted";

/// How candidates are run
pub(crate) struct Bench {
    /// The tool that runs programs
    runner: PathBuf,
    /// What is the same for all
    pub call: Call,
    /// Runs of each
    pub runs: u32,
    /// Longest time
    pub timeout: Duration,
    /// Whether the user has requested the end
    pub stop: Stop,
    /// Where each candidate has a folder for its files while it runs
    folder: PathBuf,
    /// Candidates that were run so far
    trials: Cell<u64>,
    /// Results of the reference
    pub expected: Vec<Buffer>,
}

/// What a run gave
pub(crate) struct Run {
    /// Median
    pub seconds: f64,
    /// Nanoseconds of each run, in their order
    pub times: Vec<u64>,
    pub gflops: Option<f64>,
    pub results: Vec<Buffer>,
    pub spent: Spent,
}

/// Seconds of a run's process
#[derive(Clone, Copy, Default)]
pub(crate) struct Spent {
    /// Passes
    pub lowering: f64,
    /// All runs together, with one that is not measured
    pub running: f64,
    /// All else: reading, the back end's compiler, moving data
    pub rest: f64,
}

impl Bench {
    /// With a time limit of ten seconds, and no results known
    pub(crate) fn new(call: Call, runs: u32, stop: &Stop, folder: &Path) -> Result<Bench, Diagnostic> {
        Ok(Bench {
            runner: runner()?,
            call,
            runs,
            timeout: Duration::from_secs(10),
            stop: stop.clone(),
            folder: folder.into(),
            trials: Cell::default(),
            expected: Vec::new(),
        })
    }

    /// The same for another call, in a folder of its own
    pub(crate) fn with(&self, call: Call, runs: u32, timeout: Duration) -> Bench {
        Bench {
            runner: self.runner.clone(),
            call,
            runs,
            timeout,
            stop: self.stop.clone(),
            folder: self.folder.join("reference"),
            trials: Cell::default(),
            expected: Vec::new(),
        }
    }

    /// A program with the right results, as lines have it
    pub(crate) fn reference(&self, program: &str) -> Reference {
        Reference {
            program: program.to_owned(),
            call: self.call.clone(),
            seconds: self.timeout.as_secs_f64(),
        }
    }

    /// Run a program; what failed is the kind and the reason
    pub fn run(&self, program: &str) -> Result<Run, (&'static str, String)> {
        // A folder of its own: what an earlier candidate left, or still writes, is never taken for its results.
        let folder = self.folder.join(self.trials.replace(self.trials.get() + 1).to_string());
        std::fs::create_dir_all(&folder).map_err(environment)?;
        let run = self.run_in(&folder, program);
        // What stays is removed with the folder of all.
        let _ = std::fs::remove_dir_all(&folder);
        run
    }

    fn run_in(&self, folder: &Path, program: &str) -> Result<Run, (&'static str, String)> {
        let place = |name: &str| folder.join(name);
        std::fs::write(place("candidate.mlir"), program).map_err(environment)?;
        let outputs: Vec<PathBuf> =
            self.call.results.iter().map(|n| place(&format!("result{n}.npy"))).collect();
        let mut command = Command::new(&self.runner);
        command.arg(place("candidate.mlir")).args(self.call.args()).arg(format!("--bench={}", self.runs));
        for (n, output) in self.call.results.iter().zip(&outputs) {
            command.arg(format!("--out={n}={}", output.display()));
        }
        // Files, not pipes: a child that talks much must not wait for us.
        let file = |name: &str| std::fs::File::create(place(name)).map_err(environment);
        let start = Instant::now();
        // A group of its own: the run starts a worker, and both end together.
        command.process_group(0);
        // It ends when this process does, which closes the pipe.
        command.env(terrace_native_client::orphan::ENDS_WITH_INPUT, "1");
        let child = command.stdin(Stdio::piped()).stdout(file("out")?).stderr(file("err")?).spawn();
        let status = wait(child.map_err(environment)?, self.timeout, &self.stop).map_err(environment)?;
        let wall = start.elapsed().as_secs_f64();
        let read = |name: &str| std::fs::read_to_string(place(name)).unwrap_or_default();
        match status {
            None if self.stop.interrupted() => Err((INTERRUPTED, "interrupted".to_owned())),
            None => Err(("timeout", format!("no answer in {:.1} s", self.timeout.as_secs_f64()))),
            Some(status) if status.code() == Some(1) => Err(refused(&first_line(&read("err")))),
            Some(status) if !status.success() => {
                Err(("crashed", format!("{status}: {}", first_line(&read("err")))))
            }
            Some(_) => ran(&read("out"), wall, &outputs),
        }
    }

    /// How a candidate fares; if it ran, where the time went and how long each run took
    pub fn outcome(&self, program: &str) -> (Outcome, Spent, Vec<u64>) {
        let failed = |kind: &str, reason: String| Outcome::Failed { kind: kind.into(), reason };
        let run = match self.run(program) {
            Ok(run) => run,
            Err((kind, reason)) => return (failed(kind, reason), Spent::default(), Vec::new()),
        };
        let (spent, times) = (run.spent, run.times);
        if run.results.len() != self.expected.len() {
            let reason = format!("{} results, the reference has {}", run.results.len(), self.expected.len());
            return (failed("wrong", reason), spent, times);
        }
        for (n, (found, expected)) in run.results.iter().zip(&self.expected).enumerate() {
            match compare(found, expected, tolerance(expected)) {
                Ok(same) if same.agrees() => {}
                Ok(other) => {
                    let reason =
                        format!("result {n}: {} of {} elements differ", other.mismatches, other.elements);
                    return (failed("wrong", reason), spent, times);
                }
                Err(error) => return (failed("wrong", error.to_string()), spent, times),
            }
        }
        (Outcome::Ran { seconds: run.seconds }, spent, times)
    }
}

fn environment(error: std::io::Error) -> (&'static str, String) {
    ("crashed", format!("cannot run candidates: {error}"))
}

/// What a run that ended well has said and written
fn ran(said: &str, wall: f64, outputs: &[PathBuf]) -> Result<Run, (&'static str, String)> {
    let line: serde_json::Value =
        serde_json::from_str(said.trim()).map_err(|_| ("crashed", "the run says no times".to_owned()))?;
    let nanos = line["median_ns"].as_f64().filter(|nanos| *nanos > 0.0);
    let nanos = nanos.ok_or(("crashed", "the run took no time".to_owned()))?;
    let results = outputs.iter().map(|file| Buffer::read_npy(file));
    let results = results.collect::<Result<_, _>>().map_err(|error| ("crashed", error.to_string()))?;
    let lowering = line["lowering_ns"].as_f64().unwrap_or(0.0) / 1e9;
    let mean = line["mean_ns"].as_f64().unwrap_or(nanos) / 1e9;
    let running = mean * (line["runs"].as_f64().unwrap_or(0.0) + 1.0);
    let spent = Spent { lowering, running, rest: (wall - lowering - running).max(0.0) };
    let times = line["times_ns"].as_array().map_or(&[][..], Vec::as_slice);
    let times = times.iter().filter_map(serde_json::Value::as_u64).collect();
    Ok(Run { seconds: nanos / 1e9, times, gflops: line["gflops"].as_f64(), results, spent })
}

/// Schedules may bracket sums as they like; what else they do shows in the leading digits
fn tolerance(expected: &Buffer) -> Tolerance<'static> {
    let largest = (0..expected.len()).filter_map(|n| expected.get(n)).map(|value| match value {
        Value::Int(value) => (value as f64).abs(),
        Value::Float(value) => value.abs(),
    });
    let largest = largest.filter(|value| value.is_finite()).fold(0.0, f64::max);
    let digits = match expected.elem().to_string().as_str() {
        "f64" => 1e-9,
        "f32" => 1e-4,
        "f16" | "bf16" => 0.05,
        _ => 0.0,
    };
    Tolerance::Scalar { abs: largest * digits, rel: digits }
}

/// Until it ends; killed after the limit, and when the user requests the end
fn wait(mut child: Child, limit: Duration, stop: &Stop) -> std::io::Result<Option<std::process::ExitStatus>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > limit || stop.interrupted() {
            match i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
                Some(group) => kill_process_group(group, Signal::KILL)?,
                None => child.kill()?,
            }
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// What a diagnosed end is: programs that die or take too long in the worker are no refusals
fn refused(said: &str) -> (&'static str, String) {
    use terrace_native_client::codes::{WORKER_DIED, WORKER_TIMEOUT};
    let kinds = [(WORKER_DIED, "crashed"), (WORKER_TIMEOUT, "timeout")];
    let found = kinds.iter().find(|(code, _)| said.starts_with(&format!("error[{}]", code.id)));
    (found.map_or("refused", |(_, kind)| kind), said.to_owned())
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or("it says nothing").to_owned()
}

/// `terrace-run`, in the folder of this tool
pub(crate) fn runner() -> Result<PathBuf, Diagnostic> {
    let path = std::env::current_exe().map(|path| path.with_file_name("terrace-run"));
    let found = path.ok().filter(|path: &PathBuf| path.is_file());
    found.ok_or_else(|| crate::errors::environment("terrace-run is not in the folder of terrace-tune".into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Budget;

    fn zeros() -> Buffer {
        Buffer::zeros(terrace_runtime_buffers::ElemType::F32, &[2]).expect("small")
    }

    /// What a shell does with the candidate's text, which stands for whatever a program may do
    fn outcome(folder: &Path, script: &str) -> Outcome {
        let bench = Bench {
            runner: "/bin/sh".into(),
            call: Call {
                entry: "f".into(),
                on: "host".into(),
                seeds: Vec::new(),
                results: vec![0],
                threads: None,
                pipeline: None,
                flops: None,
            },
            runs: 1,
            timeout: Duration::from_secs(1),
            stop: Stop::new(Budget::Points(1)),
            folder: folder.into(),
            trials: Cell::default(),
            expected: vec![zeros()],
        };
        bench.outcome(script).0
    }

    #[test]
    fn whatever_a_candidate_does_is_an_outcome() {
        let folder = tempfile::tempdir().expect("a folder");
        let kind = |script: &str| match outcome(folder.path(), script) {
            Outcome::Failed { kind, reason } => format!("{kind}: {reason}"),
            Outcome::Ran { seconds } => format!("ran {seconds}"),
        };
        assert_eq!(kind("echo no such op >&2; exit 1"), "refused: no such op");
        let died = "echo 'error[E0723]: the worker died before it answered: signal 11' >&2; exit 1";
        assert!(kind(died).starts_with("crashed: error[E0723]"), "{}", kind(died));
        assert!(kind("kill -SEGV $$").starts_with("crashed: signal: 11"), "{}", kind("kill -SEGV $$"));
        assert_eq!(kind("sleep 60"), "timeout: no answer in 1.0 s");
        // A child of its own that goes on is ended with it.
        assert_eq!(kind("sleep 60 & sleep 60"), "timeout: no answer in 1.0 s");
        assert_eq!(kind("true"), "crashed: the run says no times");
        assert_eq!(kind("echo '{\"median_ns\": 0}'"), "crashed: the run took no time");
        let given = folder.path().join("given.npy");
        zeros().write_npy(&given).expect("can be written");
        let good = "cp $(dirname $0)/../given.npy ${4#--out=0=}; echo '{\"median_ns\": 5e8, \"runs\": 3}'";
        assert_eq!(kind(good), "ran 0.5");
        let mut other = zeros();
        other.set(1, Value::Float(1.0));
        other.write_npy(&given).expect("can be written");
        assert_eq!(kind(good), "wrong: result 0: 1 of 2 elements differ");
    }
}
