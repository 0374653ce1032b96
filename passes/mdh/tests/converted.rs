//! Inputs that a body converts to a wider type are converted once for each element, with the same values.

use crate::common::*;
use terrace_dialect_test::values::shown;

const CHOOSE: &str = "func.func(mdh-schedule{target=x86-64-v4})";

/// `C[i, j] = sum{k} wide(A[i, k]) * wide(B[k, j])`, or of another form
fn product(form: &str, [m, n, k]: [i64; 3]) -> String {
    let (narrow, wide, cast, times) = match form {
        "i8" => ("i8", "i32", "arith.extsi", "arith.muli"),
        "i8 as f32" => ("i8", "f32", "arith.sitofp", "arith.mulf"),
        _ => ("f16", "f32", "arith.extf", "arith.mulf"),
    };
    let a = format!("tensor<{m}x{k}x{narrow}>");
    let (b, right, at) = match form {
        "rows" => (a.clone(), "%A", "j, k"),
        "window" => (format!("tensor<{k}x{}x{narrow}>", n + 2), "%B", "k, j + 2"),
        _ => (format!("tensor<{k}x{n}x{narrow}>"), "%B", "k, j"),
    };
    let narrowed = match form {
        "read as it is, too" => {
            "%z = arith.mulf %a, %a : f16\n    %w = arith.extf %z : f16 to f32\n    %p = arith.addf %q, %w : f32"
        }
        _ => "%p = arith.addf %q, %q : f32",
    };
    let last = if wide == "i32" { "%p = arith.addi %q, %q : i32" } else { narrowed };
    format!(
        "func.func @f(%A: {a}, %B: {b}) -> tensor<{m}x{n}x{wide}> {{
  %c = mdh.compute (i in {m}, j in {n}, k in {k} pw add) ins(%a = %A[i, k], %b = {right}[{at}]) outs([i, j]) {{
    %x = {cast} %a : {narrow} to {wide}
    %y = {cast} %b : {narrow} to {wide}
    %q = {times} %x, %y : {wide}
    {last}
    mdh.yield %p : {wide}
  }} : ({a}, {b}) -> tensor<{m}x{n}x{wide}>
  return %c : tensor<{m}x{n}x{wide}>
}}"
    )
}

/// The text after a schedule was chosen
fn chosen(text: &str) -> String {
    let mut ir = parse(text);
    lower(&mut ir, CHOOSE, text);
    shown(&ir)
}

#[test]
fn operands_of_products_are_converted_once() {
    for form in ["product", "window", "i8 as f32"] {
        let found = chosen(&product(form, [61, 67, 71]));
        assert_eq!(found.matches("_converted\"").count(), 2, "{form}: {found}");
    }
}

#[test]
fn a_tensor_that_is_read_twice_is_converted_once() {
    let found = chosen(&product("rows", [61, 61, 71]));
    assert_eq!(found.matches("_converted\"").count(), 1, "{found}");
}

#[test]
fn values_are_those_of_before() {
    for form in ["product", "window", "i8", "i8 as f32", "read as it is, too"] {
        agree_chosen(&product(form, [37, 41, 43]), CHOOSE);
    }
    agree_chosen(&product("rows", [37, 37, 43]), CHOOSE);
}

/// Elements that are used once, or by what is done before a tensor is made; and those that are read as they are
#[test]
fn what_gains_nothing_stays() {
    for sizes in [[1, 1, 100_003], [5, 7, 11]] {
        let found = chosen(&product("product", sizes));
        assert!(!found.contains("_converted"), "{sizes:?}: {found}");
    }
    let found = chosen(&product("read as it is, too", [61, 67, 71]));
    assert!(!found.contains("A_converted"), "{found}");
}

/// Of a vector and a matrix only the vector is read again
#[test]
fn elements_that_are_used_once_are_not_converted_before() {
    let found = chosen(&product("product", [1, 1009, 1013]));
    assert!(!found.contains("B_converted"), "{found}");
}
