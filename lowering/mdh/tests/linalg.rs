//! `linalg-to-mdh` and `tensors-to-memory` keep what ops mean: each op's example before and after, in the interpreter, on small numbers.
//!
//! Small whole numbers have exact sums, so that another order of terms gives the same.

use terrace_diag::{Diags, render_all};
use terrace_dialect_linalg::LINALG;
use terrace_dialect_tensor::TENSOR;
use terrace_dialect_test::{Refinement, refines};
use terrace_interp::RtValue;
use terrace_ir::{Context, Ir, Type};
use terrace_pass::{Instrument, Pipeline, Registry};

const PASSES: Registry =
    Registry { passes: &[terrace_lowering_mdh::PASSES, terrace_passes_mdh::PASSES], pipelines: &[] };

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
    let pipeline = Pipeline::parse(
        "stablehlo-to-mdh,linalg-operators,func.func(linalg-to-mdh,tensors-to-memory)",
        &PASSES,
        cx.sources(),
        &mut diags,
    );
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
    let cx = Context::new(
        &[terrace_dialect_upstream::ALL, terrace_dialect_mdh::ALL, terrace_dialect_sched::ALL].concat(),
    );
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
            // Sizes that are not numbers, and elements of nothing; ends of parallel loops.
            "tensor.cast",
            "tensor.empty",
            "tensor.extract_slice",
            "tensor.pad",
            "tensor.parallel_insert_slice",
        ]
    );
    assert!(same >= 94, "{same} compared; not decided: {}", open.join(" "));
}

/// Ops that become several ops on floats
const ROUNDED: [&str; 1] = ["stablehlo.logistic:"];

#[test]
fn examples_of_stablehlo() {
    use terrace_dialect_stablehlo::{CHLO, STABLEHLO};
    let cx = Context::new(
        &[
            terrace_dialect_upstream::ALL,
            terrace_dialect_mdh::ALL,
            terrace_dialect_sched::ALL,
            terrace_dialect_stablehlo::ALL,
        ]
        .concat(),
    );
    let (mut same, mut refused, mut open, mut broken) = (0, Vec::new(), Vec::new(), Vec::new());
    for op in STABLEHLO.ops.iter().chain(CHLO.ops) {
        for block in op.docs.split("```mlir\n").skip(1) {
            let text = block.split("```").next().unwrap_or("");
            // Types of a dialect that is not here.
            if text.contains("!quant.") {
                open.push(op.name);
                continue;
            }
            let before = parse(&cx, text);
            let func = before.walk().filter_map(|op| before.child(op)).last().expect("a function");
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
                    assert!(why.contains("[E0645]"), "{}: {why}", op.name);
                    refused.push(op.name);
                    continue;
                }
            };
            match refines(&before, &after, "f", &args) {
                Refinement::Same => same += 1,
                Refinement::Undefined(_) => open.push(op.name),
                // What the interpreter does not have itself.
                Refinement::Broken(why) if why.starts_with(&format!("'{}' op cannot", op.name)) => {
                    open.push(op.name)
                }
                Refinement::Broken(why) => broken.push(format!("{}: {why}", op.name)),
            }
        }
    }
    // Of these the steps round, where the interpreter rounds once.
    broken.retain(|why| !ROUNDED.iter().any(|name| why.starts_with(name)));
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(same >= 70, "{same} compared; not decided: {}; refused: {}", open.join(" "), refused.join(" "));
}

