//! What schedules say beyond the paper's words, run on devices: turned and doubled tiles, warps, several devices.

use crate::common;

use common::backends::{agree, agree_on};
use terrace_runtime_opencl::{Device, Preference};

const ARGS: [&str; 2] = ["--in=A=random:1", "--in=B=random:2"];

/// One function of the file of schedules
fn program(name: &str) -> String {
    let text = include_str!("../../../test-files/lowering/mdh/words.mlir");
    let from = text.find(&format!("func.func @{name}(")).expect("it is there");
    let end = text[from..].find("\n}\n").expect("it ends");
    text[from..from + end + 3].to_owned()
}

#[test]
fn words_warps_and_devices_as_kernels() {
    if Device::open(&Preference::Any).is_err() {
        return println!("skipped: words_warps_and_devices_as_kernels (needs pocl)");
    }
    // Several devices are parts of the one that is there.
    for name in ["words", "exchanged", "warps", "devices"] {
        agree_on("interp,opencl", &format!("words-{name}"), &program(name), &ARGS, "C");
    }
}

#[test]
fn a_host_plays_several_devices() {
    // With LLVM, the pool's threads.
    agree("words-hosts", &program("hosts"), &ARGS, "C");
}

#[test]
fn rows_that_are_asked_for() {
    agree("words-rows", &program("rows"), &ARGS[..1], "C");
}

/// A program of the benches, its sizes put in, for a processor
fn for_processor(text: &str, sizes: &[(&str, i64)], target: &str) -> String {
    let text = sizes
        .iter()
        .fold(text.to_owned(), |text, (name, size)| text.replace(&format!("{{{name}}}"), &size.to_string()));
    text.replace("\"out\"})", &format!("\"out\"}}) attributes {{terrace.target = \"{target}\"}}"))
}

#[test]
fn code_for_each_level_of_the_processor() {
    let softmax = include_str!("../../../benches/programs/softmax.mlir.in");
    let conv = include_str!("../../../benches/programs/conv.mlir.in");
    let layer = [("N", 1), ("H", 9), ("O", 9), ("C", 5), ("K", 21), ("R", 3), ("T", 1), ("P", 1)];
    // The highest is this machine's own where it has it: every other test.
    for (target, here) in [("x86-64-v2", true), ("x86-64-v3", has_fma())] {
        if !here {
            println!("skipped: code_for_each_level_of_the_processor on {target} (needs the processor)");
            continue;
        }
        let text = for_processor(softmax, &[("M", 7), ("N", 37)], target);
        agree(&format!("level-softmax-{target}"), &text, &ARGS[..1], "out");
        let text = for_processor(conv, &layer, target);
        agree(&format!("level-conv-{target}"), &text, &ARGS, "out");
    }
}

#[cfg(target_arch = "x86_64")]
fn has_fma() -> bool {
    std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_fma() -> bool {
    false
}

/// Rows of a triangle: the last has as much to do as the first hundred together.
#[test]
fn triangles_are_shared_as_threads_go() {
    let text = "func.func @main(%A: tensor<200x200xf32>, %B: tensor<200xf32>) -> (tensor<200xf32> {terrace.name = \"out\"}) {
      %y = mdh.compute \"trmv\" (i in 200, j in 200 pw add) where 0 <= i - j < 200 ins(%a = %A[i, j], %b = %B[j]) outs([i]) {
        %v = arith.mulf %a, %b : f32
        mdh.yield %v : f32
      } : (tensor<200x200xf32>, tensor<200xf32>) -> tensor<200xf32>
      return %y : tensor<200xf32>
    }";
    agree("triangle", text, &ARGS, "out");
}
