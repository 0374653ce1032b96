// test: round-trip
func.func @matvec(%M: tensor<9x7xf32>, %v: tensor<7xf32>) -> (tensor<9xf32> {terrace.name = "w"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<9xf32>) -> tensor<9xf32>
  %r = linalg.matvec ins(%M, %v : tensor<9x7xf32>, tensor<7xf32>) outs(%f : tensor<9xf32>) -> tensor<9xf32>
  return %r : tensor<9xf32>
}
