// test: round-trip
// vmapped: `vmap` of a function of one row; `jvp` of it
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 4x4xf32: -1.75 0.75 1.3125 -0.125 1.5625 1.375 1.75 -0.625 -0.9375 -0.4375 0.5 -1.375 -0.0625 -0.3125 -0.625 0.9375
// in 4xf32: 1.25 -0.875 -1.5 -0.6875
// out 4x4xf32: -1.7498243 0.74992466 1.3123682 -0.124987446 -1.5502144 -1.3641887 -1.7362401 0.6200858 0.5245061 0.24476951 -0.27973658
//   0.7692756 -0.029319292 -0.14659646 -0.29319292 0.43978938
// out 4xf32: 0.916779 -0.6417453 -1.1001347 -0.5042284
func.func @main(%arg0: tensor<4x4xf32>, %arg1: tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>) {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.matvec ins(%arg0, %arg1 : tensor<4x4xf32>, tensor<4xf32>) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
  %3 = tensor.empty() : tensor<4xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%2 : tensor<4xf32>) outs(%3 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %28 = math.sin %in : f32
    linalg.yield %28 : f32
  } -> tensor<4xf32>
  %5 = tensor.empty() : tensor<4x4xf32>
  %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<4xf32>) outs(%5 : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x4xf32>
  %7 = tensor.empty() : tensor<4x4xf32>
  %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%6, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%7 : tensor<4x4xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %28 = arith.mulf %in, %in_0 : f32
    linalg.yield %28 : f32
  } -> tensor<4x4xf32>
  %9 = tensor.empty() : tensor<f32>
  %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<f32>) -> tensor<f32>
  %11 = linalg.dot ins(%arg1, %arg1 : tensor<4xf32>, tensor<4xf32>) outs(%10 : tensor<f32>) -> tensor<f32>
  %12 = tensor.empty() : tensor<f32>
  %13 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%11 : tensor<f32>) outs(%12 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %28 = math.sin %in : f32
    linalg.yield %28 : f32
  } -> tensor<f32>
  %14 = tensor.empty() : tensor<f32>
  %15 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%11 : tensor<f32>) outs(%14 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %28 = math.cos %in : f32
    linalg.yield %28 : f32
  } -> tensor<f32>
  %16 = tensor.empty() : tensor<f32>
  %17 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%11, %15 : tensor<f32>, tensor<f32>) outs(%16 : tensor<f32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %28 = arith.mulf %in, %in_0 : f32
    linalg.yield %28 : f32
  } -> tensor<f32>
  %18 = tensor.empty() : tensor<4xf32>
  %19 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%17 : tensor<f32>) outs(%18 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4xf32>
  %20 = tensor.empty() : tensor<4xf32>
  %21 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%19, %arg1 : tensor<4xf32>, tensor<4xf32>) outs(%20 : tensor<4xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %28 = arith.mulf %in, %in_0 : f32
    linalg.yield %28 : f32
  } -> tensor<4xf32>
  %22 = tensor.empty() : tensor<4xf32>
  %23 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%13 : tensor<f32>) outs(%22 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4xf32>
  %24 = tensor.empty() : tensor<4xf32>
  %25 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%23, %arg1 : tensor<4xf32>, tensor<4xf32>) outs(%24 : tensor<4xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %28 = arith.mulf %in, %in_0 : f32
    linalg.yield %28 : f32
  } -> tensor<4xf32>
  %26 = tensor.empty() : tensor<4xf32>
  %27 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%21, %25 : tensor<4xf32>, tensor<4xf32>) outs(%26 : tensor<4xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %28 = arith.addf %in, %in_0 : f32
    linalg.yield %28 : f32
  } -> tensor<4xf32>
  return %8, %27 : tensor<4x4xf32>, tensor<4xf32>
}
