// test: round-trip
module {
  func.func @matmul_t(%A: tensor<6x4xf32>, %B: tensor<5x6xf32>) -> (tensor<5x4xf32> {terrace.name = "C"}) {
    %C = mdh.compute "matmul_t" (i in 4, j in 5, k in 6 pw add) ins(%a = %A[k, i], %b = %B[j, k]) outs([j, i]) {
      %0 = arith.mulf %a, %b : f32
      mdh.yield %0 : f32
    } : (tensor<6x4xf32>, tensor<5x6xf32>) -> tensor<5x4xf32>
    return %C : tensor<5x4xf32>
  }
}
