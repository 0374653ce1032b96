// test: round-trip
// bf16 product: Small floats, summed up in f32
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 3x4xbf16: 1.0625 -2 0.75 0.875 1.25 -0.6875 0.0625 1.75 -0.5625 -1.625 -1.5 0.6875
// in 4x2xbf16: 1 1.3125 -1.25 0.75 1 2 1.25 1.0625
// out 3x2xf32: 5.40625 2.3242188 4.359375 3.109375 0.828125 0
// out 3x4xf32: 3.125 -3 2.5 2.75 3.5 -0.375 1.125 4.5 -0.125 -2.25 -2 2.375
func.func @main(%arg0: tensor<3x4xbf16>, %arg1: tensor<4x2xbf16>) -> (tensor<3x2xf32>, tensor<3x4xf32>) {
  %cst = arith.constant 1.000000e+00 : bf16
  %cst_0 = arith.constant 2.000000e+00 : bf16
  %cst_1 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<3x2xf32>
  %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<3x2xf32>) -> tensor<3x2xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<3x4xbf16>, tensor<4x2xbf16>) outs(%1 : tensor<3x2xf32>) -> tensor<3x2xf32>
  %3 = tensor.empty() : tensor<3x2xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<3x2xf32>) outs(%3 : tensor<3x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %11 = arith.maximumf %in, %cst_1 : f32
    linalg.yield %11 : f32
  } -> tensor<3x2xf32>
  %5 = tensor.empty() : tensor<3x4xbf16>
  %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<3x4xbf16>) outs(%5 : tensor<3x4xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %11 = arith.mulf %in, %cst_0 : bf16
    linalg.yield %11 : bf16
  } -> tensor<3x4xbf16>
  %7 = tensor.empty() : tensor<3x4xbf16>
  %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<3x4xbf16>) outs(%7 : tensor<3x4xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %11 = arith.addf %in, %cst : bf16
    linalg.yield %11 : bf16
  } -> tensor<3x4xbf16>
  %9 = tensor.empty() : tensor<3x4xf32>
  %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<3x4xbf16>) outs(%9 : tensor<3x4xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %11 = arith.extf %in : bf16 to f32
    linalg.yield %11 : f32
  } -> tensor<3x4xf32>
  return %4, %10 : tensor<3x2xf32>, tensor<3x4xf32>
}
