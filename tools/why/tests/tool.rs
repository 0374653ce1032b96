//! The command line.

use std::path::Path;
use std::process::Command;

const INPUT: &str = "\
func.func @f(%a: i32, %b: i32) -> i32 {
  %x = arith.divsi %a, %b : i32
  return %x : i32
}
";

fn run(name: &str, args: &[&str]) -> (Option<i32>, String, String) {
    run_on(INPUT, name, args)
}

fn run_on(input: &str, name: &str, args: &[&str]) -> (Option<i32>, String, String) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tool-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("it can be written");
    std::fs::write(folder.join("in.mlir"), input).expect("it can be written");
    let out = Command::new(env!("CARGO_BIN_EXE_terrace-why")).args(args).current_dir(&folder).output();
    let out = out.expect("cargo built the tool");
    let files = std::fs::read_dir(&folder).expect("it is there").count();
    assert_eq!(files, 1, "nothing is written where nothing is found");
    let _ = std::fs::remove_dir_all(&folder);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (out.status.code(), text(&out.stdout), text(&out.stderr))
}

#[test]
fn right_pipelines_are_code_3() {
    let (code, out, err) = run("right", &["in.mlir", "--pipeline=canonicalize", "--seconds=0.5"]);
    assert_eq!((code, out.as_str()), (Some(3), ""));
    assert!(err.contains("E0416") && err.contains("calls were tried"), "{err}");
    let (code, _, err) = run("in", &["in.mlir", "--pipeline=canonicalize", "--in=@f(1, 0)"]);
    assert!(code == Some(3) && err.contains("1 calls were tried, 1 of which trap"), "{err}");
}

#[test]
fn a_lowering_that_only_takes_more_steps_is_not_accused() {
    let file =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../test-files/lowering/upstream/scf-to-cf-nests.mlir");
    let call = "--in=@parallel(2097153, 1)";
    let (code, _, err) = run("slow", &[file, "--pipeline=convert-scf-to-cf", call]);
    assert!(code == Some(3) && err.contains("1 calls were tried, 0 of which trap"), "{err}");
}

#[test]
fn calls_without_an_end_are_counted_apart() {
    let recursive = "func.func @f(%a: i32, %b: i32) -> i32 {\n  %x = call @f(%a, %b) : (i32, i32) -> i32\n  return %x : i32\n}\n";
    let endless = "func.func @f(%a: i32, %b: i32) -> i32 {\n  cf.br ^a\n^a:\n  cf.br ^a\n}\n";
    for (name, text) in [("recursive", recursive), ("endless", endless)] {
        let args = ["in.mlir", "--pipeline=canonicalize", "--in=@f(1, 2)", "--steps=5000"];
        let (code, _, err) = run_on(text, name, &args);
        let wanted =
            "1 calls were tried, 0 of which trap before any pass, 1 need over 5000 steps or too much memory";
        assert!(code == Some(3) && err.contains(wanted), "{err}");
    }
    let (code, _, err) = run("steps", &["in.mlir", "--pipeline=canonicalize", "--steps=0"]);
    assert!(code == Some(2) && err.contains("--steps"), "{err}");
}

#[test]
fn what_cannot_be_done_is_refused_before_the_search() {
    let start = std::time::Instant::now();
    let args = ["in.mlir", "--pipeline=canonicalize", "--seconds=100", "-o", "no/such/folder/out.mlir"];
    let (code, _, err) = run("output", &args);
    assert!(code == Some(1) && err.contains("E0403"), "{err}");
    assert!(start.elapsed() < std::time::Duration::from_secs(50));
}

#[test]
fn proofs_replace_calls() {
    if !["z3", "cvc5", "bitwuzla"].iter().any(|name| Command::new(name).arg("--version").output().is_ok()) {
        println!("skipped: tool::proofs_replace_calls (needs smt)");
        return;
    }
    let sum = "func.func @f(%a: i32) -> i32 {\n  %one = arith.constant 1 : i32\n  %x = arith.addi %a, %one : i32\n  %y = arith.addi %x, %one : i32\n  return %y : i32\n}\n";
    let args = ["in.mlir", "--pipeline=canonicalize", "--prove", "--seconds=0.2"];
    let (code, out, err) = run_on(sum, "proven", &args);
    assert_eq!((code, out.as_str()), (Some(3), ""));
    assert!(err.contains("no difference is possible: ") && err.contains(" proves the one change"), "{err}");
    // A function without a formula is named, and calls are tried as without proofs.
    let load = "func.func @g(%m: memref<2xi32>) -> i32 {\n  %zero = arith.constant 0 : index\n  %x = memref.load %m[%zero] : memref<2xi32>\n  %n = arith.constant 0 : i32\n  %y = arith.addi %x, %n : i32\n  return %y : i32\n}\n";
    let (code, _, err) = run_on(&(sum.to_owned() + load), "open", &args);
    assert!(
        code == Some(3) && err.contains("calls were tried") && err.contains(" proves 1 of 2 changes"),
        "{err}"
    );
    let why = "@g after `canonicalize`: not proven, `func.func` has a value of type `memref<2xi32>`, which proofs do not cover";
    assert!(err.contains(why), "{err}");
}

#[test]
fn a_program_that_is_no_solver_is_named() {
    for program in ["cat", "true", "no-such-solver"] {
        let args = ["in.mlir", "--pipeline=canonicalize", "--prove", "--solver", program];
        let (code, _, err) = run("solver", &args);
        assert!(code == Some(1) && err.contains("E0418") && err.contains(program), "{err}");
    }
    let (code, _, err) = run("alone", &["in.mlir", "--pipeline=canonicalize", "--solver=z3"]);
    assert!(code == Some(2) && err.contains("--prove"), "{err}");
}

#[test]
fn unregistered_ops_are_accepted_on_request() {
    let text = format!("{INPUT}\"a.b\"() : () -> ()\n");
    let args = ["in.mlir", "--pipeline=func.func(canonicalize)", "--in=@f(1, 2)"];
    let (code, _, err) = run_on(&text, "refused", &args);
    assert!(code == Some(1) && err.contains("a.b"), "{err}");
    let (code, _, err) = run_on(&text, "accepted", &[&args[..], &["--allow-unregistered-dialect"]].concat());
    assert!(code == Some(3) && err.contains("1 calls were tried, 0 of which trap"), "{err}");
}

#[test]
fn what_is_no_call_is_refused() {
    for (call, why) in [
        ("f(1)", "a call is `@f(7, -1)`"),
        ("@f(1)", "@f takes 2 arguments"),
        ("@f(1, x)", "`x` is no value of the argument's type"),
        ("@ff(1, 2)", "did you mean `@f`?"),
    ] {
        let (code, _, err) = run("calls", &["in.mlir", "--pipeline=canonicalize", &format!("--in={call}")]);
        assert!(code == Some(1) && err.contains(why), "{call}: {err}");
    }
    let (code, _, err) = run("pass", &["in.mlir", "--pipeline=canonicalise"]);
    assert!(code == Some(1) && err.contains("did you mean `canonicalize`?"), "{err}");
    let (code, _, err) = run("none", &["in.mlir"]);
    assert!(code == Some(2) && err.contains("--pipeline"), "{err}");
    let (code, _, err) = run("time", &["in.mlir", "--pipeline=cse", "--seconds=-1"]);
    assert!(code.is_some_and(|code| code > 0) && !err.is_empty());
}
