//! Sums over nothing are +0 in every lowering: seen by their reciprocals.

use crate::common;

use common::*;

#[test]
fn of_an_empty_dimension() {
    for (sizes, kept) in [("i in 3, j in 0 pw add", "3"), ("i in 5, j in 0 pw add, k in 7 pw add", "5")] {
        let rank = sizes.split(',').count();
        let (shape, index) = if rank == 3 { ("5x0x7", "i, j, k") } else { ("3x0", "i, j") };
        agree(&format!(
            "func.func @f(%A: tensor<{shape}xf32>) -> tensor<{kept}xf32> {{
  %s = mdh.compute ({sizes}) ins(%a = %A[{index}]) outs([i]) {{
    mdh.yield %a : f32
  }} : (tensor<{shape}xf32>) -> tensor<{kept}xf32>
  %r = mdh.compute (i in {kept}) ins(%a = %s[i]) outs([i]) {{
    %one = arith.constant 1.0 : f32
    %q = arith.divf %one, %a : f32
    mdh.yield %q : f32
  }} : (tensor<{kept}xf32>) -> tensor<{kept}xf32>
  return %r : tensor<{kept}xf32>
}}"
        ));
    }
}

/// Conditions leave places out, in some or all turns of a loop over what is summed; other places have negative zeros alone
#[test]
fn of_what_conditions_leave_out() {
    for cut in ["j < i - 2", "i = 3", "i + j < 6, i mod 3 < 2", "j mod 2 + i < 4", "2 <= i < 6", "i - j < 3"]
    {
        for (i, j) in [(7, 5), (13, 1), (9, 16)] {
            agree(&format!(
                "func.func @f(%A: tensor<{i}x{j}xf32>) -> tensor<{i}xf32> {{
  %s = mdh.compute (i in {i}, j in {j} pw add) where {cut} ins(%a = %A[i, j]) outs([i]) {{
    %zero = arith.constant -0.0 : f32
    %abs = math.absf %a : f32
    %b = arith.mulf %abs, %zero : f32
    mdh.yield %b : f32
  }} : (tensor<{i}x{j}xf32>) -> tensor<{i}xf32>
  %r = mdh.compute (i in {i}) ins(%a = %s[i]) outs([i]) {{
    %one = arith.constant 1.0 : f32
    %q = arith.divf %one, %a : f32
    mdh.yield %q : f32
  }} : (tensor<{i}xf32>) -> tensor<{i}xf32>
  return %r : tensor<{i}xf32>
}}"
            ));
        }
    }
}

/// Where no place can be empty, a sum of negative zeros is one
#[test]
fn negative_zeros_stay() {
    agree(
        "func.func @f(%A: tensor<9x3xf32>) -> tensor<9xf32> {
  %s = mdh.compute (i in 9, r in 3 pw add) where 0 <= i + r - 1 < 9 ins(%a = %A[i + r - 1, 0]) outs([i]) {
    %zero = arith.constant -0.0 : f32
    %abs = math.absf %a : f32
    %b = arith.mulf %abs, %zero : f32
    mdh.yield %b : f32
  } : (tensor<9x3xf32>) -> tensor<9xf32>
  %r = mdh.compute (i in 9) ins(%a = %s[i]) outs([i]) {
    %one = arith.constant 1.0 : f32
    %q = arith.divf %one, %a : f32
    mdh.yield %q : f32
  } : (tensor<9xf32>) -> tensor<9xf32>
  return %r : tensor<9xf32>
}",
    );
}
