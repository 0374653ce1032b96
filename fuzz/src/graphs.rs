//! Graphs of tensors: StableHLO text, sub-graphs in JSON and ONNX models, down to computations.

use std::sync::Arc;

use crate::{text, valid};
use terrace_diag::{Diags, render_all};
use terrace_ir::verify::verify;
use terrace_ir::{Context, Ir};
use terrace_opt::REGISTRY;
use terrace_pass::{Instrument, Pipeline};

/// Down to computations, and what is decided before schedules
const PIPELINE: &str = "stablehlo-to-mdh,func.func(mdh-fix-bits,mdh-phases,mdh-inline,mdh-hoist)";

/// A text is read as a graph, or refused with errors; what is read becomes valid computations, or is refused with errors
pub fn graphs(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let cx = Context::new(&terrace_opt::all_dialects());
    let graph = match text.contains("op_desc") {
        true => composite(&cx, text),
        false => valid(&cx, text).filter(|_| text.contains("stablehlo.")),
    };
    if let Some(mut ir) = graph {
        lowered(&mut ir);
    }
}

/// A valid graph becomes valid computations, or is refused with errors
fn lowered(ir: &mut Ir) {
    let cx = ir.cx_arc().clone();
    let mut diags = Diags::default();
    let pipeline = Pipeline::parse(PIPELINE, &REGISTRY, cx.sources(), &mut diags);
    let pipeline = pipeline.expect("the pipeline parses");
    let (report, result) = terrace_pass::run(ir, &pipeline, &Instrument::quiet(|_| String::new()));
    match result {
        Ok(_) => {
            let broken = verify(ir, 1);
            assert!(!broken.has_errors(), "{}", render_all(broken.iter(), cx.sources(), false));
        }
        Err(_) => assert!(report.diags.has_errors(), "failed without an error"),
    }
    let _ = render_all(report.diags.iter(), cx.sources(), true);
}

/// Any bytes are read as a model, or refused with errors; what is read becomes valid computations, or is refused with errors
pub fn models(data: &[u8]) {
    for binary in terrace_opt::language::BINARIES {
        let cx = Context::new(&terrace_opt::all_dialects());
        let mut diags = Diags::default();
        match (binary.read)(&cx, "fuzz", data.to_vec(), &[], &mut diags) {
            Some(model) => {
                let mut ir: Box<Ir> = model.ir.into();
                diags.append(verify(&ir, 1));
                if !diags.has_errors() {
                    lowered(&mut ir);
                }
            }
            None => assert!(diags.has_errors(), "{}: refused without an error", binary.name),
        }
        let _ = render_all(diags.iter(), cx.sources(), true);
    }
}

/// A sub-graph in JSON that reads to valid IR
fn composite(cx: &Arc<Context>, text: &str) -> Option<Box<Ir>> {
    let language = terrace_opt::language::LANGUAGES.iter().find(|language| language.name == "composite")?;
    let source = cx.sources().add("fuzz.json", text);
    let mut diags = Diags::default();
    let ir = (language.read)(cx, source, &[], &mut diags);
    assert!(ir.is_some() || diags.has_errors(), "refused without an error");
    let ir: Box<Ir> = ir?.into();
    (!verify(&ir, 1).has_errors()).then_some(ir)
}
