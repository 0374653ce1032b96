//! Hardware through Calyx, simulated cycle by cycle: values against the interpreter's, and cycles that follow from the text.

use crate::common::backends::{agree_on, simulated};
use crate::common::{run, stdout};
use crate::hls::opt;
use terrace_opt::{Tool, run_on};

/// A convolution of bytes with these numbers of the result's rows and columns
fn convolution(rows: i64, columns: i64) -> String {
    format!(
        "func.func @f(%A: tensor<4x{}x{}xi8>, %B: tensor<3x4x3x3xi8>) -> tensor<3x{rows}x{columns}xi32> {{
  %C = mdh.compute (f in 3, y in {rows}, x in {columns}, c in 4 pw add, r in 3 pw add, s in 3 pw add)
       ins(%a = %A[c, y + r, x + s], %b = %B[f, c, r, s]) outs([f, y, x]) {{
    %v = arith.extsi %a : i8 to i32
    %w = arith.extsi %b : i8 to i32
    %p = arith.muli %v, %w : i32
    mdh.yield %p : i32
  }} : (tensor<4x{0}x{1}xi8>, tensor<3x4x3x3xi8>) -> tensor<3x{rows}x{columns}xi32>
  return %C : tensor<3x{rows}x{columns}xi32>
}}
",
        rows + 2,
        columns + 2
    )
}

/// A product of odd and prime sizes
const PRODUCT: &str = "\
func.func @f(%A: tensor<7x11xi16>, %B: tensor<11x13xi16>) -> tensor<7x13xi16> {
  %C = mdh.compute (i in 7, j in 13, k in 11 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.muli %a, %b : i16
    mdh.yield %p : i16
  } : (tensor<7x11xi16>, tensor<11x13xi16>) -> tensor<7x13xi16>
  return %C : tensor<7x13xi16>
}
";

/// Three loads of one main memory: no design, so it is one nest
const STENCIL: &str = "\
func.func @f(%A: tensor<23xi16>) -> tensor<21xi16> {
  %C = mdh.compute (i in 21) ins(%a = %A[i], %b = %A[i + 1], %c = %A[i + 2]) outs([i]) {
    %s = arith.addi %a, %b : i16
    %t = arith.addi %s, %c : i16
    mdh.yield %t : i16
  } : (tensor<23xi16>, tensor<23xi16>, tensor<23xi16>) -> tensor<21xi16>
  return %C : tensor<21xi16>
}
";

/// Loops that are no nest, conditions, arithmetic of all kinds, places that are computed
const LOOPS: &str = "\
func.func @f(%A: memref<6x5xi32>, %C: memref<5x6xi32>, %k: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %seven = arith.constant 7 : i32
  %three = arith.constant 3 : i32
  %t = memref.alloca() {terrace.partition = array<i64: 1, 2>} : memref<6x5xi32>
  scf.for %i = %c0 to %c6 step %c1 {
    scf.for %j = %c0 to %c5 step %c1 {
      %a = memref.load %A[%i, %j] : memref<6x5xi32>
      %n = arith.index_cast %j : index to i32
      %b = arith.muli %a, %k : i32
      %c = arith.minsi %b, %seven : i32
      %d = arith.muli %c, %three : i32
      %e = arith.subi %d, %n : i32
      %f = arith.shrsi %e, %three : i32
      %g = arith.xori %f, %e : i32
      memref.store %g, %t[%i, %j] : memref<6x5xi32>
    }
    // The row's last element, and what it is compared with.
    %x = memref.load %t[%i, %c3] : memref<6x5xi32>
    %y = memref.load %A[%i, %c0] : memref<6x5xi32>
    %less = arith.cmpi slt, %x, %y : i32
    scf.if %less {
      memref.store %y, %t[%i, %c0] : memref<6x5xi32>
    } else {
      memref.store %x, %t[%i, %c1] : memref<6x5xi32>
    }
  }
  scf.for %j = %c0 to %c5 step %c1 {
    scf.for %i = %c0 to %c6 step %c1 {
      %low = arith.divui %i, %c3 : index
      %high = arith.remui %i, %c3 : index
      %up = arith.muli %high, %c1 : index
      %edge = arith.cmpi eq, %low, %c0 : index
      %v = memref.load %t[%i, %j] : memref<6x5xi32>
      %h = arith.index_cast %up : index to i32
      %w = arith.addi %v, %h : i32
      %z = arith.select %edge, %w, %v : i32
      memref.store %z, %C[%j, %i] : memref<5x6xi32>
    }
  }
  return
}
";

/// A register whose next value is there before the present one is taken, a product of numbers that do not change, and one bit and 64 bits
const REGISTERS: &str = "\
func.func @f(%A: memref<7xi32>, %C: memref<7xi64>, %k: i32, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0 : i32
  %last = scf.for %i = %c0 to %c7 step %c1 iter_args(%before = %zero) -> (i32) {
    %x = memref.load %A[%i] : memref<7xi32>
    %d = arith.muli %x, %x : i32
    %y = arith.addi %before, %d : i32
    %p = arith.muli %k, %n : i32
    %z = arith.xori %y, %p : i32
    %less = arith.cmpi slt, %y, %x : i32
    %bit = arith.extui %less : i1 to i64
    %signed = arith.extsi %y : i32 to i64
    %wide = arith.extui %z : i32 to i64
    %v = arith.muli %wide, %signed : i64
    %w = arith.addi %v, %bit : i64
    memref.store %w, %C[%i] : memref<7xi64>
    scf.yield %x : i32
  }
  return
}
";

