// test: round-trip
// max pool gradient: Of windows that do not overlap, as a reduction of a reshape
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 1x4x4x2xf32: -0.8125 1.125 -0.4375 0.4375 -0.125 0.875 -0.625 -1.6875 -0.8125 0.5 0.5 1.9375 -1.0625 -0.3125 1.8125 -1.5625 0.8125
//   1.875 1.6875 0.6875 1.5625 -1.25 1.0625 0.6875 0 2 1.375 -1.1875 1.9375 1.4375 -0.5 0.8125
// out 1x4x4x2xf32: 0 0 0 0 0 0.6409969 0 0 0 0 0.87758255 -0.3585402 0 0 -0.23935713 0 0 0 -0.11643894 0 0 0 0 0 0 -0.41614684 0 0
//   -0.3585402 0.13290195 0 0
func.func @main(%arg0: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant 0xFF800000 : f32
  %expanded = tensor.expand_shape %arg0 [[0], [1, 2], [3, 4], [5]] output_shape [1, 2, 2, 2, 2, 2] : tensor<1x4x4x2xf32> into tensor<1x2x2x2x2x2xf32>
  %0 = tensor.empty() : tensor<1x2x2x2xf32>
  %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d2, d5, d3)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%expanded : tensor<1x2x2x2x2x2xf32>) outs(%1 : tensor<1x2x2x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %22 = arith.maximumf %out, %in : f32
    linalg.yield %22 : f32
  } -> tensor<1x2x2x2xf32>
  %expanded_1 = tensor.expand_shape %2 [[0], [1], [2, 3], [4, 5]] output_shape [1, 2, 1, 2, 1, 2] : tensor<1x2x2x2xf32> into tensor<1x2x1x2x1x2xf32>
  %3 = tensor.empty() : tensor<1x2x2x2x2x2xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, 0, d3, 0, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_1 : tensor<1x2x1x2x1x2xf32>) outs(%3 : tensor<1x2x2x2x2x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x2x2x2xf32>
  %5 = tensor.empty() : tensor<1x2x2x2x2x2xi1>
  %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %4 : tensor<1x2x2x2x2x2xf32>, tensor<1x2x2x2x2x2xf32>) outs(%5 : tensor<1x2x2x2x2x2xi1>) {
  ^bb0(%in: f32, %in_2: f32, %out: i1):
    %22 = arith.cmpf oeq, %in, %in_2 : f32
    linalg.yield %22 : i1
  } -> tensor<1x2x2x2x2x2xi1>
  %7 = tensor.empty() : tensor<1x2x2x2x2x2xf32>
  %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<1x2x2x2x2x2xi1>) outs(%7 : tensor<1x2x2x2x2x2xf32>) {
  ^bb0(%in: i1, %out: f32):
    %22 = arith.uitofp %in : i1 to f32
    linalg.yield %22 : f32
  } -> tensor<1x2x2x2x2x2xf32>
  %9 = tensor.empty() : tensor<1x2x2x2xf32>
  %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d2, d5, d3)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%8 : tensor<1x2x2x2x2x2xf32>) outs(%10 : tensor<1x2x2x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %22 = arith.addf %out, %in : f32
    linalg.yield %22 : f32
  } -> tensor<1x2x2x2xf32>
  %12 = tensor.empty() : tensor<1x2x2x2xf32>
  %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x2x2x2xf32>) outs(%12 : tensor<1x2x2x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %22 = math.cos %in : f32
    linalg.yield %22 : f32
  } -> tensor<1x2x2x2xf32>
  %14 = tensor.empty() : tensor<1x2x2x2xf32>
  %15 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %11 : tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) outs(%14 : tensor<1x2x2x2xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %22 = arith.divf %in, %in_2 : f32
    linalg.yield %22 : f32
  } -> tensor<1x2x2x2xf32>
  %16 = tensor.empty() : tensor<1x2x2x2x2x2xf32>
  %17 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x2x2x2xf32>) outs(%16 : tensor<1x2x2x2x2x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x2x2x2xf32>
  %18 = tensor.empty() : tensor<1x2x2x2x2x2xi1>
  %19 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<1x2x2x2x2x2xf32>) outs(%18 : tensor<1x2x2x2x2x2xi1>) {
  ^bb0(%in: f32, %out: i1):
    %22 = arith.cmpf une, %in, %cst : f32
    linalg.yield %22 : i1
  } -> tensor<1x2x2x2x2x2xi1>
  %20 = tensor.empty() : tensor<1x2x2x2x2x2xf32>
  %21 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%19, %17 : tensor<1x2x2x2x2x2xi1>, tensor<1x2x2x2x2x2xf32>) outs(%20 : tensor<1x2x2x2x2x2xf32>) {
  ^bb0(%in: i1, %in_2: f32, %out: f32):
    %22 = arith.select %in, %in_2, %cst : f32
    linalg.yield %22 : f32
  } -> tensor<1x2x2x2x2x2xf32>
  %collapsed = tensor.collapse_shape %21 [[0], [1, 2], [3, 4], [5]] : tensor<1x2x2x2x2x2xf32> into tensor<1x4x4x2xf32>
  return %collapsed : tensor<1x4x4x2xf32>
}
