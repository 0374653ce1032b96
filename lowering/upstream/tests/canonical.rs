//! Structured programs made simple compute what they did, and still do when lowered.

use crate::common;

use common::{REGISTRY, context, parse};
use terrace_dialect_test::programs::nests::closed;
use terrace_dialect_test::{Refinement, refines};
use terrace_interp::RtValue;
use terrace_ir::verify::verify;
use terrace_pass::{Instrument, Pipeline};
use terrace_rewrite::Greedy;

#[test]
fn canonical_programs_compute_the_same() {
    let cx = context();
    let greedy = Greedy::canonical(&cx, &[]);
    let mut diags = terrace_diag::Diags::default();
    let lower = Pipeline::parse("func.func(convert-scf-to-cf)", &REGISTRY, cx.sources(), &mut diags);
    let lower = lower.expect("the pipeline is right");
    let (mut same, mut broken, mut applied) = (0, Vec::new(), std::collections::BTreeMap::new());
    for seed in 1000..1400 {
        let text = closed(seed);
        let before = parse(&cx, &text);
        let mut after = parse(&cx, &text);
        for function in after.children_mut() {
            let outcome = greedy.run(function);
            assert!(outcome.diverged.is_none(), "seed {seed} does not come to an end\n{text}");
            outcome.applied.into_iter().for_each(|(rule, n)| *applied.entry(rule).or_insert(0) += n);
        }
        let errors = verify(&after, 1);
        let shown = terrace_diag::render_all(errors.iter(), cx.sources(), false);
        assert!(!errors.has_errors(), "seed {seed}: {shown}\n{text}");
        let mut lowered = after.clone_unit();
        let (_, result) = terrace_pass::run(&mut lowered, &lower, &Instrument::quiet(|_| String::new()));
        assert!(result.is_ok(), "seed {seed} does not lower\n{text}");
        for (a, b) in [(2, 5), (-3, 1), (0, 0)] {
            for (what, after) in [("canonical", &after), ("lowered", &lowered)] {
                match refines(&before, after, "f", &[RtValue::index(a), RtValue::index(b)]) {
                    Refinement::Same => same += 1,
                    Refinement::Undefined(_) => {}
                    Refinement::Broken(why) => {
                        broken.push(format!("seed {seed}, {what}, ({a}, {b}): {why}\n{text}"));
                    }
                }
            }
        }
    }
    assert!(broken.is_empty(), "{} broken\n{}", broken.len(), broken[0]);
    assert!(same > 2000, "only {same} runs decide something");
    for rule in [
        "if_result_to_select",
        "for_carried",
        "parallel_one_trip",
        "parallel_zero_trips",
        "execute_region_blocks",
    ] {
        assert!(applied.contains_key(rule), "{rule} was never applied: {applied:?}");
    }
}
