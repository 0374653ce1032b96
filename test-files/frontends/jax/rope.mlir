// test: round-trip
// rope: Rotary places: halves are turned and joined again
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 5x2x6xf32: -0.25 0.125 0.0625 -0.625 1.8125 -0.5625 0.625 -0.5 -0.1875 2 -1.25 0.5625 -0.3125 0.6875 1.0625 -0.6875 0.6875 0.75
//   -0.1875 -1.5625 0.5 -1.8125 1.5625 1.4375 1.4375 -2 1.9375 1.9375 0.375 1.3125 1.0625 1.1875 -1.4375 -1.8125 -0.9375 -1.1875 0.1875
//   1.4375 1 -0.25 0.1875 0.5 1.125 -1.5625 1.125 -1.25 0.3125 0 1.4375 1.0625 -1.3125 0.1875 -1.8125 -1.625 -0.125 1.5 -1.125 -1.4375
//   1.8125 -0.25
// in 5xi32: 1 5 2 2 3
// out 5x2x6xf32: 0.39084375 0.04076679 0.063711725 -0.54805666 1.8163478 -0.56236404 -1.345253 -0.4414625 -0.18871143 1.6065239 -1.2718533
//   0.56209475 -0.7479049 0.51094216 1.0543594 0.10464608 0.82719445 0.7614017 -1.7912369 -1.8799874 0.4844863 -0.33433944 1.1612321
//   1.4428027 -2.3599749 -2.0261505 1.9318266 0.5008306 0.18798834 1.3208362 1.2059455 1.2692918 -1.4323698 1.7203946 -0.82338387
//   -1.1936829 0.14929682 1.4139295 0.9978363 0.27452996 0.31994674 0.50430423 0.6684565 -1.5847405 1.1249895 1.5431432 0.16631305
//   0.0048474623 -1.4495742 1.3037872 -1.3019698 0.017236404 -1.6474832 -1.6334491 0.32660908 1.2339095 -1.1233608 1.4054742 2.0031533
//   -0.25726596
func.func @main(%arg0: tensor<5x2x6xf32>, %arg1: tensor<5xi32>) -> tensor<5x2x6xf32> {
  %cst = arith.constant 1.000000e+00 : f32
  %cst_0 = arith.constant 1.000000e+04 : f32
  %cst_1 = arith.constant 6.000000e+00 : f32
  %c2_i32 = arith.constant 2 : i32
  %0 = tensor.empty() : tensor<3xi32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%0 : tensor<3xi32>) {
  ^bb0(%out: i32):
    %41 = linalg.index 0 : index
    %42 = arith.index_cast %41 : index to i32
    linalg.yield %42 : i32
  } -> tensor<3xi32>
  %2 = tensor.empty() : tensor<3xi32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%1 : tensor<3xi32>) outs(%2 : tensor<3xi32>) {
  ^bb0(%in: i32, %out: i32):
    %41 = arith.muli %in, %c2_i32 : i32
    linalg.yield %41 : i32
  } -> tensor<3xi32>
  %4 = tensor.empty() : tensor<3xf32>
  %5 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%3 : tensor<3xi32>) outs(%4 : tensor<3xf32>) {
  ^bb0(%in: i32, %out: f32):
    %41 = arith.sitofp %in : i32 to f32
    linalg.yield %41 : f32
  } -> tensor<3xf32>
  %6 = tensor.empty() : tensor<3xf32>
  %7 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%5 : tensor<3xf32>) outs(%6 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %41 = arith.divf %in, %cst_1 : f32
    linalg.yield %41 : f32
  } -> tensor<3xf32>
  %8 = tensor.empty() : tensor<3xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%7 : tensor<3xf32>) outs(%8 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %41 = math.powf %cst_0, %in : f32
    linalg.yield %41 : f32
  } -> tensor<3xf32>
  %10 = tensor.empty() : tensor<3xf32>
  %11 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%9 : tensor<3xf32>) outs(%10 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %41 = arith.divf %cst, %in : f32
    linalg.yield %41 : f32
  } -> tensor<3xf32>
  %12 = tensor.empty() : tensor<5xf32>
  %13 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg1 : tensor<5xi32>) outs(%12 : tensor<5xf32>) {
  ^bb0(%in: i32, %out: f32):
    %41 = arith.sitofp %in : i32 to f32
    linalg.yield %41 : f32
  } -> tensor<5xf32>
  %expanded = tensor.expand_shape %13 [[0, 1, 2]] output_shape [5, 1, 1] : tensor<5xf32> into tensor<5x1x1xf32>
  %14 = tensor.empty() : tensor<5x1x3xf32>
  %15 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<5x1x1xf32>) outs(%14 : tensor<5x1x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<5x1x3xf32>
  %16 = tensor.empty() : tensor<5x1x3xf32>
  %17 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<3xf32>) outs(%16 : tensor<5x1x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<5x1x3xf32>
  %18 = tensor.empty() : tensor<5x1x3xf32>
  %19 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15, %17 : tensor<5x1x3xf32>, tensor<5x1x3xf32>) outs(%18 : tensor<5x1x3xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %41 = arith.mulf %in, %in_4 : f32
    linalg.yield %41 : f32
  } -> tensor<5x1x3xf32>
  %extracted_slice = tensor.extract_slice %arg0[0, 0, 0] [5, 2, 3] [1, 1, 1] : tensor<5x2x6xf32> to tensor<5x2x3xf32>
  %extracted_slice_2 = tensor.extract_slice %arg0[0, 0, 3] [5, 2, 3] [1, 1, 1] : tensor<5x2x6xf32> to tensor<5x2x3xf32>
  %20 = tensor.empty() : tensor<5x1x3xf32>
  %21 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<5x1x3xf32>) outs(%20 : tensor<5x1x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %41 = math.cos %in : f32
    linalg.yield %41 : f32
  } -> tensor<5x1x3xf32>
  %22 = tensor.empty() : tensor<5x2x3xf32>
  %23 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<5x1x3xf32>) outs(%22 : tensor<5x2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<5x2x3xf32>
  %24 = tensor.empty() : tensor<5x2x3xf32>
  %25 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice, %23 : tensor<5x2x3xf32>, tensor<5x2x3xf32>) outs(%24 : tensor<5x2x3xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %41 = arith.mulf %in, %in_4 : f32
    linalg.yield %41 : f32
  } -> tensor<5x2x3xf32>
  %26 = tensor.empty() : tensor<5x1x3xf32>
  %27 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<5x1x3xf32>) outs(%26 : tensor<5x1x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %41 = math.sin %in : f32
    linalg.yield %41 : f32
  } -> tensor<5x1x3xf32>
  %28 = tensor.empty() : tensor<5x2x3xf32>
  %29 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<5x1x3xf32>) outs(%28 : tensor<5x2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<5x2x3xf32>
  %30 = tensor.empty() : tensor<5x2x3xf32>
  %31 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_2, %29 : tensor<5x2x3xf32>, tensor<5x2x3xf32>) outs(%30 : tensor<5x2x3xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %41 = arith.mulf %in, %in_4 : f32
    linalg.yield %41 : f32
  } -> tensor<5x2x3xf32>
  %32 = tensor.empty() : tensor<5x2x3xf32>
  %33 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25, %31 : tensor<5x2x3xf32>, tensor<5x2x3xf32>) outs(%32 : tensor<5x2x3xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %41 = arith.subf %in, %in_4 : f32
    linalg.yield %41 : f32
  } -> tensor<5x2x3xf32>
  %34 = tensor.empty() : tensor<5x2x3xf32>
  %35 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_2, %23 : tensor<5x2x3xf32>, tensor<5x2x3xf32>) outs(%34 : tensor<5x2x3xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %41 = arith.mulf %in, %in_4 : f32
    linalg.yield %41 : f32
  } -> tensor<5x2x3xf32>
  %36 = tensor.empty() : tensor<5x2x3xf32>
  %37 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice, %29 : tensor<5x2x3xf32>, tensor<5x2x3xf32>) outs(%36 : tensor<5x2x3xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %41 = arith.mulf %in, %in_4 : f32
    linalg.yield %41 : f32
  } -> tensor<5x2x3xf32>
  %38 = tensor.empty() : tensor<5x2x3xf32>
  %39 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35, %37 : tensor<5x2x3xf32>, tensor<5x2x3xf32>) outs(%38 : tensor<5x2x3xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %41 = arith.addf %in, %in_4 : f32
    linalg.yield %41 : f32
  } -> tensor<5x2x3xf32>
  %40 = tensor.empty() : tensor<5x2x6xf32>
  %inserted_slice = tensor.insert_slice %33 into %40[0, 0, 0] [5, 2, 3] [1, 1, 1] : tensor<5x2x3xf32> into tensor<5x2x6xf32>
  %inserted_slice_3 = tensor.insert_slice %39 into %inserted_slice[0, 0, 3] [5, 2, 3] [1, 1, 1] : tensor<5x2x3xf32> into tensor<5x2x6xf32>
  return %inserted_slice_3 : tensor<5x2x6xf32>
}
