// test: round-trip
// rnn gradient: Back through time, by the gradient of a scan
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 4x3xf32: 0 -1.375 1.4375 -2 -1.0625 -1.125 0.1875 -0.5625 -1.375 -2 0.375 -1.25
// in 3x5xf32: -0.5 1 0.125 0.5625 0.375 -0.75 -0.625 -0.5625 -0.8125 0.5625 -1 0.875 -0.4375 -0.3125 -0.6875
// in 5x5xf32: 0.5625 -0.125 -0.75 0.375 0.0625 -0.125 0.1875 0.4375 0.625 -0.1875 -0.4375 0.5625 -0.1875 -0.4375 -0.25 0.0625 -0.75 -0.4375
//   0.375 0.8125 0.125 0.0625 0 -0.4375 0.25
// out 3x5xf32: -0.13262191 0.04464104 -2.728807 -2.4337633 -2.9507556 -1.2274442 -0.5224791 -1.6314421 -2.1277819 -0.96780956 1.0051543
//   -0.92452055 -1.3091493 -1.0561298 -2.5182917
// out 5x5xf32: 0.03046915 0.13734122 0.26453254 0.09617457 0.2174751 -0.024423113 -0.1309344 -0.14360331 0.035231523 -0.075462185
//   0.022021312 0.10404336 0.21039921 0.13869986 0.20294096 0.016473373 0.045651056 0.22979721 0.1867242 0.239249 -0.0050105625 -0.07978341
//   -0.027476907 -0.17482369 -0.101244636
func.func @main(%arg0: tensor<4x3xf32>, %arg1: tensor<3x5xf32>, %arg2: tensor<5x5xf32>) -> (tensor<3x5xf32>, tensor<5x5xf32>) {
  %c3_i32 = arith.constant 3 : i32
  %cst = arith.constant dense<1.000000e+00> : tensor<f32>
  %cst_0 = arith.constant 1.000000e+00 : f32
  %cst_1 = arith.constant 5.000000e+00 : f32
  %cst_2 = arith.constant 0.000000e+00 : f32
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %cst_3 = arith.constant dense<0.000000e+00> : tensor<5x5xf32>
  %cst_4 = arith.constant dense<0.000000e+00> : tensor<3x5xf32>
  %cst_5 = arith.constant dense<0.000000e+00> : tensor<5xf32>
  %cst_6 = arith.constant dense<0.000000e+00> : tensor<4xf32>
  %cst_7 = arith.constant dense<0.000000e+00> : tensor<4x5xf32>
  %c0_i32 = arith.constant 0 : i32
  %c4_i32 = arith.constant 4 : i32
  %c1_i32 = arith.constant 1 : i32
  %0:5 = scf.for %arg3 = %c0_i32 to %c4_i32 step %c1_i32 iter_args(%arg4 = %cst_5, %arg5 = %cst_6, %arg6 = %cst_7, %arg7 = %cst_7, %arg8 = %cst_7) -> (tensor<5xf32>, tensor<4xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>)  : i32 {
    %2 = arith.index_cast %arg3 : i32 to index
    %3 = arith.maxsi %2, %c0 : index
    %4 = arith.minsi %3, %c3 : index
    %extracted_slice = tensor.extract_slice %arg0[%4, 0] [1, 3] [1, 1] : tensor<4x3xf32> to tensor<1x3xf32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1]] : tensor<1x3xf32> into tensor<3xf32>
    %5 = tensor.empty() : tensor<5xf32>
    %6 = linalg.fill ins(%cst_2 : f32) outs(%5 : tensor<5xf32>) -> tensor<5xf32>
    %7 = linalg.vecmat ins(%collapsed, %arg1 : tensor<3xf32>, tensor<3x5xf32>) outs(%6 : tensor<5xf32>) -> tensor<5xf32>
    %8 = tensor.empty() : tensor<5xf32>
    %9 = linalg.fill ins(%cst_2 : f32) outs(%8 : tensor<5xf32>) -> tensor<5xf32>
    %10 = linalg.vecmat ins(%arg4, %arg2 : tensor<5xf32>, tensor<5x5xf32>) outs(%9 : tensor<5xf32>) -> tensor<5xf32>
    %11 = tensor.empty() : tensor<5xf32>
    %12 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%10 : tensor<5xf32>) outs(%11 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.divf %in, %cst_1 : f32
      linalg.yield %40 : f32
    } -> tensor<5xf32>
    %13 = tensor.empty() : tensor<5xf32>
    %14 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%7, %12 : tensor<5xf32>, tensor<5xf32>) outs(%13 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %40 = arith.addf %in, %in_11 : f32
      linalg.yield %40 : f32
    } -> tensor<5xf32>
    %15 = tensor.empty() : tensor<5xf32>
    %16 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%14 : tensor<5xf32>) outs(%15 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = math.tanh %in : f32
      linalg.yield %40 : f32
    } -> tensor<5xf32>
    %17 = tensor.empty() : tensor<5xf32>
    %18 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%16 : tensor<5xf32>) outs(%17 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.subf %cst_0, %in : f32
      linalg.yield %40 : f32
    } -> tensor<5xf32>
    %19 = tensor.empty() : tensor<f32>
    %20 = linalg.fill ins(%cst_2 : f32) outs(%19 : tensor<f32>) -> tensor<f32>
    %21 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%16 : tensor<5xf32>) outs(%20 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.addf %out, %in : f32
      linalg.yield %40 : f32
    } -> tensor<f32>
    %expanded = tensor.expand_shape %21 [] output_shape [1] : tensor<f32> into tensor<1xf32>
    %22 = arith.index_cast %arg3 : i32 to index
    %23 = arith.maxsi %22, %c0 : index
    %24 = arith.minsi %23, %c3 : index
    %inserted_slice = tensor.insert_slice %expanded into %arg5[%24] [1] [1] : tensor<1xf32> into tensor<4xf32>
    %25 = tensor.empty() : tensor<1x5xf32>
    %26 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<5xf32>) outs(%25 : tensor<1x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5xf32>
    %27 = arith.index_cast %arg3 : i32 to index
    %28 = arith.maxsi %27, %c0 : index
    %29 = arith.minsi %28, %c3 : index
    %inserted_slice_8 = tensor.insert_slice %26 into %arg6[%29, 0] [1, 5] [1, 1] : tensor<1x5xf32> into tensor<4x5xf32>
    %30 = tensor.empty() : tensor<1x5xf32>
    %31 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<5xf32>) outs(%30 : tensor<1x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5xf32>
    %32 = arith.index_cast %arg3 : i32 to index
    %33 = arith.maxsi %32, %c0 : index
    %34 = arith.minsi %33, %c3 : index
    %inserted_slice_9 = tensor.insert_slice %31 into %arg7[%34, 0] [1, 5] [1, 1] : tensor<1x5xf32> into tensor<4x5xf32>
    %35 = tensor.empty() : tensor<1x5xf32>
    %36 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<5xf32>) outs(%35 : tensor<1x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x5xf32>
    %37 = arith.index_cast %arg3 : i32 to index
    %38 = arith.maxsi %37, %c0 : index
    %39 = arith.minsi %38, %c3 : index
    %inserted_slice_10 = tensor.insert_slice %36 into %arg8[%39, 0] [1, 5] [1, 1] : tensor<1x5xf32> into tensor<4x5xf32>
    scf.yield %16, %inserted_slice, %inserted_slice_8, %inserted_slice_9, %inserted_slice_10 : tensor<5xf32>, tensor<4xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>
  }
  %1:3 = scf.for %arg3 = %c0_i32 to %c4_i32 step %c1_i32 iter_args(%arg4 = %cst_4, %arg5 = %cst_3, %arg6 = %cst_5) -> (tensor<3x5xf32>, tensor<5x5xf32>, tensor<5xf32>)  : i32 {
    %2 = arith.subi %c3_i32, %arg3 : i32
    %3 = arith.index_cast %2 : i32 to index
    %4 = arith.maxsi %3, %c0 : index
    %5 = arith.minsi %4, %c3 : index
    %extracted_slice = tensor.extract_slice %arg0[%5, 0] [1, 3] [1, 1] : tensor<4x3xf32> to tensor<1x3xf32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1]] : tensor<1x3xf32> into tensor<3xf32>
    %6 = arith.index_cast %2 : i32 to index
    %7 = arith.maxsi %6, %c0 : index
    %8 = arith.minsi %7, %c3 : index
    %extracted_slice_8 = tensor.extract_slice %0#2[%8, 0] [1, 5] [1, 1] : tensor<4x5xf32> to tensor<1x5xf32>
    %collapsed_9 = tensor.collapse_shape %extracted_slice_8 [[0, 1]] : tensor<1x5xf32> into tensor<5xf32>
    %9 = arith.index_cast %2 : i32 to index
    %10 = arith.maxsi %9, %c0 : index
    %11 = arith.minsi %10, %c3 : index
    %extracted_slice_10 = tensor.extract_slice %0#3[%11, 0] [1, 5] [1, 1] : tensor<4x5xf32> to tensor<1x5xf32>
    %collapsed_11 = tensor.collapse_shape %extracted_slice_10 [[0, 1]] : tensor<1x5xf32> into tensor<5xf32>
    %12 = arith.index_cast %2 : i32 to index
    %13 = arith.maxsi %12, %c0 : index
    %14 = arith.minsi %13, %c3 : index
    %extracted_slice_12 = tensor.extract_slice %0#4[%14, 0] [1, 5] [1, 1] : tensor<4x5xf32> to tensor<1x5xf32>
    %collapsed_13 = tensor.collapse_shape %extracted_slice_12 [[0, 1]] : tensor<1x5xf32> into tensor<5xf32>
    %15 = tensor.empty() : tensor<5xf32>
    %16 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%cst : tensor<f32>) outs(%15 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5xf32>
    %17 = tensor.empty() : tensor<5xf32>
    %18 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg6, %16 : tensor<5xf32>, tensor<5xf32>) outs(%17 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %52 = arith.addf %in, %in_14 : f32
      linalg.yield %52 : f32
    } -> tensor<5xf32>
    %19 = tensor.empty() : tensor<5xf32>
    %20 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%18, %collapsed_13 : tensor<5xf32>, tensor<5xf32>) outs(%19 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %52 = arith.mulf %in, %in_14 : f32
      linalg.yield %52 : f32
    } -> tensor<5xf32>
    %21 = tensor.empty() : tensor<5xf32>
    %22 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%20, %collapsed_11 : tensor<5xf32>, tensor<5xf32>) outs(%21 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %52 = arith.mulf %in, %in_14 : f32
      linalg.yield %52 : f32
    } -> tensor<5xf32>
    %23 = tensor.empty() : tensor<5xf32>
    %24 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%20, %22 : tensor<5xf32>, tensor<5xf32>) outs(%23 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %52 = arith.addf %in, %in_14 : f32
      linalg.yield %52 : f32
    } -> tensor<5xf32>
    %25 = tensor.empty() : tensor<5xf32>
    %26 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%24 : tensor<5xf32>) outs(%25 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.divf %in, %cst_1 : f32
      linalg.yield %52 : f32
    } -> tensor<5xf32>
    %27 = tensor.empty() : tensor<5x5xf32>
    %28 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%26 : tensor<5xf32>) outs(%27 : tensor<5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5x5xf32>
    %29 = tensor.empty() : tensor<5x5xf32>
    %30 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%collapsed_9 : tensor<5xf32>) outs(%29 : tensor<5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5x5xf32>
    %31 = tensor.empty() : tensor<5x5xf32>
    %32 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%28, %30 : tensor<5x5xf32>, tensor<5x5xf32>) outs(%31 : tensor<5x5xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %52 = arith.mulf %in, %in_14 : f32
      linalg.yield %52 : f32
    } -> tensor<5x5xf32>
    %33 = tensor.empty() : tensor<5x5xf32>
    %34 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%32 : tensor<5x5xf32>) outs(%33 : tensor<5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5x5xf32>
    %35 = tensor.empty() : tensor<5x5xf32>
    %36 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg5, %34 : tensor<5x5xf32>, tensor<5x5xf32>) outs(%35 : tensor<5x5xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %52 = arith.addf %in, %in_14 : f32
      linalg.yield %52 : f32
    } -> tensor<5x5xf32>
    %37 = tensor.empty() : tensor<5x5xf32>
    %38 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<5x5xf32>) outs(%37 : tensor<5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5x5xf32>
    %39 = tensor.empty() : tensor<5xf32>
    %40 = linalg.fill ins(%cst_2 : f32) outs(%39 : tensor<5xf32>) -> tensor<5xf32>
    %41 = linalg.vecmat ins(%26, %38 : tensor<5xf32>, tensor<5x5xf32>) outs(%40 : tensor<5xf32>) -> tensor<5xf32>
    %42 = tensor.empty() : tensor<5x3xf32>
    %43 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<5xf32>) outs(%42 : tensor<5x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5x3xf32>
    %44 = tensor.empty() : tensor<5x3xf32>
    %45 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<3xf32>) outs(%44 : tensor<5x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5x3xf32>
    %46 = tensor.empty() : tensor<5x3xf32>
    %47 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%43, %45 : tensor<5x3xf32>, tensor<5x3xf32>) outs(%46 : tensor<5x3xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %52 = arith.mulf %in, %in_14 : f32
      linalg.yield %52 : f32
    } -> tensor<5x3xf32>
    %48 = tensor.empty() : tensor<3x5xf32>
    %49 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%47 : tensor<5x3xf32>) outs(%48 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x5xf32>
    %50 = tensor.empty() : tensor<3x5xf32>
    %51 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg4, %49 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%50 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %52 = arith.addf %in, %in_14 : f32
      linalg.yield %52 : f32
    } -> tensor<3x5xf32>
    scf.yield %51, %36, %41 : tensor<3x5xf32>, tensor<5x5xf32>, tensor<5xf32>
  }
  return %1#0, %1#1 : tensor<3x5xf32>, tensor<5x5xf32>
}
