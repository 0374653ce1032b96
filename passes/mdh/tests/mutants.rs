//! Scheduled nests with something changed at random: the verifier refuses, or the nest has a meaning, no races, and keeps that
//! meaning when fully lowered.
//!
//! The meaning is the interpreter's of the changed nest itself. Many are run by
//! `TERRACE_SEED=1000 TERRACE_COUNT=5000 cargo test --profile fast -p terrace-passes-mdh mutants:: -- --ignored --nocapture`.

use crate::common;

use common::*;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use terrace_diag::Diags;
use terrace_dialect_test::programs::mdh::{Options, program};
use terrace_dialect_test::values::{shown, types, verify};
use terrace_ir::{Context, Ir};
use terrace_support::Random;
use terrace_text::ParseOptions;

/// Parsed and verified; nothing if there is anything wrong with it
fn accepted(text: &str) -> Option<Box<Ir>> {
    let cx: Arc<Context> = Context::new(&HARNESS.dialects.concat());
    let source = cx.sources().add("test.mlir", text.to_string());
    let mut diags = Diags::default();
    let ir = terrace_text::parse(&cx, source, &ParseOptions::default(), &mut diags)?;
    (!diags.has_errors() && verify(&ir).is_ok()).then(|| Box::new(ir))
}

const LEVELS: &[&str] = &[
    "task", "unroll", "vector", "seq", "block.x", "block.y", "thread.x", "thread.y", "thread.z", "warp.x",
    "lane.x",
];

/// Places of a word in a text
fn places(text: &str, word: &str) -> Vec<usize> {
    text.match_indices(word).map(|(at, _)| at).collect()
}

