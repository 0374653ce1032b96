//! Logs that are there already, from the command line: gone on with, refused, or begun from.

use crate::search::{OPEN, PROGRAM, fresh, killed, log, scratch, text, tune};
use serde_json::{Value, json};
use std::process::Command;

#[test]
fn a_search_goes_on_where_its_log_ends() {
    let (program, open) = (scratch("resume.mlir", PROGRAM), scratch("resume.txt", OPEN));
    let log = fresh("resume.jsonl");
    let log_file = log.clone();
    let (schedule, log_arg) = (format!("--schedule={open}"), format!("--log={log}"));
    let first = tune(&[&program, &schedule, "--technique=random", "--budget=5", &log_arg]);
    assert!(first.status.success(), "{}", text(&first).1);
    // Cut off in the middle of a line, as by a power failure.
    let whole = killed(&log);
    std::fs::write(&log, &whole[..whole.len() - 9]).expect("can be written");
    let refused = tune(&[&program, &schedule, "--technique=random", "--budget=9", &log_arg]);
    assert!(text(&refused).1.contains("is there already"));
    let second = tune(&[&program, &schedule, "--technique=random", "--budget=9", &log_arg, "--resume"]);
    assert!(text(&second).0.starts_with("9 points: 9 ran\n"), "{}", text(&second).1);
    let log = std::fs::read_to_string(log).expect("the log is there");
    let mut points: Vec<&str> =
        log.lines().skip(1).filter_map(|line| line.split("\"point\":").nth(1)).collect();
    assert_eq!(points.len(), 9);
    points.sort_unstable();
    points.dedup_by_key(|point| point.split(']').next());
    assert_eq!(points.len(), 9, "each point once");
    let picture = fresh("resume.svg");
    let plot = Command::new(env!("CARGO_BIN_EXE_terrace-tune"));
    let drawn =
        { plot }.args([&format!("--plot={log_file}"), "-o", &picture]).output().expect("the tool runs");
    assert!(drawn.status.success(), "{}", text(&drawn).1);
    let picture = std::fs::read_to_string(picture).expect("the picture is there");
    assert!(picture.starts_with("<svg") && picture.contains("resume (random, seed 1)"), "{picture}");
}

/// A log of one point, and the arguments of its search
fn begun(name: &str) -> (String, Vec<String>) {
    let (program, open) = (scratch(&format!("{name}.mlir"), PROGRAM), scratch(&format!("{name}.txt"), OPEN));
    let log = fresh(&format!("{name}.jsonl"));
    let args =
        vec![program, format!("--schedule={open}"), format!("--log={log}"), "--technique=random".into()];
    let first = tune(&refs(&args, &["--budget=1"]));
    assert!(first.status.success(), "{}", text(&first).1);
    (log, args)
}

