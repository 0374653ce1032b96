//! Each pass refines random functions: where the original traps or gives poison anything goes, elsewhere results are equal.

use terrace_dialect_test::{Options, Refinement, generate, refines};
use terrace_dialect_upstream::ALL;
use terrace_interp::RtValue;
use terrace_ir::verify::verify;
use terrace_ir::{Context, Ir};
use terrace_passes_general::cse;
use terrace_rewrite::{Greedy, dead};

/// Arguments of every generated function: i1, i8, i32, i64, index, f32, f64
fn args(n: i128) -> Vec<RtValue> {
    let mut all: Vec<RtValue> = [1, 8, 32, 64].into_iter().map(|width| RtValue::int(n, width)).collect();
    all.extend([RtValue::index(n as i64), RtValue::f32(n as f32 / 2.0), RtValue::f64(n as f64 / 2.0)]);
    all
}

fn check(pass: impl Fn(&mut Ir)) {
    let cx = Context::new(ALL);
    let mut same = 0;
    for seed in 1000..1200 {
        let before = generate(&cx, seed, &Options::default()).function;
        let mut after = before.clone_unit();
        pass(&mut after);
        assert!(!verify(&after, 1).has_errors(), "seed {seed}: the result is not valid");
        for n in [0, 1, -5, 1 << 20] {
            match refines(&before, &after, "f", &args(n)) {
                Refinement::Same => same += 1,
                Refinement::Undefined(_) => {}
                Refinement::Broken(why) => panic!("seed {seed}, argument {n}: {why}"),
            }
        }
    }
    assert!(same > 100, "only {same} runs decide something");
}

#[test]
fn cse_refines() {
    check(|ir| {
        cse::run(ir);
    });
}

#[test]
fn dce_refines() {
    check(|ir| {
        dead::sweep(ir);
    });
}

#[test]
fn cse_after_canonicalize_refines() {
    check(|ir| {
        Greedy::canonical(ir.cx(), &[]).run(ir);
        cse::run(ir);
    });
}
