//! Computations in one kernel: the same values, as many kernels as rows permit, and what is between them in the block's memory.

use crate::common::*;
use terrace_dialect_mdh::schedule::JOINS;
use terrace_dialect_test::values::shown;
use terrace_ir::Ir;

const CHOOSE: &str = "func.func(mdh-schedule{target=cuda})";
const APART: &str = "func.func(mdh-schedule{target=cuda join=false epilogues=false prologues=false})";
const JOIN: &str = "func.func(mdh-to-sched,sched-join-kernels)";

/// A function of `$m` rows by `$n` columns
fn function(sizes: [i64; 2], body: &str, results: &str) -> String {
    let [m, n] = sizes;
    let (body, results) = (
        body.replace("$m", &m.to_string()).replace("$n", &n.to_string()),
        results.replace("$m", &m.to_string()).replace("$n", &n.to_string()),
    );
    format!("func.func @f(%X: tensor<{m}x{n}xf32>) -> {results} {{\n{body}\n}}\n")
}

/// The structure of a softmax, in numbers without rounding
const SOFTMAX: &str = r#"
  %m = mdh.compute "m" (i in $m, j in $n pw max) ins(%x = %X[i, j]) outs([i]) {
    mdh.yield %x : f32
  } : (tensor<$mx$nxf32>) -> tensor<$mxf32>
  %e = mdh.compute "e" (i in $m, j in $n) ins(%x = %X[i, j], %a = %m[i]) outs([i, j]) {
    %d = arith.subf %x, %a : f32
    %p = arith.mulf %d, %d : f32
    mdh.yield %p : f32
  } : (tensor<$mx$nxf32>, tensor<$mxf32>) -> tensor<$mx$nxf32>
  %s = mdh.compute "s" (i in $m, j in $n pw add) ins(%x = %e[i, j]) outs([i]) {
    mdh.yield %x : f32
  } : (tensor<$mx$nxf32>) -> tensor<$mxf32>
  %y = mdh.compute "y" (j in $n, i in $m) ins(%x = %e[i, j], %a = %s[i]) outs([i, j]) {
    %q = arith.subf %x, %a : f32
    mdh.yield %q : f32
  } : (tensor<$mx$nxf32>, tensor<$mxf32>) -> tensor<$mx$nxf32>
"#;

fn softmax(sizes: [i64; 2]) -> String {
    function(sizes, &format!("{SOFTMAX}  return %y : tensor<$mx$nxf32>"), "tensor<$mx$nxf32>")
}

fn scheduled(text: &str, choose: &str) -> Box<Ir> {
    let mut ir = parse(text);
    lower(&mut ir, choose, text);
    lower(&mut ir, JOIN, text);
    ir
}

fn kernels(text: &str, choose: &str) -> usize {
    shown(&scheduled(text, choose)).matches("sched.kernel").count()
}

fn agree(text: &str) {
    agree_chosen(text, CHOOSE);
}

#[test]
fn a_softmax_is_one_kernel() {
    for sizes in [[1, 1], [1, 37], [5, 33], [67, 129], [131, 64], [64, 1000]] {
        let text = softmax(sizes);
        assert!(kernels(&text, CHOOSE) <= 1, "{sizes:?}");
        agree(&text);
    }
    assert_eq!(kernels(&softmax([67, 129]), APART), 4);
}

/// A row longer than a block's memory
#[test]
fn long_rows_are_kernels_of_their_own() {
    let text = softmax([64, 100_000]);
    assert!(kernels(&text, CHOOSE) > 1);
}

#[test]
fn what_another_reads_stays_in_main_memory() {
    let results = "(tensor<$mx$nxf32>, tensor<$mxf32>)";
    let body = format!("{SOFTMAX}  return %y, %s : tensor<$mx$nxf32>, tensor<$mxf32>");
    let text = function([19, 65], &body, results);
    assert_eq!(kernels(&text, CHOOSE), 1);
    let shown = shown(&scheduled(&text, CHOOSE));
    assert!(
        shown.contains("%s = sched.alloc : memref<19xf32>\n") || shown.contains("%s: memref<19xf32>"),
        "{shown}"
    );
    assert!(shown.contains("sched.alloc : memref<1x65xf32, #gpu.address_space<workgroup>>"), "{shown}");
    agree(&text);
}

