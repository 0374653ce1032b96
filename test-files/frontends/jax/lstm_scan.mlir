// test: round-trip
// lstm scan: A sequence by `lax.scan`: the last state and all outputs
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 5x2x3xf32: -1.875 0.8125 -0.3125 0.5625 -0.9375 -1.5 0.4375 -1.5625 -1.5625 0.625 0.625 1.4375 -0.25 -1.1875 -1.1875 -1.125 -1.5625
//   0.875 1.0625 -0.125 0.75 -0.375 0.9375 -0.625 -0.0625 -1.75 -1.25 -0.1875 -1.4375 -0.8125
// in 3x16xf32: -1.9375 -0.4375 -1.5 0.1875 -0.6875 0.75 -1.6875 0.5 -1.875 1 -0.875 -1.9375 -0.9375 0.625 -0.875 0.1875 1.8125 1.4375
//   -1.5625 1.8125 -0.125 -2 -1.125 1.3125 1.125 -1 -1.3125 0.5 -0.1875 1.0625 -2 1.4375 0.3125 1.8125 -1.875 0.5625 -1.625 1.4375 1.375 0
//   -1.375 -1.0625 0.3125 -1.375 0.25 0 1.1875 1
// in 4x16xf32: 1.875 -0.1875 -0.375 0.75 -0.9375 -1.5 -0.625 1.9375 1.9375 -0.125 1.3125 1.3125 -1.8125 0.9375 -1.875 1.125 -1.625 -0.5
//   1.875 -1.5625 -1.75 -0.1875 0.375 -0.6875 -0.5625 -0.4375 -1.25 2 -0.9375 -0.75 -1.0625 1.125 0.875 -1.375 1.5625 0.375 0.1875 -0.625
//   -1.6875 -1.0625 -1.875 -0.4375 -0.5 1.75 -1.3125 0.3125 0.4375 0.0625 0.0625 1.25 1.625 0 -0.5625 -1.5625 -0.4375 -1.5 -0.125 0.875 1.5
//   -0.125 1.25 -1.1875 0 1.875
// in 16xf32: -0.5 -0.9375 -2 1.125 -0.9375 -0.75 0.25 1 -0.25 0.125 1.625 -1.875 -1.625 0.875 1.0625 -0.875
// out 2x4xf32: -0.023468347 0.04858192 0.46980187 -0.07839608 -0.0025231722 0.0200339 0.3804833 -0.10867699
// out 2x4xf32: -0.1642604 0.08346855 0.6174148 -1.1974945 -0.016140783 0.0329386 0.47850394 -1.4959055
// out 5x2x4xf32: 0.14442633 -0.15029182 0.14482018 -0.0953103 -0.005901335 0.045921534 0.19538824 -0.07066551 0.034231476 -0.024511062
//   0.3398524 -0.059212167 -0.045673836 -0.13557181 0.13394669 -0.4120421 0.0138546 0.028300174 0.4545032 -0.09215765 -0.06340065
//   -0.079841666 0.32854772 -0.13829803 -0.023297412 0.056011688 0.25243336 -0.30571163 0.020373138 -0.04754263 0.15398215 -0.29714882
//   -0.023468347 0.04858192 0.46980187 -0.07839608 -0.0025231722 0.0200339 0.3804833 -0.10867699
func.func @main(%arg0: tensor<5x2x3xf32>, %arg1: tensor<3x16xf32>, %arg2: tensor<4x16xf32>, %arg3: tensor<16xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<5x2x4xf32>) {
  %cst = arith.constant 1.000000e+00 : f32
  %cst_0 = arith.constant 4.000000e+00 : f32
  %cst_1 = arith.constant 3.000000e+00 : f32
  %cst_2 = arith.constant 0.000000e+00 : f32
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %cst_3 = arith.constant dense<0.000000e+00> : tensor<2x4xf32>
  %cst_4 = arith.constant dense<0.000000e+00> : tensor<5x2x4xf32>
  %c0_i32 = arith.constant 0 : i32
  %c5_i32 = arith.constant 5 : i32
  %c1_i32 = arith.constant 1 : i32
  %0:3 = scf.for %arg4 = %c0_i32 to %c5_i32 step %c1_i32 iter_args(%arg5 = %cst_3, %arg6 = %cst_3, %arg7 = %cst_4) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<5x2x4xf32>)  : i32 {
    %1 = arith.index_cast %arg4 : i32 to index
    %2 = arith.maxsi %1, %c0 : index
    %3 = arith.minsi %2, %c4 : index
    %extracted_slice = tensor.extract_slice %arg0[%3, 0, 0] [1, 2, 3] [1, 1, 1] : tensor<5x2x3xf32> to tensor<1x2x3xf32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<1x2x3xf32> into tensor<2x3xf32>
    %4 = tensor.empty() : tensor<2x16xf32>
    %5 = linalg.fill ins(%cst_2 : f32) outs(%4 : tensor<2x16xf32>) -> tensor<2x16xf32>
    %6 = linalg.matmul ins(%collapsed, %arg1 : tensor<2x3xf32>, tensor<3x16xf32>) outs(%5 : tensor<2x16xf32>) -> tensor<2x16xf32>
    %7 = tensor.empty() : tensor<2x16xf32>
    %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<2x16xf32>) outs(%7 : tensor<2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.divf %in, %cst_1 : f32
      linalg.yield %61 : f32
    } -> tensor<2x16xf32>
    %9 = tensor.empty() : tensor<2x16xf32>
    %10 = linalg.fill ins(%cst_2 : f32) outs(%9 : tensor<2x16xf32>) -> tensor<2x16xf32>
    %11 = linalg.matmul ins(%arg5, %arg2 : tensor<2x4xf32>, tensor<4x16xf32>) outs(%10 : tensor<2x16xf32>) -> tensor<2x16xf32>
    %12 = tensor.empty() : tensor<2x16xf32>
    %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<2x16xf32>) outs(%12 : tensor<2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.divf %in, %cst_0 : f32
      linalg.yield %61 : f32
    } -> tensor<2x16xf32>
    %14 = tensor.empty() : tensor<2x16xf32>
    %15 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%8, %13 : tensor<2x16xf32>, tensor<2x16xf32>) outs(%14 : tensor<2x16xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %61 = arith.addf %in, %in_9 : f32
      linalg.yield %61 : f32
    } -> tensor<2x16xf32>
    %16 = tensor.empty() : tensor<2x16xf32>
    %17 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<16xf32>) outs(%16 : tensor<2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16xf32>
    %18 = tensor.empty() : tensor<2x16xf32>
    %19 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%15, %17 : tensor<2x16xf32>, tensor<2x16xf32>) outs(%18 : tensor<2x16xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %61 = arith.addf %in, %in_9 : f32
      linalg.yield %61 : f32
    } -> tensor<2x16xf32>
    %extracted_slice_5 = tensor.extract_slice %19[0, 0] [2, 4] [1, 1] : tensor<2x16xf32> to tensor<2x4xf32>
    %extracted_slice_6 = tensor.extract_slice %19[0, 4] [2, 4] [1, 1] : tensor<2x16xf32> to tensor<2x4xf32>
    %extracted_slice_7 = tensor.extract_slice %19[0, 8] [2, 4] [1, 1] : tensor<2x16xf32> to tensor<2x4xf32>
    %extracted_slice_8 = tensor.extract_slice %19[0, 12] [2, 4] [1, 1] : tensor<2x16xf32> to tensor<2x4xf32>
    %20 = tensor.empty() : tensor<2x4xf32>
    %21 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_6 : tensor<2x4xf32>) outs(%20 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.negf %in : f32
      linalg.yield %61 : f32
    } -> tensor<2x4xf32>
    %22 = tensor.empty() : tensor<2x4xf32>
    %23 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<2x4xf32>) outs(%22 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = math.exp %in : f32
      linalg.yield %61 : f32
    } -> tensor<2x4xf32>
    %24 = tensor.empty() : tensor<2x4xf32>
    %25 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<2x4xf32>) outs(%24 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.addf %in, %cst : f32
      linalg.yield %61 : f32
    } -> tensor<2x4xf32>
    %26 = tensor.empty() : tensor<2x4xf32>
    %27 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<2x4xf32>) outs(%26 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.divf %cst, %in : f32
      linalg.yield %61 : f32
    } -> tensor<2x4xf32>
    %28 = tensor.empty() : tensor<2x4xf32>
    %29 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%27, %arg6 : tensor<2x4xf32>, tensor<2x4xf32>) outs(%28 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %61 = arith.mulf %in, %in_9 : f32
      linalg.yield %61 : f32
    } -> tensor<2x4xf32>
    %30 = tensor.empty() : tensor<2x4xf32>
    %31 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_5 : tensor<2x4xf32>) outs(%30 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.negf %in : f32
      linalg.yield %61 : f32
    } -> tensor<2x4xf32>
    %32 = tensor.empty() : tensor<2x4xf32>
    %33 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%31 : tensor<2x4xf32>) outs(%32 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = math.exp %in : f32
      linalg.yield %61 : f32
    } -> tensor<2x4xf32>
    %34 = tensor.empty() : tensor<2x4xf32>
    %35 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%33 : tensor<2x4xf32>) outs(%34 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.addf %in, %cst : f32
      linalg.yield %61 : f32
    } -> tensor<2x4xf32>
    %36 = tensor.empty() : tensor<2x4xf32>
    %37 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%35 : tensor<2x4xf32>) outs(%36 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.divf %cst, %in : f32
      linalg.yield %61 : f32
    } -> tensor<2x4xf32>
    %38 = tensor.empty() : tensor<2x4xf32>
    %39 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_7 : tensor<2x4xf32>) outs(%38 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = math.tanh %in : f32
      linalg.yield %61 : f32
    } -> tensor<2x4xf32>
    %40 = tensor.empty() : tensor<2x4xf32>
    %41 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%37, %39 : tensor<2x4xf32>, tensor<2x4xf32>) outs(%40 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %61 = arith.mulf %in, %in_9 : f32
      linalg.yield %61 : f32
    } -> tensor<2x4xf32>
    %42 = tensor.empty() : tensor<2x4xf32>
    %43 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%29, %41 : tensor<2x4xf32>, tensor<2x4xf32>) outs(%42 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %61 = arith.addf %in, %in_9 : f32
      linalg.yield %61 : f32
    } -> tensor<2x4xf32>
    %44 = tensor.empty() : tensor<2x4xf32>
    %45 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_8 : tensor<2x4xf32>) outs(%44 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.negf %in : f32
      linalg.yield %61 : f32
    } -> tensor<2x4xf32>
    %46 = tensor.empty() : tensor<2x4xf32>
    %47 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%45 : tensor<2x4xf32>) outs(%46 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = math.exp %in : f32
      linalg.yield %61 : f32
    } -> tensor<2x4xf32>
    %48 = tensor.empty() : tensor<2x4xf32>
    %49 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%47 : tensor<2x4xf32>) outs(%48 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.addf %in, %cst : f32
      linalg.yield %61 : f32
    } -> tensor<2x4xf32>
    %50 = tensor.empty() : tensor<2x4xf32>
    %51 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%49 : tensor<2x4xf32>) outs(%50 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.divf %cst, %in : f32
      linalg.yield %61 : f32
    } -> tensor<2x4xf32>
    %52 = tensor.empty() : tensor<2x4xf32>
    %53 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%43 : tensor<2x4xf32>) outs(%52 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = math.tanh %in : f32
      linalg.yield %61 : f32
    } -> tensor<2x4xf32>
    %54 = tensor.empty() : tensor<2x4xf32>
    %55 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%51, %53 : tensor<2x4xf32>, tensor<2x4xf32>) outs(%54 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %61 = arith.mulf %in, %in_9 : f32
      linalg.yield %61 : f32
    } -> tensor<2x4xf32>
    %56 = tensor.empty() : tensor<1x2x4xf32>
    %57 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%55 : tensor<2x4xf32>) outs(%56 : tensor<1x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x4xf32>
    %58 = arith.index_cast %arg4 : i32 to index
    %59 = arith.maxsi %58, %c0 : index
    %60 = arith.minsi %59, %c4 : index
    %inserted_slice = tensor.insert_slice %57 into %arg7[%60, 0, 0] [1, 2, 4] [1, 1, 1] : tensor<1x2x4xf32> into tensor<5x2x4xf32>
    scf.yield %55, %43, %inserted_slice : tensor<2x4xf32>, tensor<2x4xf32>, tensor<5x2x4xf32>
  }
  return %0#0, %0#1, %0#2 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<5x2x4xf32>
}
