//! Kernels on OpenCL devices, by value against the interpreter and under the eyes of oclgrind.

use crate::common;

use common::{command, place, refused, run, stdout};
use std::path::Path;
use terrace_runtime_cuda as cuda;
use terrace_runtime_opencl::{Device, Preference, oclgrind};

const SCALE: &str = "\
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @scale(%in: memref<?xf32>, %out: memref<?xf32>, %a: f32) kernel {
      %b = gpu.block_id x
      %n = gpu.block_dim x
      %t = gpu.thread_id x
      %bn = arith.muli %b, %n : index
      %i = arith.addi %bn, %t : index
      %x = memref.load %in[%i] : memref<?xf32>
      %y = arith.mulf %x, %a : f32
      memref.store %y, %out[%i] : memref<?xf32>
      gpu.return
    }
  }
  func.func @scale(%x: memref<?xf32>, %y: memref<?xf32>, %a: f32) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c3 = arith.constant 3 : index
    gpu.launch_func @kernels::@scale blocks in (%c3, %c1, %c1) threads in (%c4, %c1, %c1)
      args(%x : memref<?xf32>, %y : memref<?xf32>, %a : f32)
    return
  }
}
";

/// Blocks sum in shared memory, then add up atomically; device memory in between
const SUM: &str = "\
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @sum(%in: memref<256xi32>, %out: memref<1xi32>)
        workgroup(%part : memref<64xi32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %t = gpu.thread_id x
      %i = gpu.global_id x
      %x = memref.load %in[%i] : memref<256xi32>
      memref.store %x, %part[%t] : memref<64xi32, #gpu.address_space<workgroup>>
      gpu.barrier
      %last = scf.while (%s = %c32) : (index) -> index {
        %go = arith.cmpi sgt, %s, %c0 : index
        scf.condition(%go) %s : index
      } do {
      ^bb0(%s: index):
        %low = arith.cmpi slt, %t, %s : index
        scf.if %low {
          %o = arith.addi %t, %s : index
          %u = memref.load %part[%t] : memref<64xi32, #gpu.address_space<workgroup>>
          %v = memref.load %part[%o] : memref<64xi32, #gpu.address_space<workgroup>>
          %uv = arith.addi %u, %v : i32
          memref.store %uv, %part[%t] : memref<64xi32, #gpu.address_space<workgroup>>
        }
        gpu.barrier
        %half = arith.shrsi %s, %c1 : index
        scf.yield %half : index
      }
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        %r = memref.load %part[%c0] : memref<64xi32, #gpu.address_space<workgroup>>
        memref.atomic_rmw addi %r, %out[%c0] : (i32, memref<1xi32>) -> i32
      }
      gpu.return
    }
  }
  func.func @sum(%x: memref<256xi32>, %y: memref<1xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0 : i32
    memref.store %zero, %y[%c0] : memref<1xi32>
    %dx = gpu.alloc () : memref<256xi32>
    %dy = gpu.alloc () : memref<1xi32>
    gpu.memcpy %dx, %x : memref<256xi32>, memref<256xi32>
    gpu.memcpy %dy, %y : memref<1xi32>, memref<1xi32>
    gpu.launch_func @kernels::@sum blocks in (%c4, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%dx : memref<256xi32>, %dy : memref<1xi32>)
    gpu.memcpy %y, %dy : memref<1xi32>, memref<1xi32>
    gpu.dealloc %dx : memref<256xi32>
    gpu.dealloc %dy : memref<1xi32>
    return
  }
}
";

/// Whether there is an OpenCL device; says so if there is none
fn here(test: &str) -> bool {
    let here = Device::open(&Preference::Any).is_ok();
    if !here {
        println!("skipped: {test} (needs pocl)");
    }
    here
}

#[test]
fn a_kernel_agrees() {
    if here("a_kernel_agrees") {
        let args = ["--in=x=random:1", "--in=a=fill:0.3", "--shape=x=12", "--shape=y=13"];
        let shown = stdout(&run("kernel", SCALE, &[&args[..], &["--compare=interp,opencl"]].concat()));
        assert!(shown.contains("y: all 13 elements agree"), "{shown}");
        assert!(shown.contains("1 of them have no value"), "{shown}");
        let shown = stdout(&run("kernel-times", SCALE, &[&args[..], &["--on=opencl", "--bench=2"]].concat()));
        assert!(shown.contains("\"on\":\"opencl\",\"runs\":2"), "{shown}");
    }
}