/// Row i needs what another block writes
#[test]
fn other_rows_are_other_kernels() {
    let body = r#"
  %s = mdh.compute "s" (i in $m, j in $n pw add) ins(%x = %X[i, j]) outs([i]) {
    mdh.yield %x : f32
  } : (tensor<$mx$nxf32>) -> tensor<$mxf32>
  %y = mdh.compute "y" (i in $m, j in $n) ins(%x = %X[i, j], %a = %s[-1 * i + LAST]) outs([i, j]) {
    %q = arith.subf %x, %a : f32
    mdh.yield %q : f32
  } : (tensor<$mx$nxf32>, tensor<$mxf32>) -> tensor<$mx$nxf32>
  return %y : tensor<$mx$nxf32>"#;
    for sizes in [[2000, 1000], [37, 65]] {
        let text = function(sizes, &body.replace("LAST", &(sizes[0] - 1).to_string()), "tensor<$mx$nxf32>");
        let count = kernels(&text, CHOOSE);
        // One block may compute all of it, where that is fast enough.
        assert!(count == 2 || sizes[0] == 37, "{sizes:?}: {count}");
        if sizes[0] == 37 {
            agree(&text);
        }
    }
}

/// No row is left: the sum of all, and what is divided by it
#[test]
fn one_block_computes_what_is_small() {
    let body = r#"
  %s = mdh.compute "s" (i in $m pw add, j in $n pw add) ins(%x = %X[i, j]) outs([]) {
    mdh.yield %x : f32
  } : (tensor<$mx$nxf32>) -> tensor<f32>
  %y = mdh.compute "y" (i in $m, j in $n) ins(%x = %X[i, j], %a = %s[]) outs([i, j]) {
    %q = arith.subf %x, %a : f32
    mdh.yield %q : f32
  } : (tensor<$mx$nxf32>, tensor<f32>) -> tensor<$mx$nxf32>
  return %y : tensor<$mx$nxf32>"#;
    let of = |sizes| function(sizes, body, "tensor<$mx$nxf32>");
    assert_eq!(kernels(&of([3, 127]), CHOOSE), 1);
    agree(&of([3, 127]));
    assert!(kernels(&of([4096, 4096]), CHOOSE) > 1);
}

/// Sums of rows and of columns have no row in common
#[test]
fn rows_and_columns() {
    let body = r#"
  %s = mdh.compute "s" (i in $m, j in $n pw add) ins(%x = %X[i, j]) outs([i]) {
    mdh.yield %x : f32
  } : (tensor<$mx$nxf32>) -> tensor<$mxf32>
  %c = mdh.compute "c" (j in $n, i in $m pw add) ins(%x = %X[i, j], %a = %s[i]) outs([j]) {
    %q = arith.mulf %x, %a : f32
    mdh.yield %q : f32
  } : (tensor<$mx$nxf32>, tensor<$mxf32>) -> tensor<$nxf32>
  return %c : tensor<$nxf32>"#;
    let text = function([1024, 2048], body, "tensor<$nxf32>");
    let mut ir = parse(&text);
    lower(&mut ir, CHOOSE, &text);
    assert!(!shown(&ir).contains(JOINS), "{}", shown(&ir));
    agree(&function([17, 31], body, "tensor<$nxf32>"));
}

