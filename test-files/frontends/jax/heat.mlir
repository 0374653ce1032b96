// test: round-trip
// heat: Steps in time over a plate: slices and padding in a loop
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 4x4xf32: 1.75 -1.8125 0.375 0 -1.125 0.0625 0.625 -0.9375 0.3125 -1.5 1.75 -1.9375 -0.3125 -0.4375 -1.75 -0.5
// out 4x4xf32: -0.048257798 -0.0793281 -0.0755129 -0.057057846 -0.096158415 -0.15452074 -0.15210053 -0.115457274 -0.124700524 -0.20353709
//   -0.21033312 -0.15760869 -0.0975349 -0.16324335 -0.17407508 -0.12787874
func.func @main(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant 1.000000e-01 : f32
  %cst_1 = arith.constant 4.000000e+00 : f32
  %cst_2 = arith.constant dense<0> : tensor<i32>
  %c0_i32 = arith.constant 0 : i32
  %c10_i32 = arith.constant 10 : i32
  %c1_i32 = arith.constant 1 : i32
  %0:2 = scf.for %arg1 = %c0_i32 to %c10_i32 step %c1_i32 iter_args(%arg2 = %cst_2, %arg3 = %arg0) -> (tensor<i32>, tensor<4x4xf32>)  : i32 {
    %1 = tensor.empty() : tensor<i32>
    %2 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%arg2 : tensor<i32>) outs(%1 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %19 = arith.addi %in, %c1_i32 : i32
      linalg.yield %19 : i32
    } -> tensor<i32>
    %3 = tensor.empty() : tensor<f32>
    %4 = linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%3 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst : f32
    } -> tensor<f32>
    %extracted = tensor.extract %4[] : tensor<f32>
    %padded = tensor.pad %arg3 low[1, 1] high[1, 1] {
    ^bb0(%arg4: index, %arg5: index):
      tensor.yield %extracted : f32
    } : tensor<4x4xf32> to tensor<6x6xf32>
    %extracted_slice = tensor.extract_slice %padded[0, 1] [4, 4] [1, 1] : tensor<6x6xf32> to tensor<4x4xf32>
    %extracted_slice_3 = tensor.extract_slice %padded[2, 1] [4, 4] [1, 1] : tensor<6x6xf32> to tensor<4x4xf32>
    %5 = tensor.empty() : tensor<4x4xf32>
    %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice, %extracted_slice_3 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%5 : tensor<4x4xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %19 = arith.addf %in, %in_6 : f32
      linalg.yield %19 : f32
    } -> tensor<4x4xf32>
    %extracted_slice_4 = tensor.extract_slice %padded[1, 0] [4, 4] [1, 1] : tensor<6x6xf32> to tensor<4x4xf32>
    %7 = tensor.empty() : tensor<4x4xf32>
    %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%6, %extracted_slice_4 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%7 : tensor<4x4xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %19 = arith.addf %in, %in_6 : f32
      linalg.yield %19 : f32
    } -> tensor<4x4xf32>
    %extracted_slice_5 = tensor.extract_slice %padded[1, 2] [4, 4] [1, 1] : tensor<6x6xf32> to tensor<4x4xf32>
    %9 = tensor.empty() : tensor<4x4xf32>
    %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%8, %extracted_slice_5 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%9 : tensor<4x4xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %19 = arith.addf %in, %in_6 : f32
      linalg.yield %19 : f32
    } -> tensor<4x4xf32>
    %11 = tensor.empty() : tensor<4x4xf32>
    %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<4x4xf32>) outs(%11 : tensor<4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.mulf %in, %cst_1 : f32
      linalg.yield %19 : f32
    } -> tensor<4x4xf32>
    %13 = tensor.empty() : tensor<4x4xf32>
    %14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%10, %12 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%13 : tensor<4x4xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %19 = arith.subf %in, %in_6 : f32
      linalg.yield %19 : f32
    } -> tensor<4x4xf32>
    %15 = tensor.empty() : tensor<4x4xf32>
    %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<4x4xf32>) outs(%15 : tensor<4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.mulf %in, %cst_0 : f32
      linalg.yield %19 : f32
    } -> tensor<4x4xf32>
    %17 = tensor.empty() : tensor<4x4xf32>
    %18 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg3, %16 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%17 : tensor<4x4xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %19 = arith.addf %in, %in_6 : f32
      linalg.yield %19 : f32
    } -> tensor<4x4xf32>
    scf.yield %2, %18 : tensor<i32>, tensor<4x4xf32>
  }
  return %0#1 : tensor<4x4xf32>
}
