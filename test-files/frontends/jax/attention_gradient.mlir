// test: round-trip
// attention gradient
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 1x5x2x3xf32: 0.9375 1.8125 1.5625 0.0625 1.8125 1.9375 1.9375 -1.6875 -0.1875 0.4375 -0.875 -0.5 0.5 1.25 0.3125 -1.3125 0.6875 1.5
//   -1.125 0.1875 -0.6875 1.625 -1.8125 -0.0625 1.625 -0.3125 -1.4375 1.1875 1.875 1.9375
// in 1x5x2x3xf32: 1.75 -0.5 0.9375 1.875 0.3125 1.75 0.375 -1.3125 -0.125 0.4375 -0.8125 0.8125 -0.375 1.8125 -1.1875 0.6875 -1.6875 -1.5
//   0.0625 0 0 0 1.4375 0 -0.5625 1.875 1.5625 -0.625 -1.1875 -1.125
// in 1x5x2x3xf32: -1.375 0.0625 0.3125 0.5625 1.625 1.8125 0.125 0.3125 -1.6875 -0.9375 2 1.75 -1.9375 -0.0625 0 0.6875 -1.5625 -0.125
//   -0.5625 -1.125 1.25 0.8125 -1.3125 1.125 0.125 -1.25 0.625 -0.1875 -0.0625 -0.5625
// out 1x5x2x3xf32: 0 0 0 5.7869886e-07 9.6449810e-08 5.4011895e-07 0.1728445 0.102135494 0.13356169 -0.44303498 -0.3467231 -0.28893584
//   -0.4572243 1.141507 -0.5443816 -0.07989246 0.3118115 0.81343055 -0.33936536 1.4373227 -0.5819881 0.09095842 0.08127573 0.01627267
//   0.082486235 0.57352465 -0.10584307 1.0701752 -0.6030743 1.0251181
// out 1x5x2x3xf32: 0.40566376 -0.40054664 -0.26153702 0.6386007 1.2263095 1.2621222 -0.36501145 -0.1294961 0.5310428 -0.45531058 0.13925272
//   0.37903836 -0.075577945 0.53178847 -0.5285609 0.47290075 -0.2849033 -0.5429077 0.064594746 -0.0074514784 0.2328094 -0.64599323
//   -1.064556 -1.081613 -0.029669404 0.0057056546 0.026246011 -0.010198821 -0.016103402 -0.01664018
// out 1x5x2x3xf32: -5.6161594 0.24001189 -0.030238185 1.8204175 8.534382 9.977308 -1.8196181 -0.01888446 -0.36426094 -0.36338598 3.7603781
//   4.037744 -3.6787083 -0.2806317 -0.12320881 0.45153952 -0.22148955 0.8720118 -0.831227 -0.12691636 -0.042548582 0.13017456 0.28624186
//   0.40280014 -0.029575473 -0.0028732787 -0.005266966 0.0013121674 0.0031598823 0.004196001
func.func @main(%arg0: tensor<1x5x2x3xf32>, %arg1: tensor<1x5x2x3xf32>, %arg2: tensor<1x5x2x3xf32>) -> (tensor<1x5x2x3xf32>, tensor<1x5x2x3xf32>, tensor<1x5x2x3xf32>) {
  %cst = arith.constant 1.73205078 : f32
  %cst_0 = arith.constant 2.000000e+00 : f32
  %cst_1 = arith.constant 1.000000e+00 : f32
  %cst_2 = arith.constant 0xFF800000 : f32
  %cst_3 = arith.constant -1.000000e+30 : f32
  %cst_4 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x2x5x3xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x5x2x3xf32>) outs(%0 : tensor<1x2x5x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x5x3xf32>
  %2 = tensor.empty() : tensor<1x2x3x5xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x5x2x3xf32>) outs(%2 : tensor<1x2x3x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x3x5xf32>
  %collapsed = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x2x5x3xf32> into tensor<2x5x3xf32>
  %collapsed_5 = tensor.collapse_shape %3 [[0, 1], [2], [3]] : tensor<1x2x3x5xf32> into tensor<2x3x5xf32>
  %4 = tensor.empty() : tensor<2x5x5xf32>
  %5 = linalg.fill ins(%cst_4 : f32) outs(%4 : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %6 = linalg.batch_matmul ins(%collapsed, %collapsed_5 : tensor<2x5x3xf32>, tensor<2x3x5xf32>) outs(%5 : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %expanded = tensor.expand_shape %6 [[0, 1], [2], [3]] output_shape [1, 2, 5, 5] : tensor<2x5x5xf32> into tensor<1x2x5x5xf32>
  %7 = tensor.empty() : tensor<f32>
  %8 = linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%7 : tensor<f32>) {
  ^bb0(%out: f32):
    linalg.yield %cst : f32
  } -> tensor<f32>
  %9 = tensor.empty() : tensor<1x2x5x5xf32>
  %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<f32>) outs(%9 : tensor<1x2x5x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x5x5xf32>
  %11 = tensor.empty() : tensor<1x2x5x5xf32>
  %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %10 : tensor<1x2x5x5xf32>, tensor<1x2x5x5xf32>) outs(%11 : tensor<1x2x5x5xf32>) {
  ^bb0(%in: f32, %in_21: f32, %out: f32):
    %106 = arith.divf %in, %in_21 : f32
    linalg.yield %106 : f32
  } -> tensor<1x2x5x5xf32>
  %13 = tensor.empty() : tensor<5x5xi32>
  %14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%13 : tensor<5x5xi32>) {
  ^bb0(%out: i32):
    %106 = linalg.index 0 : index
    %107 = arith.index_cast %106 : index to i32
    linalg.yield %107 : i32
  } -> tensor<5x5xi32>
  %15 = tensor.empty() : tensor<5x5xi32>
  %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%15 : tensor<5x5xi32>) {
  ^bb0(%out: i32):
    %106 = linalg.index 1 : index
    %107 = arith.index_cast %106 : index to i32
    linalg.yield %107 : i32
  } -> tensor<5x5xi32>
  %17 = tensor.empty() : tensor<5x5xi1>
  %18 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%14, %16 : tensor<5x5xi32>, tensor<5x5xi32>) outs(%17 : tensor<5x5xi1>) {
  ^bb0(%in: i32, %in_21: i32, %out: i1):
    %106 = arith.cmpi sge, %in, %in_21 : i32
    linalg.yield %106 : i1
  } -> tensor<5x5xi1>
  %19 = tensor.empty() : tensor<1x2x5x5xi1>
  %20 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<5x5xi1>) outs(%19 : tensor<1x2x5x5xi1>) {
  ^bb0(%in: i1, %out: i1):
    linalg.yield %in : i1
  } -> tensor<1x2x5x5xi1>
  %21 = tensor.empty() : tensor<1x2x5x5xf32>
  %22 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %12 : tensor<1x2x5x5xi1>, tensor<1x2x5x5xf32>) outs(%21 : tensor<1x2x5x5xf32>) {
  ^bb0(%in: i1, %in_21: f32, %out: f32):
    %106 = arith.select %in, %in_21, %cst_3 : f32
    linalg.yield %106 : f32
  } -> tensor<1x2x5x5xf32>
  %23 = tensor.empty() : tensor<1x2x5xf32>
  %24 = linalg.fill ins(%cst_2 : f32) outs(%23 : tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
  %25 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%22 : tensor<1x2x5x5xf32>) outs(%24 : tensor<1x2x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %106 = arith.maximumf %out, %in : f32
    linalg.yield %106 : f32
  } -> tensor<1x2x5xf32>
  %26 = tensor.empty() : tensor<1x2x5x5xf32>
  %27 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<1x2x5xf32>) outs(%26 : tensor<1x2x5x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x5x5xf32>
  %28 = tensor.empty() : tensor<1x2x5x5xf32>
  %29 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %27 : tensor<1x2x5x5xf32>, tensor<1x2x5x5xf32>) outs(%28 : tensor<1x2x5x5xf32>) {
  ^bb0(%in: f32, %in_21: f32, %out: f32):
    %106 = arith.subf %in, %in_21 : f32
    linalg.yield %106 : f32
  } -> tensor<1x2x5x5xf32>
  %30 = tensor.empty() : tensor<1x2x5x5xf32>
  %31 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x2x5x5xf32>) outs(%30 : tensor<1x2x5x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %106 = math.exp %in : f32
    linalg.yield %106 : f32
  } -> tensor<1x2x5x5xf32>
  %32 = tensor.empty() : tensor<1x2x5xf32>
  %33 = linalg.fill ins(%cst_4 : f32) outs(%32 : tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
  %34 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%31 : tensor<1x2x5x5xf32>) outs(%33 : tensor<1x2x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %106 = arith.addf %out, %in : f32
    linalg.yield %106 : f32
  } -> tensor<1x2x5xf32>
  %expanded_6 = tensor.expand_shape %34 [[0], [1], [2, 3]] output_shape [1, 2, 5, 1] : tensor<1x2x5xf32> into tensor<1x2x5x1xf32>
  %35 = tensor.empty() : tensor<1x2x5x5xf32>
  %36 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x2x5xf32>) outs(%35 : tensor<1x2x5x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x5x5xf32>
  %37 = tensor.empty() : tensor<1x2x5x5xf32>
  %38 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %36 : tensor<1x2x5x5xf32>, tensor<1x2x5x5xf32>) outs(%37 : tensor<1x2x5x5xf32>) {
  ^bb0(%in: f32, %in_21: f32, %out: f32):
    %106 = arith.divf %in, %in_21 : f32
    linalg.yield %106 : f32
  } -> tensor<1x2x5x5xf32>
  %39 = tensor.empty() : tensor<1x2x5x1xf32>
  %40 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6 : tensor<1x2x5x1xf32>) outs(%39 : tensor<1x2x5x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %106 = arith.mulf %in, %in : f32
    linalg.yield %106 : f32
  } -> tensor<1x2x5x1xf32>
  %41 = tensor.empty() : tensor<1x2x5x1xf32>
  %42 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<1x2x5x1xf32>) outs(%41 : tensor<1x2x5x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %106 = arith.divf %cst_1, %in : f32
    linalg.yield %106 : f32
  } -> tensor<1x2x5x1xf32>
  %43 = tensor.empty() : tensor<1x2x3x5xf32>
  %44 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x5x2x3xf32>) outs(%43 : tensor<1x2x3x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x3x5xf32>
  %45 = tensor.empty() : tensor<1x2x5x5xf32>
  %46 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<1x2x5x5xf32>) outs(%45 : tensor<1x2x5x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x5x5xf32>
  %collapsed_7 = tensor.collapse_shape %44 [[0, 1], [2], [3]] : tensor<1x2x3x5xf32> into tensor<2x3x5xf32>
  %collapsed_8 = tensor.collapse_shape %46 [[0, 1], [2], [3]] : tensor<1x2x5x5xf32> into tensor<2x5x5xf32>
  %47 = tensor.empty() : tensor<2x3x5xf32>
  %48 = linalg.fill ins(%cst_4 : f32) outs(%47 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %49 = linalg.batch_matmul ins(%collapsed_7, %collapsed_8 : tensor<2x3x5xf32>, tensor<2x5x5xf32>) outs(%48 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %expanded_9 = tensor.expand_shape %49 [[0, 1], [2], [3]] output_shape [1, 2, 3, 5] : tensor<2x3x5xf32> into tensor<1x2x3x5xf32>
  %50 = tensor.empty() : tensor<1x5x2x3xf32>
  %51 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_9 : tensor<1x2x3x5xf32>) outs(%50 : tensor<1x5x2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x5x2x3xf32>
  %52 = tensor.empty() : tensor<1x5x2x3xf32>
  %53 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51 : tensor<1x5x2x3xf32>) outs(%52 : tensor<1x5x2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %106 = arith.mulf %in, %cst_0 : f32
    linalg.yield %106 : f32
  } -> tensor<1x5x2x3xf32>
  %54 = tensor.empty() : tensor<1x2x3x5xf32>
  %55 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<1x5x2x3xf32>) outs(%54 : tensor<1x2x3x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x3x5xf32>
  %56 = tensor.empty() : tensor<1x2x5x3xf32>
  %57 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55 : tensor<1x2x3x5xf32>) outs(%56 : tensor<1x2x5x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x5x3xf32>
  %collapsed_10 = tensor.collapse_shape %57 [[0, 1], [2], [3]] : tensor<1x2x5x3xf32> into tensor<2x5x3xf32>
  %58 = tensor.empty() : tensor<2x5x5xf32>
  %59 = linalg.fill ins(%cst_4 : f32) outs(%58 : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %60 = linalg.batch_matmul ins(%collapsed_10, %collapsed_7 : tensor<2x5x3xf32>, tensor<2x3x5xf32>) outs(%59 : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %expanded_11 = tensor.expand_shape %60 [[0, 1], [2], [3]] output_shape [1, 2, 5, 5] : tensor<2x5x5xf32> into tensor<1x2x5x5xf32>
  %collapsed_12 = tensor.collapse_shape %55 [[0, 1], [2], [3]] : tensor<1x2x3x5xf32> into tensor<2x3x5xf32>
  %collapsed_13 = tensor.collapse_shape %38 [[0, 1], [2], [3]] : tensor<1x2x5x5xf32> into tensor<2x5x5xf32>
  %61 = tensor.empty() : tensor<2x3x5xf32>
  %62 = linalg.fill ins(%cst_4 : f32) outs(%61 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %63 = linalg.batch_matmul ins(%collapsed_12, %collapsed_13 : tensor<2x3x5xf32>, tensor<2x5x5xf32>) outs(%62 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %expanded_14 = tensor.expand_shape %63 [[0, 1], [2], [3]] output_shape [1, 2, 3, 5] : tensor<2x3x5xf32> into tensor<1x2x3x5xf32>
  %64 = tensor.empty() : tensor<1x5x2x3xf32>
  %65 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_14 : tensor<1x2x3x5xf32>) outs(%64 : tensor<1x5x2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x5x2x3xf32>
  %66 = tensor.empty() : tensor<1x2x5x5xf32>
  %67 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<1x2x5x1xf32>) outs(%66 : tensor<1x2x5x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x5x5xf32>
  %68 = tensor.empty() : tensor<1x2x5x5xf32>
  %69 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11, %67 : tensor<1x2x5x5xf32>, tensor<1x2x5x5xf32>) outs(%68 : tensor<1x2x5x5xf32>) {
  ^bb0(%in: f32, %in_21: f32, %out: f32):
    %106 = arith.mulf %in, %in_21 : f32
    linalg.yield %106 : f32
  } -> tensor<1x2x5x5xf32>
  %70 = tensor.empty() : tensor<1x2x5x5xf32>
  %71 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69, %31 : tensor<1x2x5x5xf32>, tensor<1x2x5x5xf32>) outs(%70 : tensor<1x2x5x5xf32>) {
  ^bb0(%in: f32, %in_21: f32, %out: f32):
    %106 = arith.mulf %in, %in_21 : f32
    linalg.yield %106 : f32
  } -> tensor<1x2x5x5xf32>
  %72 = tensor.empty() : tensor<1x2x5xf32>
  %73 = linalg.fill ins(%cst_4 : f32) outs(%72 : tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
  %74 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%71 : tensor<1x2x5x5xf32>) outs(%73 : tensor<1x2x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %106 = arith.addf %out, %in : f32
    linalg.yield %106 : f32
  } -> tensor<1x2x5xf32>
  %75 = tensor.empty() : tensor<1x2x5xf32>
  %76 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74 : tensor<1x2x5xf32>) outs(%75 : tensor<1x2x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %106 = arith.negf %in : f32
    linalg.yield %106 : f32
  } -> tensor<1x2x5xf32>
  %expanded_15 = tensor.expand_shape %76 [[0], [1], [2, 3]] output_shape [1, 2, 5, 1] : tensor<1x2x5xf32> into tensor<1x2x5x1xf32>
  %77 = tensor.empty() : tensor<1x2x5x5xf32>
  %78 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11, %36 : tensor<1x2x5x5xf32>, tensor<1x2x5x5xf32>) outs(%77 : tensor<1x2x5x5xf32>) {
  ^bb0(%in: f32, %in_21: f32, %out: f32):
    %106 = arith.divf %in, %in_21 : f32
    linalg.yield %106 : f32
  } -> tensor<1x2x5x5xf32>
  %79 = tensor.empty() : tensor<2x5xf32>
  %80 = linalg.fill ins(%cst_4 : f32) outs(%79 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %81 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%expanded_15 : tensor<1x2x5x1xf32>) outs(%80 : tensor<2x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %106 = arith.addf %out, %in : f32
    linalg.yield %106 : f32
  } -> tensor<2x5xf32>
  %82 = tensor.empty() : tensor<1x2x5x5xf32>
  %83 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%81 : tensor<2x5xf32>) outs(%82 : tensor<1x2x5x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x5x5xf32>
  %84 = tensor.empty() : tensor<1x2x5x5xf32>
  %85 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%78, %83 : tensor<1x2x5x5xf32>, tensor<1x2x5x5xf32>) outs(%84 : tensor<1x2x5x5xf32>) {
  ^bb0(%in: f32, %in_21: f32, %out: f32):
    %106 = arith.addf %in, %in_21 : f32
    linalg.yield %106 : f32
  } -> tensor<1x2x5x5xf32>
  %86 = tensor.empty() : tensor<1x2x5x5xf32>
  %87 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%85, %31 : tensor<1x2x5x5xf32>, tensor<1x2x5x5xf32>) outs(%86 : tensor<1x2x5x5xf32>) {
  ^bb0(%in: f32, %in_21: f32, %out: f32):
    %106 = arith.mulf %in, %in_21 : f32
    linalg.yield %106 : f32
  } -> tensor<1x2x5x5xf32>
  %88 = tensor.empty() : tensor<1x2x5x5xf32>
  %89 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %87 : tensor<1x2x5x5xi1>, tensor<1x2x5x5xf32>) outs(%88 : tensor<1x2x5x5xf32>) {
  ^bb0(%in: i1, %in_21: f32, %out: f32):
    %106 = arith.select %in, %in_21, %cst_4 : f32
    linalg.yield %106 : f32
  } -> tensor<1x2x5x5xf32>
  %90 = tensor.empty() : tensor<1x2x5x5xf32>
  %91 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%89, %10 : tensor<1x2x5x5xf32>, tensor<1x2x5x5xf32>) outs(%90 : tensor<1x2x5x5xf32>) {
  ^bb0(%in: f32, %in_21: f32, %out: f32):
    %106 = arith.divf %in, %in_21 : f32
    linalg.yield %106 : f32
  } -> tensor<1x2x5x5xf32>
  %92 = tensor.empty() : tensor<1x2x5x5xf32>
  %93 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%91 : tensor<1x2x5x5xf32>) outs(%92 : tensor<1x2x5x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x5x5xf32>
  %collapsed_16 = tensor.collapse_shape %93 [[0, 1], [2], [3]] : tensor<1x2x5x5xf32> into tensor<2x5x5xf32>
  %94 = tensor.empty() : tensor<2x5x3xf32>
  %95 = linalg.fill ins(%cst_4 : f32) outs(%94 : tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  %96 = linalg.batch_matmul ins(%collapsed_16, %collapsed : tensor<2x5x5xf32>, tensor<2x5x3xf32>) outs(%95 : tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  %expanded_17 = tensor.expand_shape %96 [[0, 1], [2], [3]] output_shape [1, 2, 5, 3] : tensor<2x5x3xf32> into tensor<1x2x5x3xf32>
  %97 = tensor.empty() : tensor<1x5x2x3xf32>
  %98 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17 : tensor<1x2x5x3xf32>) outs(%97 : tensor<1x5x2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x5x2x3xf32>
  %99 = tensor.empty() : tensor<1x2x5x3xf32>
  %100 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x5x2x3xf32>) outs(%99 : tensor<1x2x5x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x5x3xf32>
  %collapsed_18 = tensor.collapse_shape %91 [[0, 1], [2], [3]] : tensor<1x2x5x5xf32> into tensor<2x5x5xf32>
  %collapsed_19 = tensor.collapse_shape %100 [[0, 1], [2], [3]] : tensor<1x2x5x3xf32> into tensor<2x5x3xf32>
  %101 = tensor.empty() : tensor<2x5x3xf32>
  %102 = linalg.fill ins(%cst_4 : f32) outs(%101 : tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  %103 = linalg.batch_matmul ins(%collapsed_18, %collapsed_19 : tensor<2x5x5xf32>, tensor<2x5x3xf32>) outs(%102 : tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  %expanded_20 = tensor.expand_shape %103 [[0, 1], [2], [3]] output_shape [1, 2, 5, 3] : tensor<2x5x3xf32> into tensor<1x2x5x3xf32>
  %104 = tensor.empty() : tensor<1x5x2x3xf32>
  %105 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_20 : tensor<1x2x5x3xf32>) outs(%104 : tensor<1x5x2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x5x2x3xf32>
  return %105, %98, %65 : tensor<1x5x2x3xf32>, tensor<1x5x2x3xf32>, tensor<1x5x2x3xf32>
}
