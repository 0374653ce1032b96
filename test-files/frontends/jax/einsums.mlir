// test: round-trip
// einsums: A batched product, a trace, an outer product, a bilinear form
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 2x3x4xf32: 1.375 -0.9375 -1.5625 -0.8125 -0.375 1.25 -0.1875 -1.6875 -0.6875 0.4375 1.25 0.9375 2 -1.25 1.5625 -1.8125 0.25 -0.9375
//   -1.1875 0.625 -0.8125 0.25 -1 -1.4375
// in 2x5x4xf32: 1 -0.25 0.75 0.6875 1.8125 -0.3125 -1.125 0.5625 1.75 1.875 1.5 0.75 -0.5 -0.4375 -1.875 -1.25 -0.6875 -0.625 0.3125 0.0625
//   0.8125 1.5625 1.5625 1.125 1.9375 -0.75 1.625 1.75 -1.125 -0.125 0.3125 0.8125 0.8125 -1.625 -0.0625 -1.625 1.875 -1.1875 -0.1875
//   1.5625
// in 3x3xf32: 0.0625 0.75 0 1.4375 0.375 0.5625 -0.1875 -0.375 0.375
// in 3xf32: 0.0625 1.1875 0.375
// out 2x3x5xf32: -0.12109375 4.0859375 -2.3046875 3.6679688 -0.8984375 -1.9882812 -1.8085938 0.140625 2.1015625 -0.6875 0.78515625
//   -2.2617188 2.1953125 -3.3632812 0.6484375 0.07421875 4.1796875 -3.078125 6.5039062 2.109375 -2.4140625 0.3515625 -0.02734375 0.78515625
//   2.78125 -3.4492188 -5.9023438 -0.59765625 1.3320312 -3.8789062
// out f32: 0.8125
// out 3x3xf32: 0.00390625 0.07421875 0.0234375 0.07421875 1.4101562 0.4453125 0.0234375 0.4453125 0.140625
// out f32: 0.8232422
// out 4x2xf32: 0.3125 1.4375 0.75 -1.9375 -0.5 -0.625 -1.5625 -2.625
func.func @main(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x5x4xf32>, %arg2: tensor<3x3xf32>, %arg3: tensor<3xf32>) -> (tensor<2x3x5xf32>, tensor<f32>, tensor<3x3xf32>, tensor<f32>, tensor<4x2xf32>) {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x4x5xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x5x4xf32>) outs(%0 : tensor<2x4x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x4x5xf32>
  %2 = tensor.empty() : tensor<2x3x5xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %4 = linalg.batch_matmul ins(%arg0, %1 : tensor<2x3x4xf32>, tensor<2x4x5xf32>) outs(%3 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %5 = tensor.empty() : tensor<3x3xi32>
  %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%5 : tensor<3x3xi32>) {
  ^bb0(%out: i32):
    %33 = linalg.index 0 : index
    %34 = arith.index_cast %33 : index to i32
    linalg.yield %34 : i32
  } -> tensor<3x3xi32>
  %7 = tensor.empty() : tensor<3x3xi32>
  %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%7 : tensor<3x3xi32>) {
  ^bb0(%out: i32):
    %33 = linalg.index 1 : index
    %34 = arith.index_cast %33 : index to i32
    linalg.yield %34 : i32
  } -> tensor<3x3xi32>
  %9 = tensor.empty() : tensor<3x3xi1>
  %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%6, %8 : tensor<3x3xi32>, tensor<3x3xi32>) outs(%9 : tensor<3x3xi1>) {
  ^bb0(%in: i32, %in_0: i32, %out: i1):
    %33 = arith.cmpi eq, %in, %in_0 : i32
    linalg.yield %33 : i1
  } -> tensor<3x3xi1>
  %11 = tensor.empty() : tensor<3x3xf32>
  %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%10, %arg2 : tensor<3x3xi1>, tensor<3x3xf32>) outs(%11 : tensor<3x3xf32>) {
  ^bb0(%in: i1, %in_0: f32, %out: f32):
    %33 = arith.select %in, %in_0, %cst : f32
    linalg.yield %33 : f32
  } -> tensor<3x3xf32>
  %13 = tensor.empty() : tensor<f32>
  %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<f32>) -> tensor<f32>
  %15 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%12 : tensor<3x3xf32>) outs(%14 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %33 = arith.addf %out, %in : f32
    linalg.yield %33 : f32
  } -> tensor<f32>
  %16 = tensor.empty() : tensor<3x3xf32>
  %17 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<3xf32>) outs(%16 : tensor<3x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x3xf32>
  %18 = tensor.empty() : tensor<3x3xf32>
  %19 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<3xf32>) outs(%18 : tensor<3x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x3xf32>
  %20 = tensor.empty() : tensor<3x3xf32>
  %21 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%17, %19 : tensor<3x3xf32>, tensor<3x3xf32>) outs(%20 : tensor<3x3xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %33 = arith.mulf %in, %in_0 : f32
    linalg.yield %33 : f32
  } -> tensor<3x3xf32>
  %22 = tensor.empty() : tensor<3xf32>
  %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<3xf32>) -> tensor<3xf32>
  %24 = linalg.vecmat ins(%arg3, %arg2 : tensor<3xf32>, tensor<3x3xf32>) outs(%23 : tensor<3xf32>) -> tensor<3xf32>
  %25 = tensor.empty() : tensor<f32>
  %26 = linalg.fill ins(%cst : f32) outs(%25 : tensor<f32>) -> tensor<f32>
  %27 = linalg.dot ins(%arg3, %24 : tensor<3xf32>, tensor<3xf32>) outs(%26 : tensor<f32>) -> tensor<f32>
  %28 = tensor.empty() : tensor<2x4xf32>
  %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<2x4xf32>) -> tensor<2x4xf32>
  %30 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x3x4xf32>) outs(%29 : tensor<2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %33 = arith.addf %out, %in : f32
    linalg.yield %33 : f32
  } -> tensor<2x4xf32>
  %31 = tensor.empty() : tensor<4x2xf32>
  %32 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%30 : tensor<2x4xf32>) outs(%31 : tensor<4x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x2xf32>
  return %4, %15, %21, %27, %32 : tensor<2x3x5xf32>, tensor<f32>, tensor<3x3xf32>, tensor<f32>, tensor<4x2xf32>
}
