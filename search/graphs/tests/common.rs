//! Programs of text as graphs.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use terrace_diag::{Diags, render_all};
use terrace_ir::verify::verify;
use terrace_ir::{Context, Ir};
use terrace_search_graphs::Graph;
use terrace_text::ParseOptions;

/// A file of the repository
pub fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn context() -> Arc<Context> {
    Context::new(&[terrace_dialect_upstream::ALL, terrace_dialect_mdh::ALL].concat())
}

/// The graph of the first function of a module that verifies
#[track_caller]
fn first(name: &str, cx: &Context, module: Option<Ir>, mut diags: Diags) -> Graph {
    if let Some(module) = &module {
        diags.append(verify(module, 1));
    }
    assert!(!diags.has_errors(), "{name}: {}", render_all(diags.iter(), cx.sources(), false));
    let module = module.expect("without errors there is a module");
    let function = module.walk().find_map(|op| module.child(op)).expect("a function");
    Graph::read(function).expect("it was verified")
}

/// The graph of a text of tensor expressions at sizes `N=3 M=4`
#[track_caller]
pub fn tensor(name: &str, text: &str, sizes: &str) -> Graph {
    let (cx, mut diags) = (context(), Diags::default());
    let set = |word: &str| word.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
    let sets: Vec<(String, String)> = sizes.split_whitespace().filter_map(set).collect();
    let source = cx.sources().add(name, text);
    let module = terrace_frontend_mdh::tensor::read(&cx, source, &sets, &mut diags);
    first(name, &cx, module, diags)
}

/// The graph of a text of MLIR
#[track_caller]
pub fn mlir(text: &str) -> Graph {
    let (cx, mut diags) = (context(), Diags::default());
    let source = cx.sources().add("text.mlir", text);
    let module = terrace_text::parse(&cx, source, &ParseOptions::default(), &mut diags);
    first("text.mlir", &cx, module, diags)
}
