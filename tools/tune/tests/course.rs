//! How points follow from those before: from the command line, on recorded results, so that every run sees the same times.

use crate::search::{OPEN, PROGRAM, fresh, killed, scratch, text, tune};
use serde_json::Value;

/// A program, its open schedule of 48 points, and a log of them all
fn recorded(name: &str) -> [String; 3] {
    let wide = OPEN.replace("(?,4,?)", "(?,?,?)");
    let (program, open) = (scratch(&format!("{name}.mlir"), PROGRAM), scratch(&format!("{name}.txt"), &wide));
    let (schedule, log) = (format!("--schedule={open}"), fresh(&format!("{name}-all.jsonl")));
    let all = ["--technique=exhaustive", "--budget=100", "--bench=1"];
    let output = tune(&[&[program.as_str(), &schedule, &format!("--log={log}")], &all[..]].concat());
    assert!(text(&output).0.starts_with("48 points: 48 ran"), "{}{}", text(&output).0, text(&output).1);
    [program, schedule, format!("--replay={log}")]
}

fn entries(log: &str) -> Vec<Value> {
    killed(log).lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Entries without what differs from run to run
pub(crate) fn course(log: &str) -> Vec<Value> {
    let without = |mut entry: Value| {
        if let Some(fields) = entry.as_object_mut() {
            fields.remove("at");
        }
        entry
    };
    entries(log).into_iter().map(without).collect()
}

/// A search that was interrupted and goes on is the one that was not, whatever the technique and the lag
#[test]
fn a_resumed_search_is_the_one_that_was_not_interrupted() {
    let [program, schedule, replay] = recorded("resumed");
    for technique in ["random", "anneal", "p-method", "q-method"] {
        for lag in ["--lag=1", "--lag=3"] {
            let run = |log: &str, more: &[&str]| {
                let (log, technique) = (format!("--log={log}"), format!("--technique={technique}"));
                let fixed = [&program, &schedule, &replay, &log, &technique, lag, "--drawn=4", "--prune=2"];
                let output = tune(&[&fixed[..], more].concat());
                assert!(output.status.success(), "{technique} {lag}: {}", text(&output).1);
                assert!(text(&output).0.starts_with("nothing was measured"), "{}", text(&output).0);
            };
            let (whole, parts) = (fresh("resumed-whole.jsonl"), fresh("resumed-parts.jsonl"));
            run(&whole, &["--budget=18"]);
            run(&parts, &["--budget=7"]);
            run(&parts, &["--budget=18", "--resume"]);
            assert_eq!(course(&whole).len(), 18);
            assert!(course(&whole) == course(&parts), "{technique} {lag}");
            let moved = course(&whole).iter().filter(|entry| entry["direction"].is_u64()).count();
            assert_eq!(moved > 8, technique.ends_with("method"), "{technique}: {moved} moves");
        }
    }
}

/// What no log has is lost: nothing is known of it, and the search goes on
#[test]
fn points_that_were_not_recorded_are_lost() {
    let [program, schedule, replay] = recorded("lost");
    let all = std::fs::read_to_string(replay.trim_start_matches("--replay=")).expect("it is there");
    let some: Vec<&str> = all.lines().take(21).collect();
    let some = format!("--replay={}", scratch("lost-some.jsonl", &(some.join("\n") + "\n")));
    let log = fresh("lost.jsonl");
    let output = tune(&[&program, &schedule, &some, &format!("--log={log}"), "--prune=1", "--budget=100"]);
    assert!(text(&output).0.contains("48 points: 28 lost, 20 ran"), "{}{}", text(&output).0, text(&output).1);
    let lost = entries(&log).into_iter().find(|entry| entry["failed"] == "lost").expect("28 are");
    assert!(lost["reason"].as_str().is_some_and(|why| why.ends_with("has no such point")), "{lost}");
    // Nor is a log of another space any help.
    let narrow = format!("--schedule={}", scratch("lost-narrow.txt", OPEN));
    let refused = tune(&[&program, &narrow, &replay, "--budget=5"]);
    assert!(text(&refused).1.contains("is the log of another search"), "{}", text(&refused).1);
}

/// Points that were stopped are results like others, to the search and to its replay
#[test]
fn a_search_with_stopped_points_is_replayed() {
    let wide = OPEN.replace("(?,4,?)", "(?,?,?)");
    let (program, open) = (scratch("stops.mlir", PROGRAM), scratch("stops.txt", &wide));
    let schedule = format!("--schedule={open}");
    for lag in ["--lag=1", "--lag=2"] {
        let (live, again) = (fresh("stops-live.jsonl"), fresh("stops-again.jsonl"));
        let run = |log: &str, more: &[&str]| {
            let log = format!("--log={log}");
            let fixed = [&program, &schedule, &log, "--technique=anneal", "--prune=1", "--from-nothing", lag];
            let output = tune(&[&fixed[..], &["--stop=1", "--bench=5", "--budget=30"], more].concat());
            assert!(output.status.success(), "{}", text(&output).1);
            text(&output).0
        };
        let out = run(&live, &[]);
        let stopped: Vec<Value> =
            entries(&live).into_iter().filter(|entry| entry["stopped"] == true).collect();
        assert!(out.contains(&format!(" {} stopped", stopped.len())) && !stopped.is_empty(), "{out}");
        let few =
            |entry: &Value| entry["times"].as_array().is_some_and(|times| (1..5).contains(&times.len()));
        assert!(stopped.iter().all(|entry| few(entry) && entry["seconds"].is_f64()), "{stopped:?}");
        run(&again, &[&format!("--replay={live}")]);
        assert!(course(&live) == course(&again), "{lag}");
    }
}

/// A log that was changed does not go on
#[test]
fn points_that_do_not_follow_are_refused() {
    let [program, schedule, replay] = recorded("follow");
    let log = fresh("follow.jsonl");
    let args = [&program, &schedule, &replay, &format!("--log={log}"), "--technique=random", "--prune=1"];
    let args: Vec<&str> = args.iter().map(AsRef::as_ref).collect();
    assert!(tune(&[&args[..], &["--budget=6"]].concat()).status.success());
    let text_of = std::fs::read_to_string(&log).expect("it is there");
    let mut lines: Vec<&str> = text_of.lines().collect();
    lines.swap(3, 5);
    std::fs::write(&log, lines.join("\n") + "\n").expect("can be written");
    let refused = tune(&[&args[..], &["--budget=9", "--resume"]].concat());
    let said = text(&refused).1;
    assert!(said.contains("its point 5 does not follow from those before"), "{said}");
    assert!(said.contains("--starts="), "{said}");
}

/// Whatever says how points follow is part of the log
#[test]
fn a_log_of_another_course_is_refused() {
    let [program, schedule, replay] = recorded("courses");
    let log = fresh("courses.jsonl");
    let args = [&program, &schedule, &replay, &format!("--log={log}"), "--technique=p-method"];
    let args: Vec<&str> = args.iter().map(AsRef::as_ref).collect();
    assert!(tune(&[&args[..], &["--budget=6"]].concat()).status.success());
    for (option, said) in [
        ("--lag=2", "lag: 1 then, 2 now"),
        ("--drawn=3", "points drawn before one is moved on from: 8 then, 3 now"),
        ("--from=2", "points that a round moves on from: 1 then, 2 now"),
        ("--steps=5", "moves in a row: 1 then, 5 now"),
        ("--gamma=0.5", "weight of fast points: 4 then, 0.5 now"),
        ("--stop=2", "points are stopped: never then, 2 × the best now"),
    ] {
        let refused = tune(&[&args[..], &["--budget=9", "--resume", option]].concat());
        assert!(text(&refused).1.contains(said), "{option}: {}", text(&refused).1);
    }
    let wrong = tune(&[&args[..], &["--gamma=-1"]].concat());
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong).1.contains("`-1` is no number from 0 to 1000000"), "{}", text(&wrong).1);
    let wrong = tune(&[&args[..], &["--stop=0.5"]].concat());
    assert!(text(&wrong).1.contains("neither a factor from 1 on"), "{}", text(&wrong).1);
}