#[test]
fn shared_memory_barriers_and_atomics_agree() {
    if here("shared_memory_barriers_and_atomics_agree") {
        let shown = stdout(&run("sum", SUM, &["--in=x=random:5", "--compare=interp,opencl"]));
        assert!(shown.contains("y: all 1 elements agree"), "{shown}");
        // Repetitions give times; results are those of one run, though each adds to the same memory.
        let out = place("sum.npy");
        let args = ["--in=x=fill:1", "--on=opencl", "--bench=3", &format!("--out=y={}", out.display())];
        let shown = stdout(&run("sum-times", SUM, &args));
        assert!(shown.contains("\"runs\":3"), "{shown}");
        let bytes = std::fs::read(&out).expect("it was written");
        assert_eq!(bytes[bytes.len() - 4..], 256i32.to_le_bytes());
        let _ = std::fs::remove_file(out);
    }
}

/// Warps that bring rows into memory of their own, and merge them without exchanges
const WARPS: &str = "\
#sm = #gpu.address_space<workgroup>
func.func @rows(%x: memref<12x21xi32>, %y: memref<12xi32>) {
  sched.kernel @rows grid [2, 1, 1] block [24, 2, 1] subgroup 8 {
    sched.for (%b in 12 by 6 dim 0 : block.x, %w in 6 by 3 dim 0 : warp.y, %v in 3 by 1 dim 0 : warp.x) {
      %own = sched.alloc per warp : memref<21xi32, #sm>
      sched.copy per warp (%k) in (21) by linear %x[%b + %w + %v, %k] to %own[%k] : memref<12x21xi32> to memref<21xi32, #sm>
      %s = sched.for (%l in 21 by 3 dim 1 : lane pw add via shared) -> i32 {
        %t = sched.for (%k in 3 by 1 dim 1 pw add) -> i32 {
          %a = sched.read %own[20 - %l - %k] : memref<21xi32, #sm>
          sched.yield %a : i32
        }
        sched.yield %t : i32
      }
      sched.write %s, %y[%b + %w + %v] : memref<12xi32>
    }
  }
  return
}
";

#[test]
fn warps_without_exchanges_agree() {
    if here("warps_without_exchanges_agree") {
        let shown = stdout(&run("warps", WARPS, &["--in=x=random:5", "--compare=interp,opencl"]));
        assert!(shown.contains("y: all 12 elements agree"), "{shown}");
    }
}

/// Each device computes a half: launches without a wait before the end of the loop
const HALVES: &str = "\
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @half(%x: memref<64xi32>, %y: memref<64xi32>, %from: index) kernel
        attributes {known_block_size = array<i32: 32, 1, 1>} {
      %t = gpu.thread_id x
      %i = arith.addi %t, %from : index
      %v = memref.load %x[%i] : memref<64xi32>
      %w = arith.muli %v, %v : i32
      memref.store %w, %y[%i] : memref<64xi32>
      gpu.return
    }
  }
  func.func @squares(%x: memref<64xi32>, %y: memref<64xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %none = gpu.wait async
    %all = scf.for %d = %c0 to %c2 step %c1 iter_args(%before = %none) -> (!gpu.async.token) {
      %from = arith.muli %d, %c32 : index
      %number = arith.index_cast %d : index to i32
      gpu.set_default_device %number
      %t = gpu.launch_func async @kernels::@half blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%x : memref<64xi32>, %y : memref<64xi32>, %from : index)
      %both = gpu.wait async [%before, %t]
      scf.yield %both : !gpu.async.token
    }
    gpu.wait [%all]
    return
  }
}
";

#[test]
fn several_devices_agree() {
    if !here("several_devices_agree") {
        return;
    }
    let device = Device::open(&Preference::Any).expect("it was there");
    if device.split(device.info().compute_units).map_or(0, |parts| parts.len()) < 2 {
        return println!("skipped: several_devices_agree (needs a device that can be cut)");
    }
    let shown = stdout(&run("halves-of", HALVES, &["--in=x=random:3", "--compare=interp,opencl"]));
    assert!(shown.contains("y: all 64 elements agree"), "{shown}");
    let shown = stdout(&run("halves-of-times", HALVES, &["--in=x=iota", "--on=opencl", "--bench=2"]));
    assert!(shown.contains("\"runs\":2"), "{shown}");
    // A program for more devices than there are.
    let far =
        HALVES.replace("%number = arith.index_cast %d : index to i32", "%number = arith.constant 4000 : i32");
    let shown = stdout(&run("halves-far", &far, &["--in=x=iota", "--compare=interp,opencl"]));
    assert!(shown.contains("y: all 64 elements agree"), "{shown}");
}

