//! The same programs on every back end of this CPU, by value against the interpreter.

use crate::common;

use common::backends::{agree, agree_on, devices, here};
use common::{place, run, stdout};
use terrace_runtime_buffers::Buffer;

/// `C = A·B` over elements of this type
fn product(elem: &str, m: u32, n: u32, k: u32, parallel: bool) -> String {
    let (mul, add, zero) = match elem.starts_with('f') {
        true => ("arith.mulf", "arith.addf", "0.0"),
        false => ("arith.muli", "arith.addi", "0"),
    };
    let (open, close) = match parallel {
        true => ("scf.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {", "}"),
        false => ("scf.for %i = %c0 to %m step %c1 { scf.for %j = %c0 to %n step %c1 {", "} }"),
    };
    format!(
        "\
func.func @product(%a: memref<{m}x{k}x{elem}>, %b: memref<{k}x{n}x{elem}>, %c: memref<{m}x{n}x{elem}>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant {m} : index
  %n = arith.constant {n} : index
  %k = arith.constant {k} : index
  %zero = arith.constant {zero} : {elem}
  {open}
    %s = scf.for %l = %c0 to %k step %c1 iter_args(%s = %zero) -> ({elem}) {{
      %x = memref.load %a[%i, %l] : memref<{m}x{k}x{elem}>
      %y = memref.load %b[%l, %j] : memref<{k}x{n}x{elem}>
      %p = {mul} %x, %y : {elem}
      %t = {add} %s, %p : {elem}
      scf.yield %t : {elem}
    }}
    memref.store %s, %c[%i, %j] : memref<{m}x{n}x{elem}>
  {close}
  return
}}
"
    )
}

#[test]
fn products_of_odd_sizes_and_all_types() {
    for elem in ["f32", "f64", "i32", "i64", "i16"] {
        for (n, (sizes, parallel)) in
            [([7, 11, 13], false), ([1, 5, 1], true), ([17, 1, 3], true)].into_iter().enumerate()
        {
            let text = product(elem, sizes[0], sizes[1], sizes[2], parallel);
            agree(&format!("product-{elem}-{n}"), &text, &["--in=a=random:1", "--in=b=random:2"], "c");
        }
    }
}

/// Repeated calls give times alone, though each adds to the same memory: what is written is what the first one left
#[test]
fn timed_runs_leave_the_values_of_one() {
    let text = "\
func.func @grow(%x: memref<4xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<4xi32>
    %w = arith.addi %v, %one : i32
    memref.store %w, %x[%i] : memref<4xi32>
  }
  %r = memref.load %x[%c1] : memref<4xi32>
  return %r : i32
}
";
    for device in here("grow").split(',') {
        let (out, result) = (place(&format!("grown-{device}.npy")), place(&format!("result-{device}.npy")));
        let outs = [format!("--out=x={}", out.display()), format!("--out=0={}", result.display())];
        let on = format!("--on={device}");
        let shown = stdout(&run("grow", text, &["--in=x=iota", "--bench=3", &on, &outs[0], &outs[1]]));
        assert!(shown.contains("\"runs\":3"), "{device}: {shown}");
        let read = |file: &std::path::Path| Buffer::read_npy(file).expect("written");
        assert_eq!(read(&out).view::<i32>(), Some(&[1, 2, 3, 4][..]), "{device}");
        assert_eq!(read(&result).view::<i32>(), Some(&[2][..]), "{device}");
        let _ = (std::fs::remove_file(&out), std::fs::remove_file(&result));
    }
}

#[test]
fn parallel_reductions_merge_in_order() {
    let text = "\
func.func @sum(%x: memref<301xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 301 : index
  %zero = arith.constant 0.0 : f32
  %s = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> f32 {
    %v = memref.load %x[%i] : memref<301xf32>
    scf.reduce(%v : f32) {
    ^bb0(%a: f32, %b: f32):
      %t = arith.addf %a, %b : f32
      scf.reduce.return %t : f32
    }
  }
  return %s : f32
}
";
    agree("reduction", text, &["--in=x=random:3"], "s");
}

