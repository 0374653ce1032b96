// test: opt --pipeline="func.func(mdh-schedule)" --verify-diagnostics
// Dimensions that are stated without a schedule are checked before one is chosen.

func.func @product(%A: tensor<32x16xf32>, %B: tensor<32x16xf32>) -> tensor<32x32xf32> {
  // expected-error@+1 {{S-SYMMETRIC: the result does not stay the same when these dimensions are exchanged}}
  %c = mdh.compute (i in 32, j in 32, k in 16 pw add) ins(%x = %A[i, k], %y = %B[j, k]) outs([i, j]) attributes {mdh.symmetric = array<i64: 0, 1>} {
    %p = arith.mulf %x, %y : f32
    mdh.yield %p : f32
  } : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x32xf32>
  return %c : tensor<32x32xf32>
}
