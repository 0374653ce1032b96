//! Structured functions at random, through passes in random order: after each the text reads back, the verifier is content, and
//! values are as before.
//!
//! A few stand in the suite. Thousands are run by
//! `TERRACE_SEED=1000 TERRACE_COUNT=500 cargo test --profile fast -p terrace-filetest campaign:: -- --ignored --nocapture`.

use crate::programs::parse;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use terrace_diag::{Diags, render_all};
use terrace_dialect_test::programs::structured::{Options, closed};
use terrace_dialect_test::{Refinement, refines};
use terrace_interp::RtValue;
use terrace_ir::{Context, Ir};
use terrace_pass::{Instrument, Pipeline};
use terrace_support::Random;
use terrace_text::PrintOptions;

/// Passes that take any such program
const PASSES: &[&str] = &[
    "canonicalize",
    "canonicalize",
    "cse",
    "licm",
    "inline",
    "promote-buffers",
    "promote-buffers",
    "dce",
    "symbol-dce",
    "sccp",
    "control-flow-sink",
    "remove-dead-values",
    "int-range-optimizations",
    "arith-unsigned-when-equivalent",
    "arith-expand",
    "promote-buffers-to-stack",
    "scf-for-to-while",
    "scf-parallel-loop-tiling{parallel-loop-tile-sizes=3,2}",
    "scf-parallel-loop-tiling{parallel-loop-tile-sizes=2 no-min-max-bounds=true}",
    "scf-parallel-for-to-nested-fors",
    "topological-sort",
    "strip-debuginfo",
    "symbol-privatize{exclude=f}",
    "scf-parallel-to-calls",
    "convert-scf-to-cf",
    "canonicalize{simplify-regions=false}",
];

fn shown(ir: &Ir, generic: bool) -> String {
    let mut text = String::new();
    terrace_text::print(ir, &PrintOptions { generic, ..PrintOptions::default() }, &mut text);
    text
}

fn transform(cx: &Arc<Context>, ir: &mut Ir, pass: &str) {
    let mut diags = Diags::default();
    let parsed = Pipeline::parse(pass, &terrace_opt::REGISTRY, cx.sources(), &mut diags)
        .unwrap_or_else(|_| panic!("{}", render_all(diags.iter(), cx.sources(), false)));
    let instrument = Instrument { verify_each: true, ..Instrument::quiet(|_| String::new()) };
    let (report, result) = terrace_pass::run(ir, &parsed, &instrument);
    assert!(result.is_ok(), "{}", render_all(report.diags.iter(), cx.sources(), false));
}

/// Numbers for the five parameters
fn arguments(r: &mut Random, floats: bool) -> Vec<RtValue> {
    let n = r.pick(&[0i64, 1, -1, 5, -7, 100, i64::MIN, i64::MAX, 0x8000_0000]);
    vec![
        RtValue::int(n.into(), 32),
        RtValue::int(i128::from(n) * 3, 64),
        RtValue::index(r.pick(&[0, 1, 2, 7, -1, i64::MAX])),
        if floats {
            RtValue::f32(r.pick(&[0.0, -0.0, 1.5, f32::NAN, f32::INFINITY, -3.0e38]))
        } else {
            RtValue::int(n.into(), 8)
        },
        RtValue::bool(r.coin()),
    ]
}

fn check(seed: u64, options: &Options, same: &mut usize) {
    let mut r = Random::new(seed);
    let text = closed(&mut r, options);
    let cx = Context::new(&terrace_opt::all_dialects());
    let before = parse(&cx, &text);
    let mut ir = parse(&cx, &text);
    let all: Vec<Vec<RtValue>> = (0..3).map(|_| arguments(&mut r, options.floats)).collect();
    let mut done = String::new();
    for _ in 0..1 + r.below(6) {
        let pass = r.pick(PASSES);
        done = format!("{done},{pass}");
        transform(&cx, &mut ir, pass);
        let generic = r.coin();
        let printed = shown(&ir, generic);
        let again = parse(&cx, &printed);
        // Names of copies count as authors' names from then on; nothing else may change.
        let once = shown(&again, generic);
        let twice = shown(&parse(&cx, &once), generic);
        assert!(once == twice, "seed {seed}: {done}: reads back otherwise\n{once}\n{twice}");
        assert_eq!(once.lines().count(), printed.lines().count(), "seed {seed}: {done}\n{once}\n{printed}");
        for args in &all {
            match refines(&before, &again, "f", args) {
                Refinement::Same => *same += 1,
                Refinement::Undefined(_) => {}
                Refinement::Broken(why) => panic!("seed {seed}: {done}: {args:?}: {why}\n{text}\n{printed}"),
            }
        }
    }
}

fn run(seeds: std::ops::Range<u64>) -> (usize, Vec<u64>) {
    let (mut same, mut broken) = (0, Vec::new());
    for seed in seeds {
        let options = match seed % 4 {
            0 => Options::default(),
            1 => Options { floats: false, ..Options::default() },
            2 => Options { vectors: false, odd: false, ..Options::default() },
            _ => Options { depth: 2, statements: 4, ..Options::default() },
        };
        if catch_unwind(AssertUnwindSafe(|| check(seed, &options, &mut same))).is_err() {
            broken.push(seed);
        }
    }
    (same, broken)
}

#[test]
fn random_structured_functions() {
    let (same, broken) = run(1..41);
    assert!(broken.is_empty(), "seeds {broken:?}");
    assert!(same > 100, "only {same} runs decide something");
}

#[test]
#[ignore = "minutes: hundreds of programs; run with --ignored"]
fn many_random_structured_functions() {
    let number = |name: &str, other| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(other);
    let (from, count) = (number("TERRACE_SEED", 1000), number("TERRACE_COUNT", 500));
    let (same, broken) = run(from..from + count);
    println!("{same} runs decide something");
    assert!(broken.is_empty(), "seeds {broken:?}");
}
