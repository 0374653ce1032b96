//! Files that reproduce a run, written and read.

use super::{SUMS, folder, on, run};

const PIPELINE: &str =
    "--pass-pipeline=builtin.module(func.func(canonicalize{region-simplify=disabled},cse))";

#[test]
fn a_run_is_reproduced() {
    let folder = folder("reproduced");
    std::fs::write(folder.join("in.mlir"), SUMS).expect("it can be written");
    let first = run(
        &folder,
        &["in.mlir", PIPELINE, "--mlir-generate-reproducer=again.mlir", "--mlir-disable-threading"],
    );
    let text = std::fs::read_to_string(folder.join("again.mlir")).expect("it was written");
    assert!(text.contains("pipeline: \"builtin.module(func.func(canonicalize{"), "{text}");
    assert!(
        text.contains("region-simplify=disabled test-convergence=false top-down=true},cse))\",\n      disable_threading: true,\n      verify_each: true\n"),
        "{text}"
    );
    let again = run(&folder, &["again.mlir", "--run-reproducer", "--dump-pass-pipeline"]);
    assert_eq!(String::from_utf8_lossy(&again.stdout), String::from_utf8_lossy(&first.stdout));
    assert!(String::from_utf8_lossy(&again.stderr).contains("region-simplify=disabled"));
    let _ = std::fs::remove_dir_all(folder);
}

/// A pass that fails on the input, with one before it that does not
const FAILING: &str = "--pass-pipeline=builtin.module(func.func(cse,lower-affine))";

/// A reduction that `lower-affine` does not take
const ASSIGNED: &str = "\
func.func @f(%n: index, %x: f32) -> f32 {
  %r = affine.parallel (%i) = (0) to (%n) reduce (\"assign\") -> (f32) {
    affine.yield %x : f32
  }
  return %r : f32
}
";

#[test]
fn a_failure_is_reproduced_whole_or_alone() {
    let folder = folder("failure");
    std::fs::write(folder.join("in.mlir"), ASSIGNED).expect("it can be written");
    let whole = run(&folder, &["in.mlir", FAILING, "--mlir-pass-pipeline-crash-reproducer=whole.mlir"]);
    let said = String::from_utf8_lossy(&whole.stderr).into_owned();
    assert_eq!(whole.status.code(), Some(1), "{said}");
    assert!(
        said.contains("note: Pipeline failed while executing [`LowerAffinePass` on 'func.func' operation]: reproducer generated at `whole.mlir`"),
        "{said}"
    );
    let text = std::fs::read_to_string(folder.join("whole.mlir")).expect("it was written");
    assert!(text.contains("pipeline: \"builtin.module(func.func(cse, lower-affine))\""), "{text}");
    let alone = [
        "--mlir-pass-pipeline-crash-reproducer=alone.mlir",
        "--mlir-pass-pipeline-local-reproducer",
        "--mlir-disable-threading",
    ];
    assert_eq!(run(&folder, &[&["in.mlir", FAILING], &alone[..]].concat()).status.code(), Some(1));
    let text = std::fs::read_to_string(folder.join("alone.mlir")).expect("it was written");
    assert!(text.contains("pipeline: \"builtin.module(func.func(lower-affine))\""), "{text}");
    for file in ["whole.mlir", "alone.mlir"] {
        assert_eq!(run(&folder, &[file, "--run-reproducer"]).status.code(), Some(1), "{file}");
    }
    let _ = std::fs::remove_dir_all(folder);
}

/// The pass that fails is printed, and those before it are not
#[test]
fn ir_after_a_failure() {
    let seen = on("after_failure", ASSIGNED, &[FAILING, "--mlir-print-ir-after-failure"]);
    assert_eq!(seen.code, Some(1), "{}", seen.err);
    assert_eq!(seen.err.matches("IR Dump After").count(), 1, "{}", seen.err);
    assert!(seen.err.contains("IR Dump After LowerAffinePass Failed (lower-affine)"), "{}", seen.err);
}
