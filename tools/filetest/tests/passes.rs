//! Each pass on upstream's dialects keeps the values of random programs: functions with loops, conditions and memory that are
//! called, a parallel loop over a box, and a launched kernel whose threads meet.

use crate::programs;

use programs::parse;
use std::sync::Arc;
use terrace_diag::Diags;
use terrace_dialect_test::programs::nests::closed;
use terrace_dialect_test::{Refinement, refines};
use terrace_interp::RtValue;
use terrace_ir::{Context, Ir};
use terrace_pass::{Instrument, Pipeline};

/// Passes and named pipelines that take such programs
const PASSES: &[&str] = &[
    "canonicalize",
    "cse",
    "dce",
    "licm",
    "inline",
    "symbol-dce",
    "inline,symbol-dce",
    "promote-buffers",
    "expand-floats",
    "lower-affine",
    "scf-forall-to-parallel",
    "scf-parallel-to-calls",
    "convert-scf-to-cf",
    "gpu-launch-sink-index-computations",
    "gpu-all-reduce-to-shared",
    "gpu-kernel-outlining",
    "gpu-kernel-outlining,gpu-all-reduce-to-shared",
    "to-opencl",
    "to-ptx",
    "to-mlir",
    "to-openmp",
];

/// A program around two random functions
fn program(seed: u64) -> String {
    let function = |n: u64| {
        let text = closed(2 * seed + n);
        text.replacen("func.func @f(", &format!("func.func private @g{n}("), 1)
    };
    let operator = ["add", "mul", "minsi", "maxsi", "and", "or", "xor"][seed as usize % 7];
    format!(
        "{}{}func.func @f(%a: index, %b: index) -> index {{
           %c1 = arith.constant 1 : index
           %c3 = arith.constant 3 : index
           %c8 = arith.constant 8 : index
           %x = func.call @g0(%a, %b) : (index, index) -> index
           %y = func.call @g1(%b, %x) : (index, index) -> index
           %m = memref.alloc() : memref<8xindex>
           %n = memref.alloc() : memref<8xi32>
           scf.forall (%i) in (8) {{
             %v = arith.muli %i, %x : index
             %w = arith.addi %v, %y : index
             memref.store %w, %m[%i] : memref<8xindex>
           }}
           gpu.launch blocks(%p, %q, %r) in (%gx = %c1, %gy = %c1, %gz = %c1)
                      threads(%t, %u, %v) in (%bx = %c8, %by = %c1, %bz = %c1) {{
             %s = memref.load %m[%t] : memref<8xindex>
             %own = arith.index_cast %s : index to i32
             %all = gpu.all_reduce {operator} %own uniform {{
             }} : (i32) -> i32
             %sum = arith.addi %all, %own : i32
             memref.store %sum, %n[%t] : memref<8xi32>
             gpu.terminator
           }}
           %l = memref.load %n[%c3] : memref<8xi32>
           %z = arith.index_cast %l : i32 to index
           memref.dealloc %m : memref<8xindex>
           memref.dealloc %n : memref<8xi32>
           %result = arith.addi %z, %y : index
           return %result : index
         }}",
        function(0),
        function(1)
    )
}

fn transformed(cx: &Arc<Context>, text: &str, pipeline: &str) -> Ir {
    let mut ir = parse(cx, text);
    let mut diags = Diags::default();
    let parsed = Pipeline::parse(pipeline, &terrace_opt::REGISTRY, cx.sources(), &mut diags)
        .expect("the pipeline is right");
    let instrument = Instrument { verify_each: true, ..Instrument::quiet(|_| String::new()) };
    let (report, result) = terrace_pass::run(&mut ir, &parsed, &instrument);
    let shown = terrace_diag::render_all(report.diags.iter(), cx.sources(), false);
    assert!(result.is_ok(), "{pipeline}: {shown}\n{text}");
    ir
}

#[test]
fn random_programs_keep_their_values() {
    for pipeline in PASSES {
        let mut same = 0;
        for seed in 0..24 {
            let cx = Context::new(&terrace_opt::all_dialects());
            let text = program(seed);
            let (before, after) = (parse(&cx, &text), transformed(&cx, &text, pipeline));
            for (a, b) in [(2, 5), (-3, 1)] {
                match refines(&before, &after, "f", &[RtValue::index(a), RtValue::index(b)]) {
                    Refinement::Same => same += 1,
                    Refinement::Undefined(_) => {}
                    Refinement::Broken(why) => {
                        let mut shown = String::new();
                        terrace_text::print(&after, &terrace_text::PrintOptions::default(), &mut shown);
                        panic!("{pipeline}, seed {seed}, ({a}, {b}): {why}\n{text}\n{shown}");
                    }
                }
            }
        }
        assert!(same > 30, "{pipeline}: only {same} runs decide something");
    }
}
