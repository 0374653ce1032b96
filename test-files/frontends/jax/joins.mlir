// test: round-trip
// joins
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 3x4xf32: -1.6875 1.125 0.625 -0.25 -0.25 1.4375 -1.6875 0.8125 -1.1875 -1.625 0.125 1.9375
// in 2x4xf32: 0.9375 1.0625 0.875 1.1875 0.0625 -1.5 1.375 -0.1875
// in 3x1xf32: 0 -0.5 -1.3125
// out 5x4xf32: -1.6875 1.125 0.625 -0.25 -0.25 1.4375 -1.6875 0.8125 -1.1875 -1.625 0.125 1.9375 0.9375 1.0625 0.875 1.1875 0.0625 -1.5
//   1.375 -0.1875
// out 3x9xf32: -1.6875 1.125 0.625 -0.25 0 -1.6875 1.125 0.625 -0.25 -0.25 1.4375 -1.6875 0.8125 -0.5 -0.25 1.4375 -1.6875 0.8125 -1.1875
//   -1.625 0.125 1.9375 -1.3125 -1.1875 -1.625 0.125 1.9375
// out 3x2x4xf32: -1.6875 1.125 0.625 -0.25 -3.375 2.25 1.25 -0.5 -0.25 1.4375 -1.6875 0.8125 -0.5 2.875 -3.375 1.625 -1.1875 -1.625 0.125
//   1.9375 -2.375 -3.25 0.25 3.875
// out 4x4xf32: 0.9375 1.0625 0.875 1.1875 0.0625 -1.5 1.375 -0.1875 0.9375 1.0625 0.875 1.1875 0.0625 -1.5 1.375 -0.1875
// out 3x1xf32: -0.13671875 0.78125 -0.4296875
func.func @main(%arg0: tensor<3x4xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<3x1xf32>) -> (tensor<5x4xf32>, tensor<3x9xf32>, tensor<3x2x4xf32>, tensor<4x4xf32>, tensor<3x1xf32>) {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant 2.000000e+00 : f32
  %0 = tensor.empty() : tensor<5x4xf32>
  %inserted_slice = tensor.insert_slice %arg0 into %0[0, 0] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<5x4xf32>
  %inserted_slice_1 = tensor.insert_slice %arg1 into %inserted_slice[3, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<5x4xf32>
  %1 = tensor.empty() : tensor<3x9xf32>
  %inserted_slice_2 = tensor.insert_slice %arg0 into %1[0, 0] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<3x9xf32>
  %inserted_slice_3 = tensor.insert_slice %arg2 into %inserted_slice_2[0, 4] [3, 1] [1, 1] : tensor<3x1xf32> into tensor<3x9xf32>
  %inserted_slice_4 = tensor.insert_slice %arg0 into %inserted_slice_3[0, 5] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<3x9xf32>
  %2 = tensor.empty() : tensor<3x4xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<3x4xf32>) outs(%2 : tensor<3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %18 = arith.mulf %in, %cst_0 : f32
    linalg.yield %18 : f32
  } -> tensor<3x4xf32>
  %4 = tensor.empty() : tensor<3x1x4xf32>
  %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<3x4xf32>) outs(%4 : tensor<3x1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x1x4xf32>
  %6 = tensor.empty() : tensor<3x1x4xf32>
  %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<3x4xf32>) outs(%6 : tensor<3x1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x1x4xf32>
  %8 = tensor.empty() : tensor<3x2x4xf32>
  %inserted_slice_5 = tensor.insert_slice %5 into %8[0, 0, 0] [3, 1, 4] [1, 1, 1] : tensor<3x1x4xf32> into tensor<3x2x4xf32>
  %inserted_slice_6 = tensor.insert_slice %7 into %inserted_slice_5[0, 1, 0] [3, 1, 4] [1, 1, 1] : tensor<3x1x4xf32> into tensor<3x2x4xf32>
  %expanded = tensor.expand_shape %arg1 [[0, 1], [2, 3]] output_shape [1, 2, 1, 4] : tensor<2x4xf32> into tensor<1x2x1x4xf32>
  %9 = tensor.empty() : tensor<2x2x1x4xf32>
  %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x2x1x4xf32>) outs(%9 : tensor<2x2x1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x2x1x4xf32>
  %collapsed = tensor.collapse_shape %10 [[0, 1], [2, 3]] : tensor<2x2x1x4xf32> into tensor<4x4xf32>
  %11 = tensor.empty() : tensor<3x5xf32>
  %inserted_slice_7 = tensor.insert_slice %arg0 into %11[0, 0] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<3x5xf32>
  %inserted_slice_8 = tensor.insert_slice %arg2 into %inserted_slice_7[0, 4] [3, 1] [1, 1] : tensor<3x1xf32> into tensor<3x5xf32>
  %12 = tensor.empty() : tensor<4x2xf32>
  %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<2x4xf32>) outs(%12 : tensor<4x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x2xf32>
  %extracted_slice = tensor.extract_slice %13[0, 0] [4, 1] [1, 1] : tensor<4x2xf32> to tensor<4x1xf32>
  %collapsed_9 = tensor.collapse_shape %arg2 [[0, 1]] : tensor<3x1xf32> into tensor<3xf32>
  %expanded_10 = tensor.expand_shape %collapsed_9 [[0, 1]] output_shape [1, 3] : tensor<3xf32> into tensor<1x3xf32>
  %extracted_slice_11 = tensor.extract_slice %expanded_10[0, 0] [1, 1] [1, 1] : tensor<1x3xf32> to tensor<1x1xf32>
  %14 = tensor.empty() : tensor<5x1xf32>
  %inserted_slice_12 = tensor.insert_slice %extracted_slice into %14[0, 0] [4, 1] [1, 1] : tensor<4x1xf32> into tensor<5x1xf32>
  %inserted_slice_13 = tensor.insert_slice %extracted_slice_11 into %inserted_slice_12[4, 0] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<5x1xf32>
  %collapsed_14 = tensor.collapse_shape %inserted_slice_13 [[0, 1]] : tensor<5x1xf32> into tensor<5xf32>
  %15 = tensor.empty() : tensor<3xf32>
  %16 = linalg.fill ins(%cst : f32) outs(%15 : tensor<3xf32>) -> tensor<3xf32>
  %17 = linalg.matvec ins(%inserted_slice_8, %collapsed_14 : tensor<3x5xf32>, tensor<5xf32>) outs(%16 : tensor<3xf32>) -> tensor<3xf32>
  %expanded_15 = tensor.expand_shape %17 [[0, 1]] output_shape [3, 1] : tensor<3xf32> into tensor<3x1xf32>
  return %inserted_slice_1, %inserted_slice_4, %inserted_slice_6, %collapsed, %expanded_15 : tensor<5x4xf32>, tensor<3x9xf32>, tensor<3x2x4xf32>, tensor<4x4xf32>, tensor<3x1xf32>
}
