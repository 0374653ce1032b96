// test: round-trip
// embedding
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 9x4xf32: -1 -0.0625 -0.75 -1 -0.4375 0.875 -0.0625 0.5625 -1.625 1.75 -1.375 -1.875 0.1875 1.375 0.8125 0 1.4375 -0.25 0.875 -0.0625
//   0.8125 -1.5 -1.5 -1.75 1.375 0.9375 0.1875 0.6875 -0.625 -0.4375 -1.625 0.125 -1.625 -0.4375 -0.5 -0.375
// in 2x3xi32: 8 1 2 7 6 4
// out 2x3x4xf32: -1.625 -0.4375 -0.5 -0.375 -0.4375 0.875 -0.0625 0.5625 -1.625 1.75 -1.375 -1.875 -0.625 -0.4375 -1.625 0.125 1.375 0.9375
//   0.1875 0.6875 1.4375 -0.25 0.875 -0.0625
func.func @main(%arg0: tensor<9x4xf32>, %arg1: tensor<2x3xi32>) -> tensor<2x3x4xf32> {
  %c9_i32 = arith.constant 9 : i32
  %c0_i32 = arith.constant 0 : i32
  %0 = tensor.empty() : tensor<2x3xi1>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<2x3xi32>) outs(%0 : tensor<2x3xi1>) {
  ^bb0(%in: i32, %out: i1):
    %8 = arith.cmpi slt, %in, %c0_i32 : i32
    linalg.yield %8 : i1
  } -> tensor<2x3xi1>
  %2 = tensor.empty() : tensor<2x3xi32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<2x3xi32>) outs(%2 : tensor<2x3xi32>) {
  ^bb0(%in: i32, %out: i32):
    %8 = arith.addi %in, %c9_i32 : i32
    linalg.yield %8 : i32
  } -> tensor<2x3xi32>
  %4 = tensor.empty() : tensor<2x3xi32>
  %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1, %3, %arg1 : tensor<2x3xi1>, tensor<2x3xi32>, tensor<2x3xi32>) outs(%4 : tensor<2x3xi32>) {
  ^bb0(%in: i1, %in_0: i32, %in_1: i32, %out: i32):
    %8 = arith.select %in, %in_0, %in_1 : i32
    linalg.yield %8 : i32
  } -> tensor<2x3xi32>
  %expanded = tensor.expand_shape %5 [[0], [1, 2]] output_shape [2, 3, 1] : tensor<2x3xi32> into tensor<2x3x1xi32>
  %6 = tensor.empty() : tensor<2x3x1x4xf32>
  %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x3x1xi32>) outs(%6 : tensor<2x3x1x4xf32>) {
  ^bb0(%in: i32, %out: f32):
    %8 = arith.index_cast %in : i32 to index
    %9 = linalg.index 3 : index
    %extracted = tensor.extract %arg0[%8, %9] : tensor<9x4xf32>
    linalg.yield %extracted : f32
  } -> tensor<2x3x1x4xf32>
  %collapsed = tensor.collapse_shape %7 [[0], [1], [2, 3]] : tensor<2x3x1x4xf32> into tensor<2x3x4xf32>
  return %collapsed : tensor<2x3x4xf32>
}
