//! Canonicalization refines generated functions.

use terrace_dialect_test::{Options, Refinement, generate, refines};
use terrace_dialect_upstream::ALL;
use terrace_interp::RtValue;
use terrace_ir::Context;
use terrace_rewrite::Greedy;

/// Arguments of every generated function: i1, i8, i32, i64, index, f32, f64
fn args(n: i128) -> Vec<RtValue> {
    let float = n as f64 / 2.0;
    let mut all: Vec<RtValue> = [1, 8, 32, 64].into_iter().map(|width| RtValue::int(n, width)).collect();
    all.extend([RtValue::index(n as i64), RtValue::f32(float as f32), RtValue::f64(float)]);
    all
}

#[test]
fn canonicalization_refines() {
    let cx = Context::new(ALL);
    let greedy = Greedy::canonical(&cx, &[]);
    let (mut same, mut broken) = (0, Vec::new());
    for seed in 0..300 {
        let before = generate(&cx, seed, &Options::default()).function;
        let mut after = generate(&cx, seed, &Options::default()).function;
        greedy.run(&mut after);
        for n in [1, 3, -7] {
            match refines(&before, &after, "f", &args(n)) {
                Refinement::Same => same += 1,
                Refinement::Undefined(_) => {}
                Refinement::Broken(why) => broken.push(format!("seed {seed}, argument {n}: {why}")),
            }
        }
    }
    assert!(broken.is_empty(), "{} broken\n{}", broken.len(), broken.join("\n"));
    assert!(same > 100, "only {same} runs decide something");
}

fn verdict(before: &str, after: &str) -> Refinement {
    let cx = Context::new(ALL);
    let [before, after] = [before, after].map(|body| {
        let text = format!("func.func @f(%x: i32, %y: i32) -> i32 {{ {body} return %r : i32 }}");
        let source = cx.sources().add("f", &text);
        let mut diags = terrace_diag::Diags::default();
        terrace_text::parse(&cx, source, &terrace_text::ParseOptions::default(), &mut diags).expect("parses")
    });
    refines(&before, &after, "f", &[RtValue::int(7, 32), RtValue::int(0, 32)])
}

#[test]
fn wrong_results_are_found_and_undefined_ones_allowed() {
    let sum = "%r = arith.addi %x, %y : i32";
    let difference = "%r = arith.subi %y, %x : i32";
    let quotient = "%r = arith.divsi %x, %y : i32";
    let poison = "%r = ub.poison : i32";
    assert_eq!(verdict(sum, sum), Refinement::Same);
    assert_eq!(verdict(sum, difference), Refinement::Broken("result 0 was 7 and is -7".into()));
    assert_eq!(verdict(poison, sum), Refinement::Same);
    assert!(matches!(verdict(sum, poison), Refinement::Broken(_)));
    assert_eq!(verdict(quotient, sum), Refinement::Undefined("E0301"));
    assert!(matches!(verdict(sum, quotient), Refinement::Broken(_)));
}
