// test: round-trip
// sgd step: Of linear regression: gradient and step in one
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 6x3xf32: -1.625 -0.6875 1.3125 -0.1875 1.75 1.75 -1.0625 1.8125 -1.9375 -1.625 0.0625 -2 -0.625 -0.1875 -0.6875 1.6875 -0.9375 1.25
// in 6xf32: 0.3125 1.625 0.6875 1.25 1.75 -1.375
// in 3xf32: 0 1.9375 1
// in f32: -0.5625
// out 3xf32: -0.3023763 1.7195069 0.5543864
// out f32: -0.41497394
// out f32: 5.770826
func.func @main(%arg0: tensor<6x3xf32>, %arg1: tensor<6xf32>, %arg2: tensor<3xf32>, %arg3: tensor<f32>) -> (tensor<3xf32>, tensor<f32>, tensor<f32>) {
  %cst = arith.constant 0.166666672 : f32
  %cst_0 = arith.constant 1.000000e-01 : f32
  %cst_1 = arith.constant 6.000000e+00 : f32
  %cst_2 = arith.constant 2.000000e+00 : f32
  %cst_3 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<6xf32>
  %1 = linalg.fill ins(%cst_3 : f32) outs(%0 : tensor<6xf32>) -> tensor<6xf32>
  %2 = linalg.matvec ins(%arg0, %arg2 : tensor<6x3xf32>, tensor<3xf32>) outs(%1 : tensor<6xf32>) -> tensor<6xf32>
  %3 = tensor.empty() : tensor<6xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg3 : tensor<f32>) outs(%3 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<6xf32>
  %5 = tensor.empty() : tensor<6xf32>
  %6 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%2, %4 : tensor<6xf32>, tensor<6xf32>) outs(%5 : tensor<6xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %38 = arith.addf %in, %in_4 : f32
    linalg.yield %38 : f32
  } -> tensor<6xf32>
  %7 = tensor.empty() : tensor<6xf32>
  %8 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%6, %arg1 : tensor<6xf32>, tensor<6xf32>) outs(%7 : tensor<6xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %38 = arith.subf %in, %in_4 : f32
    linalg.yield %38 : f32
  } -> tensor<6xf32>
  %9 = tensor.empty() : tensor<6xf32>
  %10 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%8 : tensor<6xf32>) outs(%9 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = arith.mulf %in, %in : f32
    linalg.yield %38 : f32
  } -> tensor<6xf32>
  %11 = tensor.empty() : tensor<6xf32>
  %12 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%8 : tensor<6xf32>) outs(%11 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = arith.mulf %in, %cst_2 : f32
    linalg.yield %38 : f32
  } -> tensor<6xf32>
  %13 = tensor.empty() : tensor<f32>
  %14 = linalg.fill ins(%cst_3 : f32) outs(%13 : tensor<f32>) -> tensor<f32>
  %15 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%10 : tensor<6xf32>) outs(%14 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = arith.addf %out, %in : f32
    linalg.yield %38 : f32
  } -> tensor<f32>
  %16 = tensor.empty() : tensor<f32>
  %17 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%15 : tensor<f32>) outs(%16 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = arith.divf %in, %cst_1 : f32
    linalg.yield %38 : f32
  } -> tensor<f32>
  %18 = tensor.empty() : tensor<f32>
  %19 = linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%18 : tensor<f32>) {
  ^bb0(%out: f32):
    linalg.yield %cst : f32
  } -> tensor<f32>
  %20 = tensor.empty() : tensor<6xf32>
  %21 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%19 : tensor<f32>) outs(%20 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<6xf32>
  %22 = tensor.empty() : tensor<6xf32>
  %23 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%21, %12 : tensor<6xf32>, tensor<6xf32>) outs(%22 : tensor<6xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %38 = arith.mulf %in, %in_4 : f32
    linalg.yield %38 : f32
  } -> tensor<6xf32>
  %24 = tensor.empty() : tensor<f32>
  %25 = linalg.fill ins(%cst_3 : f32) outs(%24 : tensor<f32>) -> tensor<f32>
  %26 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%23 : tensor<6xf32>) outs(%25 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = arith.addf %out, %in : f32
    linalg.yield %38 : f32
  } -> tensor<f32>
  %27 = tensor.empty() : tensor<3xf32>
  %28 = linalg.fill ins(%cst_3 : f32) outs(%27 : tensor<3xf32>) -> tensor<3xf32>
  %29 = linalg.vecmat ins(%23, %arg0 : tensor<6xf32>, tensor<6x3xf32>) outs(%28 : tensor<3xf32>) -> tensor<3xf32>
  %30 = tensor.empty() : tensor<3xf32>
  %31 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%29 : tensor<3xf32>) outs(%30 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = arith.mulf %in, %cst_0 : f32
    linalg.yield %38 : f32
  } -> tensor<3xf32>
  %32 = tensor.empty() : tensor<3xf32>
  %33 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg2, %31 : tensor<3xf32>, tensor<3xf32>) outs(%32 : tensor<3xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %38 = arith.subf %in, %in_4 : f32
    linalg.yield %38 : f32
  } -> tensor<3xf32>
  %34 = tensor.empty() : tensor<f32>
  %35 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%26 : tensor<f32>) outs(%34 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = arith.mulf %in, %cst_0 : f32
    linalg.yield %38 : f32
  } -> tensor<f32>
  %36 = tensor.empty() : tensor<f32>
  %37 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%arg3, %35 : tensor<f32>, tensor<f32>) outs(%36 : tensor<f32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %38 = arith.subf %in, %in_4 : f32
    linalg.yield %38 : f32
  } -> tensor<f32>
  return %33, %37, %17 : tensor<3xf32>, tensor<f32>, tensor<f32>
}
