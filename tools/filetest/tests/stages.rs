//! Programs at each level between patterns and kernels, one file per stage in `test-files/stages`.
//!
//! A file is what its step makes of the file before it, so that any one step can be looked at, and changed, alone. The first
//! file of a folder is handwritten; `cargo xtask bless` writes the others. Text for devices is a snapshot of the
//! last one.

use crate::common;

use common::TOOL;
use std::path::{Path, PathBuf};
use terrace_opt::run_on;

/// A stage: its file, the one it is made from, and the pipeline
type Stage = (&'static str, &'static str, &'static str);

const TO_SCHED: &str = "func.func(array-bind,array-place,array-to-sched)";

const CONVOLUTION: &[Stage] = &[
    (
        "2-rewritten.mlir",
        "1-patterns.mlir",
        "array-expand,array-inline,func.func(array-rewrite{strategy=\"convBlocked(3, 1, 2, 2, 8, 4)\"})",
    ),
    ("3-levels.mlir", "2-rewritten.mlir", "array-parametrize{device=opencl tags=printed}"),
    (
        "4-mapped.mlir",
        "2-rewritten.mlir",
        "array-map{device=opencl mapping=tiles=W1,groups=W0,windows=L1,chunks=L0,block=S,dots=S,sums=W1,m7=W0,m8=L1,m9=L0,m10=S}",
    ),
    ("5-sched.mlir", "4-mapped.mlir", TO_SCHED),
    ("6-gpu.mlir", "5-sched.mlir", "to-opencl"),
];

const LISTING_3: &[Stage] = &[
    ("2-rewritten.mlir", "1-patterns.mlir", "func.func(array-rewrite{strategy=\"at(all) toLocal\"})"),
    ("3-levels.mlir", "2-rewritten.mlir", "array-parametrize{device=opencl}"),
    ("4-mapped.mlir", "2-rewritten.mlir", "array-map{device=opencl mapping=A=W0,B=L0,C=L0,D=S}"),
    ("5-sched.mlir", "4-mapped.mlir", TO_SCHED),
    ("6-gpu.mlir", "5-sched.mlir", "to-opencl"),
];

/// All that the paper's Figure 1 shows, with sizes and levels open in between
const FIGURE_1: &[Stage] = &[
    (
        "2-mid-level.mlir",
        "1-high-level.mlir",
        "func.func(array-rewrite{strategy=\"at(all) splitJoin(@s0, A, R); at(R) splitJoin(@s1, C, D)\" assume=true})",
    ),
    ("3-parametric.mlir", "2-mid-level.mlir", "array-parametrize{device=opencl tags=printed,heuristic,type}"),
    (
        "4-tuned.mlir",
        "3-parametric.mlir",
        "func.func(array-bind{sizes=n=64,s0=32,s1=8}),array-map{device=opencl mapping=A=W0,C=L0,D=S}",
    ),
    ("5-vectorised.mlir", "4-tuned.mlir", "func.func(array-rewrite{strategy=\"at(D) vectorize(4)\"})"),
    ("6-sched.mlir", "5-vectorised.mlir", TO_SCHED),
    ("7-gpu.mlir", "6-sched.mlir", "to-opencl"),
];

/// How a file begins: what the test runner does with it
const HEADER: &str = "// test: round-trip\n";

/// How the last file begins: it becomes text for devices
const DEVICES: &str = "// test: opt --emit=opencl\n// snapshot:\n// test: opt --emit=cuda\n// snapshot:\n";

/// Not in CI: there is nothing to agree with there but what was looked at
fn blessed() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "false");
    set("TERRACE_BLESS") && !set("CI")
}

fn folder(program: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/stages").join(program)
}

/// What a step makes of a file
fn made(folder: &Path, from: &str, pipeline: &str) -> String {
    let input = std::fs::read_to_string(folder.join(from)).expect("the stage before is there");
    let args = [format!("--pipeline={pipeline}")];
    let done = run_on(TOOL, &args, from, &input).unwrap_or_else(|why| panic!("{from}: {why}"));
    assert!(!done.failed, "{from}:\n{}", done.messages);
    String::from_utf8(done.out.unwrap_or_default()).expect("text")
}

fn check(program: &str, stages: &[Stage]) {
    let folder = folder(program);
    let mut other = Vec::new();
    for (at, (file, from, pipeline)) in stages.iter().enumerate() {
        let mut text = made(&folder, from, pipeline);
        if *file == "4-mapped.mlir" {
            // The mapping is a point of the space of the stage before: there too it gives this function.
            let open = made(&folder, "3-levels.mlir", pipeline);
            let function = open.split_once("  tune.space").expect("the space is there").0;
            assert_eq!(format!("{function}}}\n"), text, "{program}");
        }
        text.insert_str(0, if at + 1 == stages.len() { DEVICES } else { HEADER });
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

/// Each stage of the figure leaves open what the later ones decide, and no more
#[test]
fn of_figure_1() {
    check("figure_1", FIGURE_1);
    let text =
        |file: &str| std::fs::read_to_string(folder("figure_1").join(file)).expect("the stage is there");
    let has = |file: &str, what: &str| {
        text(file).split("tune.space").next().is_some_and(|text| text.contains(what))
    };
    for (file, sizes, tiled, open, levels, lanes) in [
        ("1-high-level.mlir", true, false, false, false, false),
        ("2-mid-level.mlir", true, true, false, false, false),
        ("3-parametric.mlir", true, true, true, false, false),
        ("4-tuned.mlir", false, true, false, true, false),
        ("5-vectorised.mlir", false, true, false, true, true),
    ] {
        let found =
            ["@n x", "array.split", ": @m.A", ": block.x", "vector<4xi32>"].map(|what| has(file, what));
        assert_eq!(found, [sizes, tiled, open, levels, lanes], "{file}");
    }
    // The host's program and the kernel in it, then text for a device.
    assert!(has("7-gpu.mlir", "gpu.launch_func") && has("7-gpu.mlir", "gpu.func @f_kernel"));
    let opencl = "snapshots/7-gpu@opencl.snap";
    assert!(has(opencl, "int4 terrace_load_aligned_i32x4") && has(opencl, "get_group_id(0)"));
}
