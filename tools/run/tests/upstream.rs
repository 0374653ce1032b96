//! What is particular about upstream MLIR's worker; `backends.rs` has the programs that run everywhere.

use crate::common;

use common::{refused, run, stdout};

/// Whether the worker is there; says so if it is not
fn here(test: &str) -> bool {
    let here = terrace_native_client::client::find_upstream().is_ok();
    if !here {
        println!("skipped: {test} (needs mlir)");
    }
    here
}

const SAME: &str = "func.func @f(%x: memref<2xf32>) {\n  return\n}\n";

#[test]
fn results_of_all_kinds_come_back() {
    if !here("results_of_all_kinds_come_back") {
        return;
    }
    let text = "\
func.func @several(%n: i8, %x: memref<2x3xf64>) -> (i8, memref<2x3xf64>, i1, i64) {
  %c1 = arith.constant 1 : index
  %v = memref.load %x[%c1, %c1] : memref<2x3xf64>
  %w = arith.addf %v, %v : f64
  memref.store %w, %x[%c1, %c1] : memref<2x3xf64>
  %m = arith.addi %n, %n : i8
  %t = arith.constant true
  %l = arith.constant -5 : i64
  return %m, %x, %t, %l : i8, memref<2x3xf64>, i1, i64
}
";
    let args = ["--in=n=fill:-7", "--in=x=iota", "--on=mlir"];
    let shown = stdout(&run("several", text, &args));
    assert!(shown.contains("m : i8 = -14\n"), "{shown}");
    assert!(shown.contains("2x3xf64 = 0, 1, 2, 3, 8, 5\n"), "{shown}");
    assert!(shown.contains("l : i64 = -5\n"), "{shown}");
    let one = "func.func @one(%n: i16) -> i16 {\n  return %n : i16\n}\n";
    assert_eq!(stdout(&run("one", one, &["--in=n=fill:-3", "--on=mlir"])), "n : i16 = -3\n");
}

#[test]
fn what_upstream_cannot_lower_or_find_is_an_error() {
    if here("what_upstream_cannot_lower_or_find_is_an_error") {
        let text = "func.func @f(%a: f32) -> f32 {\n  return %a : f32\n}\n\
                    func.func private @g(%a: f32) -> tensor<*xf32>\n";
        let out = run("tensor", text, &["--in=a=fill:1", "--entry=f", "--on=mlir"]);
        refused(&out, 1, "error[E0736]");
        let text = "func.func @f(%a: f32) -> f32 {\n  %b = call @g(%a) : (f32) -> f32\n  return %b : f32\n}\n\
                    func.func private @g(f32) -> f32\n";
        let out = run("symbol", text, &["--in=a=fill:1", "--entry=f", "--on=mlir"]);
        refused(&out, 1, "error[E07");
    }
}

#[test]
fn a_worker_that_is_not_there_is_named() {
    let out = common::command("absent", SAME, &["--in=x=iota", "--on=mlir"])
        .env("TERRACE_UPSTREAM", "/nonexistent/worker")
        .output()
        .expect("cargo built the tool");
    refused(&out, 1, "error[E0722]");
}
