//! The table, its rows as they are shown, and the libraries' values.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::json;

use super::*;
use crate::contest::Times;
use crate::contest::peers::Peers;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("operators")
}

fn named(word: &str) -> Vec<Case> {
    let all = programs::read(&folder()).expect("the table is well formed");
    let all = all.into_iter().map(|program| Case::new(program, None).expect("it has a computation"));
    all.filter(|case| case.named_by(&[word.to_owned()])).collect()
}

fn one(word: &str) -> Case {
    let mut found = named(word);
    assert_eq!(found.len(), 1, "{word}");
    found.remove(0)
}

fn timed(terrace: f64, eager: f64, jax: f64, further: &[(&str, f64)]) -> Timed {
    let times = |name: &str, ns: f64| Times { name: name.to_owned(), ns: vec![ns] };
    Timed {
        terrace: vec![terrace],
        peers: vec![times("torch", eager), times("jax", jax)],
        further: further.iter().map(|(name, ns)| times(name, *ns)).collect(),
        values: "right".into(),
        ..Timed::at("1".into())
    }
}

#[test]
fn d27_every_row_has_what_users_of_each_library_write() {
    for program in programs::read(&folder()).expect("the table is well formed") {
        let request = program.request();
        for library in ["torch", "jax"] {
            let text = request["written"]["expressions"][library].as_str();
            assert!(text.is_some_and(|text| !text.is_empty()), "{}: {library}", program.name);
        }
    }
}

#[test]
fn rows_are_named_by_operators_and_parts_of_names() {
    assert_eq!((named("t2d").len(), named("c2d C1 ").len(), named("R=7").len()), (15, 1, 4));
    let printed = programs::read(&folder()).expect("the table is well formed");
    assert_eq!(printed.iter().filter(|program| program.is_printed).count(), 110);
}

#[test]
fn f11_a_row_counts_in_both_ways() {
    assert_eq!(one("c2d C8 ").counts.to_string(), "loops 8/3 in 2, 4/3 in `y`; 925M points, 1.8G operations");
    assert_eq!(one("sho H=64").counts.operations, None);
}

#[test]
fn a_row_shows_both_rates_and_both_ratios() {
    let case = one("gmv M=128 ");
    assert_eq!(
        table::line(&case, &timed(1000.0, 3000.0, 1500.0, &[])),
        "| gmv | M=128 K=128 | 1 | 1.00 µs | 16.4, 32.8 | jax 1.50 µs | 3.00 | **1.50** (1.50–1.50) | – | torch 3.00 µs | right |"
    );
    let heads = [false, true].map(|searched| table::header("threads", searched));
    for head in heads {
        let columns: Vec<usize> = head.lines().map(|line| line.matches('|').count()).collect();
        assert_eq!(columns[0], columns[1], "{head}");
    }
}

#[test]
fn operators_come_to_means_and_what_is_behind() {
    let cases = [one("gmv M=128 "), one("gmv M=256 "), one("sho H=64 ")];
    let rows = vec![
        (0, timed(10.0, 40.0, 20.0, &[])),
        (1, timed(20.0, 40.0, 10.0, &[])),
        (2, timed(10.0, 10.0, 30.0, &[])),
    ];
    let shown = table::summary(&cases, &rows);
    let lines: Vec<&str> = shown.lines().skip(2).collect();
    assert_eq!(
        lines,
        [
            "| gmv | 1 | 2 | 2.83 | **1.00** | – | 1 | 1 | 0.50 (gmv M=256 K=256) | 0 |",
            "| sho | 1 | 1 | 1.00 | **1.00** | – | 0 | 0 | 1.00 (sho H=64 W=64 C=128 R=5 D=1) | 0 |",
            "| Table 3 | 1 | 2 | 2.83 | **1.00** | – | 1 | 1 | 0.50 (gmv M=256 K=256) | 0 |",
            "| all | 1 | 3 | 2.00 | **1.00** | – | 1 | 1 | 0.50 (gmv M=256 K=256) | 0 |",
            "",
            "Rows below 0.95 of the best peer, the least first:",
            "",
            "- 0.50 on 1: gmv M=256 K=256, 20.0 ns, jax 10.0 ns",
        ]
    );
}

#[test]
fn a_chosen_schedule_is_near_a_tuned_one_or_not() {
    let cases = [one("gmv M=128 "), one("gmv M=256 ")];
    let near = timed(100.0, 1.0, 1.0, &[(AGAIN, 101.0), (TUNED, 99.0)]);
    let far = timed(100.0, 1.0, 1.0, &[(AGAIN, 97.0), (TUNED, 80.0)]);
    let shown = table::searched(&cases, &[(0, near), (1, far)]).expect("both were searched");
    assert!(shown.ends_with("| all | 1 | 2 | 0.89 | 0.80 | 1 (50 %) | 1 (50 %) | 2.0 %, 3.0 % |"), "{shown}");
    assert_eq!(table::searched(&cases, &[(0, timed(1.0, 1.0, 1.0, &[]))]), None);
}

/// A Python with what the expressions need
fn python() -> Option<PathBuf> {
    let venv = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/benches-venv/bin/python");
    let has = |python: &PathBuf| {
        let found =
            Command::new(python).args(["-c", "import numpy, torch, jax"]).stderr(Stdio::null()).status();
        found.is_ok_and(|status| status.success())
    };
    [venv, "python3".into()].into_iter().find(has)
}

/// In torch and JAX the operators have the values of numpy's formulas, at the small sizes of the table
#[test]
fn d27_the_libraries_compute_the_operators() {
    let Some(python) = python() else {
        say!("skipped: d27_the_libraries_compute_the_operators (needs python3 with numpy, torch and jax)");
        return;
    };
    let text = std::fs::read_to_string(folder().join("flextensor.toml")).expect("it is there");
    let table: toml::Table = text.parse().expect("the table is well formed");
    let place = std::env::temp_dir().join(format!("terrace-operators-{}", std::process::id()));
    std::fs::create_dir_all(&place).expect("the folder for temporary files can be written");
    let mut peers = Peers::start(&python, &[], "cpu").expect("it has what it needs");
    let small = programs::rows(&folder(), "small").expect("the table is well formed");
    for program in small {
        let case = Case::new(program, None).expect("it has a computation");
        let mut request = case.request();
        request["written"]["expressions"]["reference"] =
            json!(table[&case.operator]["formula"].as_str().map(str::trim));
        let prepared = peers.prepare(&request, &place, &["torch".into(), "jax".into()]);
        let prepared = prepared.unwrap_or_else(|why| panic!("{}: {why}", case.program.name));
        let mut names: Vec<&str> = prepared.peers.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        assert_eq!((names, prepared.left_out), (vec!["jax", "torch"], vec![]), "{}", case.program.name);
    }
    let _ = std::fs::remove_dir_all(place);
}
