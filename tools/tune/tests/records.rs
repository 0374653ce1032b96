//! Records of searches: written, looked at, merged, pruned; and what is no store.

use crate::search::{PROGRAM, scratch, text, tune};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use terrace_search_records::record::FORM;
use terrace_search_records::{About, Hash, Record, Store};

/// A record in words
fn record(computation: &str, machine: &str, seconds: f64) -> Record {
    Record {
        form: FORM,
        program: Hash::of(computation),
        target: Hash::of("target"),
        compiler: Hash::of("compiler"),
        machine: Hash::of(machine),
        schedule: vec!["1: (8,^) (^ ; ^) (THR.x,^)".into(), "2: (1,1) (^ ; ^) (FOR.1,FOR.2)".into()],
        seconds,
        chosen: 0.006,
        about: About {
            computation: computation.into(),
            target: "x86-64-v4 on host, 2 threads".into(),
            compiler: "terrace 0.1.0, LLVM 22.1".into(),
            machine: machine.into(),
        },
        unix: 1_795_910_400,
    }
}

/// A store of these, and its folder as text
fn store(records: &[Record]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("store");
    Store::create(&place).and_then(|store| store.write(records)).expect("it can be written");
    let name = place.to_str().expect("UTF-8").to_owned();
    (folder, name)
}

/// A place where no store is yet
fn no_store() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let name = folder.path().join("store").to_str().expect("UTF-8").to_owned();
    (folder, name)
}

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_terrace-tune"))
        .arg("records")
        .args(args)
        .output()
        .expect("the tool runs")
}

/// What it prints where it succeeds
fn said(args: &[&str]) -> String {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", text(&output).1);
    text(&output).0
}

/// What it prints where it fails
fn refused(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(1), "{args:?}: {}", text(&output).0);
    text(&output).1
}

const THREE: [(&str, &str, f64); 3] = [
    ("mm: i 8, j 4", "A, 2 cores", 0.002),
    ("mm: i 8, j 4", "A, 2 cores", 0.004),
    ("conv: n 1", "B, 64 cores", 0.003),
];

fn three() -> Vec<Record> {
    THREE.map(|(computation, machine, seconds)| record(computation, machine, seconds)).into()
}

#[test]
fn a_list_is_a_table() {
    let (_folder, name) = store(&three());
    let list = said(&["list", &name]);
    let lines: Vec<Vec<&str>> = list
        .lines()
        .map(|line| line.split("  ").filter(|cell| !cell.is_empty()).map(str::trim).collect())
        .collect();
    assert_eq!(lines[0], ["record", "computation", "target", "time", "gain", "date", "machine"]);
    assert_eq!(
        lines[1][1..],
        ["conv: n 1", "x86-64-v4 on host, 2 threads", "3.000 ms", "2.00", "2026-11-29", "B, 64 cores"]
    );
    assert_eq!((lines[2][3], lines[3][3], lines.len()), ("2.000 ms", "4.000 ms", 4));
    assert_eq!(said(&["list", &name, "--of=conv"]).lines().count(), 2);
    assert_eq!(said(&["list", &name, "--of=64 cores"]).lines().count(), 2);
    assert_eq!(said(&["list", &name, "--of=nothing"]).lines().count(), 1);
}

#[test]
fn the_best_are_printed_with_their_schedules() {
    let (_folder, name) = store(&three());
    let best = said(&["best", &name]);
    assert_eq!(best.lines().count(), 1 + 2 * 3, "{best}");
    assert!(best.contains("    1: (8,^) (^ ; ^) (THR.x,^)\n    2: (1,1)"), "{best}");
    assert!(best.contains("2.000 ms") && !best.contains("4.000 ms"), "{best}");
}

#[test]
fn stores_are_exported_and_merged() {
    let ((_a, a), (folder, b)) = (store(&three()), store(&[record("dot: k 7", "A, 2 cores", 0.001)]));
    let export = said(&["export", &a]);
    assert_eq!(export.lines().count(), 3);
    // A segment is a store's, wherever it comes from.
    std::fs::write(Path::new(&b).join("from-a.jsonl"), &export).expect("it can be written");
    assert_eq!(said(&["list", &b]).lines().count(), 5);
    let file = folder.path().join("all.jsonl");
    assert_eq!(said(&["export", &b, "-o", file.to_str().expect("UTF-8")]), "");
    assert_eq!(std::fs::read_to_string(file).expect("it is there").lines().count(), 4);
    let merged = said(&["merge", &b, &a]);
    assert_eq!(merged, format!("`{a}`: 1 segment taken, 0 there already\n"));
    assert_eq!(said(&["merge", &b, &a]), format!("`{a}`: 0 segments taken, 1 there already\n"));
    // The same records twice are there once.
    assert_eq!(said(&["list", &b]).lines().count(), 5);
    assert_eq!(said(&["check", &b]), "4 records in 3 segments, 3 lines repeated\n");
    let new = folder.path().join("new").to_str().expect("UTF-8").to_owned();
    said(&["merge", &new, &a, &b]);
    assert_eq!(said(&["list", &new]).lines().count(), 5);
}

