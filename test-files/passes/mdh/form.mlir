// test: opt --pipeline="func.func(mdh-form{form=im2col})" --verify-diagnostics
// snapshot:
// Windows that are copied, and a product of the copy.

func.func @images(%X: tensor<2x5x9x11xf32>, %F: tensor<7x5x3x3xf32>) -> tensor<2x7x9x11xf32> {
  // expected-remark@+1 {{the convolution has the form `im2col`}}
  %0 = mdh.compute "layer" (b in 2, k in 7, y in 9, x in 11, c in 5 pw add, r in 3 pw add, s in 3 pw add) ins(%a = %X[b, c, y + r - 1, x + s - 1] else 0.0, %w = %F[k, c, r, s]) outs([b, k, y, x]) {
    %p = arith.mulf %a, %w : f32
    mdh.yield %p : f32
  } : (tensor<2x5x9x11xf32>, tensor<7x5x3x3xf32>) -> tensor<2x7x9x11xf32>
  return %0 : tensor<2x7x9x11xf32>
}

// Other computations stay.
func.func @others(%X: tensor<9xf32>) -> tensor<9xf32> {
  %0 = mdh.compute (i in 9) ins(%a = %X[i]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<9xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}
