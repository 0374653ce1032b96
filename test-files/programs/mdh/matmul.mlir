// test: round-trip
module {
  func.func @matmul(%A: tensor<4x6xf32>, %B: tensor<6x5xf32>) -> (tensor<4x5xf32> {terrace.name = "C"}) {
    %C = mdh.compute "matmul" (i in 4, j in 5, k in 6 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
      %0 = arith.mulf %a, %b : f32
      mdh.yield %0 : f32
    } : (tensor<4x6xf32>, tensor<6x5xf32>) -> tensor<4x5xf32>
    return %C : tensor<4x5xf32>
  }
}
