//! Trials as lines: what a search would measure, measured by another process.

use crate::search::{OPEN, PROGRAM, scratch, text, tune};
use serde_json::{Value, json};
use std::process::{Command, Output};

fn values(output: &Output) -> Vec<Value> {
    let (out, err) = text(output);
    out.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|why| panic!("{why}: {line}{err}")))
        .collect()
}

/// Lines of the points that a search would draw
pub(crate) fn drawn(name: &str, points: usize) -> Vec<Value> {
    let (program, open) = (scratch(&format!("{name}.mlir"), PROGRAM), scratch(&format!("{name}.txt"), OPEN));
    let budget = format!("--budget={points}");
    let output = tune(&[&program, &format!("--schedule={open}"), "--trials", "--technique=random", &budget]);
    assert!(output.status.success(), "{}", text(&output).1);
    values(&output)
}

fn answers(name: &str, lines: &[String]) -> Output {
    let file = scratch(&format!("{name}.jsonl"), &(lines.join("\n") + "\n"));
    Command::new(env!("CARGO_BIN_EXE_terrace-tune")).args(["trial", &file]).output().expect("it runs")
}

#[test]
fn each_line_has_an_answer_with_all_its_times() {
    let lines = drawn("trials", 3);
    assert_eq!(lines.len(), 3);
    let output = answers("trials", &lines.iter().map(Value::to_string).collect::<Vec<_>>());
    assert!(output.status.success(), "{}", text(&output).1);
    let found = values(&output);
    assert_eq!(found.len(), 3);
    for (line, answer) in lines.iter().zip(&found) {
        assert_eq!(answer["id"], line["id"]);
        assert_eq!((&answer["trial"], &answer["status"]), (&json!(2), &json!("ran")), "{answer}");
        assert_eq!(answer["times_ns"].as_array().map(Vec::len), Some(5), "{answer}");
        assert!(answer["stages_ns"]["run"].as_u64() > Some(0), "{answer}");
        // One process has measured all of them.
        assert_eq!(answer["worker"]["process"], found[0]["worker"]["process"]);
        assert!(answer["machine"]["cores"].as_u64() > Some(0), "{answer}");
        assert_eq!(answer["compiler"]["build"].as_str().map(str::len), Some(64), "{answer}");
    }
}

/// Whatever is wrong with a trial is an answer, and the next one is measured
#[test]
fn what_fails_says_how() {
    let good = drawn("wrongs", 1).remove(0);
    let with = |change: &dyn Fn(&mut Value)| {
        let mut line = good.clone();
        change(&mut line);
        line.to_string()
    };
    let broken = |line: &mut Value| line["program"] = json!("func.func @mm() { no.such }");
    // Another product than the reference's.
    let other = |line: &mut Value| {
        let program = line["program"].as_str().expect("a text").replace("arith.muli", "arith.addi");
        line["program"] = json!(program);
    };
    let slow = |line: &mut Value| line["policy"] = json!({"runs": 100_000, "build_s": 0.05, "run_s": 0.05});
    let foreign = |line: &mut Value| line["surprise"] = json!(1);
    let newer = |line: &mut Value| line["trial"] = json!(3);
    // What nothing was compared with is not right.
    let unequal = |line: &mut Value| line["reference"]["call"]["results"] = json!([]);
    let blind = |line: &mut Value| line["reference"]["program"] = json!("nothing");
    let lines = [
        with(&broken),
        with(&other),
        with(&slow),
        with(&foreign),
        with(&newer),
        with(&blind),
        with(&unequal),
        "{\"trial\":".to_owned(),
        with(&|_| ()),
    ];
    let output = answers("wrongs", &lines);
    let found = values(&output);
    let status: Vec<&str> = found.iter().filter_map(|answer| answer["status"].as_str()).collect();
    assert_eq!(
        status,
        ["refused", "wrong", "timeout", "garbage", "garbage", "reference", "wrong", "garbage", "ran"],
        "{found:?}"
    );
    let reason = |n: usize| found[n]["reason"].as_str().unwrap_or_default().to_owned();
    assert!(reason(1).contains("of 32 elements differ"), "{}", reason(1));
    assert_eq!(reason(6), "1 results, the reference has 0");
    assert!(reason(3).contains("unknown field `surprise`"), "{}", reason(3));
    assert!(reason(4).contains("a line of version 3; this tool reads version 2"), "{}", reason(4));
    // A process that ran something wrong, or that was too slow, does not measure the next trial.
    let process = |n: usize| found[n]["worker"]["process"].as_u64();
    assert_eq!(process(0), process(1), "{found:?}");
    assert!(process(1).is_some() && process(1) != process(6) && process(6) != process(8), "{found:?}");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).1.contains("3 of the lines are no trials"), "{}", text(&output).1);
}

/// A slow program is stopped after its first runs, also where it runs in a process of its own
#[test]
fn slow_programs_are_stopped_on_each_back_end() {
    let line = drawn("stopped", 1).remove(0);
    for on in ["interp", "host", "openmp"] {
        if let Some(component) = terrace_targets::find(on).and_then(|target| target.missing()) {
            println!("skipped: slow_programs_are_stopped_on_each_back_end/{on} (needs {component})");
            continue;
        }
        let mut line = line.clone();
        (line["call"]["on"], line["call"]["pipeline"]) = (json!(on), Value::Null);
        line["reference"] = Value::Null;
        for (stop, status) in [(1, "stopped"), (1_000_000_000_000_u64, "ran")] {
            line["policy"] = json!({"runs": 9, "build_s": 100, "run_s": 100, "stop_ns": stop});
            let found = values(&answers("stopped", &[line.to_string()])).remove(0);
            assert_eq!(found["status"], status, "{on}: {found}");
            let runs = found["times_ns"].as_array().map_or(0, Vec::len);
            assert_eq!(runs == 9, status == "ran", "{on}: {found}");
            assert!(runs > 0, "{on}: {found}");
        }
    }
}
