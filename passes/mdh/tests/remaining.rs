//! Columns that whole vectors leave over, computed apart: when, and the same values at odd sizes.

use crate::common::*;
use terrace_dialect_test::values::shown;
use terrace_support::Random;

/// A product whose operands are stored in one of two orders each
fn product([m, n, k]: [i64; 3], [left, right]: [bool; 2], elem: &str) -> String {
    let (a, at_a) = if left { (format!("{k}x{m}"), "l, i") } else { (format!("{m}x{k}"), "i, l") };
    let (b, at_b) = if right { (format!("{n}x{k}"), "j, l") } else { (format!("{k}x{n}"), "l, j") };
    let op = if elem.starts_with('i') { "arith.muli" } else { "arith.mulf" };
    format!(
        "func.func @f(%A: tensor<{a}x{elem}>, %B: tensor<{b}x{elem}>) -> tensor<{m}x{n}x{elem}> {{
  %C = mdh.compute \"product\" (i in {m}, j in {n}, l in {k} pw add) ins(%a = %A[{at_a}], %b = %B[{at_b}]) outs([i, j]) {{
    %p = {op} %a, %b : {elem}
    mdh.yield %p : {elem}
  }} : (tensor<{a}x{elem}>, tensor<{b}x{elem}>) -> tensor<{m}x{n}x{elem}>
  return %C : tensor<{m}x{n}x{elem}>
}}"
    )
}

/// A padded convolution of an image, channels last
fn convolution(size: i64, [channels, filters]: [i64; 2], taps: i64) -> String {
    let edge = taps / 2;
    let (x, w, y) = (
        format!("tensor<{size}x{size}x{channels}xf32>"),
        format!("tensor<{taps}x{taps}x{channels}x{filters}xf32>"),
        format!("tensor<{size}x{size}x{filters}xf32>"),
    );
    format!(
        "func.func @f(%A: {x}, %B: {w}) -> {y} {{
  %O = mdh.compute \"conv\" (p in {size}, q in {size}, k in {filters}, r in {taps} pw add, s in {taps} pw add, c in {channels} pw add)
       where 0 <= p + r - {edge} < {size}, 0 <= q + s - {edge} < {size}
       ins(%x = %A[p + r - {edge}, q + s - {edge}, c], %w = %B[r, s, c, k]) outs([p, q, k]) {{
    %v = arith.mulf %x, %w : f32
    mdh.yield %v : f32
  }} : ({x}, {w}) -> {y}
  return %O : {y}
}}"
    )
}

fn schedule(target: &str) -> String {
    format!("func.func(mdh-schedule{{target={target}}})")
}

fn is_apart(text: &str, target: &str) -> bool {
    let mut ir = parse(text);
    lower(&mut ir, &schedule(target), text);
    shown(&ir).contains("memref.subview")
}

#[test]
fn one_column_behind_whole_vectors_is_apart() {
    let layer = convolution(57, [65, 65], 3);
    assert!(is_apart(&layer, "x86-64-v4"));
    assert!(is_apart(&product([129, 33, 1025], [false; 2], "f32"), "x86-64-v4"));
    // Whole vectors leave nothing over.
    assert!(!is_apart(&convolution(57, [65, 64], 3), "x86-64-v4"));
    assert!(!is_apart(&layer, "cuda"));
}

/// What reads the result shares loops with the whole of it
#[test]
fn a_result_that_is_read_stays_whole() {
    let [m, n] = [513, 129];
    let text = product([m, n, 512], [false; 2], "f32").replace(
        &format!("  return %C : tensor<{m}x{n}xf32>"),
        &format!(
            "  %D = mdh.compute \"relu\" (i in {m}, j in {n}) ins(%c = %C[i, j]) outs([i, j]) {{
    %z = arith.constant 0.0 : f32
    %r = arith.maximumf %c, %z : f32
    mdh.yield %r : f32
  }} : (tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  return %D : tensor<{m}x{n}xf32>"
        ),
    );
    assert!(!is_apart(&text, "x86-64-v4"));
}

