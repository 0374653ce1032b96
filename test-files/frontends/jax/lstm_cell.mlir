// test: round-trip
// lstm cell
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 2x4xf32: 1.125 -0.5625 0.625 -1.25 1.8125 -1.6875 -0.9375 0.625
// in 2x4xf32: -1.9375 -0.1875 -1.4375 2 -0.6875 1.4375 -0.75 1.375
// in 2x3xf32: -1.8125 -1.8125 -0.9375 0.25 -1.375 0.4375
// in 3x16xf32: 0.0625 -1.8125 -0.625 -0.0625 1.6875 -0.6875 -0.6875 -1.125 -0.125 1.1875 -0.5625 -0.3125 0.5625 -1.625 0.375 -0.5625 0.375
//   1.6875 -1.125 -0.4375 -0.375 -1.25 -0.4375 -1.75 -1 0.0625 -0.25 0.6875 1.6875 -0.375 2 1.4375 -0.6875 0.125 0.6875 1.1875 -0.75 0.25
//   1.5625 0.375 1.9375 -0.375 0.5 -1.5625 -1 0.8125 -1.875 1.4375
// in 4x16xf32: -0.375 0.9375 1.3125 -0.3125 -0.875 -1.6875 -1.5625 -1.25 -2 0.1875 0.4375 0.625 0.75 -1.9375 -0.3125 1.8125 0.1875 0.875
//   -1.1875 0.875 0.875 2 -1.9375 0.5 1.125 0 -1.3125 -1.125 -0.5625 0.75 1.5625 0.8125 -0.25 1.8125 -0.625 1.75 0 -0.0625 1.5625 1.4375
//   -1.4375 1.875 -1.375 -0.3125 0.375 0.4375 1.3125 0.375 -0.4375 -0.0625 1.625 -0.125 0.6875 -1.125 -2 -1.25 -1.875 -0.75 -1.0625 0.375
//   1.4375 0.625 0.75 1.3125
// in 16xf32: 0.4375 -0.875 -1.9375 0.0625 -1.375 -0.1875 -0.9375 -1.3125 1.625 1.9375 -1.5625 -0.6875 1.0625 0.75 0.375 0.75
// out 2x4xf32: 0.1684431 0.18743514 -0.2144509 0.36566254 0.18939379 0.15354708 -0.059120804 0.037467174
// out 2x4xf32: 0.36752257 0.2678299 -0.8613208 1.1131109 0.27265152 0.37646076 -0.433177 0.053538553
func.func @main(%arg0: tensor<2x4xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<2x3xf32>, %arg3: tensor<3x16xf32>, %arg4: tensor<4x16xf32>, %arg5: tensor<16xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %cst = arith.constant 1.000000e+00 : f32
  %cst_0 = arith.constant 4.000000e+00 : f32
  %cst_1 = arith.constant 3.000000e+00 : f32
  %cst_2 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x16xf32>
  %1 = linalg.fill ins(%cst_2 : f32) outs(%0 : tensor<2x16xf32>) -> tensor<2x16xf32>
  %2 = linalg.matmul ins(%arg2, %arg3 : tensor<2x3xf32>, tensor<3x16xf32>) outs(%1 : tensor<2x16xf32>) -> tensor<2x16xf32>
  %3 = tensor.empty() : tensor<2x16xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<2x16xf32>) outs(%3 : tensor<2x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %52 = arith.divf %in, %cst_1 : f32
    linalg.yield %52 : f32
  } -> tensor<2x16xf32>
  %5 = tensor.empty() : tensor<2x16xf32>
  %6 = linalg.fill ins(%cst_2 : f32) outs(%5 : tensor<2x16xf32>) -> tensor<2x16xf32>
  %7 = linalg.matmul ins(%arg0, %arg4 : tensor<2x4xf32>, tensor<4x16xf32>) outs(%6 : tensor<2x16xf32>) -> tensor<2x16xf32>
  %8 = tensor.empty() : tensor<2x16xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<2x16xf32>) outs(%8 : tensor<2x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %52 = arith.divf %in, %cst_0 : f32
    linalg.yield %52 : f32
  } -> tensor<2x16xf32>
  %10 = tensor.empty() : tensor<2x16xf32>
  %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%4, %9 : tensor<2x16xf32>, tensor<2x16xf32>) outs(%10 : tensor<2x16xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %52 = arith.addf %in, %in_6 : f32
    linalg.yield %52 : f32
  } -> tensor<2x16xf32>
  %12 = tensor.empty() : tensor<2x16xf32>
  %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg5 : tensor<16xf32>) outs(%12 : tensor<2x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x16xf32>
  %14 = tensor.empty() : tensor<2x16xf32>
  %15 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%11, %13 : tensor<2x16xf32>, tensor<2x16xf32>) outs(%14 : tensor<2x16xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %52 = arith.addf %in, %in_6 : f32
    linalg.yield %52 : f32
  } -> tensor<2x16xf32>
  %extracted_slice = tensor.extract_slice %15[0, 0] [2, 4] [1, 1] : tensor<2x16xf32> to tensor<2x4xf32>
  %extracted_slice_3 = tensor.extract_slice %15[0, 4] [2, 4] [1, 1] : tensor<2x16xf32> to tensor<2x4xf32>
  %extracted_slice_4 = tensor.extract_slice %15[0, 8] [2, 4] [1, 1] : tensor<2x16xf32> to tensor<2x4xf32>
  %extracted_slice_5 = tensor.extract_slice %15[0, 12] [2, 4] [1, 1] : tensor<2x16xf32> to tensor<2x4xf32>
  %16 = tensor.empty() : tensor<2x4xf32>
  %17 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_3 : tensor<2x4xf32>) outs(%16 : tensor<2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %52 = arith.negf %in : f32
    linalg.yield %52 : f32
  } -> tensor<2x4xf32>
  %18 = tensor.empty() : tensor<2x4xf32>
  %19 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<2x4xf32>) outs(%18 : tensor<2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %52 = math.exp %in : f32
    linalg.yield %52 : f32
  } -> tensor<2x4xf32>
  %20 = tensor.empty() : tensor<2x4xf32>
  %21 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<2x4xf32>) outs(%20 : tensor<2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %52 = arith.addf %in, %cst : f32
    linalg.yield %52 : f32
  } -> tensor<2x4xf32>
  %22 = tensor.empty() : tensor<2x4xf32>
  %23 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<2x4xf32>) outs(%22 : tensor<2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %52 = arith.divf %cst, %in : f32
    linalg.yield %52 : f32
  } -> tensor<2x4xf32>
  %24 = tensor.empty() : tensor<2x4xf32>
  %25 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%23, %arg1 : tensor<2x4xf32>, tensor<2x4xf32>) outs(%24 : tensor<2x4xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %52 = arith.mulf %in, %in_6 : f32
    linalg.yield %52 : f32
  } -> tensor<2x4xf32>
  %26 = tensor.empty() : tensor<2x4xf32>
  %27 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<2x4xf32>) outs(%26 : tensor<2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %52 = arith.negf %in : f32
    linalg.yield %52 : f32
  } -> tensor<2x4xf32>
  %28 = tensor.empty() : tensor<2x4xf32>
  %29 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<2x4xf32>) outs(%28 : tensor<2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %52 = math.exp %in : f32
    linalg.yield %52 : f32
  } -> tensor<2x4xf32>
  %30 = tensor.empty() : tensor<2x4xf32>
  %31 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%29 : tensor<2x4xf32>) outs(%30 : tensor<2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %52 = arith.addf %in, %cst : f32
    linalg.yield %52 : f32
  } -> tensor<2x4xf32>
  %32 = tensor.empty() : tensor<2x4xf32>
  %33 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%31 : tensor<2x4xf32>) outs(%32 : tensor<2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %52 = arith.divf %cst, %in : f32
    linalg.yield %52 : f32
  } -> tensor<2x4xf32>
  %34 = tensor.empty() : tensor<2x4xf32>
  %35 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_4 : tensor<2x4xf32>) outs(%34 : tensor<2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %52 = math.tanh %in : f32
    linalg.yield %52 : f32
  } -> tensor<2x4xf32>
  %36 = tensor.empty() : tensor<2x4xf32>
  %37 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%33, %35 : tensor<2x4xf32>, tensor<2x4xf32>) outs(%36 : tensor<2x4xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %52 = arith.mulf %in, %in_6 : f32
    linalg.yield %52 : f32
  } -> tensor<2x4xf32>
  %38 = tensor.empty() : tensor<2x4xf32>
  %39 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%25, %37 : tensor<2x4xf32>, tensor<2x4xf32>) outs(%38 : tensor<2x4xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %52 = arith.addf %in, %in_6 : f32
    linalg.yield %52 : f32
  } -> tensor<2x4xf32>
  %40 = tensor.empty() : tensor<2x4xf32>
  %41 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_5 : tensor<2x4xf32>) outs(%40 : tensor<2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %52 = arith.negf %in : f32
    linalg.yield %52 : f32
  } -> tensor<2x4xf32>
  %42 = tensor.empty() : tensor<2x4xf32>
  %43 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%41 : tensor<2x4xf32>) outs(%42 : tensor<2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %52 = math.exp %in : f32
    linalg.yield %52 : f32
  } -> tensor<2x4xf32>
  %44 = tensor.empty() : tensor<2x4xf32>
  %45 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%43 : tensor<2x4xf32>) outs(%44 : tensor<2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %52 = arith.addf %in, %cst : f32
    linalg.yield %52 : f32
  } -> tensor<2x4xf32>
  %46 = tensor.empty() : tensor<2x4xf32>
  %47 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%45 : tensor<2x4xf32>) outs(%46 : tensor<2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %52 = arith.divf %cst, %in : f32
    linalg.yield %52 : f32
  } -> tensor<2x4xf32>
  %48 = tensor.empty() : tensor<2x4xf32>
  %49 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%39 : tensor<2x4xf32>) outs(%48 : tensor<2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %52 = math.tanh %in : f32
    linalg.yield %52 : f32
  } -> tensor<2x4xf32>
  %50 = tensor.empty() : tensor<2x4xf32>
  %51 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%47, %49 : tensor<2x4xf32>, tensor<2x4xf32>) outs(%50 : tensor<2x4xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %52 = arith.mulf %in, %in_6 : f32
    linalg.yield %52 : f32
  } -> tensor<2x4xf32>
  return %51, %39 : tensor<2x4xf32>, tensor<2x4xf32>
}
