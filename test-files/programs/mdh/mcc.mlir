// test: round-trip
module {
  func.func @mcc(%X: tensor<1x4x5x2xf32>, %F: tensor<3x3x3x2xf32>, %bias: tensor<3xf32>) -> (tensor<1x4x5x3xf32> {terrace.name = "O"}) {
    %O = mdh.compute "mcc" (n in 1, p in 4, q in 5, k in 3, r in 3 pw add, s in 3 pw add, c in 2 pw add) where 0 <= p + r - 1 < 4, 0 <= q + s - 1 < 5 ins(%x = %X[n, p + r - 1, q + s - 1, c], %f = %F[k, r, s, c]) outs([n, p, q, k] into %bias[k]) {
      %0 = arith.mulf %x, %f : f32
      mdh.yield %0 : f32
    } : (tensor<1x4x5x2xf32>, tensor<3x3x3x2xf32>, tensor<3xf32>) -> tensor<1x4x5x3xf32>
    return %O : tensor<1x4x5x3xf32>
  }
}
