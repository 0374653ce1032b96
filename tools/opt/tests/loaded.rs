//! Dialects that the command line loads.

use crate::mlir_opt::{folder, run};
use terrace_opt::{Tool, run_on};

const IRDL: &str = "\
irdl.dialect @d {
  irdl.operation @same {
    %0 = irdl.any
    irdl.operands(a: %0)
    irdl.results(b: %0)
  }
}
";

fn dump() -> String {
    format!("--dialect={}/../../ir/irdl/tests/dumps/complex.json", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn ods_gives_ops_and_a_warning() {
    let text = "func.func @f(%a: complex<f32>) -> f32 { %0 = complex.abs %a : complex<f32> return %0 : f32 }";
    let finished = run_on(Tool::OPT, &[dump()], "in.mlir", text).expect("meant");
    let out = String::from_utf8(finished.out.expect("valid")).expect("text");
    assert!(out.contains("%0 = complex.abs %a : complex<f32>"), "{out}");
    assert!(finished.messages.contains("E0044"), "{}", finished.messages);
    assert!(!finished.messages.contains("`bitcast`"), "{}", finished.messages);
    let args = [dump(), "--dialect-details".to_string()];
    let finished = run_on(Tool::OPT, &args, "in.mlir", text).expect("meant");
    assert!(finished.messages.contains("verifiers: `bitcast`"), "{}", finished.messages);
}

#[test]
fn traits_of_loaded_ops_are_used() {
    let text = "func.func @f(%a: complex<f32>) { %0 = complex.abs %a : complex<f32> return }";
    let args = [dump(), "--pipeline=func.func(canonicalize)".to_string()];
    let finished = run_on(Tool::OPT, &args, "in.mlir", text).expect("meant");
    let out = String::from_utf8(finished.out.expect("valid")).expect("text");
    assert!(!out.contains("complex.abs"), "{out}");
}

#[test]
fn files_that_cannot_be_loaded_are_named() {
    for (args, part) in [
        (vec!["--dialect=no-such-file.json".to_string()], "no-such-file.json"),
        (vec![format!("--dialect={}/Cargo.toml", env!("CARGO_MANIFEST_DIR"))], "E0040"),
        (vec![dump(), dump()], "E0041"),
    ] {
        let finished = run_on(Tool::OPT, &args, "in.mlir", "").expect("meant");
        assert!(finished.failed && finished.messages.contains(part), "{args:?}: {}", finished.messages);
    }
}

#[test]
fn irdl_is_loaded_under_both_names() {
    let folder = folder("irdl");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("it can be written");
    write("d.irdl.mlir", IRDL);
    write(
        "right.mlir",
        "func.func @f(%a: i32) -> i32 { %0 = \"d.same\"(%a) : (i32) -> i32 return %0 : i32 }",
    );
    write(
        "wrong.mlir",
        "func.func @f(%a: i32) -> i64 { %0 = \"d.same\"(%a) : (i32) -> i64 return %0 : i64 }",
    );
    let right = run(&folder, &["--irdl-file=d.irdl.mlir", "right.mlir"]);
    assert!(right.status.success(), "{}", String::from_utf8_lossy(&right.stderr));
    assert!(String::from_utf8_lossy(&right.stdout).contains("\"d.same\"(%arg0) : (i32) -> i32"));
    let wrong = run(&folder, &["--irdl-file=d.irdl.mlir", "wrong.mlir"]);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&wrong.stderr).contains("result #0 does not go with the values before it")
    );
    let bad = run(&folder, &["--irdl-file=right.mlir", "right.mlir"]);
    assert_eq!(bad.status.code(), Some(1));
    let _ = std::fs::remove_dir_all(&folder);
    let args = ["--irdl-file=/no/such/file".to_string()];
    assert!(run_on(Tool::OPT, &args, "in.mlir", "").expect("meant").failed);
}
