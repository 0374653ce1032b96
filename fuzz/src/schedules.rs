//! Every form of a schedule, read for computations that have all there is to say: dimensions of each kind, several buffers.

use crate::{LONGEST, print, valid};
use std::sync::Arc;
use terrace_diag::{Diags, render_all};
use terrace_dialect_mdh::schedule::{self, OpenSchedule};
use terrace_ir::verify::verify;
use terrace_ir::{Context, Ir, OpId};
use terrace_opt::REGISTRY;
use terrace_pass::{Instrument, Pipeline};
use terrace_text::PrintOptions;
use terrace_view::document::Document;
use terrace_view::{ViewError, parameters, picture, reading, script, tree};

/// What schedules are read for
const PROGRAMS: &[&str] = &[
    r#"func.func @main(%A: tensor<16x8xf32>, %B: tensor<8x12xf32>) -> tensor<16x12xf32> {
  %C = mdh.compute "matmul" (i in 16, j in 12, k in 8 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<16x8xf32>, tensor<8x12xf32>) -> tensor<16x12xf32>
  return %C : tensor<16x12xf32>
}"#,
    r#"func.func @main(%A: tensor<16xi32>) -> tensor<14xi32> {
  %C = mdh.compute "stencil" (i in 14) ins(%a = %A[i], %b = %A[i + 1], %c = %A[i + 2]) outs([i]) {
    %p = arith.addi %a, %b : i32
    %q = arith.addi %p, %c : i32
    mdh.yield %q : i32
  } : (tensor<16xi32>, tensor<16xi32>, tensor<16xi32>) -> tensor<14xi32>
  return %C : tensor<14xi32>
}"#,
    r#"func.func @main(%A: tensor<9xf64>) -> tensor<9xf64> {
  %C = mdh.compute "sums" (i in 9 ps add) ins(%a = %A[i]) outs([i]) {
    mdh.yield %a : f64
  } : (tensor<9xf64>) -> tensor<9xf64>
  return %C : tensor<9xf64>
}"#,
];

/// No text makes a reader of schedules panic; what is read can be written in each form and read back, and lowering carries it out
/// or refuses it
pub fn schedules(data: &[u8]) {
    let Some((which, data)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(data) else { return };
    if text.len() > LONGEST {
        return;
    }
    let cx = Context::new(&terrace_opt::all_dialects());
    let program = PROGRAMS[usize::from(*which) % PROGRAMS.len()];
    let mut ir = valid(&cx, program).expect("the program is right");
    let (at, op, mut document) = computation(&ir);
    for draft in drafts(text, &document) {
        document.draft = draft;
        forms(&document);
        let unit = ir.child_mut(at).expect("it is the function");
        unit.set_attr(op, schedule::SCHEDULE, Some(schedule::to_attr(&cx, &document.draft.steps)));
        let broken = verify(&ir, 1);
        let _ = render_all(broken.iter(), cx.sources(), true);
        if broken.has_errors() || !affordable(&document) {
            continue;
        }
        carry_out(&cx, &ir);
    }
}

/// The one function with the one computation, and what there is to see of it
fn computation(ir: &Ir) -> (OpId, OpId, Document) {
    let body = ir.regions(ir.root()).next().expect("a module has a body");
    let ops = ir.blocks(body).flat_map(|block| ir.block_ops(block));
    let (at, unit) = ops.into_iter().find_map(|op| Some((op, ir.child(op)?))).expect("there is a function");
    let inside = unit.regions(unit.root()).flat_map(|region| unit.blocks(region).collect::<Vec<_>>());
    let mut ops = inside.flat_map(|block| unit.block_ops(block).collect::<Vec<_>>());
    let compute = ops.find_map(|op| terrace_dialect_mdh::Compute::cast(unit, op)).expect("there is one");
    (at, compute.id(), Document::of(unit, compute).expect("it can be looked at"))
}

/// What each reader makes of the text
fn drafts(text: &str, document: &Document) -> Vec<OpenSchedule> {
    let mut all = Vec::new();
    match OpenSchedule::read(text) {
        Ok(draft) => {
            let printed = draft.to_string();
            let again = OpenSchedule::read(&printed).unwrap_or_else(|error| panic!("{error}:\n{printed}"));
            assert_eq!(printed, again.to_string(), "prints differently");
            all.push(draft);
        }
        Err(error) => {
            let shown = text.get(error.at.clone());
            assert!(shown.is_some(), "an error at {:?}, which is no place in the text", error.at);
        }
    }
    all.extend(reading::read(text, document));
    all.extend(serde_json::from_str(text).ok().and_then(|read| tree::read(&read, document).ok()));
    all.extend(toml::from_str(text).ok().and_then(|read| tree::read(&read, document).ok()));
    match script::read(text, document) {
        Ok((draft, _)) => all.push(draft),
        Err(error) => assert!(text.get(error.at).is_some(), "an error at no place of the script"),
    }
    all
}

/// Every form is written, and those that are read back say the same
fn forms(document: &Document) {
    let wanted = document.draft.to_string();
    if document.draft.steps.iter().any(|step| {
        let counts = (step.sizes.len(), step.cores.len(), step.ins.len(), step.outs.len());
        counts != (document.dims.len(), document.dims.len(), document.ins.len(), document.outs.len())
    }) {
        return;
    }
    let same = |form: &str, read: Result<OpenSchedule, ViewError>| match read {
        Ok(draft) => assert_eq!(wanted, draft.to_string(), "{form} reads back otherwise"),
        Err(why) => panic!("{form} does not read back: {why}\n{wanted}"),
    };
    let tree = tree::write(document);
    same("JSON", tree::read(&tree, document));
    if let Ok(text) = toml::to_string(&tree) {
        let read = toml::from_str(&text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
        same("TOML", tree::read(&read, document));
    }
    let drawn = picture::draw(document, None);
    if !document.draft.steps.is_empty() {
        same("picture", reading::read(&drawn, document));
    }
    if let Ok(schedule) = document.draft.decided() {
        let _ = parameters::text(document, &schedule);
        let _ = script::write(document);
    }
}

/// Few enough steps that carrying them out takes no time
fn affordable(document: &Document) -> bool {
    document.draft.steps.len() <= 8
}

fn carry_out(cx: &Arc<Context>, ir: &Ir) {
    for pipeline in ["func.func(mdh-to-sched),sched-legalize,sched-to-scf", "to-opencl"] {
        let mut ir = ir.clone_unit();
        let mut diags = Diags::default();
        let pipeline = Pipeline::parse(pipeline, &REGISTRY, cx.sources(), &mut diags);
        let pipeline = pipeline.expect("the named pipelines parse");
        let (report, result) = terrace_pass::run(&mut ir, &pipeline, &Instrument::quiet(|_| String::new()));
        if result.is_ok() {
            let broken = verify(&ir, 1);
            let shown = || render_all(broken.iter(), cx.sources(), false);
            assert!(!broken.has_errors(), "{}\n{}", shown(), print(&ir, &PrintOptions::default()));
        } else {
            assert!(report.diags.has_errors(), "failed without an error");
        }
    }
}
