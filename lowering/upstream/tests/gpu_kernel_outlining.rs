//! Outlined kernels are those of upstream, up to names of values.

use crate::common;

use std::io::Write;
use std::process::{Command, Stdio};

const TEXT: &str = "
#wg = #gpu.address_space<workgroup>
module {
  func.func private @helper(f32) -> f32
  func.func @f(%n: index, %A: memref<?xf32>, %x: f32) -> index {
    %c1 = arith.constant 1 : index
    %cst = arith.constant 2.0 : f32
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1)
               workgroup(%tile : memref<32xf32, #wg>) private(%own : memref<1xf32, #gpu.address_space<private>>) {
      %i = arith.addi %bx, %sx : index
      %z = arith.mulf %x, %cst : f32
      %w = func.call @helper(%z) : (f32) -> f32
      memref.store %w, %A[%i] : memref<?xf32>
      %cmp = arith.cmpi ult, %i, %n : index
      cf.cond_br %cmp, ^bb1(%tx : index), ^bb2
    ^bb1(%at: index):
      memref.store %x, %tile[%at] : memref<32xf32, #wg>
      gpu.terminator
    ^bb2:
      cf.br ^bb1(%n : index)
    }
    %k = arith.constant 32 : i32
    %t = gpu.wait async
    %u = gpu.launch async [%t] clusters(%cx, %cy, %cz) in (%kx = %c1, %ky = %c1, %kz = %c1)
               blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %n)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1)
               dynamic_shared_memory_size %k module(@mod) function(@fun) {
      memref.store %x, %A[%cz] : memref<?xf32>
      gpu.terminator
    } {note = 1 : i32}
    gpu.wait [%u]
    return %n : index
  }
}
";

/// What upstream prints of a text after these arguments
fn upstream(tool: &str, args: &[&str], text: &str) -> String {
    let mut child = Command::new(tool)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .expect("it has run before");
    child.stdin.take().expect("it is piped").write_all(text.as_bytes()).expect("it reads");
    let out = child.wait_with_output().expect("it ends");
    assert!(out.status.success(), "{text}");
    String::from_utf8(out.stdout).expect("text is UTF-8")
}

#[test]
fn kernels_are_those_of_upstream() {
    let tool = ["mlir-opt-22", "/usr/lib/llvm-22/bin/mlir-opt"]
        .into_iter()
        .find(|tool| Command::new(tool).arg("--version").output().is_ok_and(|out| out.status.success()));
    let Some(tool) = tool else {
        println!("skipped: kernels_are_those_of_upstream (needs mlir-opt)");
        return;
    };
    let cx = common::context();
    let ir = common::transformed(&cx, TEXT, "builtin.module(gpu-kernel-outlining)");
    let mut ours = String::new();
    terrace_text::print(&ir, &terrace_text::PrintOptions::default(), &mut ours);
    assert_eq!(upstream(tool, &[], &ours), upstream(tool, &["--gpu-kernel-outlining"], TEXT));
}
