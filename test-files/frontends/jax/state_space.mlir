// test: round-trip
// state space: A linear system in time, backwards too
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 6x2xf32: 1.5 -0.0625 0.25 -1.0625 -0.4375 -1.75 -0.5625 0.875 1.0625 1.25 -0.0625 0.1875
// in 3x3xf32: 0.9375 0.25 0.375 -0.6875 0.875 0.125 -0.875 -0.6875 0.8125
// in 2x3xf32: 0 1.1875 -0.625 -1.625 1.875 1.8125
// in 3x2xf32: 0.0625 -0.875 -1.1875 0.875 -1 -1.25
// out 6x2xf32: -0.9189453 2.680664 3.6987495 0.30869293 7.703519 -2.5150993 -2.6677287 -1.7678859 -6.454726 2.685041 -1.4823012 1.3260379
// out 6x2xf32: -0.7868414 1.7255735 5.2414913 -1.4391398 7.608426 -1.4689336 -3.9409437 1.002178 -6.051796 3.0149994 -0.7272949 0.03564453
func.func @main(%arg0: tensor<6x2xf32>, %arg1: tensor<3x3xf32>, %arg2: tensor<2x3xf32>, %arg3: tensor<3x2xf32>) -> (tensor<6x2xf32>, tensor<6x2xf32>) {
  %c5_i32 = arith.constant 5 : i32
  %cst = arith.constant 2.500000e-01 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %c5 = arith.constant 5 : index
  %c0 = arith.constant 0 : index
  %cst_1 = arith.constant dense<0.000000e+00> : tensor<3xf32>
  %cst_2 = arith.constant dense<0.000000e+00> : tensor<6x2xf32>
  %c0_i32 = arith.constant 0 : i32
  %c6_i32 = arith.constant 6 : i32
  %c1_i32 = arith.constant 1 : i32
  %0:2 = scf.for %arg4 = %c0_i32 to %c6_i32 step %c1_i32 iter_args(%arg5 = %cst_1, %arg6 = %cst_2) -> (tensor<3xf32>, tensor<6x2xf32>)  : i32 {
    %2 = arith.index_cast %arg4 : i32 to index
    %3 = arith.maxsi %2, %c0 : index
    %4 = arith.minsi %3, %c5 : index
    %extracted_slice = tensor.extract_slice %arg0[%4, 0] [1, 2] [1, 1] : tensor<6x2xf32> to tensor<1x2xf32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1]] : tensor<1x2xf32> into tensor<2xf32>
    %5 = tensor.empty() : tensor<3xf32>
    %6 = linalg.fill ins(%cst_0 : f32) outs(%5 : tensor<3xf32>) -> tensor<3xf32>
    %7 = linalg.vecmat ins(%arg5, %arg1 : tensor<3xf32>, tensor<3x3xf32>) outs(%6 : tensor<3xf32>) -> tensor<3xf32>
    %8 = tensor.empty() : tensor<3xf32>
    %9 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%7 : tensor<3xf32>) outs(%8 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %23 = arith.mulf %in, %cst : f32
      linalg.yield %23 : f32
    } -> tensor<3xf32>
    %10 = tensor.empty() : tensor<3xf32>
    %11 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<3xf32>) -> tensor<3xf32>
    %12 = linalg.vecmat ins(%collapsed, %arg2 : tensor<2xf32>, tensor<2x3xf32>) outs(%11 : tensor<3xf32>) -> tensor<3xf32>
    %13 = tensor.empty() : tensor<3xf32>
    %14 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%9, %12 : tensor<3xf32>, tensor<3xf32>) outs(%13 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %23 = arith.addf %in, %in_3 : f32
      linalg.yield %23 : f32
    } -> tensor<3xf32>
    %15 = tensor.empty() : tensor<2xf32>
    %16 = linalg.fill ins(%cst_0 : f32) outs(%15 : tensor<2xf32>) -> tensor<2xf32>
    %17 = linalg.vecmat ins(%14, %arg3 : tensor<3xf32>, tensor<3x2xf32>) outs(%16 : tensor<2xf32>) -> tensor<2xf32>
    %18 = tensor.empty() : tensor<1x2xf32>
    %19 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<2xf32>) outs(%18 : tensor<1x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2xf32>
    %20 = arith.index_cast %arg4 : i32 to index
    %21 = arith.maxsi %20, %c0 : index
    %22 = arith.minsi %21, %c5 : index
    %inserted_slice = tensor.insert_slice %19 into %arg6[%22, 0] [1, 2] [1, 1] : tensor<1x2xf32> into tensor<6x2xf32>
    scf.yield %14, %inserted_slice : tensor<3xf32>, tensor<6x2xf32>
  }
  %1:2 = scf.for %arg4 = %c0_i32 to %c6_i32 step %c1_i32 iter_args(%arg5 = %cst_1, %arg6 = %cst_2) -> (tensor<3xf32>, tensor<6x2xf32>)  : i32 {
    %2 = arith.subi %c5_i32, %arg4 : i32
    %3 = arith.index_cast %2 : i32 to index
    %4 = arith.maxsi %3, %c0 : index
    %5 = arith.minsi %4, %c5 : index
    %extracted_slice = tensor.extract_slice %arg0[%5, 0] [1, 2] [1, 1] : tensor<6x2xf32> to tensor<1x2xf32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1]] : tensor<1x2xf32> into tensor<2xf32>
    %6 = tensor.empty() : tensor<3xf32>
    %7 = linalg.fill ins(%cst_0 : f32) outs(%6 : tensor<3xf32>) -> tensor<3xf32>
    %8 = linalg.vecmat ins(%arg5, %arg1 : tensor<3xf32>, tensor<3x3xf32>) outs(%7 : tensor<3xf32>) -> tensor<3xf32>
    %9 = tensor.empty() : tensor<3xf32>
    %10 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%8 : tensor<3xf32>) outs(%9 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %24 = arith.mulf %in, %cst : f32
      linalg.yield %24 : f32
    } -> tensor<3xf32>
    %11 = tensor.empty() : tensor<3xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%11 : tensor<3xf32>) -> tensor<3xf32>
    %13 = linalg.vecmat ins(%collapsed, %arg2 : tensor<2xf32>, tensor<2x3xf32>) outs(%12 : tensor<3xf32>) -> tensor<3xf32>
    %14 = tensor.empty() : tensor<3xf32>
    %15 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%10, %13 : tensor<3xf32>, tensor<3xf32>) outs(%14 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %24 = arith.addf %in, %in_3 : f32
      linalg.yield %24 : f32
    } -> tensor<3xf32>
    %16 = tensor.empty() : tensor<2xf32>
    %17 = linalg.fill ins(%cst_0 : f32) outs(%16 : tensor<2xf32>) -> tensor<2xf32>
    %18 = linalg.vecmat ins(%15, %arg3 : tensor<3xf32>, tensor<3x2xf32>) outs(%17 : tensor<2xf32>) -> tensor<2xf32>
    %19 = tensor.empty() : tensor<1x2xf32>
    %20 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<2xf32>) outs(%19 : tensor<1x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2xf32>
    %21 = arith.index_cast %2 : i32 to index
    %22 = arith.maxsi %21, %c0 : index
    %23 = arith.minsi %22, %c5 : index
    %inserted_slice = tensor.insert_slice %20 into %arg6[%23, 0] [1, 2] [1, 1] : tensor<1x2xf32> into tensor<6x2xf32>
    scf.yield %15, %inserted_slice : tensor<3xf32>, tensor<6x2xf32>
  }
  return %0#1, %1#1 : tensor<6x2xf32>, tensor<6x2xf32>
}
