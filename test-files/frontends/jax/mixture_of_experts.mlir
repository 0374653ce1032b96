// test: round-trip
// mixture of experts: The best expert for each token; all are computed
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 4x6xf32: 1.1875 0.375 1 1.3125 0.5625 -1.5625 1.25 -0.5 -0.625 -1.25 -1.75 -1.375 1.625 -2 1.4375 1.9375 1.6875 -1.625 1.375 1.75
//   0.5625 -0.3125 -0.1875 0.8125
// in 6x3xf32: 1.9375 -1.5625 -0.9375 0 -2 1.25 -1.625 -1.625 -1.9375 -1.0625 -1.1875 -1.5625 1.4375 -0.625 -0.0625 -0.625 -0.0625 -1.25
// in 6x3xf32: 0.875 -1.5625 0.5625 1.625 0.875 1.125 0.5625 0.625 -0.4375 -1.0625 0.5625 -1.75 -1.75 0.5625 -0.6875 1.8125 1.6875 1.875
// in 3x6x6xf32: 0.0625 1.125 -0.9375 2 1.875 -1.9375 -0.8125 -0.8125 1.5 1.9375 1.8125 -1.4375 0.125 0.0625 0.4375 1.6875 1.8125 0.5625
//   0.375 -0.375 -1.4375 -1.25 1.9375 -0.8125 1.5 -1.0625 0.3125 -2 1.3125 -1.0625 -1.9375 0.5 1.25 0.875 0.5 1.0625 -0.5 -0.25 -1.75
//   -1.625 0.5625 -0.6875 -1 -1.125 0.1875 0.1875 0.75 -0.5625 1.875 -0.3125 -1.75 0.125 0.6875 1 -0.3125 -0.875 1.5625 -1.8125 0.875
//   -0.125 -0.1875 1.125 0.125 -1.6875 1.8125 0.0625 -0.5 1.8125 -1.375 -1.4375 0.4375 -2 -0.9375 0.125 -1.375 0.625 -1.125 0.5 0.75 -0.375
//   1.6875 1.0625 0.9375 0.875 -0.6875 -0.9375 -0.375 0 1.9375 -0.4375 0.8125 1.625 0.5 -0.3125 0.625 -2 1.3125 -0.625 1.8125 0.625 0
//   -0.8125 -0.25 1.875 -2 0.25 -0.625 -1.75
// out 4x6xf32: 4.159598 -0.7594129 -3.6902122 0.6411124 7.052236 -5.472352 -1.6064639 -1.0167104 -1.3269453 -0.31330654 -1.1825786
//   2.6692488 8.297289 0.21055152 -8.168619 -5.408055 7.170449 -4.550252 -2.8547413 0.7782527 2.634351 7.5518064 5.5751824 -3.1267853
func.func @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6x3xf32>, %arg2: tensor<6x3xf32>, %arg3: tensor<3x6x6xf32>) -> tensor<4x6xf32> {
  %c0_i32 = arith.constant 0 : i32
  %cst = arith.constant 0xFF800000 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<4x3xf32>
  %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<4x3xf32>) -> tensor<4x3xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<4x6xf32>, tensor<6x3xf32>) outs(%1 : tensor<4x3xf32>) -> tensor<4x3xf32>
  %3 = tensor.empty() : tensor<4xf32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<4xf32>) -> tensor<4xf32>
  %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<4x3xf32>) outs(%4 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %46 = arith.maximumf %out, %in : f32
    linalg.yield %46 : f32
  } -> tensor<4xf32>
  %6 = tensor.empty() : tensor<4x3xf32>
  %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<4xf32>) outs(%6 : tensor<4x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x3xf32>
  %8 = tensor.empty() : tensor<4x3xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%2, %7 : tensor<4x3xf32>, tensor<4x3xf32>) outs(%8 : tensor<4x3xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %46 = arith.subf %in, %in_1 : f32
    linalg.yield %46 : f32
  } -> tensor<4x3xf32>
  %10 = tensor.empty() : tensor<4x3xf32>
  %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<4x3xf32>) outs(%10 : tensor<4x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %46 = math.exp %in : f32
    linalg.yield %46 : f32
  } -> tensor<4x3xf32>
  %12 = tensor.empty() : tensor<4xf32>
  %13 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<4xf32>) -> tensor<4xf32>
  %14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%11 : tensor<4x3xf32>) outs(%13 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %46 = arith.addf %out, %in : f32
    linalg.yield %46 : f32
  } -> tensor<4xf32>
  %15 = tensor.empty() : tensor<4x3xf32>
  %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<4xf32>) outs(%15 : tensor<4x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x3xf32>
  %17 = tensor.empty() : tensor<4x3xf32>
  %18 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%11, %16 : tensor<4x3xf32>, tensor<4x3xf32>) outs(%17 : tensor<4x3xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %46 = arith.divf %in, %in_1 : f32
    linalg.yield %46 : f32
  } -> tensor<4x3xf32>
  %19 = tensor.empty() : tensor<4x3xi32>
  %20 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%19 : tensor<4x3xi32>) {
  ^bb0(%out: i32):
    %46 = linalg.index 1 : index
    %47 = arith.index_cast %46 : index to i32
    linalg.yield %47 : i32
  } -> tensor<4x3xi32>
  %21 = tensor.empty() : tensor<4xf32>
  %22 = linalg.fill ins(%cst : f32) outs(%21 : tensor<4xf32>) -> tensor<4xf32>
  %23 = tensor.empty() : tensor<4xi32>
  %24 = linalg.fill ins(%c0_i32 : i32) outs(%23 : tensor<4xi32>) -> tensor<4xi32>
  %25:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%18, %20 : tensor<4x3xf32>, tensor<4x3xi32>) outs(%22, %24 : tensor<4xf32>, tensor<4xi32>) {
  ^bb0(%in: f32, %in_1: i32, %out: f32, %out_2: i32):
    %46 = arith.cmpf ogt, %out, %in : f32
    %47 = arith.cmpf une, %out, %out : f32
    %48 = arith.ori %46, %47 : i1
    %49 = arith.cmpf oeq, %out, %in : f32
    %50 = arith.cmpi slt, %out_2, %in_1 : i32
    %51 = arith.andi %49, %50 : i1
    %52 = arith.ori %48, %51 : i1
    %53 = arith.select %48, %out, %in : f32
    %54 = arith.select %52, %out_2, %in_1 : i32
    linalg.yield %53, %54 : f32, i32
  } -> (tensor<4xf32>, tensor<4xi32>)
  %26 = tensor.empty() : tensor<1x3xi32>
  %27 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%26 : tensor<1x3xi32>) {
  ^bb0(%out: i32):
    %46 = linalg.index 1 : index
    %47 = arith.index_cast %46 : index to i32
    linalg.yield %47 : i32
  } -> tensor<1x3xi32>
  %28 = tensor.empty() : tensor<4x3xi32>
  %29 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%25#1 : tensor<4xi32>) outs(%28 : tensor<4x3xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<4x3xi32>
  %30 = tensor.empty() : tensor<4x3xi32>
  %31 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<1x3xi32>) outs(%30 : tensor<4x3xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<4x3xi32>
  %32 = tensor.empty() : tensor<4x3xi1>
  %33 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%29, %31 : tensor<4x3xi32>, tensor<4x3xi32>) outs(%32 : tensor<4x3xi1>) {
  ^bb0(%in: i32, %in_1: i32, %out: i1):
    %46 = arith.cmpi eq, %in, %in_1 : i32
    linalg.yield %46 : i1
  } -> tensor<4x3xi1>
  %34 = tensor.empty() : tensor<4x3xf32>
  %35 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%33 : tensor<4x3xi1>) outs(%34 : tensor<4x3xf32>) {
  ^bb0(%in: i1, %out: f32):
    %46 = arith.uitofp %in : i1 to f32
    linalg.yield %46 : f32
  } -> tensor<4x3xf32>
  %36 = tensor.empty() : tensor<4x3xf32>
  %37 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%35, %18 : tensor<4x3xf32>, tensor<4x3xf32>) outs(%36 : tensor<4x3xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %46 = arith.mulf %in, %in_1 : f32
    linalg.yield %46 : f32
  } -> tensor<4x3xf32>
  %38 = tensor.empty() : tensor<6x3x6xf32>
  %39 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg3 : tensor<3x6x6xf32>) outs(%38 : tensor<6x3x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<6x3x6xf32>
  %collapsed = tensor.collapse_shape %39 [[0], [1, 2]] : tensor<6x3x6xf32> into tensor<6x18xf32>
  %40 = tensor.empty() : tensor<4x18xf32>
  %41 = linalg.fill ins(%cst_0 : f32) outs(%40 : tensor<4x18xf32>) -> tensor<4x18xf32>
  %42 = linalg.matmul ins(%arg0, %collapsed : tensor<4x6xf32>, tensor<6x18xf32>) outs(%41 : tensor<4x18xf32>) -> tensor<4x18xf32>
  %expanded = tensor.expand_shape %42 [[0], [1, 2]] output_shape [4, 3, 6] : tensor<4x18xf32> into tensor<4x3x6xf32>
  %43 = tensor.empty() : tensor<4x6xf32>
  %44 = linalg.fill ins(%cst_0 : f32) outs(%43 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %45 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%37, %expanded : tensor<4x3xf32>, tensor<4x3x6xf32>) outs(%44 : tensor<4x6xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %46 = arith.mulf %in, %in_1 : f32
    %47 = arith.addf %out, %46 : f32
    linalg.yield %47 : f32
  } -> tensor<4x6xf32>
  return %45 : tensor<4x6xf32>
}
