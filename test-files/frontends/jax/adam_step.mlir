// test: round-trip
// adam step
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 13xf32: -1.375 0.8125 0.5625 0.6875 -0.9375 -1.75 1.6875 0.8125 -0.875 -0.75 1.25 -0.1875 1.8125
// in 13xf32: 1.9375 -1.125 -1.75 -1.9375 -1.3125 0.25 -1.5625 1.4375 1.4375 0.8125 0.8125 1.5 -1.0625
// in 13xf32: -0.125 -1.5 0.8125 0.875 1.3125 -1.25 0.3125 -0.875 -0.8125 0.8125 0.1875 -1.75 -1.1875
// in 13xf32: 0.625 0.5 1 0.25 1.25 0.5 0.8125 0.5625 2 1.25 1.5625 0.8125 0
// in i32: 75
// out 13xf32: -1.3752757 0.8180588 0.5610054 0.68432814 -0.9400255 -1.745814 1.6871274 0.81480557 -0.87388265 -0.7519551 1.2494619
//   -0.18325165 1.9065611
// out 13xf32: 0.08125001 -1.4625 0.55625 0.59375 1.05 -1.1 0.12499999 -0.64374995 -0.5875 0.8125 0.25 -1.425 -1.175
// out 13xf32: 0.6281289 0.5007656 1.0020626 0.25350392 1.2504727 0.4995625 0.81412894 0.5640039 2.0000665 1.2494102 1.5615977 0.8139375
//   0.0011289063
func.func @main(%arg0: tensor<13xf32>, %arg1: tensor<13xf32>, %arg2: tensor<13xf32>, %arg3: tensor<13xf32>, %arg4: tensor<i32>) -> (tensor<13xf32>, tensor<13xf32>, tensor<13xf32>) {
  %cst = arith.constant 9.99999993E-9 : f32
  %cst_0 = arith.constant 0.00999999977 : f32
  %cst_1 = arith.constant 1.000000e+00 : f32
  %cst_2 = arith.constant 1.000000e-03 : f32
  %cst_3 = arith.constant 9.990000e-01 : f32
  %cst_4 = arith.constant 1.000000e-01 : f32
  %cst_5 = arith.constant 0.899999976 : f32
  %0 = tensor.empty() : tensor<13xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg2 : tensor<13xf32>) outs(%0 : tensor<13xf32>) {
  ^bb0(%in: f32, %out: f32):
    %42 = arith.mulf %in, %cst_5 : f32
    linalg.yield %42 : f32
  } -> tensor<13xf32>
  %2 = tensor.empty() : tensor<13xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg1 : tensor<13xf32>) outs(%2 : tensor<13xf32>) {
  ^bb0(%in: f32, %out: f32):
    %42 = arith.mulf %in, %cst_4 : f32
    linalg.yield %42 : f32
  } -> tensor<13xf32>
  %4 = tensor.empty() : tensor<13xf32>
  %5 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%1, %3 : tensor<13xf32>, tensor<13xf32>) outs(%4 : tensor<13xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %42 = arith.addf %in, %in_6 : f32
    linalg.yield %42 : f32
  } -> tensor<13xf32>
  %6 = tensor.empty() : tensor<13xf32>
  %7 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg3 : tensor<13xf32>) outs(%6 : tensor<13xf32>) {
  ^bb0(%in: f32, %out: f32):
    %42 = arith.mulf %in, %cst_3 : f32
    linalg.yield %42 : f32
  } -> tensor<13xf32>
  %8 = tensor.empty() : tensor<13xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg1 : tensor<13xf32>) outs(%8 : tensor<13xf32>) {
  ^bb0(%in: f32, %out: f32):
    %42 = arith.mulf %in, %cst_2 : f32
    linalg.yield %42 : f32
  } -> tensor<13xf32>
  %10 = tensor.empty() : tensor<13xf32>
  %11 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%9, %arg1 : tensor<13xf32>, tensor<13xf32>) outs(%10 : tensor<13xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %42 = arith.mulf %in, %in_6 : f32
    linalg.yield %42 : f32
  } -> tensor<13xf32>
  %12 = tensor.empty() : tensor<13xf32>
  %13 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%7, %11 : tensor<13xf32>, tensor<13xf32>) outs(%12 : tensor<13xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %42 = arith.addf %in, %in_6 : f32
    linalg.yield %42 : f32
  } -> tensor<13xf32>
  %14 = tensor.empty() : tensor<f32>
  %15 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%arg4 : tensor<i32>) outs(%14 : tensor<f32>) {
  ^bb0(%in: i32, %out: f32):
    %42 = arith.sitofp %in : i32 to f32
    linalg.yield %42 : f32
  } -> tensor<f32>
  %16 = tensor.empty() : tensor<f32>
  %17 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%15 : tensor<f32>) outs(%16 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %42 = math.powf %cst_5, %in : f32
    linalg.yield %42 : f32
  } -> tensor<f32>
  %18 = tensor.empty() : tensor<f32>
  %19 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%17 : tensor<f32>) outs(%18 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %42 = arith.subf %cst_1, %in : f32
    linalg.yield %42 : f32
  } -> tensor<f32>
  %20 = tensor.empty() : tensor<13xf32>
  %21 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%19 : tensor<f32>) outs(%20 : tensor<13xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<13xf32>
  %22 = tensor.empty() : tensor<13xf32>
  %23 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%5, %21 : tensor<13xf32>, tensor<13xf32>) outs(%22 : tensor<13xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %42 = arith.divf %in, %in_6 : f32
    linalg.yield %42 : f32
  } -> tensor<13xf32>
  %24 = tensor.empty() : tensor<13xf32>
  %25 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%23 : tensor<13xf32>) outs(%24 : tensor<13xf32>) {
  ^bb0(%in: f32, %out: f32):
    %42 = arith.mulf %in, %cst_0 : f32
    linalg.yield %42 : f32
  } -> tensor<13xf32>
  %26 = tensor.empty() : tensor<f32>
  %27 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%15 : tensor<f32>) outs(%26 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %42 = math.powf %cst_3, %in : f32
    linalg.yield %42 : f32
  } -> tensor<f32>
  %28 = tensor.empty() : tensor<f32>
  %29 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%27 : tensor<f32>) outs(%28 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %42 = arith.subf %cst_1, %in : f32
    linalg.yield %42 : f32
  } -> tensor<f32>
  %30 = tensor.empty() : tensor<13xf32>
  %31 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%29 : tensor<f32>) outs(%30 : tensor<13xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<13xf32>
  %32 = tensor.empty() : tensor<13xf32>
  %33 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%13, %31 : tensor<13xf32>, tensor<13xf32>) outs(%32 : tensor<13xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %42 = arith.divf %in, %in_6 : f32
    linalg.yield %42 : f32
  } -> tensor<13xf32>
  %34 = tensor.empty() : tensor<13xf32>
  %35 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%33 : tensor<13xf32>) outs(%34 : tensor<13xf32>) {
  ^bb0(%in: f32, %out: f32):
    %42 = math.sqrt %in : f32
    linalg.yield %42 : f32
  } -> tensor<13xf32>
  %36 = tensor.empty() : tensor<13xf32>
  %37 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%35 : tensor<13xf32>) outs(%36 : tensor<13xf32>) {
  ^bb0(%in: f32, %out: f32):
    %42 = arith.addf %in, %cst : f32
    linalg.yield %42 : f32
  } -> tensor<13xf32>
  %38 = tensor.empty() : tensor<13xf32>
  %39 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%25, %37 : tensor<13xf32>, tensor<13xf32>) outs(%38 : tensor<13xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %42 = arith.divf %in, %in_6 : f32
    linalg.yield %42 : f32
  } -> tensor<13xf32>
  %40 = tensor.empty() : tensor<13xf32>
  %41 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0, %39 : tensor<13xf32>, tensor<13xf32>) outs(%40 : tensor<13xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %42 = arith.subf %in, %in_6 : f32
    linalg.yield %42 : f32
  } -> tensor<13xf32>
  return %41, %5, %13 : tensor<13xf32>, tensor<13xf32>, tensor<13xf32>
}
