// test: round-trip
func.func @bmm(%A: tensor<2x3x5xf32>, %D: tensor<2x5x4xf32>) -> (tensor<2x3x4xf32> {terrace.name = "C"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %r = linalg.batch_matmul ins(%A, %D : tensor<2x3x5xf32>, tensor<2x5x4xf32>) outs(%f : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}
