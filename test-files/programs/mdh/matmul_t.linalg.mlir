// test: round-trip
func.func @matmul_t(%A: tensor<6x4xf32>, %B: tensor<5x6xf32>) -> (tensor<5x4xf32> {terrace.name = "C"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>
  %r = linalg.contract indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (j, i)>] ins(%A, %B : tensor<6x4xf32>, tensor<5x6xf32>) outs(%f : tensor<5x4xf32>) -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}
