// test: round-trip
func.func @conv2d(%X: tensor<10x9xf32>, %W: tensor<5x5xf32>) -> (tensor<6x5xf32> {terrace.name = "O"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r = linalg.conv_2d ins(%X, %W : tensor<10x9xf32>, tensor<5x5xf32>) outs(%f : tensor<6x5xf32>) -> tensor<6x5xf32>
  return %r : tensor<6x5xf32>
}