/// A plain product becomes multiply-adds of its own type, whatever that is
const PRODUCT: &str = "\
func.func @product(%A: tensor<5x17xf16>, %B: tensor<17x7xf16>) -> (tensor<5x7xf16> {terrace.name = \"C\"}) {
  %C = mdh.compute (i in 5, j in 7, k in 17 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %m = arith.mulf %a, %b : f16
    mdh.yield %m : f16
  } : (tensor<5x17xf16>, tensor<17x7xf16>) -> tensor<5x7xf16>
  return %C : tensor<5x7xf16>
}
";

#[test]
fn products_of_narrow_floats_agree() {
    let Ok(device) = Device::open(&Preference::Any) else {
        return println!("skipped: products_of_narrow_floats_agree (needs pocl)");
    };
    for ty in ["f16", "bf16"] {
        let text = PRODUCT.replace("f16", ty);
        let on = if ty == "bf16" || device.info().fp16 { "interp,openmp,opencl" } else { "interp,openmp" };
        // The interpreter rounds each product of random numbers; those of the second pair are exact.
        for inputs in [["--in=A=random:3", "--in=B=random:5"], ["--in=A=fill:1.5", "--in=B=fill:-0.25"]] {
            let compare = format!("--compare={on}");
            let shown = stdout(&run(&format!("product-{ty}"), &text, &[inputs[0], inputs[1], &compare]));
            let agree = shown.matches("C: all 35 elements agree").count();
            assert_eq!(agree, on.matches(',').count(), "{shown}");
        }
        let exact = ["--in=A=fill:1.5", "--in=B=fill:-0.25", "--on=openmp"];
        let shown = stdout(&run(&format!("product-{ty}-exact"), &text, &exact));
        assert_eq!(shown.matches("-6.375").count(), 16, "{shown}");
    }
}

/// Numbers of all kinds, printed by one thread
const SAY: &str = "\
func.func @say(%x: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %f = %c1)
             threads(%t, %u, %v) in (%g = %c1, %h = %c1, %i = %c1) {
    %f0 = memref.load %x[%c3] : memref<4xf32>
    %f1 = arith.extf %f0 : f32 to f64
    %big = arith.constant -5000000000 : i64
    %small = arith.constant -7 : i8
    %yes = arith.constant true
    gpu.printf \"%5d|%lld|%hhd|%d|%.2f|%g|%x %% \\22quoted\\22 \\5C\\0A\", %c3, %big, %small, %yes, %f0, %f1, %c3 :
      index, i64, i8, i1, f32, f64, index
    gpu.terminator
  }
  return
}
";

#[test]
fn kernels_print() {
    if !here("kernels_print") {
        return;
    }
    for on in ["opencl", "openmp"] {
        let shown = stdout(&run("say", SAY, &["--in=x=fill:1.5", &format!("--on={on}")]));
        assert!(shown.contains("    3|-5000000000|-7|1|1.50|1.5|3 % \"quoted\" \\\n"), "{on}: {shown}");
    }
    let wrong = SAY.replace("%5d", "%5f");
    refused(
        &run("say-wrong", &wrong, &["--in=x=iota", "--on=opencl"]),
        1,
        "`%5f` takes a float, and operand 1 is none",
    );
}

