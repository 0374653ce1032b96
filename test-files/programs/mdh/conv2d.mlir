// test: round-trip
module {
  func.func @conv2d(%X: tensor<10x9xf32>, %W: tensor<5x5xf32>) -> (tensor<6x5xf32> {terrace.name = "O"}) {
    %O = mdh.compute "conv2d" (p in 6, q in 5, r in 5 pw add, s in 5 pw add) ins(%x = %X[p + r, q + s], %w = %W[r, s]) outs([p, q]) {
      %0 = arith.mulf %x, %w : f32
      mdh.yield %0 : f32
    } : (tensor<10x9xf32>, tensor<5x5xf32>) -> tensor<6x5xf32>
    return %O : tensor<6x5xf32>
  }
}
