//! Programs at each level between patterns and kernels, one file per stage in `test-files/stages`.
//!
//! A file is what its step makes of the file before it, so that any one step can be looked at, and changed, alone. The first
//! file of a folder is written by hand; `cargo xtask bless` writes the others.

use crate::common;

use common::TOOL;
use std::path::{Path, PathBuf};
use terrace_opt::run_on;

/// A stage: its file, the one it is made from, the pipeline, and what is printed
type Stage = (&'static str, &'static str, &'static str, &'static str);

const TO_SCHED: &str = "func.func(array-bind,array-place,array-to-sched)";

const CONVOLUTION: &[Stage] = &[
    (
        "2-rewritten.mlir",
        "1-patterns.mlir",
        "array-expand,array-inline,func.func(array-rewrite{strategy=\"convBlocked(3, 1, 2, 2, 8, 4)\"})",
        "mlir",
    ),
    ("3-levels.mlir", "2-rewritten.mlir", "array-parametrize{device=opencl tags=printed}", "mlir"),
    (
        "4-mapped.mlir",
        "2-rewritten.mlir",
        "array-map{device=opencl mapping=tiles=W1,groups=W0,windows=L1,chunks=L0,block=S,dots=S,sums=W1,m7=W0,m8=L1,m9=L0,m10=S}",
        "mlir",
    ),
    ("5-sched.mlir", "4-mapped.mlir", TO_SCHED, "mlir"),
    ("6-gpu.mlir", "5-sched.mlir", "to-opencl", "mlir"),
    ("7-kernels.cl", "6-gpu.mlir", "", "opencl"),
    ("7-kernels.cu", "6-gpu.mlir", "", "cuda"),
];

const LISTING_3: &[Stage] = &[
    ("2-rewritten.mlir", "1-patterns.mlir", "func.func(array-rewrite{strategy=\"at(all) toLocal\"})", "mlir"),
    ("3-levels.mlir", "2-rewritten.mlir", "array-parametrize{device=opencl}", "mlir"),
    ("4-mapped.mlir", "2-rewritten.mlir", "array-map{device=opencl mapping=A=W0,B=L0,C=L0,D=S}", "mlir"),
    ("5-sched.mlir", "4-mapped.mlir", TO_SCHED, "mlir"),
    ("6-gpu.mlir", "5-sched.mlir", "to-opencl", "mlir"),
    ("7-kernels.cl", "6-gpu.mlir", "", "opencl"),
    ("7-kernels.cu", "6-gpu.mlir", "", "cuda"),
];

/// First line of a file that the test runner sees
const HEADER: &str = "// test: round-trip\n";

/// Not in CI: there is nothing to agree with there but what was looked at
fn blessed() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "false");
    set("TERRACE_BLESS") && !set("CI")
}

fn folder(program: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/stages").join(program)
}

/// What a step makes of a file
fn made(folder: &Path, from: &str, pipeline: &str, form: &str) -> String {
    let input = std::fs::read_to_string(folder.join(from)).expect("the stage before is there");
    let args = [format!("--pipeline={pipeline}"), format!("--emit={form}")];
    let done = run_on(TOOL, &args, from, &input).unwrap_or_else(|why| panic!("{from}: {why}"));
    assert!(!done.failed, "{from}:\n{}", done.messages);
    String::from_utf8(done.out.unwrap_or_default()).expect("text")
}

fn check(program: &str, stages: &[Stage]) {
    let folder = folder(program);
    let mut other = Vec::new();
    for (file, from, pipeline, form) in stages {
        let mut text = made(&folder, from, pipeline, form);
        if file.starts_with("4-") {
            // The mapping is a point of the space of the stage before: there too it gives this function.
            let open = made(&folder, "3-levels.mlir", pipeline, form);
            let function = open.split_once("  tune.space").expect("the space is there").0;
            assert_eq!(format!("{function}}}\n"), text, "{program}");
        }
        if *form == "mlir" {
            text.insert_str(0, HEADER);
        }
        if blessed() {
            std::fs::write(folder.join(file), &text).expect("test files can be written");
        } else if std::fs::read_to_string(folder.join(file)).ok().as_deref() != Some(text.as_str()) {
            other.push(format!("{program}/{file} is now:\n{text}"));
        }
    }
    assert!(other.is_empty(), "{}\n(`cargo xtask bless` writes these files)", other.join("\n"));
}

#[test]
fn of_a_convolution() {
    check("convolution", CONVOLUTION);
}

#[test]
fn of_listing_3() {
    check("listing_3", LISTING_3);
}
