//! Programs as mathematics, scheduled and lowered for each back end, by value against their meaning.
//!
//! Shapes are prime, of size 1, and unfriendly to tiles. Nothing below `mdh` knows any of these programs.

use crate::common;

use common::backends::{agree_on, here, with_devices};

#[track_caller]
fn agree(test: &str, text: &str, args: &[&str], output: &str) {
    // Drivers compile for seconds: the first two shapes of each go through one, the others only through the rest.
    let device = test.ends_with("-0") || test.ends_with("-1");
    let list = if device { with_devices(test) } else { here(test) };
    agree_on(&list, test, text, args, output);
}

/// Multiplication and addition on elements of a type
fn ops(elem: &str) -> (&'static str, &'static str) {
    if elem.starts_with('f') { ("arith.mulf", "arith.addf") } else { ("arith.muli", "arith.addi") }
}

fn product(elem: &str, [m, n, k]: [usize; 3], inner: &str, combine: &str) -> String {
    format!(
        "\
func.func @f(%A: tensor<{m}x{k}x{elem}>, %B: tensor<{k}x{n}x{elem}>) -> tensor<{m}x{n}x{elem}> {{
  %C = mdh.compute (i in {m}, j in {n}, k in {k} pw {combine}) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {{
    %p = {inner} %a, %b : {elem}
    mdh.yield %p : {elem}
  }} : (tensor<{m}x{k}x{elem}>, tensor<{k}x{n}x{elem}>) -> tensor<{m}x{n}x{elem}>
  return %C : tensor<{m}x{n}x{elem}>
}}
"
    )
}

fn vector(elem: &str, [m, k]: [usize; 2]) -> String {
    let (mul, _) = ops(elem);
    format!(
        "\
func.func @f(%A: tensor<{m}x{k}x{elem}>, %B: tensor<{k}x{elem}>) -> tensor<{m}x{elem}> {{
  %C = mdh.compute (i in {m}, k in {k} pw add) ins(%a = %A[i, k], %b = %B[k]) outs([i]) {{
    %p = {mul} %a, %b : {elem}
    mdh.yield %p : {elem}
  }} : (tensor<{m}x{k}x{elem}>, tensor<{k}x{elem}>) -> tensor<{m}x{elem}>
  return %C : tensor<{m}x{elem}>
}}
"
    )
}

fn dot(elem: &str, k: usize) -> String {
    let (mul, _) = ops(elem);
    format!(
        "\
func.func @f(%A: tensor<{k}x{elem}>, %B: tensor<{k}x{elem}>) -> tensor<{elem}> {{
  %C = mdh.compute (k in {k} pw add) ins(%a = %A[k], %b = %B[k]) outs([]) {{
    %p = {mul} %a, %b : {elem}
    mdh.yield %p : {elem}
  }} : (tensor<{k}x{elem}>, tensor<{k}x{elem}>) -> tensor<{elem}>
  return %C : tensor<{elem}>
}}
"
    )
}

fn convolution(elem: &str, [p, q, r, s]: [usize; 4]) -> String {
    let (mul, _) = ops(elem);
    let (h, w) = (p + r - 1, q + s - 1);
    format!(
        "\
func.func @f(%A: tensor<{h}x{w}x{elem}>, %B: tensor<{r}x{s}x{elem}>) -> tensor<{p}x{q}x{elem}> {{
  %C = mdh.compute (p in {p}, q in {q}, r in {r} pw add, s in {s} pw add)
       ins(%x = %A[p + r, q + s], %w = %B[r, s]) outs([p, q]) {{
    %v = {mul} %x, %w : {elem}
    mdh.yield %v : {elem}
  }} : (tensor<{h}x{w}x{elem}>, tensor<{r}x{s}x{elem}>) -> tensor<{p}x{q}x{elem}>
  return %C : tensor<{p}x{q}x{elem}>
}}
"
    )
}

/// One step of a stencil of five points
fn jacobi(elem: &str, [m, n]: [usize; 2]) -> String {
    let (mul, add) = ops(elem);
    let (h, w) = (m + 2, n + 2);
    let factor = if elem.starts_with('f') { "0.2" } else { "3" };
    format!(
        "\
func.func @f(%A: tensor<{h}x{w}x{elem}>) -> tensor<{m}x{n}x{elem}> {{
  %fifth = arith.constant {factor} : {elem}
  %C = mdh.compute (i in {m}, j in {n})
       ins(%c = %A[i + 1, j + 1], %n = %A[i, j + 1], %s = %A[i + 2, j + 1], %w = %A[i + 1, j], %e = %A[i + 1, j + 2],
           %f = %fifth) outs([i, j]) {{
    %0 = {add} %c, %n : {elem}
    %1 = {add} %0, %s : {elem}
    %2 = {add} %1, %w : {elem}
    %3 = {add} %2, %e : {elem}
    %4 = {mul} %3, %f : {elem}
    mdh.yield %4 : {elem}
  }} : (tensor<{h}x{w}x{elem}>, tensor<{h}x{w}x{elem}>, tensor<{h}x{w}x{elem}>, tensor<{h}x{w}x{elem}>,
        tensor<{h}x{w}x{elem}>, {elem}) -> tensor<{m}x{n}x{elem}>
  return %C : tensor<{m}x{n}x{elem}>
}}
"
    )
}

const BOTH: [&str; 2] = ["--in=A=random:1", "--in=B=random:2"];

#[test]
fn matrix_products() {
    for elem in ["f32", "f64", "i32"] {
        for (n, sizes) in
            [[13, 17, 19], [1, 1, 1], [1, 37, 5], [67, 1, 33], [32, 65, 16]].into_iter().enumerate()
        {
            agree(&format!("mm-{elem}-{n}"), &product(elem, sizes, ops(elem).0, "add"), &BOTH, "C");
        }
    }
}

#[test]
fn matrix_vector_products() {
    for elem in ["f32", "f64", "i32"] {
        for (n, sizes) in [[31, 101], [1, 7], [129, 1], [1, 1]].into_iter().enumerate() {
            agree(&format!("mv-{elem}-{n}"), &vector(elem, sizes), &BOTH, "C");
        }
    }
}

#[test]
fn dot_products() {
    for elem in ["f32", "f64", "i32"] {
        for (n, k) in [1009, 1, 13].into_iter().enumerate() {
            agree(&format!("dot-{elem}-{n}"), &dot(elem, k), &BOTH, "C");
        }
    }
}

#[test]
fn convolutions() {
    for elem in ["f32", "f64", "i32"] {
        for (n, sizes) in [[11, 19, 3, 3], [1, 1, 5, 2], [34, 7, 1, 4]].into_iter().enumerate() {
            agree(&format!("conv-{elem}-{n}"), &convolution(elem, sizes), &BOTH, "C");
        }
    }
}

#[test]
fn stencils() {
    for elem in ["f32", "f64", "i32"] {
        for (n, sizes) in [[13, 29], [1, 1], [66, 3]].into_iter().enumerate() {
            agree(&format!("jacobi-{elem}-{n}"), &jacobi(elem, sizes), &BOTH[..1], "C");
        }
    }
}

#[test]
fn max_plus_products() {
    for elem in ["f32", "f64", "i32"] {
        for (n, sizes) in [[13, 17, 19], [1, 5, 1], [3, 50, 7]].into_iter().enumerate() {
            agree(&format!("max-plus-{elem}-{n}"), &product(elem, sizes, ops(elem).1, "max"), &BOTH, "C");
        }
    }
}
