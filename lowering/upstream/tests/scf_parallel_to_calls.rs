//! Outlined loops compute what they did, in whatever pieces they run.

use crate::common;

use common::{context, parse, transformed};
use terrace_dialect_arith::{Constant, DivUI};
use terrace_dialect_func::Call;
use terrace_dialect_test::programs::nests::closed;
use terrace_dialect_test::{Refinement, refines};
use terrace_interp::RtValue;
use terrace_ir::{Builder, Ir, OpId};

/// Cut each parallel call into halves and run the second one first
fn cut(module: &mut Ir) -> usize {
    let mut count = 0;
    for function in module.children_mut() {
        let calls: Vec<OpId> =
            function.walk().filter(|op| function.discardable(*op, "terrace.parallel").is_some()).collect();
        count += calls.len();
        for op in calls {
            let call = Call(op);
            let operands = call.operands(function);
            let callee = call.callee(function);
            let mut b = Builder::before(function, op);
            let two = b.cx().index_attr(2);
            let two = Constant::build(&mut b, two).result(b.read());
            let half = DivUI::build(&mut b, operands[1], two).result(b.read());
            for range in [[half, operands[1]], [operands[0], half]] {
                let operands = [&range, &operands[2..]].concat();
                Call::build(&mut b, &operands, callee, &[]);
            }
            function.erase(op);
        }
    }
    count
}

#[test]
fn random_programs_compute_the_same_in_any_pieces() {
    let cx = context();
    let (mut same, mut cuts, mut broken) = (0, 0, Vec::new());
    for seed in 0..150 {
        let text = closed(seed);
        let before = parse(&cx, &text);
        let mut after = transformed(&cx, &text, "scf-parallel-to-calls");
        cuts += cut(&mut after);
        for (a, b) in [(2, 5), (-3, 1)] {
            match refines(&before, &after, "f", &[RtValue::index(a), RtValue::index(b)]) {
                Refinement::Same => same += 1,
                Refinement::Undefined(_) => {}
                Refinement::Broken(why) => broken.push(format!("seed {seed}, ({a}, {b}): {why}\n{text}")),
            }
        }
    }
    assert!(broken.is_empty(), "{} broken\n{}", broken.len(), broken.join("\n"));
    assert!(same > 250 && cuts > 50, "only {same} runs decide something, {cuts} calls were cut");
}
