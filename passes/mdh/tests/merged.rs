//! Weights whose short rows go on in each other: the model holds their copies to be squares of one long row, as they are.

use crate::common::{lower, parse};
use terrace_dialect_test::values::shown;

/// Layer C15 of YOLO-v1 with windows whose elements are two apart: rows of 5 pixels, and 1024 filters of 3 × 3
#[test]
fn small_images_have_lanes_along_filters() {
    let text =
        "func.func @f(%X: tensor<1x1024x7x7xf32>, %F: tensor<1024x1024x3x3xf32>) -> tensor<1x1024x5x5xf32> {
  %0 = mdh.compute (b in 1, k in 1024, y in 5, x in 5, c in 1024 pw add, r in 3 pw add, s in 3 pw add)
       ins(%x = %X[b, c, y + 2 * r - 1, x + 2 * s - 1] else 0.0, %f = %F[k, c, r, s]) outs([b, k, y, x]) {
    %p = arith.mulf %x, %f : f32
    mdh.yield %p : f32
  } : (tensor<1x1024x7x7xf32>, tensor<1024x1024x3x3xf32>) -> tensor<1x1024x5x5xf32>
  return %0 : tensor<1x1024x5x5xf32>
}";
    let mut ir = parse(text);
    lower(&mut ir, "func.func(mdh-schedule{target=x86-64-v4 units=1})", text);
    let chosen = shown(&ir);
    assert!(chosen.contains("; REG[1,3,4,2]") && chosen.contains("L2[1/"), "{chosen}");
}
