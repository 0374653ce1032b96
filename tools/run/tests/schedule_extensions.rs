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

/// A file of another language than IR agrees on the interpreter and the processor
fn text_agrees(name: &str, text: &str, output: &str) {
    let file = common::place(name);
    std::fs::write(&file, text).expect("the folder for temporary files of tests can be written");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_terrace-run"));
    let compare = format!("--compare={}", common::backends::here(name));
    let out = command.arg(&file).args(["--in=A=random:1", compare.as_str()]).output();
    let shown = common::stdout(&out.expect("cargo built the tool"));
    std::fs::remove_file(&file).expect("it is there");
    for target in compare.split(',').skip(1) {
        assert!(shown.contains(&format!("{target} and interp: {output}: all ")), "{name}:\n{shown}");
    }
}

/// A·Aᵀ has two access groups of one buffer; each language takes an entry per group as IR does
#[test]
fn entries_of_access_groups_in_other_languages() {
    let steps = "1: (6,^,^) (^,^ ; ^) (THR.x,FOR.2,FOR.3)
      2: (3,4,5) (A.1:L2[2,1],A.2:L1 ; ^) (FOR.1,FOR.2,FOR.3)
      3: (1,1,1) (^ ; ^) (FOR.1,FOR.2,FOR.3)";
    let mdh = "Gram := out_view<f32>( C: (i,j,k)->(i,j) ) o md_hom<12,12,20>( *, (++,++,+) )
      o inp_view<f32>( A: (i,j,k)->(i,k), (i,j,k)->(j,k) )";
    text_agrees("groups.mdh", &format!("{mdh} schedule( {steps} )\n"), "C");
    let tensor = "fn gram; A : f32 [12, 20]; C[i,j] += A[i,k] * A[j,k]";
    text_agrees("groups.tensor", &format!("{tensor} schedule( {steps} );\n"), "C");
    let c = "void gram(float C[restrict 12][12], const float A[12][20]) {\n#pragma mdh( C[i][j] : ++ , ++ , + ) SCHEDULE
      for (int i = 0; i < 12; ++i)
        for (int j = 0; j < 12; ++j)
          for (int k = 0; k < 20; ++k)
            C[i][j] += A[i][k] * A[j][k];\n}\n";
    let clause = format!("schedule( {} )", steps.replace('\n', " \\\n"));
    text_agrees("groups.c", &c.replace("SCHEDULE", &clause), "C");
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
