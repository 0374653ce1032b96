//! Chains of computations over one dimension, each of what the one before has: `sched-fuse` joins their loops, lanes and all, and
//! what they hand on shrinks to what an iteration needs. Of every length, with and without whole vectors, for every processor.

use crate::common;

use common::*;
use std::fmt::Write;
use terrace_dialect_test::values::shown;

const TARGETS: &[&str] = &["x86-64-v4", "x86-64-v3", "openmp"];

/// `y1 = op(x)`, `y2 = y1 · y1`, …: so many computations over these sizes
fn chain(elem: &str, sizes: &[i64], count: usize) -> String {
    let f = if elem.starts_with('f') { 'f' } else { 'i' };
    let names = &["i", "j", "k"][..sizes.len()];
    let at = names.join(", ");
    let dims: Vec<String> = names.iter().zip(sizes).map(|(name, size)| format!("{name} in {size}")).collect();
    let ty: String = sizes.iter().map(|size| format!("{size}x")).collect();
    let ty = format!("tensor<{ty}{elem}>");
    let mut body = String::new();
    for n in 1..=count {
        let op = match n % 3 {
            1 => format!("arith.add{f} %v, %v"),
            2 => format!("arith.mul{f} %v, %v"),
            _ => format!("arith.sub{f} %v, %v"),
        };
        let _ = write!(
            body,
            "  %y{n} = mdh.compute ({}) ins(%v = %y{}[{at}]) outs([{at}]) {{
    %r = {op} : {elem}
    mdh.yield %r : {elem}
  }} : ({ty}) -> {ty}\n",
            dims.join(", "),
            n - 1
        );
    }
    format!("func.func @f(%y0: {ty}) -> {ty} {{\n{body}  return %y{count} : {ty}\n}}")
}

fn runs(text: &str) {
    let wanted = as_it_is(&parse(text), "f");
    for target in TARGETS {
        let mut ir = parse(text);
        lower(&mut ir, &format!("func.func(mdh-schedule{{target={target}}},mdh-to-sched,sched-fuse)"), text);
        same(&wanted, &lowered(&ir, "f", text, wanted.len()), &format!("{target}, joined\n{text}"));
        lower(&mut ir, DOWN, text);
        same(&wanted, &lowered(&ir, "f", text, wanted.len()), &format!("{target}\n{text}"));
    }
}

#[test]
fn of_every_length() {
    for n in 1..=130 {
        runs(&chain("f32", &[n], 2 + n as usize % 2));
    }
}

#[test]
fn of_every_width() {
    for elem in ["f64", "i32", "i16", "i8"] {
        for n in [2, 4, 7, 8, 16, 31, 32, 64, 96, 128, 256, 512] {
            runs(&chain(elem, &[n], 2));
        }
    }
    runs(&chain("f32", &[512], 5));
}

#[test]
fn of_rows() {
    for sizes in [[3, 64], [64, 3], [5, 128], [16, 16], [64, 1], [1, 64]] {
        runs(&chain("f32", &sizes, 3));
    }
    runs(&chain("f32", &[3, 5, 64], 2));
}

/// Tasks of rows whose number they do not divide: loops that end early are joined where both end there
/// Softmax of the rows of a batch: maxima, exponentials, sums and quotients, whose loops are joined along all dimensions but the last
#[test]
fn of_rows_in_a_batch() {
    for [b, h, t, u] in [[2, 11, 7, 19], [2, 3, 17, 16], [1, 7, 2, 33], [3, 1, 5, 48]] {
        let (rows, all) = (format!("tensor<{b}x{h}x{t}xi32>"), format!("tensor<{b}x{h}x{t}x{u}xi32>"));
        let dims = format!("b in {b}, h in {h}, t in {t}, u in {u}");
        let text = format!(
            "func.func @f(%X: {all}) -> {all} {{
  %m = mdh.compute ({dims} pw max) ins(%x = %X[b, h, t, u]) outs([b, h, t]) {{
    mdh.yield %x : i32
  }} : ({all}) -> {rows}
  %e = mdh.compute ({dims}) ins(%x = %X[b, h, t, u], %y = %m[b, h, t]) outs([b, h, t, u]) {{
    %r = arith.subi %y, %x : i32
    mdh.yield %r : i32
  }} : ({all}, {rows}) -> {all}
  %s = mdh.compute ({dims} pw add) ins(%x = %e[b, h, t, u]) outs([b, h, t]) {{
    mdh.yield %x : i32
  }} : ({all}) -> {rows}
  %p = mdh.compute ({dims}) ins(%x = %e[b, h, t, u], %y = %s[b, h, t]) outs([b, h, t, u]) {{
    %r = arith.muli %x, %y : i32
    mdh.yield %r : i32
  }} : ({all}, {rows}) -> {all}
  return %p : {all}
}}"
        );
        runs(&text);
    }
}

#[test]
fn of_rows_that_tasks_do_not_divide() {
    runs(&chain("f32", &[259, 151], 2));
    let text = "func.func @f(%X: tensor<259x151xf32>) -> tensor<259x151xf32> {
  %m = mdh.compute (i in 259, j in 151 pw max) ins(%x = %X[i, j]) outs([i]) {
    mdh.yield %x : f32
  } : (tensor<259x151xf32>) -> tensor<259xf32>
  %d = mdh.compute (i in 259, j in 151) ins(%x = %X[i, j], %y = %m[i]) outs([i, j]) {
    %r = arith.subf %x, %y : f32
    mdh.yield %r : f32
  } : (tensor<259x151xf32>, tensor<259xf32>) -> tensor<259x151xf32>
  %s = mdh.compute (i in 259, j in 151 pw add) ins(%x = %d[i, j]) outs([i]) {
    mdh.yield %x : f32
  } : (tensor<259x151xf32>) -> tensor<259xf32>
  %q = mdh.compute (i in 259, j in 151) ins(%x = %d[i, j], %y = %s[i]) outs([i, j]) {
    %r = arith.divf %x, %y : f32
    mdh.yield %r : f32
  } : (tensor<259x151xf32>, tensor<259xf32>) -> tensor<259x151xf32>
  return %q : tensor<259x151xf32>
}";
    runs(text);
    let mut ir = parse(text);
    lower(&mut ir, "func.func(mdh-schedule{target=x86-64-v4},mdh-to-sched,sched-fuse)", text);
    let found = shown(&ir);
    assert_eq!(found.matches(": task)").count(), 1, "{found}");
    assert!(!found.contains("sched.alloc : memref<131"), "{found}");
}

/// One loop over lanes is left, and one vector between the computations in place of the tensor
#[test]
fn hands_on_a_vector() {
    let text = chain("f32", &[512], 2);
    let mut ir = parse(&text);
    lower(&mut ir, "func.func(mdh-schedule{target=x86-64-v4},mdh-to-sched,sched-fuse)", &text);
    let found = shown(&ir);
    assert_eq!(found.matches(": vector").count(), 1, "{found}");
    assert!(found.contains("sched.alloc : memref<16xf32, \"reg\">"), "{found}");
    assert!(!found.contains("sched.alloc : memref<512xf32"), "{found}");
    lower(&mut ir, DOWN, &text);
    let found = shown(&ir);
    assert!(!found.contains("memref.alloc"), "a vector stays a value: {found}");
}
