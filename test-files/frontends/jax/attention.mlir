// test: round-trip
// attention: Causal, several heads
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 1x5x2x3xf32: 1.25 -1.6875 -1.3125 -1.0625 -1.3125 1.25 1.5 0.3125 -1.875 -1.625 -0.6875 -0.25 0.5 -0.0625 -0.9375 -1.375 0.75 0.9375
//   -1.875 -1.5625 -0.1875 -0.4375 1.5625 0.0625 -0.3125 -0.3125 0.6875 0.375 -1.3125 0.9375
// in 1x5x2x3xf32: 1.0625 1.875 1.1875 -0.875 -0.75 0.625 0.625 0.8125 1.5 -0.8125 1.8125 -2 -1.75 1.9375 1.8125 -0.8125 -1.4375 -0.75
//   -1.875 1.5625 0.6875 0.375 -1.0625 -0.125 -1.25 1.125 -0.125 -1.9375 -1 0.8125
// in 1x5x2x3xf32: 0.0625 -0.5 -1 -1.6875 0.4375 0.625 0.0625 1.75 1.75 -1.1875 0.4375 0.5 -1 -0.8125 -0.0625 1 -0.8125 0.875 0.625 -1.125
//   -0.4375 1.3125 1.375 0.625 -2 0.75 -1.125 1.3125 1.6875 -0.3125
// out 1x5x2x3xf32: 0.0625 -0.5 -1 -1.6875 0.4375 0.625 0.062499996 0.14626743 -0.21011756 -1.5212477 0.4375 0.58343697 -0.09814162 0.285579
//   0.15964167 -1.0722234 0.23107436 0.62341976 0.048802085 -0.80951685 -0.17112039 -1.0122725 0.42596185 0.5343893 -0.435898 -0.07011317
//   -0.048013926 0.48043552 0.7743506 0.4262578
func.func @main(%arg0: tensor<1x5x2x3xf32>, %arg1: tensor<1x5x2x3xf32>, %arg2: tensor<1x5x2x3xf32>) -> tensor<1x5x2x3xf32> {
  %cst = arith.constant 1.73205078 : f32
  %cst_0 = arith.constant 0xFF800000 : f32
  %cst_1 = arith.constant -1.000000e+30 : f32
  %cst_2 = arith.constant 0.000000e+00 : f32
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
  %collapsed_3 = tensor.collapse_shape %3 [[0, 1], [2], [3]] : tensor<1x2x3x5xf32> into tensor<2x3x5xf32>
  %4 = tensor.empty() : tensor<2x5x5xf32>
  %5 = linalg.fill ins(%cst_2 : f32) outs(%4 : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %6 = linalg.batch_matmul ins(%collapsed, %collapsed_3 : tensor<2x5x3xf32>, tensor<2x3x5xf32>) outs(%5 : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
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
  ^bb0(%in: f32, %in_7: f32, %out: f32):
    %48 = arith.divf %in, %in_7 : f32
    linalg.yield %48 : f32
  } -> tensor<1x2x5x5xf32>
  %13 = tensor.empty() : tensor<5x5xi32>
  %14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%13 : tensor<5x5xi32>) {
  ^bb0(%out: i32):
    %48 = linalg.index 0 : index
    %49 = arith.index_cast %48 : index to i32
    linalg.yield %49 : i32
  } -> tensor<5x5xi32>
  %15 = tensor.empty() : tensor<5x5xi32>
  %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%15 : tensor<5x5xi32>) {
  ^bb0(%out: i32):
    %48 = linalg.index 1 : index
    %49 = arith.index_cast %48 : index to i32
    linalg.yield %49 : i32
  } -> tensor<5x5xi32>
  %17 = tensor.empty() : tensor<5x5xi1>
  %18 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%14, %16 : tensor<5x5xi32>, tensor<5x5xi32>) outs(%17 : tensor<5x5xi1>) {
  ^bb0(%in: i32, %in_7: i32, %out: i1):
    %48 = arith.cmpi sge, %in, %in_7 : i32
    linalg.yield %48 : i1
  } -> tensor<5x5xi1>
  %19 = tensor.empty() : tensor<1x2x5x5xi1>
  %20 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<5x5xi1>) outs(%19 : tensor<1x2x5x5xi1>) {
  ^bb0(%in: i1, %out: i1):
    linalg.yield %in : i1
  } -> tensor<1x2x5x5xi1>
  %21 = tensor.empty() : tensor<1x2x5x5xf32>
  %22 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %12 : tensor<1x2x5x5xi1>, tensor<1x2x5x5xf32>) outs(%21 : tensor<1x2x5x5xf32>) {
  ^bb0(%in: i1, %in_7: f32, %out: f32):
    %48 = arith.select %in, %in_7, %cst_1 : f32
    linalg.yield %48 : f32
  } -> tensor<1x2x5x5xf32>
  %23 = tensor.empty() : tensor<1x2x5xf32>
  %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
  %25 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%22 : tensor<1x2x5x5xf32>) outs(%24 : tensor<1x2x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %48 = arith.maximumf %out, %in : f32
    linalg.yield %48 : f32
  } -> tensor<1x2x5xf32>
  %26 = tensor.empty() : tensor<1x2x5x5xf32>
  %27 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<1x2x5xf32>) outs(%26 : tensor<1x2x5x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x5x5xf32>
  %28 = tensor.empty() : tensor<1x2x5x5xf32>
  %29 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %27 : tensor<1x2x5x5xf32>, tensor<1x2x5x5xf32>) outs(%28 : tensor<1x2x5x5xf32>) {
  ^bb0(%in: f32, %in_7: f32, %out: f32):
    %48 = arith.subf %in, %in_7 : f32
    linalg.yield %48 : f32
  } -> tensor<1x2x5x5xf32>
  %30 = tensor.empty() : tensor<1x2x5x5xf32>
  %31 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x2x5x5xf32>) outs(%30 : tensor<1x2x5x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %48 = math.exp %in : f32
    linalg.yield %48 : f32
  } -> tensor<1x2x5x5xf32>
  %32 = tensor.empty() : tensor<1x2x5xf32>
  %33 = linalg.fill ins(%cst_2 : f32) outs(%32 : tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
  %34 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%31 : tensor<1x2x5x5xf32>) outs(%33 : tensor<1x2x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %48 = arith.addf %out, %in : f32
    linalg.yield %48 : f32
  } -> tensor<1x2x5xf32>
  %35 = tensor.empty() : tensor<1x2x5x5xf32>
  %36 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x2x5xf32>) outs(%35 : tensor<1x2x5x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x5x5xf32>
  %37 = tensor.empty() : tensor<1x2x5x5xf32>
  %38 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %36 : tensor<1x2x5x5xf32>, tensor<1x2x5x5xf32>) outs(%37 : tensor<1x2x5x5xf32>) {
  ^bb0(%in: f32, %in_7: f32, %out: f32):
    %48 = arith.divf %in, %in_7 : f32
    linalg.yield %48 : f32
  } -> tensor<1x2x5x5xf32>
  %39 = tensor.empty() : tensor<1x2x3x5xf32>
  %40 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x5x2x3xf32>) outs(%39 : tensor<1x2x3x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x3x5xf32>
  %41 = tensor.empty() : tensor<1x2x5x5xf32>
  %42 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<1x2x5x5xf32>) outs(%41 : tensor<1x2x5x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x5x5xf32>
  %collapsed_4 = tensor.collapse_shape %40 [[0, 1], [2], [3]] : tensor<1x2x3x5xf32> into tensor<2x3x5xf32>
  %collapsed_5 = tensor.collapse_shape %42 [[0, 1], [2], [3]] : tensor<1x2x5x5xf32> into tensor<2x5x5xf32>
  %43 = tensor.empty() : tensor<2x3x5xf32>
  %44 = linalg.fill ins(%cst_2 : f32) outs(%43 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %45 = linalg.batch_matmul ins(%collapsed_4, %collapsed_5 : tensor<2x3x5xf32>, tensor<2x5x5xf32>) outs(%44 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %expanded_6 = tensor.expand_shape %45 [[0, 1], [2], [3]] output_shape [1, 2, 3, 5] : tensor<2x3x5xf32> into tensor<1x2x3x5xf32>
  %46 = tensor.empty() : tensor<1x5x2x3xf32>
  %47 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6 : tensor<1x2x3x5xf32>) outs(%46 : tensor<1x5x2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x5x2x3xf32>
  return %47 : tensor<1x5x2x3xf32>
}
