// test: round-trip
module {
  func.func @matvec(%M: tensor<9x7xf32>, %v: tensor<7xf32>) -> (tensor<9xf32> {terrace.name = "w"}) {
    %w = mdh.compute "matvec" (i in 9, k in 7 pw add) ins(%m = %M[i, k], %v.e = %v[k]) outs([i]) {
      %0 = arith.mulf %m, %v.e : f32
      mdh.yield %0 : f32
    } : (tensor<9x7xf32>, tensor<7xf32>) -> tensor<9xf32>
    return %w : tensor<9xf32>
  }
}