#[test]
fn subgroups_are_those_of_the_device() {
    let text = SCALE.replace(
        "%t = gpu.thread_id x",
        "%t = gpu.thread_id x\n      %s = gpu.subgroup_size : index\n      %l = gpu.lane_id",
    );
    let text = text.replace("arith.mulf %x, %a : f32", "arith.mulf %x, %f : f32").replace(
        "%x = memref.load",
        "%sl = arith.addi %s, %l : index\n      %n32 = arith.index_cast %sl : index to i32\n      %f = arith.sitofp %n32 : i32 to f32\n      %x = memref.load",
    );
    let args = ["--in=x=fill:1", "--in=a=fill:0", "--shape=x=12", "--shape=y=12"];
    let shown = |device: &str| stdout(&run("subgroups", &text, &[&args[..], &[device]].concat()));
    // Twelve threads in blocks of four: lanes of the block, and how many a subgroup has.
    assert!(shown("--on=interp").contains("= 32, 33, 34, 35, 32, 33"), "{}", shown("--on=interp"));
    assert!(shown("--device=mali-g72").contains("= 4, 5, 6, 7, 4, 5"), "{}", shown("--device=mali-g72"));
    assert!(shown("--device=opencl").contains("= 8, 9, 10, 11, 8, 9"));
    refused(
        &run("subgroups", &text, &[&args[..], &["--device=abacus"]].concat()),
        1,
        "there is no device `abacus`",
    );
}

/// Warps of eight threads, as the device's file says
const EIGHT: &str = include_str!("../../../test-files/passes/mdh/subgroups.mlir");

#[test]
fn warps_of_a_device_agree() {
    if here("warps_of_a_device_agree") {
        let args = ["--entry=@warps", "--in=A=random:3", "--compare=interp,opencl"];
        let shown = stdout(&run("eight", EIGHT, &args));
        assert!(shown.contains("all 1024 elements agree"), "{shown}");
    }
}

#[test]
fn oclgrind_finds_nothing_in_warps() {
    if !Path::new(oclgrind::LIBRARY).is_file() {
        println!("skipped: oclgrind_finds_nothing_in_warps (needs oclgrind)");
        return;
    }
    let command = command("grind-warps", WARPS, &["--in=x=iota", "--on=opencl"]);
    let report = oclgrind::run_child(command, Path::new(oclgrind::LIBRARY), &place("grind-warps.log"));
    let report = report.expect("oclgrind runs");
    let _ = std::fs::remove_file(place("grind-warps.mlir"));
    assert!(stdout(&report.output).contains("y : 12xi32"), "{}", stdout(&report.output));
    assert_eq!(report.findings, []);
}

#[test]
fn oclgrind_finds_nothing() {
    if !Path::new(oclgrind::LIBRARY).is_file() {
        println!("skipped: oclgrind_finds_nothing (needs oclgrind)");
        return;
    }
    let command = command("grind", SUM, &["--in=x=iota", "--on=opencl"]);
    let report = oclgrind::run_child(command, Path::new(oclgrind::LIBRARY), &place("grind.log"));
    let report = report.expect("oclgrind runs");
    let _ = std::fs::remove_file(place("grind.mlir"));
    assert!(stdout(&report.output).contains("y : 1xi32 = 32640"), "{}", stdout(&report.output));
    assert_eq!(report.findings, []);
}

/// Points that name their bins: copies in shared memory, atomic updates
const BINS: &str = "\
func.func @bins(%x: tensor<3001xi32>, %y: tensor<20xi32>) -> (tensor<20xi32>, tensor<20xi32>) {
  %r:2 = mdh.compute (e in 3001 pw (add, maxui), b in 20) ins(%a = %x[e]) outs([b] into %y, [b] into %y) {
    %b = mdh.index 1
    %n = arith.index_cast %b : index to i32
    %hit = arith.cmpi eq, %a, %n : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %p = arith.select %hit, %one, %zero : i32
    %q = arith.select %hit, %a, %zero : i32
    mdh.yield %p, %q : i32, i32
  } : (tensor<3001xi32>, tensor<20xi32>, tensor<20xi32>) -> (tensor<20xi32>, tensor<20xi32>)
  return %r#0, %r#1 : tensor<20xi32>, tensor<20xi32>
}
";

#[test]
fn points_go_to_their_bins() {
    let args = ["--in=x=random:3", "--in=y=random:4"];
    if here("points_go_to_their_bins") {
        let shown = stdout(&run("bins", BINS, &[&args[..], &["--compare=interp,opencl"]].concat()));
        assert_eq!(shown.matches("all 20 elements agree").count(), 2, "{shown}");
    }
    if !Path::new(oclgrind::LIBRARY).is_file() {
        println!("skipped: points_go_to_their_bins under oclgrind (needs oclgrind)");
        return;
    }
    let command = command("bins-grind", BINS, &[&args[..], &["--on=opencl"]].concat());
    let report = oclgrind::run_child(command, Path::new(oclgrind::LIBRARY), &place("bins-grind.log"));
    let report = report.expect("oclgrind runs");
    let _ = std::fs::remove_file(place("bins-grind.mlir"));
    assert!(!stdout(&report.output).is_empty());
    assert_eq!(report.findings, []);
}

