// test: round-trip
// layer norm
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 4x7xf32: 0.875 -0.6875 -1.0625 2 -1.3125 -0.75 0.5625 1.1875 0.5625 1.5 -1.8125 -0.4375 0.3125 -0.25 -0.4375 -0.5 -1.875 -1.625 0.1875
//   -0.0625 1.875 -1.0625 1.4375 -1 -1.4375 -1.25 -0.4375 -1.25
// in 7xf32: 1.625 1.25 1.25 -0.3125 -1.9375 -1 -0.25
// in 7xf32: 0.375 -0.1875 0.4375 -0.5 0.625 -1.9375 1.6875
// out 4x7xf32: 1.7095566 -0.8883395 -0.67792076 -1.0675814 2.7823029 -1.3215508 1.5512805 2.0061862 0.31007674 2.07085 0.09492875 1.7315675
//   -2.0932631 1.784852 0.24914868 -0.3520748 -1.2179294 -0.15390879 -0.27532113 -2.1853304 1.2053925 -0.23584151 2.716106 0.051959015
//   -0.25602484 1.7454785 -2.2362943 1.8320779
func.func @main(%arg0: tensor<4x7xf32>, %arg1: tensor<7xf32>, %arg2: tensor<7xf32>) -> tensor<4x7xf32> {
  %cst = arith.constant 9.99999974E-6 : f32
  %cst_0 = arith.constant 7.000000e+00 : f32
  %cst_1 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x7xf32>) outs(%1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %32 = arith.addf %out, %in : f32
    linalg.yield %32 : f32
  } -> tensor<4xf32>
  %expanded = tensor.expand_shape %2 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  %3 = tensor.empty() : tensor<4x1xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<4x1xf32>) outs(%3 : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %32 = arith.divf %in, %cst_0 : f32
    linalg.yield %32 : f32
  } -> tensor<4x1xf32>
  %5 = tensor.empty() : tensor<4x7xf32>
  %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<4x1xf32>) outs(%5 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x7xf32>
  %7 = tensor.empty() : tensor<4x7xf32>
  %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0, %6 : tensor<4x7xf32>, tensor<4x7xf32>) outs(%7 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %32 = arith.subf %in, %in_3 : f32
    linalg.yield %32 : f32
  } -> tensor<4x7xf32>
  %9 = tensor.empty() : tensor<4x7xf32>
  %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<4x7xf32>) outs(%9 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %32 = arith.mulf %in, %in : f32
    linalg.yield %32 : f32
  } -> tensor<4x7xf32>
  %11 = tensor.empty() : tensor<4xf32>
  %12 = linalg.fill ins(%cst_1 : f32) outs(%11 : tensor<4xf32>) -> tensor<4xf32>
  %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%10 : tensor<4x7xf32>) outs(%12 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %32 = arith.addf %out, %in : f32
    linalg.yield %32 : f32
  } -> tensor<4xf32>
  %expanded_2 = tensor.expand_shape %13 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  %14 = tensor.empty() : tensor<4x1xf32>
  %15 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%expanded_2 : tensor<4x1xf32>) outs(%14 : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %32 = arith.divf %in, %cst_0 : f32
    linalg.yield %32 : f32
  } -> tensor<4x1xf32>
  %16 = tensor.empty() : tensor<4x1xf32>
  %17 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<4x1xf32>) outs(%16 : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %32 = arith.addf %in, %cst : f32
    linalg.yield %32 : f32
  } -> tensor<4x1xf32>
  %18 = tensor.empty() : tensor<4x1xf32>
  %19 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<4x1xf32>) outs(%18 : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %32 = math.sqrt %in : f32
    linalg.yield %32 : f32
  } -> tensor<4x1xf32>
  %20 = tensor.empty() : tensor<4x7xf32>
  %21 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<4x1xf32>) outs(%20 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x7xf32>
  %22 = tensor.empty() : tensor<4x7xf32>
  %23 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%8, %21 : tensor<4x7xf32>, tensor<4x7xf32>) outs(%22 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %32 = arith.divf %in, %in_3 : f32
    linalg.yield %32 : f32
  } -> tensor<4x7xf32>
  %24 = tensor.empty() : tensor<4x7xf32>
  %25 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<7xf32>) outs(%24 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x7xf32>
  %26 = tensor.empty() : tensor<4x7xf32>
  %27 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%23, %25 : tensor<4x7xf32>, tensor<4x7xf32>) outs(%26 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %32 = arith.mulf %in, %in_3 : f32
    linalg.yield %32 : f32
  } -> tensor<4x7xf32>
  %28 = tensor.empty() : tensor<4x7xf32>
  %29 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<7xf32>) outs(%28 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x7xf32>
  %30 = tensor.empty() : tensor<4x7xf32>
  %31 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%27, %29 : tensor<4x7xf32>, tensor<4x7xf32>) outs(%30 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %32 = arith.addf %in, %in_3 : f32
    linalg.yield %32 : f32
  } -> tensor<4x7xf32>
  return %31 : tensor<4x7xf32>
}
