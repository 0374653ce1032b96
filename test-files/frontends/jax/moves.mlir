// test: round-trip
// moves: Padding of all kinds, turns, rolls, triangles
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 3x5xf32: 0 0.625 -0.375 -1.875 0.3125 -1.9375 -0.9375 1.375 -0.125 0.375 1.875 -1.125 1.4375 1 -0.5
// out 4x7xf32: 3 3 3 3 3 3 3 0 0.625 -0.375 -1.875 0.3125 3 3 -1.9375 -0.9375 1.375 -0.125 0.375 3 3 1.875 -1.125 1.4375 1 -0.5 3 3
// out 3x8xf32: 0 0 0 0.625 -0.375 -1.875 0.3125 0.3125 -1.9375 -1.9375 -1.9375 -0.9375 1.375 -0.125 0.375 0.375 1.875 1.875 1.875 -1.125
//   1.4375 1 -0.5 -0.5
// out 5x7xf32: -0.9375 -1.9375 -0.9375 1.375 -0.125 0.375 -0.125 0.625 0 0.625 -0.375 -1.875 0.3125 -1.875 -0.9375 -1.9375 -0.9375 1.375
//   -0.125 0.375 -0.125 -1.125 1.875 -1.125 1.4375 1 -0.5 1 -0.9375 -1.9375 -0.9375 1.375 -0.125 0.375 -0.125
// out 3x5xf32: 1.875 -1.125 1.4375 1 -0.5 -1.9375 -0.9375 1.375 -0.125 0.375 0 0.625 -0.375 -1.875 0.3125
// out 3x5xf32: 0.3125 -1.875 -0.375 0.625 0 0.375 -0.125 1.375 -0.9375 -1.9375 -0.5 1 1.4375 -1.125 1.875
// out 3x5xf32: -1.875 0.3125 0 0.625 -0.375 -0.125 0.375 -1.9375 -0.9375 1.375 1 -0.5 1.875 -1.125 1.4375
// out 5x3xf32: 0.3125 0.375 -0.5 -1.875 -0.125 1 -0.375 1.375 1.4375 0.625 -0.9375 -1.125 0 -1.9375 1.875
// out 3x5xf32: 0 0 0 0 0 -1.9375 -0.9375 0 0 0 1.875 -1.125 1.4375 0 0
// out 3x5xf32: 0 0.625 -0.375 -1.875 0.3125 0 0 1.375 -0.125 0.375 0 0 0 1 -0.5
// out 15xf32: 0 -1.9375 1.875 0.625 -0.9375 -1.125 -0.375 1.375 1.4375 -1.875 -0.125 1 0.3125 0.375 -0.5
// out 5x3x1xf32: 0 -1.9375 1.875 0.625 -0.9375 -1.125 -0.375 1.375 1.4375 -1.875 -0.125 1 0.3125 0.375 -0.5
// out 8x4xf32: 0 0 0 0 0 0.625 -0.375 -1.875 0 0 0 0 -1.9375 -0.9375 1.375 -0.125 0 0 0 0 1.875 -1.125 1.4375 1 0 0 0 0 0 0 0 0
// out 6x5xf32: 0 0.625 -0.375 -1.875 0.3125 0 0.625 -0.375 -1.875 0.3125 -1.9375 -0.9375 1.375 -0.125 0.375 -1.9375 -0.9375 1.375 -0.125
//   0.375 1.875 -1.125 1.4375 1 -0.5 1.875 -1.125 1.4375 1 -0.5
func.func @main(%arg0: tensor<3x5xf32>) -> (tensor<4x7xf32>, tensor<3x8xf32>, tensor<5x7xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<5x3xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<15xf32>, tensor<5x3x1xf32>, tensor<8x4xf32>, tensor<6x5xf32>) {
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant 3.000000e+00 : f32
  %padded = tensor.pad %arg0 low[1, 0] high[0, 2] {
  ^bb0(%arg1: index, %arg2: index):
    tensor.yield %cst_0 : f32
  } : tensor<3x5xf32> to tensor<4x7xf32>
  %extracted_slice = tensor.extract_slice %arg0[0, 0] [3, 1] [1, 1] : tensor<3x5xf32> to tensor<3x1xf32>
  %0 = tensor.empty() : tensor<3x1x2xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice : tensor<3x1xf32>) outs(%0 : tensor<3x1x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x1x2xf32>
  %collapsed = tensor.collapse_shape %1 [[0], [1, 2]] : tensor<3x1x2xf32> into tensor<3x2xf32>
  %extracted_slice_1 = tensor.extract_slice %arg0[0, 4] [3, 1] [1, 1] : tensor<3x5xf32> to tensor<3x1xf32>
  %2 = tensor.empty() : tensor<3x8xf32>
  %inserted_slice = tensor.insert_slice %collapsed into %2[0, 0] [3, 2] [1, 1] : tensor<3x2xf32> into tensor<3x8xf32>
  %inserted_slice_2 = tensor.insert_slice %arg0 into %inserted_slice[0, 2] [3, 5] [1, 1] : tensor<3x5xf32> into tensor<3x8xf32>
  %inserted_slice_3 = tensor.insert_slice %extracted_slice_1 into %inserted_slice_2[0, 7] [3, 1] [1, 1] : tensor<3x1xf32> into tensor<3x8xf32>
  %extracted_slice_4 = tensor.extract_slice %arg0[1, 0] [1, 5] [1, 1] : tensor<3x5xf32> to tensor<1x5xf32>
  %3 = tensor.empty() : tensor<1x5xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%3 : tensor<1x5xf32>) {
  ^bb0(%out: f32):
    %42 = linalg.index 1 : index
    %extracted = tensor.extract %extracted_slice_4[%c0, %42] : tensor<1x5xf32>
    linalg.yield %extracted : f32
  } -> tensor<1x5xf32>
  %5 = tensor.empty() : tensor<4x5xf32>
  %inserted_slice_5 = tensor.insert_slice %4 into %5[0, 0] [1, 5] [1, 1] : tensor<1x5xf32> into tensor<4x5xf32>
  %inserted_slice_6 = tensor.insert_slice %arg0 into %inserted_slice_5[1, 0] [3, 5] [1, 1] : tensor<3x5xf32> into tensor<4x5xf32>
  %extracted_slice_7 = tensor.extract_slice %inserted_slice_6[2, 0] [1, 5] [1, 1] : tensor<4x5xf32> to tensor<1x5xf32>
  %6 = tensor.empty() : tensor<1x5xf32>
  %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%6 : tensor<1x5xf32>) {
  ^bb0(%out: f32):
    %42 = linalg.index 1 : index
    %extracted = tensor.extract %extracted_slice_7[%c0, %42] : tensor<1x5xf32>
    linalg.yield %extracted : f32
  } -> tensor<1x5xf32>
  %8 = tensor.empty() : tensor<5x5xf32>
  %inserted_slice_8 = tensor.insert_slice %inserted_slice_6 into %8[0, 0] [4, 5] [1, 1] : tensor<4x5xf32> into tensor<5x5xf32>
  %inserted_slice_9 = tensor.insert_slice %7 into %inserted_slice_8[4, 0] [1, 5] [1, 1] : tensor<1x5xf32> into tensor<5x5xf32>
  %extracted_slice_10 = tensor.extract_slice %inserted_slice_9[0, 1] [5, 1] [1, 1] : tensor<5x5xf32> to tensor<5x1xf32>
  %9 = tensor.empty() : tensor<5x1xf32>
  %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%9 : tensor<5x1xf32>) {
  ^bb0(%out: f32):
    %42 = linalg.index 0 : index
    %extracted = tensor.extract %extracted_slice_10[%42, %c0] : tensor<5x1xf32>
    linalg.yield %extracted : f32
  } -> tensor<5x1xf32>
  %11 = tensor.empty() : tensor<5x6xf32>
  %inserted_slice_11 = tensor.insert_slice %10 into %11[0, 0] [5, 1] [1, 1] : tensor<5x1xf32> into tensor<5x6xf32>
  %inserted_slice_12 = tensor.insert_slice %inserted_slice_9 into %inserted_slice_11[0, 1] [5, 5] [1, 1] : tensor<5x5xf32> into tensor<5x6xf32>
  %extracted_slice_13 = tensor.extract_slice %inserted_slice_12[0, 4] [5, 1] [1, 1] : tensor<5x6xf32> to tensor<5x1xf32>
  %12 = tensor.empty() : tensor<5x1xf32>
  %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%12 : tensor<5x1xf32>) {
  ^bb0(%out: f32):
    %42 = linalg.index 0 : index
    %extracted = tensor.extract %extracted_slice_13[%42, %c0] : tensor<5x1xf32>
    linalg.yield %extracted : f32
  } -> tensor<5x1xf32>
  %14 = tensor.empty() : tensor<5x7xf32>
  %inserted_slice_14 = tensor.insert_slice %inserted_slice_12 into %14[0, 0] [5, 6] [1, 1] : tensor<5x6xf32> into tensor<5x7xf32>
  %inserted_slice_15 = tensor.insert_slice %13 into %inserted_slice_14[0, 6] [5, 1] [1, 1] : tensor<5x1xf32> into tensor<5x7xf32>
  %15 = tensor.empty() : tensor<3x5xf32>
  %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%15 : tensor<3x5xf32>) {
  ^bb0(%out: f32):
    %42 = linalg.index 0 : index
    %43 = arith.subi %c2, %42 : index
    %44 = linalg.index 1 : index
    %extracted = tensor.extract %arg0[%43, %44] : tensor<3x5xf32>
    linalg.yield %extracted : f32
  } -> tensor<3x5xf32>
  %17 = tensor.empty() : tensor<3x5xf32>
  %18 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%17 : tensor<3x5xf32>) {
  ^bb0(%out: f32):
    %42 = linalg.index 0 : index
    %43 = linalg.index 1 : index
    %44 = arith.subi %c4, %43 : index
    %extracted = tensor.extract %arg0[%42, %44] : tensor<3x5xf32>
    linalg.yield %extracted : f32
  } -> tensor<3x5xf32>
  %extracted_slice_16 = tensor.extract_slice %arg0[0, 3] [3, 2] [1, 1] : tensor<3x5xf32> to tensor<3x2xf32>
  %extracted_slice_17 = tensor.extract_slice %arg0[0, 0] [3, 3] [1, 1] : tensor<3x5xf32> to tensor<3x3xf32>
  %19 = tensor.empty() : tensor<3x5xf32>
  %inserted_slice_18 = tensor.insert_slice %extracted_slice_16 into %19[0, 0] [3, 2] [1, 1] : tensor<3x2xf32> into tensor<3x5xf32>
  %inserted_slice_19 = tensor.insert_slice %extracted_slice_17 into %inserted_slice_18[0, 2] [3, 3] [1, 1] : tensor<3x3xf32> into tensor<3x5xf32>
  %20 = tensor.empty() : tensor<5x3xf32>
  %21 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<3x5xf32>) outs(%20 : tensor<5x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<5x3xf32>
  %22 = tensor.empty() : tensor<3x5xi32>
  %23 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%22 : tensor<3x5xi32>) {
  ^bb0(%out: i32):
    %42 = linalg.index 0 : index
    %43 = arith.index_cast %42 : index to i32
    linalg.yield %43 : i32
  } -> tensor<3x5xi32>
  %24 = tensor.empty() : tensor<3x5xi32>
  %25 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%24 : tensor<3x5xi32>) {
  ^bb0(%out: i32):
    %42 = linalg.index 1 : index
    %43 = arith.index_cast %42 : index to i32
    linalg.yield %43 : i32
  } -> tensor<3x5xi32>
  %26 = tensor.empty() : tensor<3x5xi1>
  %27 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%23, %25 : tensor<3x5xi32>, tensor<3x5xi32>) outs(%26 : tensor<3x5xi1>) {
  ^bb0(%in: i32, %in_24: i32, %out: i1):
    %42 = arith.cmpi sge, %in, %in_24 : i32
    linalg.yield %42 : i1
  } -> tensor<3x5xi1>
  %28 = tensor.empty() : tensor<3x5xf32>
  %29 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%27, %arg0 : tensor<3x5xi1>, tensor<3x5xf32>) outs(%28 : tensor<3x5xf32>) {
  ^bb0(%in: i1, %in_24: f32, %out: f32):
    %42 = arith.select %in, %in_24, %cst : f32
    linalg.yield %42 : f32
  } -> tensor<3x5xf32>
  %30 = tensor.empty() : tensor<3x5xf32>
  %31 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%27, %arg0 : tensor<3x5xi1>, tensor<3x5xf32>) outs(%30 : tensor<3x5xf32>) {
  ^bb0(%in: i1, %in_24: f32, %out: f32):
    %42 = arith.select %in, %cst, %in_24 : f32
    linalg.yield %42 : f32
  } -> tensor<3x5xf32>
  %32 = tensor.empty() : tensor<5x3xf32>
  %33 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<3x5xf32>) outs(%32 : tensor<5x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<5x3xf32>
  %collapsed_20 = tensor.collapse_shape %33 [[0, 1]] : tensor<5x3xf32> into tensor<15xf32>
  %34 = tensor.empty() : tensor<1x3x5xf32>
  %35 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<3x5xf32>) outs(%34 : tensor<1x3x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x5xf32>
  %36 = tensor.empty() : tensor<5x3x1xf32>
  %37 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d1, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<1x3x5xf32>) outs(%36 : tensor<5x3x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<5x3x1xf32>
  %38 = tensor.empty() : tensor<8x6xf32>
  %39 = linalg.fill ins(%cst : f32) outs(%38 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %inserted_slice_21 = tensor.insert_slice %arg0 into %39[1, 0] [3, 5] [2, 1] : tensor<3x5xf32> into tensor<8x6xf32>
  %extracted_slice_22 = tensor.extract_slice %inserted_slice_21[0, 0] [8, 4] [1, 1] : tensor<8x6xf32> to tensor<8x4xf32>
  %40 = tensor.empty() : tensor<3x2x5xf32>
  %41 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<3x5xf32>) outs(%40 : tensor<3x2x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x2x5xf32>
  %collapsed_23 = tensor.collapse_shape %41 [[0, 1], [2]] : tensor<3x2x5xf32> into tensor<6x5xf32>
  return %padded, %inserted_slice_3, %inserted_slice_15, %16, %18, %inserted_slice_19, %21, %29, %31, %collapsed_20, %37, %extracted_slice_22, %collapsed_23 : tensor<4x7xf32>, tensor<3x8xf32>, tensor<5x7xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<5x3xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<15xf32>, tensor<5x3x1xf32>, tensor<8x4xf32>, tensor<6x5xf32>
}
