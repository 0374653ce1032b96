//! Models of the test files.

use std::path::{Path, PathBuf};
use terrace_diag::Diags;
use terrace_dialect_builtin::BUILTIN;
use terrace_dialect_func::FUNC;
use terrace_frontend_onnx::Model;
use terrace_ir::Context;
use terrace_ir::verify::verify;

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/frontends/onnx")
}

/// All models of a folder, in order
pub(crate) fn files(of: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder().join(of)).expect("the folder is there");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    files.retain(|path| path.extension().is_some_and(|word| word == "onnx"));
    files.sort();
    files
}

/// What was said of bytes, and whether they were read
pub(crate) fn read(name: &str, bytes: Vec<u8>, sets: &[(String, String)]) -> (bool, String) {
    let cx = Context::new(&[&[&BUILTIN, &FUNC], terrace_dialect_stablehlo::ALL].concat());
    let mut diags = Diags::default();
    let model = terrace_frontend_onnx::read(&cx, name, bytes, sets, &mut diags);
    assert!(model.is_some() || diags.has_errors(), "nothing was said about {name}");
    let done = model.is_some();
    if let Some(Model { ir, .. }) = &model {
        // What the dialect refuses is refused by it; it must be whole enough to say so.
        diags.append(verify(ir, 1));
    }
    (done, terrace_diag::render_all(diags.iter(), cx.sources(), false))
}

#[test]
fn every_case_is_read_and_valid() {
    let files = files("cases");
    assert!(files.len() > 150, "{}", files.len());
    for path in files {
        let bytes = std::fs::read(&path).expect("the file is there");
        let (done, said) = read(&path.display().to_string(), bytes, &[]);
        assert!(done && said.is_empty(), "{}: {said}", path.display());
    }
}

/// The text of a model's module
fn text(case: &str) -> String {
    let cx = Context::new(&[&[&BUILTIN, &FUNC], terrace_dialect_stablehlo::ALL].concat());
    let mut diags = Diags::default();
    let bytes = std::fs::read(folder().join(format!("cases/{case}.onnx"))).expect("the file is there");
    let model = terrace_frontend_onnx::read(&cx, case, bytes, &[], &mut diags).expect("a model");
    let mut text = String::new();
    terrace_text::print(&model.ir, &terrace_text::PrintOptions::default(), &mut text);
    for weight in &model.weights {
        assert!(text.contains(&format!("terrace.name = \"{}\"", weight.name)), "{}: {text}", weight.name);
    }
    text
}

/// A batch normalization is gone where the convolution in front is read by nothing else, and its weights are not
#[test]
fn norms_go_into_convolutions() {
    for (case, scaled) in [
        ("residual", &["w.scaled"][..]),
        ("Conv_norm", &["w.scaled", "b.scaled"]),
        // Two of them, the first behind an `Identity`
        ("Conv_norm_passed", &["w.scaled.scaled", "b.scaled.scaled"]),
        ("ConvTranspose_norm", &["w.scaled"]),
    ] {
        let text = text(case);
        assert!(!text.contains("stablehlo.multiply"), "{text}");
        for name in scaled {
            assert!(text.contains(&format!("terrace.name = \"{name}\"")), "{text}");
        }
    }
    // Something else reads the result, a part of it, the weights or the summands, or these are not of features.
    for case in ["shared", "named", "later", "row", "weights", "spread"] {
        let kept = text(&format!("Conv_norm_{case}"));
        assert!(kept.contains("stablehlo.multiply") && !kept.contains("scaled"), "{case}: {kept}");
    }
    // What reads the weights behind it has those of the model.
    let again = text("Conv_norm_again");
    assert!(
        again.contains("terrace.name = \"w.scaled\"") && again.contains("terrace.name = \"w\""),
        "{again}"
    );
}

/// Only weights that the file shows to be finite are promised to be
#[test]
fn finite_weights_say_so() {
    assert!(text("Conv_norm").contains("terrace.finite"));
    assert!(!text("Conv_infinite").contains("terrace.finite"));
}
