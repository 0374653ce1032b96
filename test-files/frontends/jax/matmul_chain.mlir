// test: round-trip
// matmul chain
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 3x5xf32: -0.125 0.0625 1.0625 1.8125 -1.875 -1.4375 1.3125 1.8125 -1 -0.75 1.5 -0.3125 -0.9375 1.3125 -1
// in 5x7xf32: -0.375 0.5625 0.1875 -1.6875 -1.9375 1.5 1 1.375 0.125 1.3125 -0.6875 -0.1875 1.1875 -1.5 -0.8125 -1.5 -0.1875 1.9375 -1.5
//   -0.5 -0.375 1.625 -1.1875 0 -0.9375 -1.9375 1 -1.75 -0.875 0 -0.0625 -1.5625 1.9375 1 1.875
// in 7x2xf32: -1.6875 0.9375 -0.8125 0.1875 1.75 -0.9375 0.9375 -1.375 -0.75 1.9375 -0.3125 0.0625 -0.8125 -1.5625
// in 2x3xf32: -0.3125 0.5 -0.1875 1.125 -0.5625 0.4375
// out 3x3xf32: -11.665375 10.069473 -5.349655 -10.351898 10.156799 -4.981659 0.45037842 -1.4194183 0.40434265
func.func @main(%arg0: tensor<3x5xf32>, %arg1: tensor<5x7xf32>, %arg2: tensor<7x2xf32>, %arg3: tensor<2x3xf32>) -> tensor<3x3xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<3x7xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x7xf32>) -> tensor<3x7xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<3x5xf32>, tensor<5x7xf32>) outs(%1 : tensor<3x7xf32>) -> tensor<3x7xf32>
  %3 = tensor.empty() : tensor<3x2xf32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<3x2xf32>) -> tensor<3x2xf32>
  %5 = linalg.matmul ins(%2, %arg2 : tensor<3x7xf32>, tensor<7x2xf32>) outs(%4 : tensor<3x2xf32>) -> tensor<3x2xf32>
  %6 = tensor.empty() : tensor<3x3xf32>
  %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<3x3xf32>) -> tensor<3x3xf32>
  %8 = linalg.matmul ins(%5, %arg3 : tensor<3x2xf32>, tensor<2x3xf32>) outs(%7 : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %8 : tensor<3x3xf32>
}
