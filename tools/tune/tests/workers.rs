//! Workers that are killed, stopped or given what is no line: real processes, from the command line.

use crate::search::{OPEN, PROGRAM, fresh, scratch};
use crate::trials::drawn;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// Runs that take about a second
const LONG: usize = 2000;

/// A process that answers lines
pub(crate) struct Asked {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Asked {
    fn start(command: &str) -> Asked {
        Asked::start_with(&[command])
    }

    pub(crate) fn start_with(args: &[&str]) -> Asked {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_terrace-tune"));
        tool.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = tool.spawn().expect("cargo built the tool");
        let (input, output) = (child.stdin.take(), child.stdout.take());
        Asked { child, input, output: BufReader::new(output.expect("a pipe")) }
    }

    pub(crate) fn write(&mut self, line: impl ToString) {
        let line = line.to_string() + "\n";
        self.input.as_mut().expect("a pipe").write_all(line.as_bytes()).expect("it reads");
    }

    /// The next line; `None` at the end
    pub(crate) fn said(&mut self) -> Option<Value> {
        let mut line = String::new();
        if self.output.read_line(&mut line).expect("it writes text") == 0 {
            return None;
        }
        Some(serde_json::from_str(&line).unwrap_or_else(|why| panic!("{why}: {line}")))
    }

    /// The next one that is no sign of life
    pub(crate) fn read(&mut self) -> Option<Value> {
        std::iter::from_fn(|| self.said()).find(|said| said["beat"].is_null())
    }

    fn answer(&mut self, line: impl ToString) -> Value {
        self.write(line);
        self.read().expect("an answer")
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn pid(number: u64) -> Pid {
    i32::try_from(number).ok().and_then(Pid::from_raw).expect("a process")
}

fn process(answer: &Value) -> u64 {
    answer["worker"]["process"].as_u64().unwrap_or_else(|| panic!("{answer}"))
}

/// The same trial with many runs
fn long(line: &Value) -> Value {
    let mut line = line.clone();
    line["policy"] = json!({"runs": LONG, "build_s": 100, "run_s": 100});
    line
}

fn is_there(process: u64) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z ")
}

/// A worker is given a trial, and is killed or stopped some time after that
fn at_work(name: &str, signal: Signal) {
    let line = drawn(name, 1).remove(0);
    let mut asked = Asked::start("trial");
    let first = asked.answer(&line);
    assert_eq!((&first["status"], &first["attempt"]), (&json!("ran"), &json!(1)), "{first}");
    asked.write(long(&line));
    std::thread::sleep(Duration::from_millis(100));
    kill_process(pid(process(&first)), signal).expect("it waits for trials");
    let second = asked.read().expect("an answer");
    assert_eq!((&second["status"], &second["attempt"]), (&json!("ran"), &json!(2)), "{second}");
    assert_eq!(second["times_ns"].as_array().map(Vec::len), Some(LONG));
    assert_ne!(process(&first), process(&second));
    assert!(!is_there(process(&first)));
    // The new one stays.
    assert_eq!(process(&asked.answer(&line)), process(&second));
}

#[test]
fn a_worker_that_is_killed_costs_a_repetition() {
    at_work("killed", Signal::KILL);
}

#[test]
fn a_worker_that_is_stopped_costs_a_repetition() {
    at_work("stopped", Signal::STOP);
}

#[test]
fn a_worker_ends_with_who_started_it() {
    let line = drawn("orphan", 1).remove(0);
    let mut asked = Asked::start("trial");
    let worker = process(&asked.answer(&line));
    asked.write(long(&line));
    asked.child.kill().expect("it is ours");
    let start = std::time::Instant::now();
    while is_there(worker) {
        assert!(start.elapsed() < Duration::from_secs(60), "the worker stays");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A search goes on, and measures all points
#[test]
fn a_search_survives_its_workers() {
    let (program, open) = (scratch("survive.mlir", PROGRAM), scratch("survive.txt", OPEN));
    let log = fresh("survive.jsonl");
    let mut child = Command::new(env!("CARGO_BIN_EXE_terrace-tune"))
        .args([
            &program,
            &format!("--schedule={open}"),
            &format!("--log={log}"),
            "--on=interp",
            "--stop=never",
        ])
        .args(["--technique=exhaustive", "--budget=100", "--bench=300"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("cargo built the tool");
    let points = || std::fs::read_to_string(&log).map_or(0, |text| text.lines().count());
    let (mut killed, mut seen) = (0, 1);
    while child.try_wait().expect("it is ours").is_none() {
        // One at a time, so that no trial meets two.
        if points() > seen + 1 && killed < 4 {
            seen = points();
            // Each worker has a thread that has started it.
            let threads =
                std::fs::read_dir(format!("/proc/{}/task", child.id())).into_iter().flatten().flatten();
            let children = threads.map(|thread| std::fs::read_to_string(thread.path().join("children")));
            let children: String = children.map(Result::unwrap_or_default).collect();
            let workers = children.split_whitespace().filter(|child| {
                let line = std::fs::read(format!("/proc/{child}/cmdline")).unwrap_or_default();
                line.split(|byte| *byte == 0).any(|word| word == b"worker")
            });
            for worker in workers {
                killed +=
                    u32::from(kill_process(pid(worker.parse().expect("a number")), Signal::KILL).is_ok());
            }
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let output = child.wait_with_output().expect("it is ours");
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && out.starts_with("16 points: 16 ran\n"), "{out}");
    assert!(killed > 0, "none was seen");
}

/// Whatever a worker is given, it answers; its input may end in the middle of a line
#[test]
fn a_worker_answers_whatever_it_reads() {
    let line = drawn("whatever", 1).remove(0);
    let mut asked = Asked::start("worker");
    let greeting = asked.read().expect("a greeting");
    assert_eq!(greeting, json!({"greeting": 2, "process": asked.child.id()}));
    for (garbage, why) in
        [("{\"trial\":", "no JSON: "), ("[]", "no trial: "), (&"x".repeat(17 << 20), "no JSON: ")]
    {
        let answer = asked.answer(garbage);
        assert_eq!(answer["status"], "garbage");
        assert!(answer["reason"].as_str().is_some_and(|reason| reason.contains(why)), "{answer}");
    }
    let answer = asked.answer(&line);
    assert_eq!((&answer["status"], &answer["worker"]["trials"]), (&json!("ran"), &json!(4)), "{answer}");
    // The last line lacks its end, and is one all the same.
    asked.input.as_mut().expect("a pipe").write_all(line.to_string().as_bytes()).expect("it reads");
    drop(asked.input.take());
    assert_eq!(asked.read().expect("an answer")["status"], "ran");
    assert_eq!(asked.read(), None);
    assert!(asked.child.wait().expect("it is ours").success());
}

/// What a wrong program has done to its process is not known
#[test]
fn a_worker_ends_after_a_wrong_program() {
    let line = drawn("ends", 1).remove(0);
    let mut wrong = line.clone();
    wrong["program"] = json!(line["program"].as_str().expect("a text").replace("arith.muli", "arith.addi"));
    let mut asked = Asked::start("worker");
    asked.read().expect("a greeting");
    let answer = asked.answer(wrong);
    assert_eq!((&answer["status"], &answer["worker"]["ends"]), (&json!("wrong"), &json!(true)), "{answer}");
    assert_eq!(asked.read(), None);
}
