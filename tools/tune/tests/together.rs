//! Several computations with one budget, from the command line, on the interpreter.

use crate::search::{OPEN, PROGRAM, killed, scratch, text, tune};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// A product with another reduced dimension
fn longer() -> String {
    PROGRAM.replace("8x6", "8x12").replace("6x4", "12x4").replace("k in 6", "k in 12")
}

/// The same product in other words
fn renamed() -> String {
    PROGRAM
        .replace("@mm", "@product")
        .replace("\"mm\"", "\"product\"")
        .replace("%A", "%left")
        .replace("%p", "%value")
}

/// A folder that is not there
fn folder(name: &str) -> String {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&place);
    place.to_str().expect("UTF-8").to_owned()
}

fn file(folder: &str, name: &str) -> String {
    format!("{folder}/{name}")
}

fn read(file: &str) -> String {
    std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Points of a log without what differs from run to run
fn course(log: &str) -> Vec<Value> {
    let entry = |line: &str| -> Value {
        let mut entry: Value = serde_json::from_str(line).expect("JSON");
        entry.as_object_mut().expect("an object").remove("at");
        entry
    };
    killed(log).lines().skip(1).map(entry).collect()
}

fn run(args: &[&str]) -> String {
    let output = tune(args);
    assert!(output.status.success(), "{}{}", text(&output).0, text(&output).1);
    text(&output).0
}

fn refused(args: &[&str]) -> String {
    let output = tune(args);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output).0);
    text(&output).1
}

#[test]
fn two_programs_share_a_budget() {
    let (a, b) = (scratch("share-a.mlir", PROGRAM), scratch("share-b.mlir", &longer()));
    let (logs, best) = (folder("share-logs"), folder("share-best"));
    let open = format!("--schedule={}", scratch("share.txt", OPEN));
    let (log_arg, weight) = (format!("--log={logs}"), "--weight=share-b=3");
    let args = [a.as_str(), &b, &open, &log_arg, weight, "-o", &best, "--technique=random", "--prune=1"];
    let out = run(&[&args[..], &["--budget=17"]].concat());
    let points = |out: &str, name: &str| -> Vec<String> {
        let row =
            out.lines().rev().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}: {out}"));
        row.split_whitespace().map(String::from).collect()
    };
    for name in ["share-a", "share-b"] {
        let log = file(&logs, &format!("{name}.jsonl"));
        let rows = points(&out, name);
        // A round each, to begin with.
        assert!(course(&log).len() >= 5 && rows[3] == course(&log).len().to_string(), "{out}");
        assert_eq!(rows[1], if name == "share-b" { "3" } else { "1" });
        assert!(read(&log).contains("\n{\"end\""), "it says how it ended");
        let program = read(&file(&best, &format!("{name}.mlir")));
        assert!(program.contains("mdh.schedule = [\"1: (") && !program.contains('?'), "{program}");
    }
    let all = points(&out, "all");
    assert_eq!(all[1], "17", "{out}");
    // It goes on where it ended, also in the middle of a round.
    let out = run(&[&args[..], &["--budget=24", "--resume"]].concat());
    assert_eq!(points(&out, "all")[1], "24", "{out}");
    let page = Command::new(env!("CARGO_BIN_EXE_terrace-tune"))
        .arg(format!("--page={}", file(&logs, "share-b.jsonl")))
        .output()
        .expect("the tool runs");
    assert!(page.status.success(), "{}", text(&page).1);
}