#[test]
fn control_flow_and_integers() {
    let text = "\
func.func @collatz(%x: memref<19xi64>, %steps: memref<19xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 19 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  scf.for %i = %c0 to %n step %c1 {
    %loaded = memref.load %x[%i] : memref<19xi64>
    %start = arith.addi %loaded, %one : i64
    %end:2 = scf.while (%v = %start, %count = %zero) : (i64, i64) -> (i64, i64) {
      %more = arith.cmpi sgt, %v, %one : i64
      scf.condition(%more) %v, %count : i64, i64
    } do {
    ^bb0(%v: i64, %count: i64):
      %rest = arith.remui %v, %two : i64
      %odd = arith.cmpi eq, %rest, %one : i64
      %next = scf.if %odd -> (i64) {
        %triple = arith.muli %v, %three : i64
        %up = arith.addi %triple, %one : i64
        scf.yield %up : i64
      } else {
        %half = arith.divui %v, %two : i64
        scf.yield %half : i64
      }
      %counted = arith.addi %count, %one : i64
      scf.yield %next, %counted : i64, i64
    }
    memref.store %end#1, %steps[%i] : memref<19xi64>
  }
  return
}
";
    agree("collatz", text, &["--in=x=iota"], "steps");
}

#[test]
fn calls_and_allocations() {
    let text = "\
func.func private @row(%x: memref<3x5xf64>, %i: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f64
  %s = scf.for %j = %c0 to %c5 step %c1 iter_args(%s = %zero) -> (f64) {
    %v = memref.load %x[%i, %j] : memref<3x5xf64>
    %r = math.sqrt %v : f64
    %t = arith.addf %s, %r : f64
    scf.yield %t : f64
  }
  return %s : f64
}
func.func @rows(%x: memref<3x5xf64>, %y: memref<3xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %copy = memref.alloc() : memref<3x5xf64>
  memref.copy %x, %copy : memref<3x5xf64> to memref<3x5xf64>
  scf.for %i = %c0 to %c3 step %c1 {
    %s = func.call @row(%copy, %i) : (memref<3x5xf64>, index) -> f64
    memref.store %s, %y[%i] : memref<3xf64>
  }
  memref.dealloc %copy : memref<3x5xf64>
  return
}
";
    agree("calls", text, &["--in=x=iota", "--entry=rows"], "y");
}

/// Tiles in shared memory, one turned, of extents that divide by four, by two, and not at all
#[test]
fn copies_of_several_elements() {
    for (n, [rows, columns, depth]) in [[40, 36, 20], [34, 38, 14], [31, 37, 13]].into_iter().enumerate() {
        for (ty, product) in [("f32", "arith.mulf"), ("f64", "arith.mulf"), ("i16", "arith.muli")] {
            let [a, b, c] = [[rows, depth], [depth, columns], [rows, columns]]
                .map(|[one, two]| format!("tensor<{one}x{two}x{ty}>"));
            let text = format!(
                "\
func.func @product(%A: {a} {{terrace.name = \"A\"}}, %B: {b} {{terrace.name = \"B\"}}) -> ({c} {{terrace.name = \"C\"}}) {{
  %c = mdh.compute (i in {rows}, j in {columns}, k in {depth} pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {{mdh.schedule = [
         \"1: (16~pad,16~pad,^) (^,^ ; ^) (BLK.y,BLK.x,^)\",
         \"2: (4,4,^) (^,^ ; RM) (THR.y,THR.x,^)\",
         \"5: (1,1,^) (^,^ ; ^) (UNR.1,UNR.2,^)\",
         \"3: (^,^,8~limit) (SM[2,1],SM ; ^) (^,^,FOR.1)\",
         \"4: (^,^,1) (^,^ ; ^) (^,^,FOR.1)\"]}} {{
    %p = {product} %a, %b : {ty}
    mdh.yield %p : {ty}
  }} : ({a}, {b}) -> {c}
  return %c : {c}
}}
"
            );
            let test = format!("copies-{ty}-{n}");
            agree_on(&devices(&test), &test, &text, &["--in=A=random:1", "--in=B=random:2"], "C");
        }
    }
}
