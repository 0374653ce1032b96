// test: round-trip
// mlp: Two layers with relu and softmax
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 4x6xf32: 1.4375 0.5625 0.0625 -0.9375 -0.75 -1.875 -1.75 -1.9375 -1.3125 1.25 0.625 1.6875 0 0.4375 1.9375 0.9375 0.5625 0.1875 0.25
//   1.75 -0.875 1.3125 0.6875 -2
// in 6x8xf32: -0.4375 1.4375 0.25 -1.875 1.0625 0.9375 1.4375 -1.3125 -1.6875 1.5 -1.9375 0.1875 -1.6875 -0.8125 -0.0625 -0.3125 -0.375
//   -1.9375 -2 -1.5 -2 0.6875 0.125 0.625 -1 0.5 1.0625 -0.5 -0.1875 2 1.25 1.9375 -0.5 0.75 1.8125 0.625 1.375 0.75 0.8125 -0.4375 1.5
//   -1.5 0.3125 0.875 1.375 0.125 -0.5 -0.75
// in 8xf32: -0.3125 -0.0625 0.875 1.5625 -1.75 1.75 0.125 -0.5625
// in 8x3xf32: 0.6875 0.3125 -1 -0.75 0.875 0.375 0 -0.6875 1.0625 -0.4375 -0.6875 1.5625 -0.9375 -1.125 0.875 0.5 -1.8125 -1.6875 -0.5
//   1.375 -0.375 1.1875 -0.75 -1.0625
// in 3xf32: 1.1875 1.5 -1.6875
// out 4x3xf32: 4.1631491e-05 0.99952805 4.3032906e-04 6.8515707e-05 8.6978018e-16 0.99993145 0.9999908 9.1271486e-06 1.4504058e-08
//   4.5417608e-05 0.99990106 5.3462787e-05
func.func @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6x8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<8x3xf32>, %arg4: tensor<3xf32>) -> tensor<4x3xf32> {
  %cst = arith.constant 0xFF800000 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<4x8xf32>
  %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<4x6xf32>, tensor<6x8xf32>) outs(%1 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = tensor.empty() : tensor<4x8xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<8xf32>) outs(%3 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x8xf32>
  %5 = tensor.empty() : tensor<4x8xf32>
  %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%2, %4 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%5 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %32 = arith.addf %in, %in_1 : f32
    linalg.yield %32 : f32
  } -> tensor<4x8xf32>
  %7 = tensor.empty() : tensor<4x8xf32>
  %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<4x8xf32>) outs(%7 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %32 = arith.maximumf %in, %cst_0 : f32
    linalg.yield %32 : f32
  } -> tensor<4x8xf32>
  %9 = tensor.empty() : tensor<4x3xf32>
  %10 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<4x3xf32>) -> tensor<4x3xf32>
  %11 = linalg.matmul ins(%8, %arg3 : tensor<4x8xf32>, tensor<8x3xf32>) outs(%10 : tensor<4x3xf32>) -> tensor<4x3xf32>
  %12 = tensor.empty() : tensor<4x3xf32>
  %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<3xf32>) outs(%12 : tensor<4x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x3xf32>
  %14 = tensor.empty() : tensor<4x3xf32>
  %15 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%11, %13 : tensor<4x3xf32>, tensor<4x3xf32>) outs(%14 : tensor<4x3xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %32 = arith.addf %in, %in_1 : f32
    linalg.yield %32 : f32
  } -> tensor<4x3xf32>
  %16 = tensor.empty() : tensor<4xf32>
  %17 = linalg.fill ins(%cst : f32) outs(%16 : tensor<4xf32>) -> tensor<4xf32>
  %18 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%15 : tensor<4x3xf32>) outs(%17 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %32 = arith.maximumf %out, %in : f32
    linalg.yield %32 : f32
  } -> tensor<4xf32>
  %19 = tensor.empty() : tensor<4x3xf32>
  %20 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<4xf32>) outs(%19 : tensor<4x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x3xf32>
  %21 = tensor.empty() : tensor<4x3xf32>
  %22 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%15, %20 : tensor<4x3xf32>, tensor<4x3xf32>) outs(%21 : tensor<4x3xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %32 = arith.subf %in, %in_1 : f32
    linalg.yield %32 : f32
  } -> tensor<4x3xf32>
  %23 = tensor.empty() : tensor<4x3xf32>
  %24 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<4x3xf32>) outs(%23 : tensor<4x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %32 = math.exp %in : f32
    linalg.yield %32 : f32
  } -> tensor<4x3xf32>
  %25 = tensor.empty() : tensor<4xf32>
  %26 = linalg.fill ins(%cst_0 : f32) outs(%25 : tensor<4xf32>) -> tensor<4xf32>
  %27 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%24 : tensor<4x3xf32>) outs(%26 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %32 = arith.addf %out, %in : f32
    linalg.yield %32 : f32
  } -> tensor<4xf32>
  %28 = tensor.empty() : tensor<4x3xf32>
  %29 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<4xf32>) outs(%28 : tensor<4x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x3xf32>
  %30 = tensor.empty() : tensor<4x3xf32>
  %31 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%24, %29 : tensor<4x3xf32>, tensor<4x3xf32>) outs(%30 : tensor<4x3xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %32 = arith.divf %in, %in_1 : f32
    linalg.yield %32 : f32
  } -> tensor<4x3xf32>
  return %31 : tensor<4x3xf32>
}