/// Recorded costs give one division of the budget, whether it was interrupted or not
#[test]
fn a_budget_is_divided_by_what_is_recorded() {
    let (a, b) = (scratch("divide-a.mlir", PROGRAM), scratch("divide-b.mlir", &longer()));
    let wide = OPEN.replace("(?,4,?)", "(?,?,?)");
    let open = format!("--schedule={}", scratch("divide.txt", &wide));
    let recorded = folder("divide-recorded");
    run(&[
        &a,
        &b,
        &open,
        &format!("--log={recorded}"),
        "--technique=exhaustive",
        "--budget=500",
        "--bench=1",
    ]);
    let replay = format!("--replay={recorded}");
    let counts = |logs: &str| {
        let names = ["divide-a.jsonl", "divide-b.jsonl"];
        names.map(|name| course(&file(logs, name)))
    };
    assert_eq!(counts(&recorded).map(|points| points.len()), [48, 72]);
    let replayed = |logs: &str, budgets: &[&str]| {
        for (n, budget) in budgets.iter().enumerate() {
            let (log, resume) = (format!("--log={logs}"), if n > 0 { Some("--resume") } else { None });
            let fixed = [a.as_str(), &b, &open, &replay, &log, "--technique=random", "--prune=1", budget];
            let out = run(&fixed.into_iter().chain(resume).collect::<Vec<_>>());
            assert!(out.contains("nothing was measured"), "{out}");
        }
        counts(logs)
    };
    let whole = replayed(&folder("divide-whole"), &["--budget=60"]);
    assert_eq!(whole.iter().map(Vec::len).sum::<usize>(), 60);
    assert!(whole == replayed(&folder("divide-again"), &["--budget=60"]));
    assert!(whole == replayed(&folder("divide-parts"), &["--budget=8", "--budget=33", "--budget=60"]));
    // Spaces end before the budget does.
    let all = replayed(&folder("divide-all"), &["--budget=500"]);
    assert_eq!(all.map(|points| points.len()), [48, 72]);
}

#[test]
fn equal_programs_are_searched_once() {
    let (a, b) = (scratch("equal-a.mlir", PROGRAM), scratch("equal-b.mlir", &renamed()));
    let (logs, best) = (folder("equal-logs"), folder("equal-best"));
    let open = format!("--schedule={}", scratch("equal.txt", OPEN));
    let out = run(&[&a, &b, &open, &format!("--log={logs}"), "-o", &best, "--budget=6"]);
    assert!(out.starts_with("equal-b: the same as equal-a, searched once\n"), "{out}");
    assert!(!Path::new(&file(&logs, "equal-b.jsonl")).exists());
    let row = out.lines().find(|line| line.starts_with("equal-a  ")).expect("a row");
    assert_eq!(row.split_whitespace().nth(1), Some("2"), "it counts twice: {out}");
    // Each program has the schedule, and its own names.
    let other = read(&file(&best, "equal-b.mlir"));
    assert!(other.contains("mdh.schedule") && other.contains("@product"), "{other}");
}

#[test]
fn computations_of_one_file_share_a_budget() {
    let both = PROGRAM.to_owned() + &longer().replace("@mm", "@long").replace("\"mm\"", "\"long\"");
    let program = scratch("net.mlir", &both);
    let open = format!("--schedule={}", scratch("net.txt", OPEN));
    let logs = folder("net-logs");
    let out = run(&[
        &program,
        "--compute=all",
        &open,
        &format!("--log={logs}"),
        "--budget=12",
        "--weight=net.long=2",
    ]);
    assert!(out.contains("\nnet.mm:\n") && out.contains("\nnet.long:\n"), "{out}");
    assert!(
        Path::new(&file(&logs, "net.mm.jsonl")).exists()
            && Path::new(&file(&logs, "net.long.jsonl")).exists()
    );
    let out = run(&[&program, "--compute=mm,long", &open, "--dry-run"]);
    assert!(out.contains("net.mm:\n2 open fields") && out.contains("net.long:\n2 open fields"), "{out}");
    // One of them alone is a search as ever.
    let out = run(&[&program, "--compute=long", &open, "--budget=2"]);
    assert!(out.starts_with("2 points"), "{out}");
}

