// test: round-trip
module {
  func.func @mcc_capsule(%X: tensor<1x5x4x3x2x2xf32>, %F: tensor<2x3x3x3x2x2xf32>) -> (tensor<1x3x2x2x2x2xf32> {terrace.name = "O"}) {
    %O = mdh.compute "mcc_capsule" (n in 1, p in 3, q in 2, k in 2, r in 3 pw add, s in 3 pw add, c in 3 pw add, mi in 2, mj in 2, mk in 2 pw add) ins(%x = %X[n, p + r, q + s, c, mi, mk], %f = %F[k, r, s, c, mk, mj]) outs([n, p, q, k, mi, mj]) {
      %0 = arith.mulf %x, %f : f32
      mdh.yield %0 : f32
    } : (tensor<1x5x4x3x2x2xf32>, tensor<2x3x3x3x2x2xf32>) -> tensor<1x3x2x2x2x2xf32>
    return %O : tensor<1x3x2x2x2x2xf32>
  }
}