/// Half precision is an extra: values where the device has it, else the extension's name
#[test]
fn halves() {
    if !here("halves") {
        return;
    }
    let text = SCALE.replace("f32", "f16");
    let args =
        ["--in=x=random:1", "--in=a=fill:0.75", "--shape=x=12", "--shape=y=12", "--compare=interp,opencl"];
    let out = run("halves", &text, &args);
    match Device::open(&Preference::Any) {
        Ok(device) if device.info().fp16 => {
            assert!(stdout(&out).contains("opencl and interp: y: all 12 elements agree"));
        }
        _ => {
            println!("skipped: halves on opencl (needs a device with cl_khr_fp16)");
            refused(&out, 1, "lacks cl_khr_fp16, which the program needs");
        }
    }
}

#[test]
fn without_a_kernel_there_is_nothing_to_run() {
    let text = "func.func @f(%x: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c = arith.constant 1.0 : f32
  memref.store %c, %x[%c0] : memref<2xf32>
  return
}
";
    refused(&run("no-kernel", text, &["--in=x=iota", "--on=opencl"]), 1, "gpu.module");
}

#[test]
fn without_a_driver_cuda_says_so() {
    let args = ["--in=x=random:1", "--in=a=fill:0.3", "--shape=x=12", "--shape=y=13"];
    if cuda::Device::open().is_err() {
        let out = run("cuda", SCALE, &[&args[..], &["--on=cuda"]].concat());
        return refused(&out, 1, "error[E0411]: no CUDA");
    }
    let out = run("cuda", SCALE, &[&args[..], &["--compare=interp,cuda"]].concat());
    if out.status.code() != Some(0) && String::from_utf8_lossy(&out.stderr).contains("NVRTC") {
        println!("skipped: cuda agrees (needs nvidia)");
        return;
    }
    assert!(stdout(&out).contains("y: all 13 elements agree"));
}

/// A token is waited for alone: what other kernels leave comes back with their own tokens, and who depends on one starts behind it
#[test]
fn tokens_wait_for_their_own_launches() {
    if !here("tokens_wait_for_their_own_launches") {
        return;
    }
    let text = "module attributes {gpu.container_module} {
      gpu.module @k {
        gpu.func @add(%x: memref<32xi32>, %n: i32) kernel {
          %t = gpu.thread_id x
          %a = memref.load %x[%t] : memref<32xi32>
          %b = arith.addi %a, %n : i32
          memref.store %b, %x[%t] : memref<32xi32>
          gpu.return
        }
      }
      func.func @f(%x: memref<32xi32>, %y: memref<32xi32>, %seen: memref<4xi32>) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c3 = arith.constant 3 : index
        %c32 = arith.constant 32 : index
        %one = arith.constant 1 : i32
        %ten = arith.constant 10 : i32
        %a = gpu.launch_func async @k::@add blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<32xi32>, %one : i32)
        %b = gpu.launch_func async @k::@add blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%y : memref<32xi32>, %ten : i32)
        %c = gpu.launch_func async [%b] @k::@add blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%y : memref<32xi32>, %ten : i32)
        %both = gpu.wait async [%b, %c]
        gpu.wait [%both]
        %x0 = memref.load %x[%c0] : memref<32xi32>
        %y0 = memref.load %y[%c0] : memref<32xi32>
        memref.store %x0, %seen[%c0] : memref<4xi32>
        memref.store %y0, %seen[%c1] : memref<4xi32>
        gpu.wait [%a]
        %x1 = memref.load %x[%c0] : memref<32xi32>
        memref.store %x1, %seen[%c2] : memref<4xi32>
        memref.store %one, %seen[%c3] : memref<4xi32>
        return
      }
    }";
    let shown = stdout(&run("tokens", text, &["--on=opencl", "--in=x=fill:5", "--in=y=fill:7"]));
    // Nobody has waited for the first launch when the others are done.
    assert!(shown.contains("seen : 4xi32 = 5, 27, 6, 1"), "{shown}");
}
