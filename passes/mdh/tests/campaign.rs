//! Random chains of computations by value, through the schedules of every target and through schedules at random, after each
//! pass of lowering.
//!
//! A few stand in the suite. Thousands are run by
//! `TERRACE_SEED=1000 TERRACE_COUNT=500 cargo test --profile fast -p terrace-passes-mdh campaign:: -- --ignored --nocapture`.

use crate::common;

use common::*;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use terrace_dialect_test::Numbers;
use terrace_dialect_test::programs::mdh::{Options, program};
use terrace_dialect_test::values::verify;
use terrace_ir::Ir;
use terrace_support::Random;

/// What was refused and how often, and how many programs went all the way
#[derive(Default)]
struct Tally {
    agreed: usize,
    refused: BTreeMap<String, usize>,
    broken: Vec<u64>,
}

/// The first words of a refusal, without names and numbers
fn reason(why: &str) -> String {
    let line = why.lines().next().unwrap_or_default();
    let at = line.find("' op ").map_or(0, |at| at + 5);
    let words = line[at..].split(' ').filter(|word| !word.contains(|c: char| c.is_ascii_digit() || c == '`'));
    words.take(9).collect::<Vec<_>>().join(" ")
}

/// Run one pass after another and compare after each; the error is why one refused
fn down(ir: &mut Ir, passes: &[&str], wanted: &Numbers, text: &str) -> Result<(), String> {
    for pass in passes {
        HARNESS.transform(ir, pass)?;
        if let Err(why) = verify(ir) {
            // A schedule of a user may be refused by the rules of the level below.
            if text.contains("mdh.schedule") && pass.contains("mdh-to-sched") {
                return Err(why);
            }
            panic!("{pass}: {why}\n{text}");
        }
        match attempted(ir, "f", wanted.len()) {
            Ok(found) => same(wanted, &found, &format!("{pass}\n{text}")),
            // Copies that merge by a function run as loops only.
            Err(why) if why.contains("E0312") => {}
            Err(why) => panic!("{pass}: {why}\n{text}"),
        }
    }
    Ok(())
}

const ALL: &[&str] = &[
    "func.func(sched-fuse)",
    "inline",
    "sched-legalize",
    "sched-to-scf",
    "canonicalize",
    "cse,promote-buffers",
    "canonicalize,cse,licm",
];

fn check(text: &str, targets: &[&str], tally: &mut Tally) {
    let source = match HARNESS.parse(text) {
        Ok(source) => source,
        Err(why) => return *tally.refused.entry(reason(&why)).or_insert(0) += 1,
    };
    let wanted = as_it_is(&source, "f");
    for target in targets {
        let mut ir = parse(text);
        let first = match *target {
            "" => "func.func(mdh-operators,mdh-to-sched)".to_owned(),
            _ => format!("func.func(mdh-operators,mdh-schedule{{target={target}}},mdh-to-sched)"),
        };
        let passes: Vec<&str> = [first.as_str()].into_iter().chain(ALL.iter().copied()).collect();
        match down(&mut ir, &passes, &wanted, text) {
            Ok(()) => tally.agreed += 1,
            Err(why) => *tally.refused.entry(reason(&why)).or_insert(0) += 1,
        }
    }
}

const TARGETS: &[&str] = &["", "x86-64-v4", "x86-64-v3", "openmp", "cuda", "opencl"];

fn run(seeds: std::ops::Range<u64>, options: &Options) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let mut r = Random::new(seed);
        let text = program(&mut r, options);
        let targets = if options.schedules { &[""] } else { TARGETS };
        if catch_unwind(AssertUnwindSafe(|| check(&text, targets, &mut tally))).is_err() {
            eprintln!("^^^ seed {seed}\n{text}");
            tally.broken.push(seed);
        }
    }
    tally
}

#[test]
fn random_chains() {
    let found = run(1..31, &Options { points: 120, ..Options::default() });
    assert!(found.broken.is_empty(), "seeds {:?}", found.broken);
    assert!(found.agreed > 100, "only {} agree: {:?}", found.agreed, found.refused);
}

#[test]
fn random_schedules_of_computations() {
    let found = run(1..301, &Options { points: 120, computations: 1, schedules: true, ..Options::default() });
    assert!(found.broken.is_empty(), "seeds {:?}", found.broken);
    assert!(found.agreed > 20, "only {} agree: {:?}", found.agreed, found.refused);
}

fn number(name: &str, other: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(other)
}

fn many(options: &Options) {
    let (from, count) = (number("TERRACE_SEED", 1000), number("TERRACE_COUNT", 500));
    let found = run(from..from + count, options);
    println!("{} agree; refused:", found.agreed);
    for (why, times) in &found.refused {
        println!("{times:6} {why}");
    }
    assert!(found.broken.is_empty(), "seeds {:?}", found.broken);
}

#[test]
#[ignore = "minutes: hundreds of programs; run with --ignored"]
fn many_random_chains() {
    many(&Options::default());
}

#[test]
#[ignore = "minutes: hundreds of schedules; run with --ignored"]
fn many_random_schedules() {
    many(&Options { points: 600, computations: 1, schedules: true, ..Options::default() });
}
