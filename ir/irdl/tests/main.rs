//! Dialects that are loaded: from dumps of upstream's ODS (`dumps/`, made by `dumps/reduce.py` with LLVM 22), and from
//! IRDL.

mod damaged;
mod irdl;
mod ods;
mod predicates;

use std::sync::Arc;
use terrace_diag::Diags;
use terrace_ir::{Context, Dialect, Ir};
use terrace_irdl::Loaded;
use terrace_text::{ParseOptions, PrintOptions};

/// Dialects of a dump
fn dump(text: &str) -> Vec<Loaded> {
    terrace_irdl::from_ods(text, terrace_dialect_upstream::ALL).expect("a dump")
}

/// A context with dialects that were loaded
fn context(loaded: &[Loaded]) -> Arc<Context> {
    let mut dialects: Vec<&'static Dialect> = terrace_dialect_upstream::ALL.to_vec();
    dialects.extend(loaded.iter().map(|one| one.dialect));
    Context::try_new(&dialects).expect("dialects that go together")
}

/// Read and verify; the messages otherwise
fn read(cx: &Arc<Context>, text: &str) -> Result<Ir, String> {
    let source = cx.sources().add("test.mlir", text);
    let mut diags = Diags::default();
    let read = terrace_text::parse(cx, source, &ParseOptions::default(), &mut diags);
    if let Some(ir) = &read {
        diags.append(terrace_ir::verify::verify(ir, 1));
    }
    match read.filter(|_| !diags.has_errors()) {
        Some(ir) => Ok(ir),
        None => Err(diags.iter().map(|one| format!("{}\n", one.message)).collect()),
    }
}

fn print(ir: &Ir, generic: bool) -> String {
    let mut text = String::new();
    terrace_text::print(ir, &PrintOptions { generic, ..PrintOptions::default() }, &mut text);
    text
}

/// The text comes back from its custom and from its generic form, and from bytecode
fn comes_back(cx: &Arc<Context>, text: &str) {
    let ir = read(cx, text).expect("valid");
    let custom = print(&ir, false);
    assert_eq!(print(&read(cx, &custom).expect("printed"), false), custom);
    let generic = print(&ir, true);
    assert_eq!(print(&read(cx, &generic).expect("printed in generic form"), false), custom);
    let options = terrace_bytecode::WriteOptions { version: terrace_bytecode::VERSION };
    // Bytecode has no names of values.
    let generic = |ir: &Ir| {
        let mut text = String::new();
        let options = PrintOptions { generic: true, names: false, ..PrintOptions::default() };
        terrace_text::print(ir, &options, &mut text);
        text
    };
    let bytes = terrace_bytecode::write(&ir, options).expect("the version is known");
    let mut diags = Diags::default();
    let options = terrace_bytecode::ReadOptions { allow_unregistered: false };
    let back = terrace_bytecode::read(cx, "test.mlirbc", &bytes, options, &mut diags);
    let messages: Vec<&str> = diags.iter().map(|one| one.message.as_str()).collect();
    let back = back.unwrap_or_else(|| panic!("{messages:?}"));
    assert_eq!(generic(&back), generic(&ir));
}
