//! Text as upstream prints it: byte for byte, but for comments about predecessors, blanks that end lines and the blank line at
//! the end.
//!
//! Each file of `printed/` goes through both printers. A third check needs no upstream: what was printed, also in
//! generic form and with locations, reads back as the same.

use std::path::{Path, PathBuf};
use std::process::Command;
use terrace_diag::{Diags, render_all};
use terrace_ir::{Context, Ir};
use terrace_text::{ParseOptions, PrintOptions};

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/printed");
    let mut files: Vec<PathBuf> = folder
        .read_dir()
        .expect("the folder is there")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

fn parse(name: &str, text: &str) -> Ir {
    let cx = Context::new(terrace_dialect_upstream::ALL);
    let source = cx.sources().add(name, text);
    let mut diags = Diags::default();
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    let ir = terrace_text::parse(&cx, source, &options, &mut diags);
    assert!(!diags.has_errors(), "{}", render_all(diags.iter(), cx.sources(), false));
    ir.expect("no error was reported")
}

fn print(ir: &Ir, options: &PrintOptions) -> String {
    let mut out = String::new();
    terrace_text::print(ir, options, &mut out);
    out
}

fn pretty(name: &str, text: &str) -> String {
    print(&parse(name, text), &PrintOptions::default())
}

/// Upstream's text without comments about predecessors and the last blank line
fn without_comments(text: &str) -> String {
    let mut out = String::new();
    for line in text.strip_suffix('\n').unwrap_or(text).split_inclusive('\n') {
        match line.split_once("  // ") {
            Some((label, comment)) if comment.contains("pred") => {
                out.push_str(label);
                out.push('\n');
            }
            _ => {
                out.push_str(line.trim_end());
                out.push('\n');
            }
        }
    }
    out
}

#[test]
fn as_upstream() {
    for file in files() {
        let text = std::fs::read_to_string(&file).expect("readable");
        let run = Command::new("mlir-opt-22").arg("--allow-unregistered-dialect").arg(&file).output();
        let Ok(run) = run else { return println!("skipped: as_upstream (needs mlir-opt-22)") };
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let expected = without_comments(&String::from_utf8_lossy(&run.stdout));
        let ours = pretty(&file.to_string_lossy(), &text);
        for (ours, theirs) in ours.lines().zip(expected.lines()) {
            assert_eq!(ours, theirs, "{}", file.display());
        }
        assert_eq!(ours, expected);
    }
}

#[test]
fn reads_back_the_same() {
    let generic = PrintOptions { generic: true, ..PrintOptions::default() };
    let located = PrintOptions { debuginfo: true, ..PrintOptions::default() };
    for file in files() {
        let name = file.to_string_lossy();
        let ir = parse(&name, &std::fs::read_to_string(&file).expect("readable"));
        let once = print(&ir, &PrintOptions::default());
        assert_eq!(pretty(&name, &once), once);
        assert_eq!(pretty(&name, &print(&ir, &generic)), once);
        let with_locations = print(&ir, &located);
        assert_eq!(print(&parse(&name, &with_locations), &located), with_locations);
        assert_eq!(pretty(&name, &with_locations), once);
    }
}

#[test]
fn authors_names_survive() {
    let text = "\
module {
  func.func @f(%n: i32, %arg0: i32) -> i32 {
    %sum = arith.addi %n, %arg0 : i32
    %c1_i32 = arith.constant 1 : i32
    %one = arith.constant 1 : i32
    %0:2 = scf.if %cond -> (i32, i32) {
      %sum_0 = arith.addi %sum, %one : i32
      scf.yield %sum_0, %one : i32, i32
    } else {
      scf.yield %sum, %sum : i32, i32
    }
    cf.br ^exit(%0#1 : i32)
  ^exit(%result: i32):
    return %result : i32
  }
}
";
    let text = text.replace("%arg0: i32) ->", "%arg0: i32, %cond: i1) ->");
    assert_eq!(pretty("names", &text), text);
}