fn designed(program: &str, numbers: &str) -> String {
    opt(program, &[&format!("--pipeline=func.func(mdh-design{{device=calyx {numbers}}})")])
}

/// Cycles of computation that a simulation counts
fn computing(test: &str, program: &str) -> u64 {
    let args = ["--in=A=random:1", "--in=B=random:2", "--on=calyx"];
    let shown = stdout(&run(test, program, &args));
    let line =
        shown.lines().find_map(|line| line.strip_prefix("calyx: ")).unwrap_or_else(|| panic!("{shown}"));
    let mut numbers = line.split(' ').filter_map(|word| word.parse().ok());
    numbers.nth(1).unwrap_or_else(|| panic!("{shown}"))
}

#[test]
fn d26_hardware_has_the_values_of_convolutions() {
    let Some(list) = simulated("d26_hardware_has_the_values_of_convolutions") else { return };
    for (n, numbers) in ["tiles=1x2x9 lanes=2 banks=1 pipelines=1", "tiles=1x4x3 lanes=4 banks=4 pipelines=3"]
        .iter()
        .enumerate()
    {
        let program = designed(&convolution(4, 9), numbers);
        agree_on(list, &format!("calyx-conv-{n}"), &program, &["--in=A=random:1", "--in=B=random:2"], "C");
    }
}

#[test]
fn d26_hardware_has_the_values_of_products_and_stencils() {
    let Some(list) = simulated("d26_hardware_has_the_values_of_products_and_stencils") else { return };
    let product = designed(PRODUCT, "tiles=7x1 lanes=11 banks=3 pipelines=1");
    agree_on(list, "calyx-product", &product, &["--in=A=random:1", "--in=B=random:2"], "C");
    agree_on(list, "calyx-stencil", STENCIL, &["--in=A=random:3"], "C");
}

#[test]
fn loops_and_conditions_are_hardware() {
    let Some(list) = simulated("loops_and_conditions_are_hardware") else { return };
    let args = ["--in=A=random:1", "--in=C=fill:0", "--in=k=fill:-3"];
    agree_on(list, "calyx-loops", LOOPS, &args, "C");
}

#[test]
fn registers_and_products_of_numbers_are_hardware() {
    let Some(list) = simulated("registers_and_products_of_numbers_are_hardware") else { return };
    let args = ["--in=A=random:1", "--in=C=fill:0", "--in=k=fill:-3", "--in=n=fill:5"];
    agree_on(list, "calyx-registers", REGISTERS, &args, "C");
}

/// Banks make the same lanes faster; sums that wait for themselves are not made faster by banks
#[test]
fn d26_cycles_follow_from_banks_and_sums() {
    if simulated("d26_cycles_follow_from_banks_and_sums").is_none() {
        return;
    }
    let of = |numbers: &str| computing("calyx-cycles", &designed(&convolution(4, 9), numbers));
    let (one, four) =
        (of("tiles=1x1x9 lanes=4 banks=1 pipelines=1"), of("tiles=1x1x9 lanes=4 banks=4 pipelines=1"));
    // 12 rounds of 9 zeros and 81 steps, with the depth of the pipeline behind each.
    assert!((12 * 90..12 * 100).contains(&four), "{four}");
    assert!(one >= four + 12 * 80, "{one} {four}");
    let (one, four) =
        (of("tiles=1x1x1 lanes=4 banks=2 pipelines=1"), of("tiles=1x1x1 lanes=4 banks=4 pipelines=1"));
    assert_eq!(one, four);
}

/// What is no hardware is refused by name, with what would be
#[test]
fn what_has_no_hardware_is_refused() {
    let refused = |text: &str, why: &str| {
        let args = ["--pipeline=to-calyx".to_owned(), "--emit=calyx".to_owned()];
        let done = run_on(Tool::OPT, &args, "x.mlir", text).expect("the arguments are right");
        assert!(
            done.failed && done.messages.contains("E0561") && done.messages.contains(why),
            "{why}: {}",
            done.messages
        );
    };
    refused(
        &PRODUCT.replace("i16", "f32").replace("muli", "mulf"),
        "works on f32, and Calyx's library has no float units",
    );
    let loops = |body: &str| {
        format!(
            "func.func @f(%A: memref<8xi32>, %n: index) {{\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %c8 = arith.constant 8 : index\n{body}  return\n}}\n"
        )
    };
    refused(
        &loops(
            "  scf.for %i = %c0 to %n step %c1 {\n    %a = memref.load %A[%i] : memref<8xi32>\n    memref.store %a, %A[%c0] : memref<8xi32>\n  }\n",
        ),
        "bounds that are no numbers",
    );
    refused(
        &loops(
            "  scf.for %i = %c0 to %c8 step %c1 {\n    %a = memref.load %A[%i] : memref<8xi32>\n    %b = arith.divsi %a, %a : i32\n    memref.store %b, %A[%i] : memref<8xi32>\n  }\n",
        ),
        "has no hardware",
    );
    let open = "func.func @f(%A: memref<?xi32>) {\n  %c0 = arith.constant 0 : index\n  %a = memref.load %A[%c0] : memref<?xi32>\n  memref.store %a, %A[%c0] : memref<?xi32>\n  return\n}\n";
    refused(open, "memory whose size is no number");
}