#[test]
fn damage_is_named_and_pruned() {
    let (_folder, name) = store(&three());
    assert_eq!(said(&["check", &name]), "3 records in 1 segment\n");
    let other = Path::new(&name).join("other.jsonl");
    std::fs::write(&other, "{\"length\":1}\nnoise\ncut o").expect("it can be written");
    let wrong = refused(&["check", &name]);
    assert!(wrong.contains("error[E0423]: 2 lines of `"), "{wrong}");
    assert!(wrong.contains("`other.jsonl`, line 2: it is no line of a record"), "{wrong}");
    assert!(wrong.contains("records prune "), "{wrong}");
    let output = run(&["list", &name]);
    assert!(output.status.success() && text(&output).0.lines().count() == 4);
    assert!(text(&output).1.contains("warning[E0423]: 3 lines of `"), "{}", text(&output).1);
    assert!(text(&output).1.contains("`other.jsonl`, line 3: cut off, and left out"), "{}", text(&output).1);
    assert_eq!(said(&["prune", &name]), "2 of 3 records kept; 3 lines that were no records are gone\n");
    assert_eq!(said(&["check", &name]), "2 records in 1 segment\n");
    assert!(!other.exists());
}

#[test]
fn what_is_no_store_has_a_code_and_stays_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    std::fs::create_dir(place("full")).expect("it can be made");
    std::fs::write(place("full/thesis.txt"), "all of it").expect("it can be written");
    for what in ["list", "best", "export", "prune", "check"] {
        let none = refused(&[what, &place("none")]);
        assert!(none.contains("error[E0421]: there is no store `"), "{none}");
        let full = refused(&[what, &place("full")]);
        assert!(
            full.contains("error[E0421]: `")
                && full.contains("is no store of records: it has no file `terrace-records.json`"),
            "{full}"
        );
    }
    let (_store, good) = store(&three());
    assert!(refused(&["merge", &good, &place("full")]).contains("E0421"));
    assert!(refused(&["merge", &place("new"), &place("none")]).contains("E0421"));
    assert!(!Path::new(&place("new")).exists(), "nothing is made where nothing is merged");
    let program = scratch("no_store.mlir", PROGRAM);
    let output = tune(&[&program, "--free=size", "--budget=1", &format!("--records={}", place("full"))]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).1.contains("error[E0421]"), "{}", text(&output).1);
    let output =
        tune(&[&program, "--free=size", "--budget=1", &format!("--records={}", place("full/thesis.txt"))]);
    assert!(text(&output).1.contains("error[E0421]"), "{}", text(&output).1);
    assert_eq!(std::fs::read_dir(place("full")).expect("it is there").count(), 1);
}

#[test]
fn records_are_of_computations_and_of_measurements() {
    let (_folder, place) = no_store();
    let store = format!("--records={place}");
    let program = scratch("records_misuse.mlir", PROGRAM);
    for flag in ["--dry-run", "--trials", "--replay=log.jsonl"] {
        let output = tune(&[&program, "--free=size", flag, &store]);
        assert_eq!(output.status.code(), Some(2), "{flag}: {}", text(&output).1);
    }
    let nest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test-files/passes/sched/decide.mlir");
    let output = tune(&[nest, "--budget=1", &store]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output).1.contains("records are schedules of computations; this file has none"),
        "{}",
        text(&output).1
    );
    assert!(!Path::new(&place).exists());
}

/// A sum that a block of threads computes: in the interpreter it takes 4 × the time of a loop
const DOT: &str = "\
func.func @dot(%x: tensor<33xi32>, %y: tensor<33xi32>) -> tensor<i32> {
  %s = mdh.compute \"dot\" (k in 33 pw add) ins(%a = %x[k], %b = %y[k]) outs([]) {
    %p = arith.muli %a, %b : i32
    mdh.yield %p : i32
  } : (tensor<33xi32>, tensor<33xi32>) -> tensor<i32>
  return %s : tensor<i32>
}
";

