//! Scripts say with their exit code what is interesting; those that decide nothing are refused.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const INPUT: &str = "\
func.func @helper(%a: i32) -> i32 {
  %c = arith.constant 12 : i32
  %x = arith.addi %a, %c : i32
  return %x : i32
}
func.func @main(%a: i32, %b: i32) -> i32 {
  %x = arith.muli %a, %b : i32
  %y = arith.divsi %x, %b : i32
  %z = arith.addi %y, %a : i32
  return %z : i32
}
";

struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).expect("the folder for temporary files of tests can be written");
        fs::write(folder.join("in.mlir"), INPUT).expect("it can be written");
        Place(folder)
    }

    fn script(&self, name: &str, text: &str) -> String {
        let file = self.0.join(name);
        fs::write(&file, format!("#!/bin/sh\n{text}\n")).expect("it can be written");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("it is there");
        file.to_string_lossy().into_owned()
    }

    fn run(&self, args: &[&str]) -> (Option<i32>, String, String) {
        let out = Command::new(env!("CARGO_BIN_EXE_terrace-reduce")).args(args).current_dir(&self.0).output();
        let Output { status, stdout, stderr } = out.expect("cargo built the tool");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (status.code(), text(&stdout), text(&stderr))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn what_the_script_wants_is_left() {
    let place = Place::new("left");
    let script = place.script("divides.sh", "grep -q divsi \"$1\"");
    let (code, out, err) = place.run(&["in.mlir", &format!("--test={script}")]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("divsi") && !out.contains("muli") && !out.contains("helper"), "{out}");
    assert!(err.contains("are left, after"), "{err}");
    // The same with several at once, into a file.
    let args = ["in.mlir", &format!("--test={script}"), "--jobs=4", "-o", "out.mlir", "--quiet"];
    let (code, nothing, err) = place.run(&args);
    assert_eq!((code, nothing.as_str(), err.as_str()), (Some(0), "", ""));
    assert_eq!(fs::read_to_string(place.0.join("out.mlir")).expect("it was written"), out);
}

#[test]
fn a_failure_is_interesting_for_those_who_come_from_mlir() {
    let place = Place::new("turned");
    let script = place.script("fails.sh", "test \"$1\" = extra || exit 0; shift; ! grep -q divsi \"$1\"");
    let tree = format!("--reduction-tree=traversal-mode=0 test={script} test-arg=extra");
    let (code, out, err) = place.run(&["--as=mlir-reduce", "in.mlir", &tree]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("divsi") && !out.contains("muli"), "{out}");
    let again =
        place.run(&["in.mlir", &format!("--test={script}"), "--test-arg=extra", "--interesting=nonzero"]);
    assert_eq!((again.0, again.1), (code, out));
    let (code, _, err) = place.run(&["--as=mlir-reduce", "in.mlir", "--reduction-tree=tests=x"]);
    assert!(code == Some(1) && err.contains("no option `tests=x`"), "{err}");
}

#[test]
fn scripts_that_decide_nothing_are_refused() {
    let place = Place::new("refused");
    let verdict = |name: &str, text: &str, more: &[&str]| {
        let script = format!("--test={}", place.script(name, text));
        let (code, out, err) = place.run(&[&["in.mlir", &script, "-o", "out.mlir"], more].concat());
        assert_eq!((code, out.as_str()), (Some(1), ""), "{err}");
        assert!(!place.0.join("out.mlir").exists(), "nothing is written");
        err
    };
    let err = verdict("yes.sh", "exit 0", &[]);
    assert!(err.contains("E0414") && err.contains("a module with nothing in it is interesting"), "{err}");
    let err = verdict("no.sh", "exit 1", &[]);
    assert!(err.contains("the input itself is not interesting") && err.contains("nonzero"), "{err}");
    let err = verdict("slow.sh", "sleep 60", &["--timeout=0.2"]);
    assert!(err.contains("took too long"), "{err}");
    let flag = place.0.join("flag");
    let once = format!("test -e {0} && exit 1; touch {0}", flag.display());
    let err = verdict("once.sh", &once, &[]);
    assert!(err.contains("in one run and not in another"), "{err}");
    let (code, _, err) = place.run(&["in.mlir", "--test=./nowhere.sh"]);
    assert!(code == Some(1) && err.contains("E0415") && err.contains("nowhere.sh"), "{err}");
    let (code, _, err) = place.run(&["in.mlir"]);
    assert!(code == Some(2) && err.contains("--test"), "{err}");
}

#[test]
fn what_a_script_starts_ends_with_it() {
    let place = Place::new("group");
    // One that leaves a process behind, which would write after a while; the script itself ends at once.
    let late = place.0.join("late");
    let text = format!("(sleep 1; touch {}) & grep -q divsi \"$1\"", late.display());
    let script = place.script("leaves.sh", &text);
    let (code, _, err) = place.run(&["in.mlir", &format!("--test={script}"), "--max-tests=5"]);
    assert!(code == Some(0) && err.contains("stopped before every edit was tried"), "{err}");
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert!(!late.exists());
}

#[test]
fn verdicts_are_kept() {
    let place = Place::new("cache");
    let count = place.0.join("count");
    let script = place.script("counts.sh", &format!("echo >> {}; grep -q divsi \"$1\"", count.display()));
    let args = ["in.mlir", &format!("--test={script}"), "--cache=known.txt"];
    let first = place.run(&args);
    let runs = || fs::read_to_string(&count).expect("the script ran").lines().count();
    let before = runs();
    let second = place.run(&args);
    assert_eq!((first.0, first.1), (Some(0), second.1));
    // The input, twice, and the module with nothing in it.
    assert_eq!(runs(), before + 3, "{}", second.2);
}

#[test]
fn bad_input_is_refused() {
    let place = Place::new("input");
    fs::write(place.0.join("bad.mlir"), "func.func @f( {").expect("it can be written");
    let (code, _, err) = place.run(&["bad.mlir", "--test=true"]);
    assert!(code == Some(1) && err.contains("bad.mlir:1"), "{err}");
    let (code, _, err) = place.run(&["nowhere.mlir", "--test=true"]);
    assert!(code == Some(1) && err.contains("E0401"), "{err}");
}

#[test]
fn the_limit_of_runs_is_exact_and_does_not_depend_on_jobs() {
    let place = Place::new("limit");
    let count = place.0.join("count");
    let script = place.script("counts.sh", &format!("echo >> {}; grep -q divsi \"$1\"", count.display()));
    let args = ["in.mlir", &format!("--test={script}"), "--max-tests=7"];
    let (code, one, err) = place.run(&args);
    assert!(code == Some(0) && err.contains("after 7 runs of the script"), "{err}");
    assert_eq!(fs::read_to_string(&count).expect("the script ran").lines().count(), 7);
    let (code, many, err) = place.run(&[&args[..], &["--jobs=5"]].concat());
    assert!(code == Some(0) && err.contains("after 7 runs of the script"), "{err}");
    assert_eq!(many, one);
    let (code, _, err) = place.run(&["in.mlir", &format!("--test={script}"), "--max-tests=2"]);
    assert!(code == Some(2) && err.contains("3.."), "{err}");
}

#[test]
fn what_was_reached_is_kept_when_the_script_cannot_be_run_any_more() {
    let place = Place::new("gone");
    let count = place.0.join("count");
    let text = format!(
        "echo >> {0}; test $(wc -l < {0}) -lt 12 || chmod -x \"$0\"; grep -q divsi \"$1\"",
        count.display()
    );
    let script = place.script("goes.sh", &text);
    let (code, out, err) = place.run(&["in.mlir", &format!("--test={script}")]);
    assert!(code == Some(1) && err.contains("E0415") && err.contains("is kept"), "{err}");
    assert!(out.contains("divsi") && out.len() < INPUT.len(), "{out}");
    assert_eq!(fs::read_to_string(&count).expect("the script ran").lines().count(), 12);
    // A cache that cannot be written is refused before the first run.
    let (code, out, err) = place.run(&["in.mlir", &format!("--test={script}"), "--cache=nowhere/known.txt"]);
    assert!(code == Some(1) && out.is_empty() && err.contains("E0403"), "{err}");
    assert_eq!(fs::read_to_string(&count).expect("the script ran").lines().count(), 12);
}

#[test]
fn an_interrupt_leaves_nothing_behind_and_keeps_what_was_reached() {
    let place = Place::new("interrupt");
    let folders = place.0.join("folders");
    fs::create_dir(&folders).expect("it can be written");
    let (count, sleeper) = (place.0.join("count"), place.0.join("sleeper"));
    // The tenth run sleeps, by a process that it has started.
    let text = format!(
        "echo >> {0}; test $(wc -l < {0}) -lt 10 || {{ sleep 600 & echo $! > {1}; wait; }}; grep -q divsi \"$1\"",
        count.display(),
        sleeper.display()
    );
    let script = place.script("sleeps.sh", &text);
    let mut child = Command::new(env!("CARGO_BIN_EXE_terrace-reduce"))
        .args(["in.mlir", &format!("--test={script}"), "--timeout=600", "-o", "out.mlir"])
        .current_dir(&place.0)
        .env("TMPDIR", &folders)
        .spawn()
        .expect("cargo built the tool");
    let started = || fs::read_to_string(&sleeper).ok().and_then(|text| text.trim().parse::<i32>().ok());
    let asleep = (0..3000).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        started()
    });
    let asleep = asleep.expect("the tenth run starts");
    assert_eq!(fs::read_dir(&folders).expect("it is there").count(), 1, "a run has a folder");
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).expect("it runs");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert_eq!(fs::read_dir(&folders).expect("it is there").count(), 0, "the folder is gone");
    let state = fs::read_to_string(format!("/proc/{asleep}/stat")).unwrap_or_default();
    assert!(state.is_empty() || state.contains(") Z "), "what the script started has ended: {state}");
    let out = fs::read_to_string(place.0.join("out.mlir")).expect("it is written");
    assert!(out.contains("divsi") && out.len() < INPUT.len(), "{out}");
}
