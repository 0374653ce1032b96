// test: round-trip
// feed forward: Layer norm, gelu, and what came in added
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 4x6xf32: 1.8125 0.5 0.75 1.625 0.3125 1.125 1.375 -1.125 -1.8125 -0.8125 -0.875 1.5 1.6875 -2 0 1.3125 -1.5 1.1875 -1.5625 -0.125
//   1.3125 -0.8125 -0.625 -0.875
// in 6x12xf32: 0.875 -1 2 -0.25 -0.0625 0 0.3125 0.1875 0.0625 2 1.25 1.1875 0.8125 0.5 -0.625 2 -0.125 -1.1875 1.375 -1.375 1.4375 0.4375
//   -1.5625 -1.875 -0.25 -1.875 -1.4375 0.0625 1.9375 -0.125 1.25 1.6875 1.3125 0.5 -0.25 0.0625 -0.9375 0 -0.5 -1 2 -2 -1.625 -1.25 1.875
//   0.75 1.5625 -1.1875 0.875 -0.5 -0.0625 -2 0.5 1.3125 0.6875 -1.375 0.125 -0.9375 1.875 1.5625 -1.25 0.0625 1.8125 1.4375 0.875 0.5625
//   -1.875 1 -0.125 -1.6875 -1.0625 0.1875
// in 12x6xf32: 0.9375 0.0625 0.4375 1.5 0.75 -0.5625 0.5625 0.375 -1.5625 -1.8125 0.625 -0.4375 0.375 -0.75 -1.125 -1.4375 -0.5 1.3125
//   -0.375 -0.5 0.3125 1.9375 -0.4375 0.375 -0.25 0.4375 -0.25 0.5625 0.1875 0.6875 1.875 -1.4375 0.25 -0.25 -0.5625 -1.0625 -1.8125 -0.375
//   1.3125 -1.625 -0.375 1.875 1.8125 -1.1875 -2 0.6875 -2 -0.8125 0 1.5 -1.625 0.6875 0.125 -1.5 1.375 1.375 -0.0625 1.8125 0.4375 1.625
//   1.875 0.3125 -0.875 -1.4375 0.25 -1.25 1 1.75 -1.0625 0.1875 -1.8125 -1.3125
// in 6xf32: -0.5 1.5625 1.9375 0.5625 0.3125 0.3125
// in 6xf32: -1.8125 -0.5 1.9375 -0.375 -1.1875 -1.0625
// out 4x6xf32: 10.023692 -4.669171 -9.344688 4.8929577 -8.749225 -1.9368157 9.957487 -4.7822924 -12.242062 -4.5915265 -5.1152673 -3.0666437
//   15.008198 -10.594751 -15.4387665 8.292781 -16.421322 -3.2244215 2.32948 0.53349495 -19.921614 10.402604 -22.587301 10.251705
func.func @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6x12xf32>, %arg2: tensor<12x6xf32>, %arg3: tensor<6xf32>, %arg4: tensor<6xf32>) -> tensor<4x6xf32> {
  %cst = arith.constant 5.000000e-01 : f32
  %cst_0 = arith.constant 1.000000e+00 : f32
  %cst_1 = arith.constant 0.797884583 : f32
  %cst_2 = arith.constant 4.471500e-02 : f32
  %cst_3 = arith.constant 9.99999974E-6 : f32
  %cst_4 = arith.constant 0x7FC00000 : f32
  %cst_5 = arith.constant 6.000000e+00 : f32
  %cst_6 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%cst_6 : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x6xf32>) outs(%1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.addf %out, %in : f32
    linalg.yield %68 : f32
  } -> tensor<4xf32>
  %expanded = tensor.expand_shape %2 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  %3 = tensor.empty() : tensor<4x1xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<4x1xf32>) outs(%3 : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.divf %in, %cst_5 : f32
    linalg.yield %68 : f32
  } -> tensor<4x1xf32>
  %5 = tensor.empty() : tensor<4x6xf32>
  %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<4x1xf32>) outs(%5 : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x6xf32>
  %7 = tensor.empty() : tensor<4x6xf32>
  %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0, %6 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%7 : tensor<4x6xf32>) {
  ^bb0(%in: f32, %in_8: f32, %out: f32):
    %68 = arith.subf %in, %in_8 : f32
    linalg.yield %68 : f32
  } -> tensor<4x6xf32>
  %9 = tensor.empty() : tensor<4x6xf32>
  %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<4x6xf32>) outs(%9 : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.mulf %in, %in : f32
    linalg.yield %68 : f32
  } -> tensor<4x6xf32>
  %11 = tensor.empty() : tensor<f32>
  %12 = linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%11 : tensor<f32>) {
  ^bb0(%out: f32):
    linalg.yield %cst_6 : f32
  } -> tensor<f32>
  %13 = tensor.empty() : tensor<f32>
  %14 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%12 : tensor<f32>) outs(%13 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.subf %cst_5, %in : f32
    linalg.yield %68 : f32
  } -> tensor<f32>
  %15 = tensor.empty() : tensor<4xf32>
  %16 = linalg.fill ins(%cst_6 : f32) outs(%15 : tensor<4xf32>) -> tensor<4xf32>
  %17 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%10 : tensor<4x6xf32>) outs(%16 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.addf %out, %in : f32
    linalg.yield %68 : f32
  } -> tensor<4xf32>
  %expanded_7 = tensor.expand_shape %17 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  %18 = tensor.empty() : tensor<4x1xf32>
  %19 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<f32>) outs(%18 : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x1xf32>
  %20 = tensor.empty() : tensor<4x1xf32>
  %21 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%expanded_7, %19 : tensor<4x1xf32>, tensor<4x1xf32>) outs(%20 : tensor<4x1xf32>) {
  ^bb0(%in: f32, %in_8: f32, %out: f32):
    %68 = arith.divf %in, %in_8 : f32
    linalg.yield %68 : f32
  } -> tensor<4x1xf32>
  %22 = tensor.empty() : tensor<i1>
  %23 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%14 : tensor<f32>) outs(%22 : tensor<i1>) {
  ^bb0(%in: f32, %out: i1):
    %68 = arith.cmpf ogt, %in, %cst_6 : f32
    linalg.yield %68 : i1
  } -> tensor<i1>
  %24 = tensor.empty() : tensor<4x1xf32>
  %extracted = tensor.extract %23[] : tensor<i1>
  %25 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<4x1xf32>) outs(%24 : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.select %extracted, %in, %cst_4 : f32
    linalg.yield %68 : f32
  } -> tensor<4x1xf32>
  %26 = tensor.empty() : tensor<4x1xf32>
  %27 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<4x1xf32>) outs(%26 : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.addf %in, %cst_3 : f32
    linalg.yield %68 : f32
  } -> tensor<4x1xf32>
  %28 = tensor.empty() : tensor<4x1xf32>
  %29 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<4x1xf32>) outs(%28 : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = math.rsqrt %in : f32
    linalg.yield %68 : f32
  } -> tensor<4x1xf32>
  %30 = tensor.empty() : tensor<4x6xf32>
  %31 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%29 : tensor<4x1xf32>) outs(%30 : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x6xf32>
  %32 = tensor.empty() : tensor<4x6xf32>
  %33 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%8, %31 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%32 : tensor<4x6xf32>) {
  ^bb0(%in: f32, %in_8: f32, %out: f32):
    %68 = arith.mulf %in, %in_8 : f32
    linalg.yield %68 : f32
  } -> tensor<4x6xf32>
  %34 = tensor.empty() : tensor<4x6xf32>
  %35 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<6xf32>) outs(%34 : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x6xf32>
  %36 = tensor.empty() : tensor<4x6xf32>
  %37 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%33, %35 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%36 : tensor<4x6xf32>) {
  ^bb0(%in: f32, %in_8: f32, %out: f32):
    %68 = arith.mulf %in, %in_8 : f32
    linalg.yield %68 : f32
  } -> tensor<4x6xf32>
  %38 = tensor.empty() : tensor<4x6xf32>
  %39 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<6xf32>) outs(%38 : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x6xf32>
  %40 = tensor.empty() : tensor<4x6xf32>
  %41 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%37, %39 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%40 : tensor<4x6xf32>) {
  ^bb0(%in: f32, %in_8: f32, %out: f32):
    %68 = arith.addf %in, %in_8 : f32
    linalg.yield %68 : f32
  } -> tensor<4x6xf32>
  %42 = tensor.empty() : tensor<4x12xf32>
  %43 = linalg.fill ins(%cst_6 : f32) outs(%42 : tensor<4x12xf32>) -> tensor<4x12xf32>
  %44 = linalg.matmul ins(%41, %arg1 : tensor<4x6xf32>, tensor<6x12xf32>) outs(%43 : tensor<4x12xf32>) -> tensor<4x12xf32>
  %45 = tensor.empty() : tensor<4x12xf32>
  %46 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%44 : tensor<4x12xf32>) outs(%45 : tensor<4x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.mulf %in, %in : f32
    linalg.yield %68 : f32
  } -> tensor<4x12xf32>
  %47 = tensor.empty() : tensor<4x12xf32>
  %48 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%46, %44 : tensor<4x12xf32>, tensor<4x12xf32>) outs(%47 : tensor<4x12xf32>) {
  ^bb0(%in: f32, %in_8: f32, %out: f32):
    %68 = arith.mulf %in, %in_8 : f32
    linalg.yield %68 : f32
  } -> tensor<4x12xf32>
  %49 = tensor.empty() : tensor<4x12xf32>
  %50 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%48 : tensor<4x12xf32>) outs(%49 : tensor<4x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.mulf %in, %cst_2 : f32
    linalg.yield %68 : f32
  } -> tensor<4x12xf32>
  %51 = tensor.empty() : tensor<4x12xf32>
  %52 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%44, %50 : tensor<4x12xf32>, tensor<4x12xf32>) outs(%51 : tensor<4x12xf32>) {
  ^bb0(%in: f32, %in_8: f32, %out: f32):
    %68 = arith.addf %in, %in_8 : f32
    linalg.yield %68 : f32
  } -> tensor<4x12xf32>
  %53 = tensor.empty() : tensor<4x12xf32>
  %54 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%52 : tensor<4x12xf32>) outs(%53 : tensor<4x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.mulf %in, %cst_1 : f32
    linalg.yield %68 : f32
  } -> tensor<4x12xf32>
  %55 = tensor.empty() : tensor<4x12xf32>
  %56 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%54 : tensor<4x12xf32>) outs(%55 : tensor<4x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = math.tanh %in : f32
    linalg.yield %68 : f32
  } -> tensor<4x12xf32>
  %57 = tensor.empty() : tensor<4x12xf32>
  %58 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%56 : tensor<4x12xf32>) outs(%57 : tensor<4x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.addf %in, %cst_0 : f32
    linalg.yield %68 : f32
  } -> tensor<4x12xf32>
  %59 = tensor.empty() : tensor<4x12xf32>
  %60 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%58 : tensor<4x12xf32>) outs(%59 : tensor<4x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.mulf %in, %cst : f32
    linalg.yield %68 : f32
  } -> tensor<4x12xf32>
  %61 = tensor.empty() : tensor<4x12xf32>
  %62 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%44, %60 : tensor<4x12xf32>, tensor<4x12xf32>) outs(%61 : tensor<4x12xf32>) {
  ^bb0(%in: f32, %in_8: f32, %out: f32):
    %68 = arith.mulf %in, %in_8 : f32
    linalg.yield %68 : f32
  } -> tensor<4x12xf32>
  %63 = tensor.empty() : tensor<4x6xf32>
  %64 = linalg.fill ins(%cst_6 : f32) outs(%63 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %65 = linalg.matmul ins(%62, %arg2 : tensor<4x12xf32>, tensor<12x6xf32>) outs(%64 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %66 = tensor.empty() : tensor<4x6xf32>
  %67 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0, %65 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%66 : tensor<4x6xf32>) {
  ^bb0(%in: f32, %in_8: f32, %out: f32):
    %68 = arith.addf %in, %in_8 : f32
    linalg.yield %68 : f32
  } -> tensor<4x6xf32>
  return %67 : tensor<4x6xf32>
}