/// All is checked before anything is measured, and a message says what it is about
#[test]
fn mistakes_are_found_before_anything_is_measured() {
    let (a, b) = (scratch("wrong-a.mlir", PROGRAM), scratch("wrong-b.mlir", &longer()));
    let open = format!("--schedule={}", scratch("wrong.txt", OPEN));
    let other = a.replace("/wrong-a.mlir", "/./wrong-a.mlir");
    let said = refused(&[&a, &other, &open]);
    assert!(said.contains("wrong-a.mlir` is named twice") && said.contains("--weight=NAME=2"), "{said}");
    // Schedules of their own: something is open in the first, nothing in the second.
    let with = |program: String, size: &str| {
        let steps =
            format!("attributes {{mdh.schedule = [\"1: ({size},1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)\"]}} {{");
        program.replace("outs([i, j]) {", &format!("outs([i, j]) {steps}"))
    };
    let logs = folder("wrong-logs");
    let half = scratch("wrong-half.mlir", &with(PROGRAM.into(), "?"));
    let closed = scratch("wrong-closed.mlir", &with(longer(), "1"));
    let said = refused(&[&half, &closed, "--budget=5", &format!("--log={logs}")]);
    assert!(said.contains("this is about `wrong-closed`"), "{said}");
    assert!(said.contains("nothing is open in the schedule"), "{said}");
    let none = std::fs::read_dir(&logs).map_or(0, |files| files.count());
    assert_eq!(none, 0, "nothing was measured");
    for budget in ["--budget=0", "--budget=0s"] {
        for files in [&[a.as_str()][..], &[&a, &b]] {
            let said = refused(&[files, &[&open, budget]].concat());
            assert!(said.contains("a budget of nothing"), "{said}");
        }
    }
    let said = refused(&[&a, &b, &open, "--budget=1"]);
    assert!(said.contains("a budget of 1 points is less than one for each of 2 computations"), "{said}");
    let said = refused(&[&a, &b, &open, "--weight=wrong-c=2"]);
    assert!(said.contains("no computation is called `wrong-c`; there are `wrong-a`, `wrong-b`"), "{said}");
    let said = refused(&[&a, &b, &open, "--flops=7"]);
    assert!(said.contains("--flops is about one computation"), "{said}");
    let here = Path::new(&a).parent().and_then(Path::to_str).expect("a folder").to_owned();
    let said = refused(&[&a, &b, &open, "-o", &here]);
    assert!(said.contains("wrong-a.mlir` is searched, `-o` would overwrite it"), "{said}");
    assert!(read(&a) == PROGRAM);
    let said = refused(&[&a, &b, &open, &format!("--log={}", scratch("wrong.jsonl", ""))]);
    assert!(said.contains("it is a folder, with a file for each"), "{said}");
    // One of two programs cannot be read.
    let broken = scratch("wrong-broken.mlir", "func.func @f(");
    let output = tune(&[&a, &broken, &open, "--budget=4"]);
    assert!(
        output.status.code() == Some(1) && text(&output).1.contains("wrong-broken.mlir"),
        "{}",
        text(&output).1
    );
    let weight = tune(&[&a, &b, &open, "--weight=x"]);
    assert_eq!(weight.status.code(), Some(2));
}

/// Ctrl-C ends all searches, not what they have found
#[test]
#[cfg(unix)]
fn who_interrupts_has_the_best_of_all() {
    use rustix::process::{Pid, Signal, kill_process};
    let (a, b) = (scratch("stop-a.mlir", PROGRAM), scratch("stop-b.mlir", &longer()));
    let (logs, best) = (folder("stop-logs"), folder("stop-best"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_terrace-tune"))
        .args([
            a.as_str(),
            &b,
            "--free=size,core",
            "--on=interp",
            "--budget=1h",
            &format!("--log={logs}"),
            "-o",
            &best,
        ])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the tool runs");
    let names = ["stop-a", "stop-b"];
    let points = |name: &str| {
        let log = file(&logs, &format!("{name}.jsonl"));
        std::fs::read_to_string(log).map_or(0, |text| text.lines().count())
    };
    while names.iter().any(|name| points(name) < 4) && child.try_wait().expect("it is ours").is_none() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let id = i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("a process");
    kill_process(id, Signal::INT).expect("it runs");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{}", text(&output).0);
    for name in names {
        let log = read(&file(&logs, &format!("{name}.jsonl")));
        assert!(log.lines().last().is_some_and(|line| line.contains("\"interrupted\":true")), "{log}");
        assert!(read(&file(&best, &format!("{name}.mlir"))).contains("mdh.schedule"));
    }
}
