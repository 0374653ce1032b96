//! Running passes on programs.

#![allow(dead_code)]

use std::sync::Arc;
use terrace_diag::Diags;
use terrace_dialect_upstream::ALL;
use terrace_ir::{Context, Ir};
use terrace_pass::{Instrument, Pipeline, Registry};

/// Passes of this crate
pub const REGISTRY: Registry = Registry { passes: &[terrace_lowering_upstream::PASSES], pipelines: &[] };

/// Parse a unit
pub fn parse(cx: &Arc<Context>, text: &str) -> Ir {
    let source = cx.sources().add("f", text);
    let mut diags = Diags::default();
    let ir = terrace_text::parse(cx, source, &terrace_text::ParseOptions::default(), &mut diags);
    let shown = terrace_diag::render_all(diags.iter(), cx.sources(), false);
    ir.unwrap_or_else(|| panic!("{shown}\n{text}"))
}

/// Parse and run a pipeline on it, verified after each pass
pub fn transformed(cx: &Arc<Context>, text: &str, pipeline: &str) -> Ir {
    let mut ir = parse(cx, text);
    let mut diags = Diags::default();
    let parsed =
        Pipeline::parse(pipeline, &REGISTRY, cx.sources(), &mut diags).expect("the pipeline is right");
    let (report, result) = terrace_pass::run(
        &mut ir,
        &parsed,
        &Instrument { verify_each: true, ..Instrument::quiet(|_| String::new()) },
    );
    let shown = terrace_diag::render_all(report.diags.iter(), cx.sources(), false);
    assert!(result.is_ok(), "{shown}\n{text}");
    ir
}

/// A context with upstream's dialects
pub fn context() -> Arc<Context> {
    Context::new(ALL)
}
