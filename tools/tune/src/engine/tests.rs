//! Shells that stand for workers: whatever one does costs its trial a repetition at most.

use super::*;
use crate::args::Budget;
use terrace_search_trials::{Call, Policy, VERSION};

const GREETING: &str = r#"echo '{"greeting":2,"process":1}'"#;
/// The answer to the trial, with the process that gave it
const ANSWER: &str =
    r#"echo "{\"trial\":2,\"id\":\"t\",\"status\":\"ran\",\"reason\":\"$$\",\"times_ns\":[5]}""#;

fn trial() -> Trial {
    let (seeds, results) = (Vec::new(), Vec::new());
    let call = Call {
        entry: "f".into(),
        on: "interp".into(),
        seeds,
        results,
        threads: None,
        pipeline: None,
        flops: None,
    };
    let (id, program, policy) = ("t".into(), String::new(), Policy::default());
    Trial { trial: VERSION, id, point: None, program, call, policy, reference: None }
}

/// An engine whose workers run a script, in a folder of their own
struct Scripted {
    folder: tempfile::TempDir,
    engine: Engine,
}

impl Scripted {
    fn new(script: &str) -> Scripted {
        let folder = tempfile::tempdir().expect("a folder");
        let stop = Stop::new(Budget::Points(1));
        let script = format!("cd '{}'\n{script}", folder.path().display());
        let (args, patience) = (vec!["-c".into(), script.into()], Duration::from_secs(2));
        let start = Start {
            program: "/bin/sh".into(),
            args,
            patience,
            greets: patience,
            attempts: ATTEMPTS,
            parting: Duration::ZERO,
            about: None,
        };
        Scripted { folder, engine: Engine::new(start, &stop) }
    }

    /// The first worker does this to its first trial, those after it answer
    fn at_first(what: &str) -> Scripted {
        Scripted::new(&format!(
            "{GREETING}\nread line\nif mkdir first 2>/dev/null; then\n{what}\nfi\n{ANSWER}\nread line"
        ))
    }

    /// All workers do this to all trials
    fn always(what: &str) -> Scripted {
        Scripted::new(&format!("{GREETING}\nread line\n{what}"))
    }

    fn ask(&mut self) -> Answer {
        match self.engine.ask(&trial()) {
            Ok(answer) => answer,
            Err(NoAnswer::NoWorker(why)) => panic!("{why}"),
            Err(NoAnswer::Interrupted) => panic!("no signal was sent"),
        }
    }
}

/// What a broken worker may do, how a trial ends that no worker answers, and the reason that is given
const BROKEN: [(&str, Status, &str); 7] = [
    ("kill -KILL $$", Status::Crashed, "the worker ended: signal: 9 (SIGKILL)"),
    ("echo 'a reason' >&2; exit 7", Status::Crashed, "the worker ended: exit status: 7: a reason"),
    ("printf '{\"trial\":2,\"id'; exit 0", Status::Crashed, "the worker ended: exit status: 0"),
    ("echo 'Segmentation fault'", Status::Garbage, "it said `Segmentation fault`"),
    (
        "echo '{\"trial\":2,\"id\":\"other\",\"status\":\"ran\"}'",
        Status::Garbage,
        "it answered another trial",
    ),
    ("head -c 17000000 /dev/zero | tr '\\0' x; echo", Status::Garbage, "a line has at most 16 MiB"),
    ("kill -STOP $$", Status::Lost, "the worker gave no sign of life for 2 s"),
];

#[test]
fn a_worker_that_breaks_once_costs_a_repetition() {
    for (what, ..) in BROKEN {
        let mut scripted = Scripted::at_first(what);
        let answer = scripted.ask();
        assert_eq!(
            (answer.status, answer.attempt, &answer.times_ns[..]),
            (Status::Ran, 2, &[5][..]),
            "{what}"
        );
    }
}

#[test]
fn what_breaks_two_workers_is_given_up() {
    for (what, status, reason) in BROKEN {
        let mut scripted = Scripted::always(what);
        for _ in 0..2 {
            let answer = scripted.ask();
            assert_eq!((answer.status, answer.attempt), (status, 2), "{what}: {:?}", answer.reason);
            assert!(answer.reason.as_ref().is_some_and(|why| why.contains(reason)), "{:?}", answer.reason);
        }
    }
}

/// A crash that the worker itself reports is a crash as well
#[test]
fn a_program_that_crashes_is_tried_twice() {
    let crashed = ANSWER.replace("ran", "crashed");
    let answer = Scripted::at_first(&format!("{crashed}; exit")).ask();
    assert_eq!((answer.status, answer.attempt), (Status::Ran, 2));
    let answer = Scripted::always(&crashed).ask();
    assert_eq!((answer.status, answer.attempt), (Status::Crashed, 2));
    // Other failures are what they are.
    let answer = Scripted::always(&ANSWER.replace("ran", "timeout")).ask();
    assert_eq!((answer.status, answer.attempt), (Status::Timeout, 1));
}

#[test]
fn a_worker_stays_until_it_says_that_it_ends() {
    let mut scripted = Scripted::new(&format!("{GREETING}\nwhile read line; do {ANSWER}; done"));
    let first = scripted.ask();
    assert_eq!(first.attempt, 1);
    assert_eq!(scripted.ask().reason, first.reason);
    let last = ANSWER.replace(
        "\\\"times_ns",
        "\\\"worker\\\":{\\\"process\\\":1,\\\"trials\\\":1,\\\"ends\\\":true},\\\"times_ns",
    );
    let mut scripted = Scripted::always(&format!("{last}; read line"));
    let first = scripted.ask();
    let second = scripted.ask();
    assert_ne!(first.reason, second.reason);
    assert_eq!((first.attempt, second.attempt), (1, 1));
}

/// Signs of life carry a trial over any time
#[test]
fn a_busy_worker_is_waited_for() {
    let beats = "for n in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 0.25; echo '{\"beat\":\"t\"}'; done";
    let answer = Scripted::always(&format!("{beats}; {ANSWER}; read line")).ask();
    assert_eq!((answer.status, answer.attempt), (Status::Ran, 1));
}

#[test]
fn what_is_no_worker_is_an_error() {
    for script in ["exit 3", "echo hello", "echo '{\"greeting\":1,\"process\":1}'; read line", "sleep 60"] {
        let mut scripted = Scripted::new(script);
        match scripted.engine.ask(&trial()) {
            Err(NoAnswer::NoWorker(why)) => assert!(why.contains("is no worker: "), "{why}"),
            _ => panic!("{script}"),
        }
    }
    let mut scripted = Scripted::new("");
    scripted.engine.start.program = "/nonexistent/worker".into();
    assert!(matches!(scripted.engine.ask(&trial()), Err(NoAnswer::NoWorker(_))));
}

/// What a worker has started ends with it
#[test]
fn a_worker_ends_with_all_that_it_started() {
    let mut scripted = Scripted::always(&format!("sleep 1000 & echo $! > child; {ANSWER}; read line"));
    scripted.ask();
    let child = std::fs::read_to_string(scripted.folder.path().join("child")).expect("it was written");
    scripted.engine.running = None;
    let pid = rustix::process::Pid::from_raw(child.trim().parse().expect("a number")).expect("a process");
    // It has no parent that waits then, and gone as soon as the system has noticed.
    let start = std::time::Instant::now();
    while rustix::process::test_kill_process(pid).is_ok() {
        assert!(start.elapsed() < Duration::from_secs(60), "the child stays");
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
        if stat.is_empty() || stat.contains(") Z ") {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}
