// test: round-trip
// jacobi solver: Ax = b, A made strong on the diagonal
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 4x4xf32: 1.875 0.5 -1 0.3125 -0.125 0.0625 1.1875 -2 -0.625 0.1875 -1 1.875 1.625 -0.4375 -1.5625 -1.9375
// in 4xf32: -0.9375 -1.0625 1.6875 1.8125
// out 4xf32: -0.048174176 -0.055603538 0.093301214 0.1430926
func.func @main(%arg0: tensor<4x4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c4_i32 = arith.constant 4 : i32
  %cst = arith.constant 1.600000e+01 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %c1_i32 = arith.constant 1 : i32
  %c12_i32 = arith.constant 12 : i32
  %c0_i32 = arith.constant 0 : i32
  %cst_1 = arith.constant dense<0.000000e+00> : tensor<4xf32>
  %cst_2 = arith.constant dense<0> : tensor<i32>
  %0 = tensor.empty() : tensor<4x4xi32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<4x4xi32>) {
  ^bb0(%out: i32):
    %26 = linalg.index 0 : index
    %27 = arith.index_cast %26 : index to i32
    linalg.yield %27 : i32
  } -> tensor<4x4xi32>
  %2 = tensor.empty() : tensor<4x4xi32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%2 : tensor<4x4xi32>) {
  ^bb0(%out: i32):
    %26 = linalg.index 1 : index
    %27 = arith.index_cast %26 : index to i32
    linalg.yield %27 : i32
  } -> tensor<4x4xi32>
  %4 = tensor.empty() : tensor<4x4xi1>
  %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1, %3 : tensor<4x4xi32>, tensor<4x4xi32>) outs(%4 : tensor<4x4xi1>) {
  ^bb0(%in: i32, %in_4: i32, %out: i1):
    %26 = arith.cmpi eq, %in, %in_4 : i32
    linalg.yield %26 : i1
  } -> tensor<4x4xi1>
  %6 = tensor.empty() : tensor<4x4xf32>
  %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<4x4xi1>) outs(%6 : tensor<4x4xf32>) {
  ^bb0(%in: i1, %out: f32):
    %26 = arith.uitofp %in : i1 to f32
    linalg.yield %26 : f32
  } -> tensor<4x4xf32>
  %8 = tensor.empty() : tensor<4x4xi1>
  %9 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<4x4xf32>) outs(%8 : tensor<4x4xi1>) {
  ^bb0(%in: f32, %out: i1):
    %26 = arith.cmpf une, %in, %cst_0 : f32
    linalg.yield %26 : i1
  } -> tensor<4x4xi1>
  %10 = tensor.empty() : tensor<4x4xf32>
  %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<4x4xi1>) outs(%10 : tensor<4x4xf32>) {
  ^bb0(%in: i1, %out: f32):
    %26 = arith.select %in, %cst, %cst_0 : f32
    linalg.yield %26 : f32
  } -> tensor<4x4xf32>
  %12 = tensor.empty() : tensor<4x4xf32>
  %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0, %11 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%12 : tensor<4x4xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %26 = arith.addf %in, %in_4 : f32
    linalg.yield %26 : f32
  } -> tensor<4x4xf32>
  %14 = tensor.empty() : tensor<4xi32>
  %15 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%14 : tensor<4xi32>) {
  ^bb0(%out: i32):
    %26 = linalg.index 0 : index
    %27 = arith.index_cast %26 : index to i32
    linalg.yield %27 : i32
  } -> tensor<4xi32>
  %16 = tensor.empty() : tensor<4xi1>
  %17 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%15 : tensor<4xi32>) outs(%16 : tensor<4xi1>) {
  ^bb0(%in: i32, %out: i1):
    %26 = arith.cmpi slt, %in, %c0_i32 : i32
    linalg.yield %26 : i1
  } -> tensor<4xi1>
  %18 = tensor.empty() : tensor<4xi32>
  %19 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%15 : tensor<4xi32>) outs(%18 : tensor<4xi32>) {
  ^bb0(%in: i32, %out: i32):
    %26 = arith.addi %in, %c4_i32 : i32
    linalg.yield %26 : i32
  } -> tensor<4xi32>
  %20 = tensor.empty() : tensor<4xi32>
  %21 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%17, %19, %15 : tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) outs(%20 : tensor<4xi32>) {
  ^bb0(%in: i1, %in_4: i32, %in_5: i32, %out: i32):
    %26 = arith.select %in, %in_4, %in_5 : i32
    linalg.yield %26 : i32
  } -> tensor<4xi32>
  %expanded = tensor.expand_shape %21 [[0, 1]] output_shape [4, 1] : tensor<4xi32> into tensor<4x1xi32>
  %22 = tensor.empty() : tensor<4x2xi32>
  %inserted_slice = tensor.insert_slice %expanded into %22[0, 0] [4, 1] [1, 1] : tensor<4x1xi32> into tensor<4x2xi32>
  %inserted_slice_3 = tensor.insert_slice %expanded into %inserted_slice[0, 1] [4, 1] [1, 1] : tensor<4x1xi32> into tensor<4x2xi32>
  %23 = tensor.empty() : tensor<4xf32>
  %24 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%23 : tensor<4xf32>) {
  ^bb0(%out: f32):
    %26 = linalg.index 0 : index
    %extracted = tensor.extract %inserted_slice_3[%26, %c0] : tensor<4x2xi32>
    %27 = arith.index_cast %extracted : i32 to index
    %extracted_4 = tensor.extract %inserted_slice_3[%26, %c1] : tensor<4x2xi32>
    %28 = arith.index_cast %extracted_4 : i32 to index
    %29 = arith.maxsi %27, %c0 : index
    %30 = arith.minsi %29, %c3 : index
    %31 = arith.maxsi %28, %c0 : index
    %32 = arith.minsi %31, %c3 : index
    %extracted_5 = tensor.extract %13[%30, %32] : tensor<4x4xf32>
    linalg.yield %extracted_5 : f32
  } -> tensor<4xf32>
  %25:2 = scf.for %arg2 = %c0_i32 to %c12_i32 step %c1_i32 iter_args(%arg3 = %cst_2, %arg4 = %cst_1) -> (tensor<i32>, tensor<4xf32>)  : i32 {
    %26 = tensor.empty() : tensor<i32>
    %27 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%arg3 : tensor<i32>) outs(%26 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %39 = arith.addi %in, %c1_i32 : i32
      linalg.yield %39 : i32
    } -> tensor<i32>
    %28 = tensor.empty() : tensor<4xf32>
    %29 = linalg.fill ins(%cst_0 : f32) outs(%28 : tensor<4xf32>) -> tensor<4xf32>
    %30 = linalg.matvec ins(%13, %arg4 : tensor<4x4xf32>, tensor<4xf32>) outs(%29 : tensor<4xf32>) -> tensor<4xf32>
    %31 = tensor.empty() : tensor<4xf32>
    %32 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%24, %arg4 : tensor<4xf32>, tensor<4xf32>) outs(%31 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %39 = arith.mulf %in, %in_4 : f32
      linalg.yield %39 : f32
    } -> tensor<4xf32>
    %33 = tensor.empty() : tensor<4xf32>
    %34 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%30, %32 : tensor<4xf32>, tensor<4xf32>) outs(%33 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %39 = arith.subf %in, %in_4 : f32
      linalg.yield %39 : f32
    } -> tensor<4xf32>
    %35 = tensor.empty() : tensor<4xf32>
    %36 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg1, %34 : tensor<4xf32>, tensor<4xf32>) outs(%35 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %39 = arith.subf %in, %in_4 : f32
      linalg.yield %39 : f32
    } -> tensor<4xf32>
    %37 = tensor.empty() : tensor<4xf32>
    %38 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%36, %24 : tensor<4xf32>, tensor<4xf32>) outs(%37 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %39 = arith.divf %in, %in_4 : f32
      linalg.yield %39 : f32
    } -> tensor<4xf32>
    scf.yield %27, %38 : tensor<i32>, tensor<4xf32>
  }
  return %25#1 : tensor<4xf32>
}
