// test: round-trip
// Padding first: zeros times weights are zeros.
func.func @mcc(%X: tensor<1x4x5x2xf32>, %F: tensor<3x3x3x2xf32>, %bias: tensor<3xf32>) -> (tensor<1x4x5x3xf32> {terrace.name = "O"}) {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %X low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x4x5x2xf32> to tensor<1x6x7x2xf32>
  %e = tensor.empty() : tensor<1x4x5x3xf32>
  %b = linalg.broadcast ins(%bias : tensor<3xf32>) outs(%e : tensor<1x4x5x3xf32>) dimensions = [0, 1, 2]
  %r = linalg.conv_2d_nhwc_fhwc ins(%p, %F : tensor<1x6x7x2xf32>, tensor<3x3x3x2xf32>) outs(%b : tensor<1x4x5x3xf32>) -> tensor<1x4x5x3xf32>
  return %r : tensor<1x4x5x3xf32>
}