/// One change to the text
fn change(r: &mut Random, text: &str) -> Option<String> {
    let mut text = text.to_owned();
    match r.below(9) {
        0 | 1 => {
            // A level becomes another.
            let from = r.pick(LEVELS);
            let at = *r.choose(&places(&text, &format!(" : {from}")))?;
            let to = r.pick(LEVELS);
            text.replace_range(at..at + 3 + from.len(), &format!(" : {to}"));
        }
        2 => {
            // A loop gets a level.
            let at = *r.choose(&places(&text, " dim "))?;
            let end = at + 5 + text[at + 5..].find(|c: char| !c.is_ascii_digit())?;
            text.insert_str(end, &format!(" : {}", r.pick(LEVELS)));
        }
        3 => {
            // A word goes.
            let word = r.pick(&[
                " per block",
                " via atomic",
                " via partials",
                " via shared",
                " via shuffle",
                " clip",
                " combine add",
                " combine max",
                " ordered",
                " pw add",
                " pw max",
                " tail peel",
                "gpu.barrier",
            ]);
            let at = *r.choose(&places(&text, word))?;
            text.replace_range(at..at + word.len(), "");
        }
        4 => {
            // An extent or a tile is another.
            let word = r.pick(&[" in ", " by ", " limit "]);
            let at = *r.choose(&places(&text, word))? + word.len();
            let end = at + text[at..].find(|c: char| !c.is_ascii_digit())?;
            let number: i64 = text[at..end].parse().ok()?;
            let other = r.pick(&[number + 1, number - 1, number * 2, number / 2, 1, 2]);
            text.replace_range(at..end, &other.max(0).to_string());
        }
        5 => {
            // A memory is another, everywhere or in one place.
            let all = [
                "#gpu.address_space<workgroup>",
                "#gpu.address_space<private>",
                "\"l1\"",
                "\"l2\"",
                "\"reg\"",
            ];
            let (from, to) = (r.pick(&all), r.pick(&all));
            if r.coin() {
                text = text.replace(from, to);
            } else {
                let at = *r.choose(&places(&text, from))?;
                text.replace_range(at..at + from.len(), to);
            }
        }
        6 => {
            // An index moves.
            let at = *r.choose(&places(&text, " + "))? + 3;
            let end = at + text[at..].find(|c: char| !c.is_ascii_digit())?;
            match text[at..end].parse::<i64>() {
                Ok(number) => text.replace_range(at..end, &(number + r.pick(&[1, -1])).max(0).to_string()),
                Err(_) => text.insert_str(at, r.pick(&["1 + ", "0 * "])),
            }
        }
        7 => {
            // A grid or a block has another size.
            let word = r.pick(&["grid [", "block ["]);
            let at = *r.choose(&places(&text, word))? + word.len();
            let end = at + text[at..].find(|c: char| !c.is_ascii_digit())?;
            let number: i64 = text[at..end].parse().ok()?;
            text.replace_range(at..end, &r.pick(&[number + 1, 1, number * 2, 32]).to_string());
        }
        _ => {
            // A variable in place of another.
            let all = places(&text, "%");
            let name = |text: &str, at: usize| {
                let end = text[at + 1..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(0);
                text[at..at + 1 + end].to_owned()
            };
            let (at, from) = (*r.choose(&all)?, *r.choose(&all)?);
            let (old, new) = (name(&text, at), name(&text, from));
            text.replace_range(at..at + old.len(), &new);
        }
    }
    Some(text)
}

#[derive(Default)]
struct Tally {
    refused: usize,
    /// Accepted, but without a meaning here: why
    undefined: BTreeMap<String, usize>,
    agreed: usize,
    broken: Vec<u64>,
}

/// Traps that the verifier rules out
const RULED_OUT: &[&str] = &["E0315", "E0316"];

fn check(seed: u64, tally: &mut Tally) {
    let mut r = Random::new(seed);
    let options = Options {
        points: 150,
        computations: 1,
        schedules: r.below(3) > 0,
        types: false,
        ..Options::default()
    };
    let source = program(&mut r, &options);
    let Some(mut ir) = accepted(&source) else { return };
    let results = types(&ir, "f").1.len();
    let target = r.pick(&["openmp", "cuda", "opencl", "x86-64-v3"]);
    let first = match options.schedules {
        true => "func.func(mdh-operators,mdh-to-sched)".to_owned(),
        false => format!("func.func(mdh-operators,mdh-schedule{{target={target}}},mdh-to-sched)"),
    };
    if HARNESS.transform(&mut ir, &first).is_err() || verify(&ir).is_err() {
        return;
    }
    let text = shown(&ir);
    for _ in 0..6 {
        let mut changed = Some(text.clone());
        for _ in 0..1 + r.below(2) {
            changed = changed.and_then(|text| change(&mut r, &text));
        }
        let Some(changed) = changed.filter(|changed| *changed != text) else { continue };
        let Some(mut ir) = accepted(&changed) else {
            tally.refused += 1;
            continue;
        };
        let wanted = match attempted(&ir, "f", results) {
            Ok(wanted) => wanted,
            Err(why) => {
                let code = why.split(':').next().unwrap_or_default().to_owned();
                assert!(!RULED_OUT.contains(&code.as_str()), "accepted, but {why}\n{changed}");
                *tally.undefined.entry(code).or_insert(0) += 1;
                continue;
            }
        };
        for pass in ["sched-legalize", "sched-to-scf", "canonicalize,cse,promote-buffers,canonicalize,licm"] {
            if let Err(why) = HARNESS.transform(&mut ir, pass) {
                *tally
                    .undefined
                    .entry(format!("refused by {pass}: {}", &why[..why.len().min(20)]))
                    .or_insert(0) += 1;
                break;
            }
            if let Err(why) = verify(&ir) {
                // A copy's own rounds are loops from there on, with the rules of loops.
                assert!(pass == "sched-legalize", "{pass} makes what is wrong: {why}\n{changed}");
                *tally.undefined.entry("not right as loops".into()).or_insert(0) += 1;
                break;
            }
            match attempted(&ir, "f", results) {
                Ok(found) => same(&wanted, &found, &format!("{pass}\n{changed}")),
                Err(why) => panic!("{pass}: {why}\n{changed}"),
            }
        }
        tally.agreed += 1;
    }
}

fn run(seeds: std::ops::Range<u64>) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        if catch_unwind(AssertUnwindSafe(|| check(seed, &mut tally))).is_err() {
            eprintln!("^^^ seed {seed}");
            tally.broken.push(seed);
        }
    }
    tally
}

#[test]
fn changed_nests() {
    let found = run(1..61);
    assert!(found.broken.is_empty(), "seeds {:?}", found.broken);
    assert!(found.agreed > 15, "only {} are accepted and agree, {} refused", found.agreed, found.refused);
}

#[test]
#[ignore = "minutes: thousands of nests; run with --ignored"]
fn many_changed_nests() {
    let number = |name: &str, other| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(other);
    let (from, count) = (number("TERRACE_SEED", 1000), number("TERRACE_COUNT", 5000));
    let found = run(from..from + count);
    println!("{} agree, {} refused, without a meaning: {:?}", found.agreed, found.refused, found.undefined);
    assert!(found.broken.is_empty(), "seeds {:?}", found.broken);
}
