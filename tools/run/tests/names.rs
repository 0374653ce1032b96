//! Functions of any name give the same values everywhere: what is no name to a compiler or linker, and what is one of its own.

use crate::common::backends::{agree, agree_on, with_devices};

/// Names that MLIR takes, as its text spells them
const NAMES: &[&str] = &[
    "f g",
    r"f:\0A.pushsection .rodata\0A.globl g\0Ag",
    r"a\22b",
    r"a\5Cb",
    r"a\00b",
    r"\01x",
    "ü",
    "1",
    ".Lx",
    "$x",
    "a.b",
    "llvm.foo",
    "llvm.memset.p0.i64",
    "float",
    "main.piece",
    "sinf",
    "memset",
    "malloc",
    "free",
    "terrace_alloc",
    "terrace_parallel_for",
    "terrace_ciface_main",
    "__terrace_invoke",
    "_mlir_ciface_main",
];

/// Elements doubled by a function of this name that is called in two places, on several threads, together with zeroed memory
fn doubled(name: &str) -> String {
    format!(
        "\
func.func private @\"{name}\"(%x: f32) -> f32 {{
  %y = arith.addf %x, %x : f32
  return %y : f32
}}
func.func @main(%A: memref<13xf32> {{terrace.name = \"A\"}}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c13 = arith.constant 13 : index
  %c1009 = arith.constant 1009 : index
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<1009xf32>
  scf.for %i = %c0 to %c1009 step %c1 {{
    memref.store %zero, %t[%i] : memref<1009xf32>
  }}
  scf.parallel (%i) = (%c0) to (%c13) step (%c1) {{
    %v = memref.load %A[%i] : memref<13xf32>
    %w = func.call @\"{name}\"(%v) : (f32) -> f32
    %z = memref.load %t[%i] : memref<1009xf32>
    %u = func.call @\"{name}\"(%z) : (f32) -> f32
    %s = arith.addf %w, %u : f32
    memref.store %s, %A[%i] : memref<13xf32>
    scf.reduce
  }}
  memref.dealloc %t : memref<1009xf32>
  return
}}
"
    )
}

#[test]
fn functions_that_others_call() {
    for (n, name) in NAMES.iter().enumerate() {
        agree(&format!("inner-{n}"), &doubled(name), &["--in=A=iota"], "A");
    }
}

#[test]
fn functions_that_are_run() {
    for (n, name) in NAMES.iter().enumerate() {
        let text = format!(
            "\
memref.global \"private\" constant @\"g {name}\" : memref<7xf32> = dense<3.0>
func.func @\"{name}\"(%A: memref<7xf32> {{terrace.name = \"A\"}}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %g = memref.get_global @\"g {name}\" : memref<7xf32>
  scf.for %i = %c0 to %c7 step %c1 {{
    %v = memref.load %A[%i] : memref<7xf32>
    %w = memref.load %g[%i] : memref<7xf32>
    %s = arith.addf %v, %w : f32
    memref.store %s, %A[%i] : memref<7xf32>
  }}
  return
}}
"
        );
        agree(&format!("entry-{n}"), &text, &["--in=A=iota"], "A");
    }
}

/// A kernel by itself, its name and its module's
fn kernel(name: &str) -> String {
    format!(
        "\
module attributes {{gpu.container_module}} {{
  gpu.module @\"{name}\" {{
    gpu.func @\"{name}\"(%x: memref<11xf32>) kernel {{
      %i = gpu.thread_id x
      %v = memref.load %x[%i] : memref<11xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %x[%i] : memref<11xf32>
      gpu.return
    }}
  }}
  func.func @main(%A: memref<11xf32> {{terrace.name = \"A\"}}) {{
    %c1 = arith.constant 1 : index
    %c11 = arith.constant 11 : index
    gpu.launch_func @\"{name}\"::@\"{name}\" blocks in (%c1, %c1, %c1) threads in (%c11, %c1, %c1)
      args(%A : memref<11xf32>)
    return
  }}
}}
"
    )
}

#[test]
fn kernels() {
    let list = with_devices("kernels");
    // A device's compiler takes its time.
    for (n, name) in ["f g", NAMES[1], "float", "malloc"].into_iter().enumerate() {
        agree_on(&list, &format!("kernel-{n}"), &kernel(name), &["--in=A=iota"], "A");
    }
}

#[test]
fn kernels_as_ptx() {
    use terrace_native_client::{EmitKind, EmitOptions, Worker, client};
    if client::find().is_err() {
        return println!("skipped: kernels_as_ptx (needs llvm)");
    }
    let mut worker = Worker::start().expect("it is there");
    for name in NAMES.iter().chain(&["WARP_SZ"]) {
        let code = worker.emit(&kernel(name), EmitKind::Ptx, &EmitOptions::default()).expect("PTX");
        let text = String::from_utf8(code).expect("PTX is text");
        let entry = text.lines().find_map(|line| line.strip_prefix(".visible .entry ")).expect("a kernel");
        let name = entry.trim_end_matches('(');
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && name != "WARP_SZ", "{name}");
    }
}
