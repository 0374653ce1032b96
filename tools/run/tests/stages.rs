//! Programs of `test-files/stages` compute the same at each level between patterns and kernels, and on a device.

use crate::common;

use common::{place, run, stdout};
use std::path::Path;
use terrace_runtime_opencl::{Device, Preference};

/// All of the result, whichever level the file is at
fn result(program: &str, stage: &str, args: &[&str], result: &str, on: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/stages").join(program);
    let text = std::fs::read_to_string(folder.join(stage)).expect("the stage is there");
    let test = format!("{program}-{on}");
    let file = place(&format!("{test}.npy"));
    let (out, on) = (format!("--out={result}={}", file.display()), format!("--on={on}"));
    let all: Vec<&str> = args.iter().copied().chain([out.as_str(), on.as_str()]).collect();
    stdout(&run(&test, &text, &all));
    let bytes = std::fs::read(&file).expect("the result is there");
    let _ = std::fs::remove_file(file);
    bytes
}

/// Inputs are small integers: sums of floats are the same in any order
fn check(program: &str, args: &[&str], name: &str) {
    let stages = [
        "1-patterns.mlir",
        "2-rewritten.mlir",
        "3-levels.mlir",
        "4-mapped.mlir",
        "5-sched.mlir",
        "6-gpu.mlir",
    ];
    agree(program, &stages, &["4-mapped.mlir", "6-gpu.mlir"], args, name);
}

/// All stages in the interpreter, and some on a device
fn agree(program: &str, stages: &[&str], on_device: &[&str], args: &[&str], name: &str) {
    let wanted = result(program, stages[0], args, name, "interp");
    for stage in &stages[1..] {
        assert!(result(program, stage, args, name, "interp") == wanted, "{program}: other values at {stage}");
    }
    if Device::open(&Preference::Any).is_err() {
        return println!("skipped: {program} on opencl (needs pocl)");
    }
    for stage in on_device {
        assert!(
            result(program, stage, args, name, "opencl") == wanted,
            "{program}: other values on opencl from {stage}"
        );
    }
}

#[test]
fn of_a_convolution() {
    check("convolution", &["--in=in=iota", "--in=w=iota", "--in=bias=iota"], "o");
}

#[test]
fn of_listing_3() {
    check("listing_3", &["--in=X=iota", "--in=y=fill:3", "--in=z=fill:5"], "out");
}

#[test]
fn of_figure_1() {
    // Between these, sizes are open: there is nothing to run.
    let stages = ["1-high-level.mlir", "4-tuned.mlir", "5-vectorised.mlir", "6-sched.mlir", "7-gpu.mlir"];
    let args = ["--shape=X=64", "--in=X=iota", "--in=y=fill:3", "--in=z=fill:5"];
    agree("figure_1", &stages, &["5-vectorised.mlir", "7-gpu.mlir"], &args, "o");
}
