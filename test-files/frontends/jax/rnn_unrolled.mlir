// test: round-trip
// rnn unrolled: The loop is Python's: each step is there
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 4x3xf32: -0.5 -0.6875 1 -0.375 1.1875 0.3125 -1.5 0 -0.375 0.25 0.3125 0.3125
// in 3x5xf32: 0.125 0.75 -0.3125 -0.875 0.375 0.5 -0.0625 0.6875 -0.4375 0.4375 0.3125 -0.1875 0.5625 0.9375 -0.5
// in 5x5xf32: -0.9375 0.25 0.625 -0.8125 0.1875 0.4375 -0.9375 0.25 -0.375 -0.75 -0.25 0.125 -0.6875 -0.375 0.3125 -0.9375 -0.125 0.6875
//   0.4375 0.8125 -0.25 1 -0.9375 -0.1875 0.4375
// out 4x5xf32: -0.09347629 -0.47733817 0.24124323 0.93231195 -0.7566286 0.43921015 -0.46041504 0.8644559 0.23965718 0.37232968 -0.48850948
//   -0.69435334 0.13317555 0.69947433 -0.16246328 0.18418264 0.16691409 0.31406292 0.1256007 0.26159996
func.func @main(%arg0: tensor<4x3xf32>, %arg1: tensor<3x5xf32>, %arg2: tensor<5x5xf32>) -> tensor<4x5xf32> {
  %cst = arith.constant 5.000000e+00 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant dense<0.000000e+00> : tensor<5xf32>
  %extracted_slice = tensor.extract_slice %arg0[0, 0] [1, 3] [1, 1] : tensor<4x3xf32> to tensor<1x3xf32>
  %collapsed = tensor.collapse_shape %extracted_slice [[0, 1]] : tensor<1x3xf32> into tensor<3xf32>
  %0 = tensor.empty() : tensor<5xf32>
  %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<5xf32>) -> tensor<5xf32>
  %2 = linalg.vecmat ins(%collapsed, %arg1 : tensor<3xf32>, tensor<3x5xf32>) outs(%1 : tensor<5xf32>) -> tensor<5xf32>
  %3 = tensor.empty() : tensor<5xf32>
  %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<5xf32>) -> tensor<5xf32>
  %5 = linalg.vecmat ins(%cst_1, %arg2 : tensor<5xf32>, tensor<5x5xf32>) outs(%4 : tensor<5xf32>) -> tensor<5xf32>
  %6 = tensor.empty() : tensor<5xf32>
  %7 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%5 : tensor<5xf32>) outs(%6 : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %57 = arith.divf %in, %cst : f32
    linalg.yield %57 : f32
  } -> tensor<5xf32>
  %8 = tensor.empty() : tensor<5xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%2, %7 : tensor<5xf32>, tensor<5xf32>) outs(%8 : tensor<5xf32>) {
  ^bb0(%in: f32, %in_11: f32, %out: f32):
    %57 = arith.addf %in, %in_11 : f32
    linalg.yield %57 : f32
  } -> tensor<5xf32>
  %10 = tensor.empty() : tensor<5xf32>
  %11 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%9 : tensor<5xf32>) outs(%10 : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %57 = math.tanh %in : f32
    linalg.yield %57 : f32
  } -> tensor<5xf32>
  %extracted_slice_2 = tensor.extract_slice %arg0[1, 0] [1, 3] [1, 1] : tensor<4x3xf32> to tensor<1x3xf32>
  %collapsed_3 = tensor.collapse_shape %extracted_slice_2 [[0, 1]] : tensor<1x3xf32> into tensor<3xf32>
  %12 = tensor.empty() : tensor<5xf32>
  %13 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<5xf32>) -> tensor<5xf32>
  %14 = linalg.vecmat ins(%collapsed_3, %arg1 : tensor<3xf32>, tensor<3x5xf32>) outs(%13 : tensor<5xf32>) -> tensor<5xf32>
  %15 = tensor.empty() : tensor<5xf32>
  %16 = linalg.fill ins(%cst_0 : f32) outs(%15 : tensor<5xf32>) -> tensor<5xf32>
  %17 = linalg.vecmat ins(%11, %arg2 : tensor<5xf32>, tensor<5x5xf32>) outs(%16 : tensor<5xf32>) -> tensor<5xf32>
  %18 = tensor.empty() : tensor<5xf32>
  %19 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%17 : tensor<5xf32>) outs(%18 : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %57 = arith.divf %in, %cst : f32
    linalg.yield %57 : f32
  } -> tensor<5xf32>
  %20 = tensor.empty() : tensor<5xf32>
  %21 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%14, %19 : tensor<5xf32>, tensor<5xf32>) outs(%20 : tensor<5xf32>) {
  ^bb0(%in: f32, %in_11: f32, %out: f32):
    %57 = arith.addf %in, %in_11 : f32
    linalg.yield %57 : f32
  } -> tensor<5xf32>
  %22 = tensor.empty() : tensor<5xf32>
  %23 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%21 : tensor<5xf32>) outs(%22 : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %57 = math.tanh %in : f32
    linalg.yield %57 : f32
  } -> tensor<5xf32>
  %extracted_slice_4 = tensor.extract_slice %arg0[2, 0] [1, 3] [1, 1] : tensor<4x3xf32> to tensor<1x3xf32>
  %collapsed_5 = tensor.collapse_shape %extracted_slice_4 [[0, 1]] : tensor<1x3xf32> into tensor<3xf32>
  %24 = tensor.empty() : tensor<5xf32>
  %25 = linalg.fill ins(%cst_0 : f32) outs(%24 : tensor<5xf32>) -> tensor<5xf32>
  %26 = linalg.vecmat ins(%collapsed_5, %arg1 : tensor<3xf32>, tensor<3x5xf32>) outs(%25 : tensor<5xf32>) -> tensor<5xf32>
  %27 = tensor.empty() : tensor<5xf32>
  %28 = linalg.fill ins(%cst_0 : f32) outs(%27 : tensor<5xf32>) -> tensor<5xf32>
  %29 = linalg.vecmat ins(%23, %arg2 : tensor<5xf32>, tensor<5x5xf32>) outs(%28 : tensor<5xf32>) -> tensor<5xf32>
  %30 = tensor.empty() : tensor<5xf32>
  %31 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%29 : tensor<5xf32>) outs(%30 : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %57 = arith.divf %in, %cst : f32
    linalg.yield %57 : f32
  } -> tensor<5xf32>
  %32 = tensor.empty() : tensor<5xf32>
  %33 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%26, %31 : tensor<5xf32>, tensor<5xf32>) outs(%32 : tensor<5xf32>) {
  ^bb0(%in: f32, %in_11: f32, %out: f32):
    %57 = arith.addf %in, %in_11 : f32
    linalg.yield %57 : f32
  } -> tensor<5xf32>
  %34 = tensor.empty() : tensor<5xf32>
  %35 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%33 : tensor<5xf32>) outs(%34 : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %57 = math.tanh %in : f32
    linalg.yield %57 : f32
  } -> tensor<5xf32>
  %extracted_slice_6 = tensor.extract_slice %arg0[3, 0] [1, 3] [1, 1] : tensor<4x3xf32> to tensor<1x3xf32>
  %collapsed_7 = tensor.collapse_shape %extracted_slice_6 [[0, 1]] : tensor<1x3xf32> into tensor<3xf32>
  %36 = tensor.empty() : tensor<5xf32>
  %37 = linalg.fill ins(%cst_0 : f32) outs(%36 : tensor<5xf32>) -> tensor<5xf32>
  %38 = linalg.vecmat ins(%collapsed_7, %arg1 : tensor<3xf32>, tensor<3x5xf32>) outs(%37 : tensor<5xf32>) -> tensor<5xf32>
  %39 = tensor.empty() : tensor<5xf32>
  %40 = linalg.fill ins(%cst_0 : f32) outs(%39 : tensor<5xf32>) -> tensor<5xf32>
  %41 = linalg.vecmat ins(%35, %arg2 : tensor<5xf32>, tensor<5x5xf32>) outs(%40 : tensor<5xf32>) -> tensor<5xf32>
  %42 = tensor.empty() : tensor<5xf32>
  %43 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%41 : tensor<5xf32>) outs(%42 : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %57 = arith.divf %in, %cst : f32
    linalg.yield %57 : f32
  } -> tensor<5xf32>
  %44 = tensor.empty() : tensor<5xf32>
  %45 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%38, %43 : tensor<5xf32>, tensor<5xf32>) outs(%44 : tensor<5xf32>) {
  ^bb0(%in: f32, %in_11: f32, %out: f32):
    %57 = arith.addf %in, %in_11 : f32
    linalg.yield %57 : f32
  } -> tensor<5xf32>
  %46 = tensor.empty() : tensor<5xf32>
  %47 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%45 : tensor<5xf32>) outs(%46 : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %57 = math.tanh %in : f32
    linalg.yield %57 : f32
  } -> tensor<5xf32>
  %48 = tensor.empty() : tensor<1x5xf32>
  %49 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<5xf32>) outs(%48 : tensor<1x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x5xf32>
  %50 = tensor.empty() : tensor<1x5xf32>
  %51 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<5xf32>) outs(%50 : tensor<1x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x5xf32>
  %52 = tensor.empty() : tensor<1x5xf32>
  %53 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%35 : tensor<5xf32>) outs(%52 : tensor<1x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x5xf32>
  %54 = tensor.empty() : tensor<1x5xf32>
  %55 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%47 : tensor<5xf32>) outs(%54 : tensor<1x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x5xf32>
  %56 = tensor.empty() : tensor<4x5xf32>
  %inserted_slice = tensor.insert_slice %49 into %56[0, 0] [1, 5] [1, 1] : tensor<1x5xf32> into tensor<4x5xf32>
  %inserted_slice_8 = tensor.insert_slice %51 into %inserted_slice[1, 0] [1, 5] [1, 1] : tensor<1x5xf32> into tensor<4x5xf32>
  %inserted_slice_9 = tensor.insert_slice %53 into %inserted_slice_8[2, 0] [1, 5] [1, 1] : tensor<1x5xf32> into tensor<4x5xf32>
  %inserted_slice_10 = tensor.insert_slice %55 into %inserted_slice_9[3, 0] [1, 5] [1, 1] : tensor<1x5xf32> into tensor<4x5xf32>
  return %inserted_slice_10 : tensor<4x5xf32>
}
