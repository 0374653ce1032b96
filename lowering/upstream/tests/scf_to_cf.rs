//! Lowered programs compute what they did, and deep nests need no stack.

use crate::common;

use common::{context, parse, transformed};
use std::fmt::Write;
use terrace_dialect_test::programs::nests::closed;
use terrace_dialect_test::{Refinement, refines};
use terrace_interp::RtValue;

#[test]
fn random_programs_compute_the_same() {
    let cx = context();
    let (mut same, mut broken) = (0, Vec::new());
    for seed in 0..150 {
        let text = closed(seed);
        let before = parse(&cx, &text);
        let after = transformed(&cx, &text, "func.func(convert-scf-to-cf)");
        for (a, b) in [(2, 5), (-3, 1)] {
            match refines(&before, &after, "f", &[RtValue::index(a), RtValue::index(b)]) {
                Refinement::Same => same += 1,
                Refinement::Undefined(_) => {}
                Refinement::Broken(why) => broken.push(format!("seed {seed}, ({a}, {b}): {why}\n{text}")),
            }
        }
    }
    assert!(broken.is_empty(), "{} broken\n{}", broken.len(), broken.join("\n"));
    assert!(same > 250, "only {same} runs decide something");
}

#[test]
fn ten_thousand_loops_in_each_other() {
    let cx = context();
    let depth = 10_000;
    let mut text = String::from(
        "func.func @f(%m: memref<index>) {\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n",
    );
    for n in 0..depth {
        let _ = writeln!(text, "scf.for %i{n} = %c0 to %c1 step %c1 {{");
    }
    text.push_str("memref.store %c1, %m[] : memref<index>\n");
    text.push_str(&"}\n".repeat(depth));
    text.push_str("return\n}");
    let after = transformed(&cx, &text, "func.func(convert-scf-to-cf)");
    let function = after.walk().find_map(|op| after.child(op)).expect("the function is a unit");
    let blocks = function.blocks(function.region(function.root(), 0)).count();
    assert_eq!(blocks, 1 + 3 * depth);
}
