//! `linalg-to-mdh` keeps what ops mean: each op's example before and after, in the interpreter, on small numbers.
//!
//! Small whole numbers have exact sums, so that another order of terms gives the same.

use terrace_diag::{Diags, render_all};
use terrace_dialect_test::{Refinement, refines};
use terrace_dialect_upstream::{linalg::LINALG, tensor::TENSOR};
use terrace_interp::RtValue;
use terrace_ir::{Context, Ir, Type};
use terrace_pass::{Instrument, Pipeline, Registry};

const PASSES: Registry = Registry { passes: &[terrace_lowering_mdh::PASSES], pipelines: &[] };

fn parse(cx: &std::sync::Arc<Context>, text: &str) -> Ir {
    let source = cx.sources().add("f", text);
    let mut diags = Diags::default();
    let ir = terrace_text::parse(cx, source, &terrace_text::ParseOptions::default(), &mut diags);
    ir.unwrap_or_else(|| panic!("{}\n{text}", render_all(diags.iter(), cx.sources(), false)))
}

/// After the pass; or what it says
fn converted(cx: &std::sync::Arc<Context>, text: &str) -> Result<Ir, String> {
    let mut ir = parse(cx, text);
    let mut diags = Diags::default();
    let pipeline = Pipeline::parse("func.func(linalg-to-mdh)", &PASSES, cx.sources(), &mut diags);
    let instrument = Instrument { verify_each: true, ..Instrument::quiet(|_| String::new()) };
    let (report, result) = terrace_pass::run(&mut ir, &pipeline.expect("the pipeline is right"), &instrument);
    match result {
        Ok(_) => Ok(ir),
        Err(_) => Err(render_all(report.diags.iter(), cx.sources(), false)),
    }
}

/// A value whose elements are small whole numbers; nothing if a size is in no type
fn content(cx: &Context, ty: Type, seed: &mut u64) -> Option<RtValue> {
    if ty.shape(cx).is_some_and(|shape| shape.iter().any(|size| *size < 0)) {
        return None;
    }
    let count = ty.shape(cx).map(|shape| shape.iter().product::<i64>());
    let elem = ty.shape(cx).map_or(ty, |_| ty.scalar(cx));
    let mut one = || {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = (*seed >> 40) as i64 % 4 + 1;
        match elem.is_float(cx) {
            true => {
                let attr = cx.float_attr((number as f32).to_bits().into(), elem);
                RtValue::of_attr(cx, attr)
            }
            // An index stays inside of what the examples declare.
            false if elem.is_index(cx) => Some(RtValue::index(0)),
            false => Some(RtValue::int(number.into(), elem.bit_width(cx).unwrap_or(64))),
        }
    };
    match count {
        Some(count) => Some(RtValue::Vector((0..count).map(|_| one()).collect::<Option<_>>()?)),
        None => one(),
    }
}

#[test]
fn examples_of_all_ops() {
    let cx = Context::new(&[terrace_dialect_upstream::ALL, terrace_dialect_mdh::ALL].concat());
    let (mut same, mut refused, mut open) = (0, Vec::new(), Vec::new());
    for op in LINALG.ops.iter().chain(TENSOR.ops) {
        for block in op.docs.split("```mlir\n").skip(1) {
            let text = block.split("```").next().unwrap_or("");
            let before = parse(&cx, text);
            let func = before.walk().find_map(|op| before.child(op)).expect("a function");
            let entry = func.entry(func.region(func.root(), 0)).expect("it has a body");
            let mut seed = 1;
            let args: Option<Vec<RtValue>> =
                func.block_args(entry).iter().map(|arg| content(&cx, func.ty(*arg), &mut seed)).collect();
            let Some(args) = args else {
                open.push(op.name);
                continue;
            };
            let after = match converted(&cx, text) {
                Ok(after) => after,
                Err(why) => {
                    assert!(why.contains(": L-") || why.contains(" L-"), "{}: {why}", op.name);
                    refused.push(op.name);
                    continue;
                }
            };
            match refines(&before, &after, "f", &args) {
                Refinement::Same => same += 1,
                Refinement::Undefined(code) => open.push(if code.is_empty() { "" } else { op.name }),
                Refinement::Broken(why) => panic!("{}: {why}\n{text}", op.name),
            }
        }
    }
    assert_eq!(
        refused,
        [
            // Operators without sign have no name in computations.
            "linalg.pooling_nhwc_max_unsigned",
            "linalg.pooling_nhwc_min_unsigned",
            "linalg.pooling_nwc_max_unsigned",
            "linalg.pooling_nwc_min_unsigned",
            // Sizes that are not numbers, and elements of nothing; places that depend on values.
            "tensor.cast",
            "tensor.empty",
            "tensor.extract",
            "tensor.extract_slice",
            "tensor.from_elements",
            "tensor.insert",
            "tensor.pad",
        ]
    );
    assert!(same >= 90, "{same} compared; not decided: {}", open.join(" "));
}
