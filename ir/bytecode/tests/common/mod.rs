//! Programs out of the repository's test files.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use terrace_bytecode::{ReadOptions, WriteOptions, read, write};
use terrace_diag::{Diags, split_input};
use terrace_ir::verify::verify;
use terrace_ir::{Context, Ir};
use terrace_text::{ParseOptions, PrintOptions};

pub fn context() -> Arc<Context> {
    Context::new(terrace_dialect_upstream::ALL)
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    for entry in entries.map(|entry| entry.expect("it can be read").path()) {
        if entry.is_dir() {
            files(&entry, found);
        } else if entry.extension().is_some_and(|extension| extension == "mlir") {
            found.push(entry);
        }
    }
}

/// Parts of all test files, with names
pub fn parts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files");
    let mut found = Vec::new();
    files(&root, &mut found);
    found.sort();
    let mut parts = Vec::new();
    for file in found {
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        for (n, range) in split_input(&text).into_iter().enumerate() {
            parts.push((format!("{}, part {n}", file.display()), text[range].to_string()));
        }
    }
    parts
}

/// A program that is right and of dialects that are registered; others are of no use here
pub fn parse(cx: &Arc<Context>, name: &str, text: &str, allow_unregistered: bool) -> Option<Ir> {
    let source = cx.sources().add(name, text);
    let options = ParseOptions { allow_unregistered, ..ParseOptions::default() };
    let ir = terrace_text::parse(cx, source, &options, &mut Diags::default())?;
    (!verify(&ir, 1).has_errors()).then_some(ir)
}

/// Generic form, with locations or without
pub fn generic(ir: &Ir, debuginfo: bool) -> String {
    let options = PrintOptions { generic: true, names: false, debuginfo, ..PrintOptions::default() };
    let mut text = String::new();
    terrace_text::print(ir, &options, &mut text);
    text
}

pub fn written(ir: &Ir, version: u64) -> Vec<u8> {
    write(ir, WriteOptions { version }).expect("the version is known")
}

/// What was written, read again
pub fn read_again(cx: &Arc<Context>, name: &str, bytes: &[u8]) -> Ir {
    let mut diags = Diags::default();
    let again = read(cx, name, bytes, ReadOptions { allow_unregistered: true }, &mut diags);
    again.unwrap_or_else(|| panic!("{name}: {}", terrace_diag::render_all(diags.iter(), cx.sources(), false)))
}