/// D22: all techniques with the same budget on the measured times of a whole space, which is in the repository
#[test]
fn techniques_find_the_best_of_a_whole_space() {
    let searches = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/figures/searches");
    let place = |name: &str| searches.join(name).to_str().expect("UTF-8").to_owned();
    let all = entries(&place("product.jsonl"));
    let seconds = |entry: &Value| entry["seconds"].as_f64();
    let best = all.iter().filter_map(seconds).fold(f64::INFINITY, f64::min);
    assert_eq!(all.len(), 630);
    for technique in ["random", "anneal", "evolve", "p-method", "q-method"] {
        let log = fresh("whole.jsonl");
        let output = tune(&[
            &place("product.tensor"),
            &format!("--schedule={}", place("product.txt")),
            &format!("--replay={}", place("product.jsonl")),
            &format!("--technique={technique}"),
            &format!("--log={log}"),
            "--from-nothing",
            "--prune=1",
            "--budget=70",
        ]);
        assert!(
            text(&output).0.contains("70 points: 70 ran"),
            "{technique}: {}{}",
            text(&output).0,
            text(&output).1
        );
        let trials =
            entries(&log).iter().position(|entry| seconds(entry).is_some_and(|own| own <= best * 1.1));
        println!("{technique}: {trials:?} trials to 1.1 × the best");
        assert!(trials.is_some(), "{technique}");
    }
}
