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