const LOOP: &str = "1: ({1,33}) (^,^ ; ^) (FOR.1)\n";

/// A search of two points
fn searched(name: &str, store: &str) -> Command {
    let (program, open) = (scratch(&format!("{name}.mlir"), DOT), scratch(&format!("{name}.txt"), LOOP));
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrace-tune"));
    command.args([&program, &format!("--schedule={open}"), &format!("--records={store}")]);
    command.args(["--technique=exhaustive", "--budget=2", "--bench=5", "--on=interp", "--target=cuda"]);
    command
}

#[test]
fn a_search_writes_its_best_and_a_run_takes_it() {
    let (_folder, store) = no_store();
    // Times are what they are: on a machine that does much else, several searches may be needed.
    let mut out = String::new();
    for _ in 0..5 {
        let output = searched("kept", &store).output().expect("the tool runs");
        assert!(output.status.success(), "{}", text(&output).1);
        out = text(&output).0;
        if out.contains("\nrecord ") {
            break;
        }
    }
    let records = Store::open(&store).and_then(|store| store.contents()).expect("a store").records;
    let (id, record) = records.first_key_value().unwrap_or_else(|| panic!("no record: {out}"));
    assert!(out.contains(&format!("record {} is in `{store}`\n", id.short())), "{out}");
    assert_eq!((record.about.computation.as_str(), record.schedule.len()), ("dot: k 33", 1));
    assert!(record.gain() > Some(1.0) && record.schedule[0].contains("FOR.1"), "{record:?}");
    let run = Path::new(env!("CARGO_BIN_EXE_terrace-tune")).with_file_name("terrace-run");
    // Under other names it is the same computation.
    let other = scratch("kept_other.mlir", &DOT.replace("dot", "product").replace("%x", "%left"));
    let run = |more: &[&str]| {
        let mut command = Command::new(&run);
        command.args([&other, "--in=0=iota", "--in=1=random:3", "--on=interp"]).args(more);
        command.output().expect("it runs")
    };
    let passes = "--pipeline=mdh-apply-records{on=interp target=cuda},func.func(mdh-schedule{target=cuda},mdh-to-sched)";
    let with = run(&[passes, &format!("--records={store}")]);
    assert!(with.status.success(), "{}", text(&with).1);
    assert!(
        text(&with).1.contains(&format!("remark: schedule of record {}", id.short())),
        "{}",
        text(&with).1
    );
    assert_eq!(text(&with).0, text(&run(&[])).0, "values stay");
    let idle = run(&[&format!("--records={store}")]);
    assert!(idle.status.success(), "{}", text(&idle).1);
    assert!(text(&idle).1.contains("`--records` says nothing here"), "{}", text(&idle).1);
}

#[test]
fn another_form_of_the_computation_gives_no_record() {
    let (_folder, store) = no_store();
    // Dimensions that are read as one run are one dimension where the schedule is chosen.
    let program = "\
func.func @f(%A: tensor<13x7x5xf32>) -> tensor<13xf32> {
  %s = mdh.compute \"rows\" (i in 13, j in 7 pw add, k in 5 pw add) ins(%a = %A[i, j, k]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<13x7x5xf32>) -> tensor<13xf32>
  return %s : tensor<13xf32>
}
";
    let program = scratch("form.mlir", program);
    let output = tune(&[&program, "--free=size", "--budget=2", "--bench=1", &format!("--records={store}")]);
    assert!(output.status.success(), "{}", text(&output).1);
    let (out, _) = text(&output);
    assert!(out.contains("no record: schedules are chosen for another form of this computation"), "{out}");
    assert_eq!(Store::open(&store).and_then(|store| store.segments()), Ok(vec![]));
}

#[test]
fn two_searches_at_once_write_one_store() {
    let (_folder, store) = no_store();
    let start = |name: &str| {
        let mut command = searched(name, &store);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the tool runs")
    };
    let children = [start("both_a"), start("both_b")];
    let outputs = children.map(|child| child.wait_with_output().expect("it ends"));
    let written = outputs.iter().filter(|output| text(output).0.contains("\nrecord ")).count();
    for output in &outputs {
        assert!(output.status.success(), "{}", text(output).1);
    }
    let contents = Store::open(&store).and_then(|store| store.contents()).expect("a store");
    assert_eq!((contents.records.len(), contents.faults), (written, vec![]));
}