#[test]
fn values_are_the_same_at_odd_sizes() {
    let apart = [
        (product([33, 33, 100], [false; 2], "f32"), "x86-64-v4"),
        (product([33, 17, 160], [false, true], "f32"), "x86-64-v4"),
        (product([40, 33, 80], [false; 2], "f64"), "x86-64-v4"),
        (product([49, 17, 129], [false; 2], "i32"), "x86-64-v4"),
        (product([33, 17, 160], [false; 2], "f32"), "x86-64-v3"),
        (convolution(9, [16, 17], 3), "x86-64-v4"),
        (convolution(9, [16, 17], 3), "x86-64-v3"),
    ];
    for (text, target) in &apart {
        assert!(is_apart(text, target), "{target}\n{text}");
        agree_chosen(text, &schedule(target));
    }
    // Whatever the model says of others.
    let mut r = Random::new(41);
    for _ in 0..4 {
        let (rows, columns) = (33 + r.below(20), 16 * (1 + r.below(3)) + 1 + r.below(3));
        let steps = 90_000 / (rows * columns) + r.below(40);
        let elem = ["f32", "f64", "i32"][r.below(3) as usize];
        let text = product([rows, columns, steps], [r.coin(), r.coin()], elem);
        agree_chosen(&text, &schedule(["x86-64-v3", "x86-64-v4"][usize::from(r.coin())]));
    }
}

/// A product that has fewer dimensions: its result is returned in another shape
#[test]
fn a_collapsed_result_is_put_together() {
    let text = "func.func @f(%A: tensor<7x9x70xf32>, %B: tensor<70x33xf32>) -> tensor<7x9x33xf32> {
  %C = mdh.compute \"product\" (p in 7, q in 9, j in 33, l in 70 pw add) ins(%a = %A[p, q, l], %b = %B[l, j]) outs([p, q, j]) {
    %v = arith.mulf %a, %b : f32
    mdh.yield %v : f32
  } : (tensor<7x9x70xf32>, tensor<70x33xf32>) -> tensor<7x9x33xf32>
  return %C : tensor<7x9x33xf32>
}";
    let mut ir = parse(text);
    lower(&mut ir, &schedule("x86-64-v4"), text);
    let found = shown(&ir);
    assert!(found.contains("tensor.expand_shape") && found.contains("memref.subview"), "{found}");
    lower(&mut ir, "func.func(mdh-to-sched)", text);
    // The parts are written to the destination, and nothing is copied.
    let found = shown(&ir);
    assert!(!found.contains("sched.alloc : memref<63x33xf32>"), "{found}");
    agree_chosen(text, &schedule("x86-64-v4"));
}

/// What a condition cuts away is not in the operand: a copy of it would read outside
#[test]
fn conditions_cut_what_is_copied() {
    for (at, condition) in
        [("l + 40", "0 <= l + 40 < 129"), ("l - 1", "0 <= l - 1 < 129"), ("l", "0 <= l < 100")]
    {
        let text = product([57, 65, 129], [false; 2], "f32")
            .replace("%B[l, j]", &format!("%B[{at}, j]"))
            .replace("pw add) ins", &format!("pw add) where {condition} ins"));
        agree_chosen(&text, &schedule("x86-64-v4"));
    }
}

#[test]
fn a_collapsed_result_that_is_returned_twice_stays_whole() {
    let text = "func.func @f(%A: tensor<7x9x70xf32>, %B: tensor<70x33xf32>) -> (tensor<7x9x33xf32>, tensor<7x9x33xf32>) {
  %C = mdh.compute \"product\" (p in 7, q in 9, j in 33, l in 70 pw add) ins(%a = %A[p, q, l], %b = %B[l, j]) outs([p, q, j]) {
    %v = arith.mulf %a, %b : f32
    mdh.yield %v : f32
  } : (tensor<7x9x70xf32>, tensor<70x33xf32>) -> tensor<7x9x33xf32>
  return %C, %C : tensor<7x9x33xf32>, tensor<7x9x33xf32>
}";
    assert!(!is_apart(text, "x86-64-v4"));
    agree_chosen(text, &schedule("x86-64-v4"));
}