fn refs<'a>(args: &'a [String], more: &[&'a str]) -> Vec<&'a str> {
    args.iter().map(String::as_str).chain(more.iter().copied()).collect()
}

/// The message that refuses to resume the log, which stays as it is
fn refused(log: &str, args: &[&str]) -> String {
    let before = std::fs::read_to_string(log).expect("it is there");
    let output = tune(&[args, &["--budget=2", "--resume"]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output).0);
    assert_eq!(std::fs::read_to_string(log).expect("it is there"), before);
    text(&output).1
}

#[test]
fn a_log_that_another_search_writes_is_refused() {
    let (log, args) = begun("written");
    let other = std::fs::File::open(&log).expect("it is there");
    other.lock().expect("no search runs");
    let said = refused(&log, &refs(&args, &[]));
    assert!(said.contains("another search writes") && said.contains("give another name"), "{said}");
    drop(other);
    let output = tune(&refs(&args, &["--budget=2", "--resume"]));
    assert!(output.status.success(), "{}", text(&output).1);
}

#[test]
fn a_log_of_another_search_is_refused() {
    let (log, args) = begun("other");
    let wider = format!("--schedule={}", scratch("wider.txt", &OPEN.replace("(?,4,?)", "(?,?,?)")));
    let (program, log_arg) = (&args[0], format!("--log={log}"));
    let said = refused(&log, &[program, &wider, &log_arg, "--technique=random"]);
    assert!(said.contains("is the log of another search"), "{said}");
}

#[test]
fn an_older_log_is_not_gone_on_with() {
    let (program, open) = (scratch("old.mlir", PROGRAM), scratch("old.txt", OPEN));
    let schedule = format!("--schedule={open}");
    let one = log("old.jsonl", &[("0.001", 900_000)]);
    let said = refused(&one, &[&program, &schedule, &format!("--log={one}")]);
    assert!(said.contains("is a log of version 1, which does not say what its choices are"), "{said}");
    let head =
        "{\"log\":\"terrace-tune/2\",\"space\":\"0\",\"names\":[],\"technique\":\"anneal\",\"seed\":1}\n";
    let two = scratch("older.jsonl", head);
    let said = refused(&two, &[&program, &schedule, &format!("--log={two}")]);
    assert!(said.contains("is a log of version 2, which does not say on which machine"), "{said}");
}

/// Whatever times depend on: each by itself is a reason, with what was and what is
#[test]
fn a_log_of_another_setting_is_refused() {
    let (log, args) = begun("setting");
    for (option, said) in [
        ("--technique=anneal", "technique: random then, anneal now"),
        ("--seed=2", "seed: 1 then, 2 now"),
        ("--target=openmp", "target: host then, openmp now"),
        ("--threads=1", "threads: all then, 1 now"),
        ("--bench=2", "runs of a candidate: 5 then, 2 now"),
        ("--prune=1", "points drawn for each that is measured: 8 then, 1 now"),
    ] {
        let kept: Vec<String> = args.iter().filter(|arg| !arg.starts_with(&option[..7])).cloned().collect();
        let found = refused(&log, &refs(&kept, &[option]));
        assert!(found.contains("cannot be resumed") && found.contains(said), "{option}: {found}");
        assert!(found.contains(&format!("--starts={log}")), "{found}");
    }
    // The same search, once as another machine and another compiler would have begun it.
    let text = std::fs::read_to_string(&log).expect("it is there");
    let (head, rest) = text.split_once('\n').expect("a head");
    let head: Value = serde_json::from_str(head).expect("JSON");
    assert_eq!(head["setting"]["on"], "interp");
    for (place, name, value, said) in [
        ("machine", "processor", json!("Another"), "processor: Another then,"),
        ("machine", "cores", json!(1000), "cores: 1000 then,"),
        ("machine", "features", json!("00"), "features of the processor: 00 then,"),
        ("compiler", "build", json!("00"), "build of the compiler: 00 then,"),
        ("compiler", "version", json!("0.0.1"), "version of the compiler: 0.0.1 then,"),
        ("target", "numbers", json!("00"), "numbers of the target's file: 00 then,"),
    ] {
        let mut head = head.clone();
        head["setting"][place][name] = value;
        std::fs::write(&log, format!("{head}\n{rest}")).expect("can be written");
        let found = refused(&log, &refs(&args, &[]));
        assert!(found.contains(said), "{name}: {found}");
    }
    let mut other = head.clone();
    other["setting"]["on"] = json!("host");
    std::fs::write(&log, format!("{other}\n{rest}")).expect("can be written");
    assert!(refused(&log, &refs(&args, &[])).contains("back end: host then, interp now"));
    std::fs::write(&log, text).expect("can be written");
    let output = tune(&refs(&args, &["--budget=2", "--resume"]));
    assert!(output.status.success(), "{}", crate::search::text(&output).1);
}

/// The best of an older log come first, whatever made it, and only where the space has them
#[test]
fn a_search_begins_with_the_best_of_an_older_log() {
    let (log, args) = begun("starts");
    let more = tune(&refs(&args, &["--budget=6", "--resume"]));
    assert!(more.status.success(), "{}", text(&more).1);
    let entries = |file: &str| -> Vec<Value> {
        killed(file).lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    let mut ran: Vec<(f64, Value)> = entries(&log)
        .into_iter()
        .filter_map(|entry| Some((entry["seconds"].as_f64()?, entry["point"].clone())))
        .collect();
    assert!(entries(&log).iter().all(|entry| entry["times"].as_array().is_some_and(|all| all.len() == 5)));
    ran.sort_by(|a, b| a.0.total_cmp(&b.0));
    let best: Vec<Value> = ran.into_iter().map(|(_, point)| point).collect();
    let next = fresh("starts-next.jsonl");
    let (starts, next_arg) = (format!("--starts={log}"), format!("--log={next}"));
    let (program, schedule) = (&args[0], &args[1]);
    let output = tune(&[program, schedule, &next_arg, &starts, "--seed=9", "--budget=4"]);
    assert!(output.status.success(), "{}", text(&output).1);
    let points: Vec<Value> = entries(&next).iter().map(|entry| entry["point"].clone()).collect();
    assert_eq!(points, best[..4]);
    let foreign = std::fs::read_to_string(&log).expect("it is there").replace("step.1", "step.9");
    let starts = format!("--starts={}", scratch("foreign.jsonl", &foreign));
    let output = tune(&[program, schedule, &starts, "--budget=1"]);
    assert!(text(&output).1.contains("is about other choices: step.9.size.1"), "{}", text(&output).1);
    let beyond = std::fs::read_to_string(&log).expect("it is there").replace("\"point\":[", "\"point\":[77");
    let starts = format!("--starts={}", scratch("beyond.jsonl", &beyond));
    let output = tune(&[program, schedule, &starts, "--budget=1"]);
    assert!(
        text(&output).1.contains("is one of this search: step.1.size.1 cannot be"),
        "{}",
        text(&output).1
    );
}

/// An entry whose line did not end is measured again, not counted and lost
#[test]
fn a_last_line_without_its_end_is_no_entry() {
    let (log, args) = begun("unended");
    std::fs::write(&log, killed(&log).trim_end()).expect("can be written");
    let output = tune(&refs(&args, &["--budget=2", "--resume"]));
    assert!(text(&output).0.starts_with("2 points"), "{}", text(&output).1);
    assert_eq!(killed(&log).lines().count(), 3);
}
