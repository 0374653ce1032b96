// test: round-trip
// rms norm
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 4x7xf32: -0.3125 1.5 1.875 -0.875 -1.5625 0.4375 0.6875 1.125 0.5625 0.875 1.6875 1.6875 1.75 1.4375 0.875 1.6875 -2 -1.9375 1.1875
//   -0.25 1 -0.0625 1.625 -1.75 0.6875 -2 -1.4375 1.3125
// in 7xf32: -0.8125 1.9375 -0.625 1.125 1.875 -0.75 1.9375
// out 4x7xf32: 0.21531197 2.4644942 -0.99374765 -0.83474797 -2.484369 -0.27824932 1.1295598 -0.6663478 0.79449165 -0.39866966 1.3839532
//   2.3065886 -0.95680714 2.0303676 -0.5056089 2.3252454 0.8889827 -1.5501636 1.5835004 0.1333474 1.3779233 0.035947897 2.2287695 0.7742624
//   0.54751414 -2.654614 0.7632016 1.80016
func.func @main(%arg0: tensor<4x7xf32>, %arg1: tensor<7xf32>) -> tensor<4x7xf32> {
  %cst = arith.constant 9.99999997E-7 : f32
  %cst_0 = arith.constant 7.000000e+00 : f32
  %cst_1 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<4x7xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x7xf32>) outs(%0 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %19 = arith.mulf %in, %in : f32
    linalg.yield %19 : f32
  } -> tensor<4x7xf32>
  %2 = tensor.empty() : tensor<4xf32>
  %3 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<4x7xf32>) outs(%3 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %19 = arith.addf %out, %in : f32
    linalg.yield %19 : f32
  } -> tensor<4xf32>
  %expanded = tensor.expand_shape %4 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  %5 = tensor.empty() : tensor<4x1xf32>
  %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<4x1xf32>) outs(%5 : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %19 = arith.divf %in, %cst_0 : f32
    linalg.yield %19 : f32
  } -> tensor<4x1xf32>
  %7 = tensor.empty() : tensor<4x1xf32>
  %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<4x1xf32>) outs(%7 : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %19 = arith.addf %in, %cst : f32
    linalg.yield %19 : f32
  } -> tensor<4x1xf32>
  %9 = tensor.empty() : tensor<4x1xf32>
  %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<4x1xf32>) outs(%9 : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %19 = math.rsqrt %in : f32
    linalg.yield %19 : f32
  } -> tensor<4x1xf32>
  %11 = tensor.empty() : tensor<4x7xf32>
  %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<4x1xf32>) outs(%11 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x7xf32>
  %13 = tensor.empty() : tensor<4x7xf32>
  %14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0, %12 : tensor<4x7xf32>, tensor<4x7xf32>) outs(%13 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %19 = arith.mulf %in, %in_2 : f32
    linalg.yield %19 : f32
  } -> tensor<4x7xf32>
  %15 = tensor.empty() : tensor<4x7xf32>
  %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<7xf32>) outs(%15 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x7xf32>
  %17 = tensor.empty() : tensor<4x7xf32>
  %18 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%14, %16 : tensor<4x7xf32>, tensor<4x7xf32>) outs(%17 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %19 = arith.mulf %in, %in_2 : f32
    linalg.yield %19 : f32
  } -> tensor<4x7xf32>
  return %18 : tensor<4x7xf32>
}
