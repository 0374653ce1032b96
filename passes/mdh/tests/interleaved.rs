//! Reductions whose results' neighbors read the same elements: computed apart and interleaved, with the same values.

use crate::common::*;
use terrace_dialect_test::values::shown;

/// A transposed convolution with a window as wide as its stride, by image size, channels and filters
fn transposed([h, w]: [i64; 2], [c, k]: [i64; 2], by: i64, out: &str) -> String {
    let (rows, columns) = (h * by, w * by);
    let shape =
        if out == "[k, i, j]" { format!("{k}x{rows}x{columns}") } else { format!("{k}x{columns}x{rows}") };
    format!(
        "func.func @f(%X: tensor<{c}x{h}x{w}xf32>, %F: tensor<{c}x{k}x{by}x{by}xf32>) -> tensor<{shape}xf32> {{
  %y = mdh.compute \"y\" (k in {k}, i in {rows}, j in {columns}, c in {c} pw add)
      ins(%x = %X[c, i floordiv {by}, j floordiv {by}], %f = %F[c, k, i mod {by}, j mod {by}]) outs({out}) {{
    %p = arith.mulf %x, %f : f32
    mdh.yield %p : f32
  }} : (tensor<{c}x{h}x{w}xf32>, tensor<{c}x{k}x{by}x{by}xf32>) -> tensor<{shape}xf32>
  return %y : tensor<{shape}xf32>
}}"
    )
}

fn chosen(text: &str, target: &str) -> String {
    let mut ir = parse(text);
    lower(&mut ir, &format!("func.func(mdh-inline,mdh-schedule{{target={target}}})"), text);
    shown(&ir)
}

#[test]
fn windows_as_wide_as_their_stride() {
    for (image, channels, by) in [([31, 33], [17, 19], 2), ([28, 28], [32, 8], 2), ([14, 35], [16, 5], 3)] {
        for target in ["x86-64-v3", "x86-64-v4"] {
            let found = chosen(&transposed(image, channels, by, "[k, i, j]"), target);
            assert_eq!(found.matches("mdh.compute").count(), 2, "{target}\n{found}");
            assert!(found.contains("\"y_apart\""), "{target}\n{found}");
        }
        // A grid's threads read what they like, and two kernels are two launches.
        let found = chosen(&transposed(image, channels, by, "[k, i, j]"), "cuda");
        assert!(!found.contains("y_apart"), "{found}");
    }
}

/// Nothing is reduced: interleaving is all there is to do
#[test]
fn what_only_moves_stays() {
    let text = "func.func @f(%X: tensor<64x64xf32>) -> tensor<128x128xf32> {
  %y = mdh.compute (i in 128, j in 128) ins(%x = %X[i floordiv 2, j floordiv 2]) outs([i, j]) {
    mdh.yield %x : f32
  } : (tensor<64x64xf32>) -> tensor<128x128xf32>
  return %y : tensor<128x128xf32>
}";
    assert_eq!(chosen(text, "x86-64-v4").matches("mdh.compute").count(), 1);
}

#[test]
fn values_are_the_same() {
    // The form is chosen for the first of them, so that its values are compared too.
    assert!(chosen(&transposed([3, 33], [17, 3], 2, "[k, i, j]"), "x86-64-v4").contains("y_apart"));
    for (image, channels, by) in
        [([3, 33], [17, 3], 2), ([2, 11], [9, 2], 3), ([1, 5], [4, 1], 4), ([5, 1], [3, 2], 2)]
    {
        for out in ["[k, i, j]", "[k, j, i]"] {
            agree(&transposed(image, channels, by, out));
        }
    }
}