/// An example with its ops in memory: arguments are put into buffers, results are what the outputs hold
fn in_memory(text: &str) -> String {
    let before = text.lines().position(|line| line.starts_with("func.func")).expect("a function");
    let head = text.lines().take(before + 1).collect::<Vec<&str>>().join("\n");
    let inside = head.split("@f(").nth(1).and_then(|rest| rest.split(") ->").next()).expect("arguments");
    let args: Vec<(&str, &str)> = inside
        .split(", %")
        .map(|arg| arg.trim_start_matches('%').split_once(": ").expect("a type"))
        .filter(|(_, ty)| ty.starts_with("tensor<"))
        .collect();
    let memref = |ty: &str| ty.replace("tensor<", "memref<");
    let mut out = format!("{head}\n");
    for (name, ty) in &args {
        let m = memref(ty);
        out += &format!("  %{name}_m = memref.alloc() : {m}\n");
        out += &format!(
            "  bufferization.materialize_in_destination %{name} in restrict writable %{name}_m : ({ty}, {m}) -> ()\n"
        );
    }
    // Of an op in progress: its results, its outputs, open brackets.
    let mut current: Option<(String, Vec<(String, String)>)> = None;
    let mut open = 0i32;
    for line in text.lines().skip(before + 1) {
        let mut line = line.to_string();
        if let Some((result, op)) = line.clone().trim().split_once(" = linalg.").filter(|_| current.is_none())
        {
            if op.starts_with("index") {
                out += &format!("{line}\n");
                continue;
            }
            let outs = op.split("outs(").nth(1).and_then(|rest| rest.split(')').next()).unwrap_or("");
            let (names, types) = outs.split_once(" : ").unwrap_or_default();
            let types = types.split(", ").map(String::from);
            let pairs = names.split(", ").map(String::from).zip(types).collect();
            let result = result.split(':').next().unwrap_or(result).to_string();
            line = format!("  linalg.{op}");
            current = Some((result, pairs));
            open = 0;
        }
        let Some((result, outs)) = &current else {
            out += &format!("{line}\n");
            continue;
        };
        open += line.matches('{').count() as i32 - line.matches('}').count() as i32;
        // `map` and `reduce` have their arguments and body below.
        let more = open > 0
            || !line.trim_start().starts_with('}') && text.contains(&format!("{}\n    (", line.trim()));
        if !more
            && let Some(at) =
                line.rfind(" -> ").filter(|at| line[at + 4..].trim_start_matches('(').starts_with("tensor<"))
        {
            line.truncate(at);
        }
        let mut op = line.replace("tensor<", "memref<");
        // Numbers stay numbers.
        while let Some(at) =
            op.find("> : memref<1xi64>").or(op.find("> : memref<2xi64>")).or(op.find("> : memref<3xi64>"))
        {
            op.replace_range(at + 4..at + 10, "tensor");
        }
        for (name, _) in &args {
            for end in [",", " ", ")"] {
                op = op.replace(&format!("%{name}{end}"), &format!("%{name}_m{end}"));
            }
        }
        out += &format!("{op}\n");
        if !more {
            for (n, (name, ty)) in outs.iter().enumerate() {
                let result = if outs.len() == 1 { result.clone() } else { format!("{result}_{n}") };
                out += &format!(
                    "  {result} = bufferization.to_tensor {name}_m restrict : {} to {ty}\n",
                    memref(ty)
                );
            }
            current = None;
        }
    }
    out
}

#[test]
fn examples_in_memory() {
    let cx = Context::new(
        &[terrace_dialect_upstream::ALL, terrace_dialect_mdh::ALL, terrace_dialect_sched::ALL].concat(),
    );
    let (mut same, mut refused) = (0, Vec::new());
    for op in LINALG.ops {
        for block in op.docs.split("```mlir\n").skip(1) {
            let text = block.split("```").next().unwrap_or("");
            let (values, memory) = (parse(&cx, text), in_memory(text));
            let before = parse(&cx, &memory);
            let func = values.walk().find_map(|op| values.child(op)).expect("a function");
            let entry = func.entry(func.region(func.root(), 0)).expect("it has a body");
            let mut seed = 1;
            let args: Option<Vec<RtValue>> =
                func.block_args(entry).iter().map(|arg| content(&cx, func.ty(*arg), &mut seed)).collect();
            let args = args.expect("sizes are numbers");
            let after = match converted(&cx, &memory) {
                Ok(after) => after,
                Err(why) => {
                    assert!(why.contains(" L-"), "{}: {why}", op.name);
                    refused.push(op.name);
                    continue;
                }
            };
            for other in [&before, &after] {
                match refines(&values, other, "f", &args) {
                    Refinement::Same => same += 1,
                    Refinement::Undefined(code) => panic!("{}: {code}", op.name),
                    Refinement::Broken(why) => panic!("{}: {why}\n{memory}", op.name),
                }
            }
        }
    }
    assert!(refused.is_empty(), "{refused:?}");
    assert!(same >= 168, "{same} compared");
}
