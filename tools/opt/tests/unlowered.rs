//! What is left after a pipeline is named, instead of the pipeline that has just run.

use std::path::Path;
use std::process::Command;

const LOOP: &str = "func.func @f(%n: index, %m: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %m[%i] : memref<8xf32>
  }
  return
}
";
const TRANSFER: &str = "func.func @f(%m: memref<8xf32>, %n: memref<8xf32, 1>, %t: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  memref.dma_start %m[%c0], %n[%c0], %c8, %t[%c0] : memref<8xf32>, memref<8xf32, 1>, memref<1xi32>
  return
}
";

/// The message for a program
fn said(name: &str, text: &str, args: &[&str]) -> String {
    let file =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("left-{name}-{}.mlir", std::process::id()));
    std::fs::write(&file, text).expect("the folder for temporary files can be written");
    let out = Command::new(env!("CARGO_BIN_EXE_terrace-opt")).arg(&file).args(args).output();
    std::fs::remove_file(&file).expect("made here");
    String::from_utf8_lossy(&out.expect("cargo built the tool").stderr).into_owned()
}

#[test]
fn the_op_that_is_left_is_named() {
    if !Path::new(env!("CARGO_BIN_EXE_terrace-opt")).with_file_name("terrace-native").is_file() {
        println!("skipped: the_op_that_is_left_is_named (needs llvm)");
        return;
    }
    let before = said("before", LOOP, &["--emit=llvm"]);
    assert!(before.contains("[E0720]") && before.contains("lower it first"), "{before}");
    let after = said("after", TRANSFER, &["--pipeline=to-host", "--emit=llvm"]);
    assert!(
        after.contains("[E0720]") && after.contains("`memref.dma_start` is left after `to-host`"),
        "{after}"
    );
    assert!(!after.contains("lower it first"), "{after}");
}
