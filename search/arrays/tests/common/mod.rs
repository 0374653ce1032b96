//! Programs read, and passes run.

#![allow(dead_code)]

use std::collections::BTreeMap;
use terrace_diag::{Code, Diagnostic, Diags, render_all};
use terrace_ir::{Context, Dialect, Ir};
use terrace_pass::{Instrument, Pipeline, Registry};
use terrace_search_arrays::{Levels, Setup};
use terrace_search_mapping::Options;
use terrace_text::ParseOptions;

const REGISTRY: Registry = Registry {
    passes: &[
        terrace_passes_general::PASSES,
        terrace_passes_array::PASSES,
        terrace_lowering_array::PASSES,
        terrace_lowering_sched::PASSES,
        terrace_passes_sched::PASSES,
    ],
    pipelines: &[],
};

/// The convolution with all that is searched open
pub const CONV: &str = include_str!("../../../../test-files/programs/conv_search.mlir");

pub fn parse(text: &str) -> Ir {
    let dialects: Vec<&'static Dialect> = [
        terrace_dialect_upstream::ALL,
        terrace_dialect_sched::ALL,
        terrace_dialect_array::ALL,
        terrace_dialect_tune::ALL,
    ]
    .concat();
    let cx = Context::new(&dialects);
    let source = cx.sources().add("test.mlir", text.to_string());
    let mut diags = Diags::default();
    let parsed = terrace_text::parse(&cx, source, &ParseOptions::default(), &mut diags);
    assert!(!diags.has_errors(), "{}\n{text}", render_all(diags.iter(), cx.sources(), false));
    parsed.expect("no errors")
}

pub fn print(ir: &Ir) -> String {
    let mut out = String::new();
    terrace_text::print(ir, &terrace_text::PrintOptions::default(), &mut out);
    out
}

pub fn run(ir: &mut Ir, pipeline: &str) -> Result<(), Diagnostic> {
    static FAILED: Code = &terrace_search_mapping::errors::SPACE;
    let cx = ir.cx_arc().clone();
    let mut diags = Diags::default();
    let parsed = Pipeline::parse(pipeline, &REGISTRY, cx.sources(), &mut diags);
    let parsed = parsed.unwrap_or_else(|_| panic!("{}", render_all(diags.iter(), cx.sources(), false)));
    let (report, result) = terrace_pass::run(ir, &parsed, &Instrument::quiet(|_| String::new()));
    result.map_err(|_| {
        let first = report.diags.iter().find(|each| each.severity == terrace_diag::Severity::Error);
        first.cloned().unwrap_or_else(|| Diagnostic::error(FAILED, "a pass failed"))
    })
}

pub fn setup<'a>(module: &'a Ir, sizes: &[(&str, i64)]) -> Setup<'a> {
    Setup {
        module,
        entry: None,
        space: None,
        sizes: sizes.iter().map(|(name, value)| (name.to_string(), *value)).collect::<BTreeMap<_, _>>(),
        fixes: Vec::new(),
        then: String::new(),
        options: Options::default(),
        levels: Levels::Free,
        run: &run,
    }
}

/// Sizes of a layer with a window of three and a border of one
pub fn layer(c: i64, m: i64, side: i64) -> Vec<(&'static str, i64)> {
    vec![("H", side), ("W", side), ("C", c), ("M", m), ("K", 3), ("p", 1)]
}

/// The nine different layers of VGG-16: channels in and out, side
pub const VGG: [(i64, i64, i64); 9] = [
    (3, 64, 224),
    (64, 64, 224),
    (64, 128, 112),
    (128, 128, 112),
    (128, 256, 56),
    (256, 256, 56),
    (256, 512, 28),
    (512, 512, 28),
    (512, 512, 14),
];