/// Figure 8 of the paper on reductions: the sum of 1024 and the maximum of 2176 elements
#[test]
fn independent_reductions_are_one_kernel() {
    let text = r#"func.func @f(%X: tensor<1024xf32>, %Y: tensor<2176xf32>) -> (tensor<f32>, tensor<f32>) {
  %s = mdh.compute "s" (i in 1024 pw add) ins(%x = %X[i]) outs([]) SUM{
    mdh.yield %x : f32
  } : (tensor<1024xf32>) -> tensor<f32>
  %m = mdh.compute "m" (i in 2176 pw max) ins(%x = %Y[i]) outs([]) MAX{
    mdh.yield %x : f32
  } : (tensor<2176xf32>) -> tensor<f32>
  return %s, %m : tensor<f32>, tensor<f32>
}
"#;
    let chosen = text.replace("SUM", "").replace("MAX", "");
    assert_eq!(kernels(&chosen, CHOOSE), 1);
    assert_eq!(kernels(&chosen, APART), 2);
    agree(&chosen);
    // 128 threads, as in the figure: 8 and 17 elements for each.
    let given = |mark: &str| {
        format!(
            r#"attributes {{{mark}mdh.schedule = ["1: (^) (^ ; ^) (BLK.x)", "3: (128) (^ ; ^) (FOR.1)", "2: (1) (^ ; ^) (THR.x)"]}} "#
        )
    };
    let given = text.replace("SUM", &given("")).replace("MAX", &given("mdh.joins, "));
    let shown = shown(&scheduled(&given, CHOOSE));
    assert_eq!(shown.matches("sched.kernel").count(), 1, "{shown}");
    assert!(
        shown.contains("block [128, 1, 1]")
            && shown.contains("in 1024 by 128")
            && shown.contains("in 2176 by 128"),
        "{shown}"
    );
    agree(&given);
}

/// Values to begin with are copied by a kernel in front: the one behind it cannot join another
#[test]
fn results_that_begin_with_values_are_kernels_of_their_own() {
    let text = r#"func.func @f(%X: tensor<23x5xf32>, %Y: tensor<23x5xf32>) -> tensor<23x5xf32> {
  %m = mdh.compute "m" (i in 23, j in 5) ins(%x = %X[i, j]) outs([i, j]) {
    %p = arith.mulf %x, %x : f32
    mdh.yield %p : f32
  } : (tensor<23x5xf32>) -> tensor<23x5xf32>
  %s = mdh.compute "s" (i in 23, j in 4) ins(%x = %m[i, j]) outs([i, j + 1] into %Y) {
    mdh.yield %x : f32
  } : (tensor<23x5xf32>, tensor<23x5xf32>) -> tensor<23x5xf32>
  return %s : tensor<23x5xf32>
}
"#;
    let shown = shown(&scheduled(text, CHOOSE));
    assert!(!shown.contains(JOINS) && !shown.contains("sched.joins"), "{shown}");
    agree(text);
}

/// A device like CUDA's whose threads have so few registers that no computation of a run has enough
#[test]
fn registers_end_a_run() {
    let devices = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../devices");
    let cuda = std::fs::read_to_string(devices.join("cuda-sm90.toml")).expect("a device's file");
    let count = |registers: &str| {
        let file = std::env::temp_dir().join(format!("{}-{registers}.toml", std::process::id()));
        let text = cuda.replace("\nregisters = 255", &format!("\nregisters = {registers}"));
        std::fs::write(&file, text).expect("the folder can be written");
        let choose = format!("func.func(mdh-schedule{{target={} prologues=false}})", file.display());
        let count = kernels(&softmax([512, 1024]), &choose);
        let _ = std::fs::remove_file(file);
        count
    };
    assert_eq!(count("255"), 1);
    assert_eq!(count("24"), 4);
}

/// The switch for fusion: a kernel for each computation
#[test]
fn without_joins_each_computation_is_a_kernel() {
    assert_eq!(kernels(&softmax([512, 1024]), CHOOSE), 1);
    assert_eq!(kernels(&softmax([512, 1024]), APART), 4);
    // Exponentials are stored where they are summed.
    assert_eq!(kernels(&softmax([512, 1024]), "func.func(mdh-schedule{target=cuda join=false})"), 3);
}
