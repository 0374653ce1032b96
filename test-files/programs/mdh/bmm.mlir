// test: round-trip
module {
  func.func @bmm(%A: tensor<2x3x5xf32>, %D: tensor<2x5x4xf32>) -> (tensor<2x3x4xf32> {terrace.name = "C"}) {
    %C = mdh.compute "bmm" (b in 2, i in 3, j in 4, k in 5 pw add) ins(%a = %A[b, i, k], %d = %D[b, k, j]) outs([b, i, j]) {
      %0 = arith.mulf %a, %d : f32
      mdh.yield %0 : f32
    } : (tensor<2x3x5xf32>, tensor<2x5x4xf32>) -> tensor<2x3x4xf32>
    return %C : tensor<2x3x4xf32>
  }
}
