//! Prefixes in lanes, by value: each column carries what comes before in a lane of its own.

use crate::common;

use common::*;

/// Prefixes along the first dimension of a tensor, in columns of the last
fn columns(rows: i64, cols: i64, elem: &str, operator: &str) -> String {
    format!(
        "func.func @f(%A: tensor<{rows}x{cols}x{elem}>) -> tensor<{rows}x{cols}x{elem}> {{
  %r = mdh.compute (i in {rows} ps {operator}, j in {cols}) ins(%x = %A[i, j]) outs([i, j]) {{
    mdh.yield %x : {elem}
  }} : (tensor<{rows}x{cols}x{elem}>) -> tensor<{rows}x{cols}x{elem}>
  return %r : tensor<{rows}x{cols}x{elem}>
}}"
    )
}

/// Does the schedule that is chosen for a processor state lanes?
fn has_lanes(text: &str) -> bool {
    let mut ir = parse(text);
    lower(&mut ir, "func.func(mdh-operators)", text);
    lower(&mut ir, "func.func(mdh-schedule{target=x86-64-v4})", text);
    let mut shown = String::new();
    terrace_text::print(&ir, &terrace_text::PrintOptions::default(), &mut shown);
    shown.contains("VEC.x")
}

#[test]
fn columns_are_lanes() {
    for (rows, cols, elem, operator) in [
        (7, 131, "f32", "add"),
        (13, 67, "f32", "max"),
        (11, 19, "f64", "min"),
        (9, 37, "i32", "mul"),
        (5, 77, "f16", "add"),
        (6, 3, "i32", "xor"),
    ] {
        let text = columns(rows, cols, elem, operator);
        assert!(has_lanes(&text), "{text}");
        agree(&text);
    }
    // One column, or rows that are apart in memory.
    assert!(!has_lanes(&columns(7, 1, "f32", "add")));
    assert!(!has_lanes(&columns(7, 131, "f32", "add").replace("%A[i, j]", "%A[i, 130 - j]")));
}

/// A batch, elements of their own, a reduction at each point, prefixes that go backwards, two operators
#[test]
fn with_other_dimensions() {
    let text = "func.func @f(%A: tensor<3x5x41xi32>, %B: tensor<5x7xi32>) -> (tensor<3x7x41xi32>, tensor<3x7x41xi32>) {
  %r, %s = mdh.compute (b in 3, i in 7 ps (max, add), j in 41, k in 5 pw (max, add)) ins(%x = %A[b, k, j], %y = %B[k, i]) outs([b, i, j], [b, 6 - i, j]) {
    %p = arith.muli %x, %y : i32
    mdh.yield %x, %p : i32, i32
  } : (tensor<3x5x41xi32>, tensor<5x7xi32>) -> (tensor<3x7x41xi32>, tensor<3x7x41xi32>)
  return %r, %s : tensor<3x7x41xi32>, tensor<3x7x41xi32>
}";
    assert!(has_lanes(text));
    agree(text);
}

/// Where a condition ends the rows that lanes would go along, there are none
#[test]
fn with_conditions() {
    let text = "func.func @f(%A: tensor<5x25xi32>) -> tensor<5x25xi32> {
  %r = mdh.compute (i in 5 ps add, p in 4, e in 7) where 7 * p + e < 25 ins(%x = %A[i, 7 * p + e]) outs([i, 7 * p + e]) {
    mdh.yield %x : i32
  } : (tensor<5x25xi32>) -> tensor<5x25xi32>
  return %r : tensor<5x25xi32>
}";
    assert!(!has_lanes(text));
    agree(text);
}

/// An operator on two values that does not commute: affine functions, one after the other
#[test]
fn of_functions_with_lanes() {
    let text = "func.func private @after(%a: i32, %b: i32, %c: i32, %d: i32) -> (i32, i32) attributes {sched.operator = {associative, identity = [1 : i32, 0 : i32]}} {
  %p = arith.muli %a, %c : i32
  %q = arith.muli %b, %c : i32
  %r = arith.addi %q, %d : i32
  return %p, %r : i32, i32
}
func.func @f(%A: tensor<8x21xi32>) -> (tensor<8x21xi32>, tensor<8x21xi32>) {
  %r, %s = mdh.compute (i in 8 ps @after, j in 21) ins(%x = %A[i, j]) outs([i, j], [i, j]) {
    %c = arith.constant 3 : i32
    mdh.yield %c, %x : i32, i32
  } : (tensor<8x21xi32>) -> (tensor<8x21xi32>, tensor<8x21xi32>)
  return %r, %s : tensor<8x21xi32>, tensor<8x21xi32>
}";
    assert!(has_lanes(text));
    agree(text);
}
