// test: round-trip
// decode step: One token: the cache grows at a place that is an argument
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 2x8xf32: 0.6875 1.25 -1.9375 1.25 -0.125 0.0625 0.5 -0.875 1.9375 -1.8125 -0.875 -0.5 0.3125 -0.375 -1.5 -1.875
// in 2x6x8xf32: -2 -1.8125 -1.4375 2 -1.25 0.625 1 -1.0625 -0.875 -0.25 -0.9375 1.9375 -1.3125 1.625 1.1875 1.375 -1.5625 -0.4375 0.5 0
//   0.6875 0.6875 0.6875 -1.8125 1.875 0.25 1.625 -0.9375 -0.5625 1.5625 -1.25 -1.75 -0.5 0.75 -1.5625 1.5 -0.625 -1.125 0.1875 1.625
//   1.5625 1.5 -0.8125 -1.9375 1.125 0.8125 1.125 -2 -1.875 0 -0.6875 -0.25 1.75 -1.1875 0.125 -0.6875 -0.8125 1.25 -1.4375 -0.75 -1.5625
//   -1.4375 -0.875 0.8125 0.3125 -0.1875 -1.3125 1.1875 1.1875 -1.0625 -1.8125 -0.75 -1.4375 1.1875 0.0625 0 -0.875 0 1.875 -1.0625 1.0625
//   -2 -0.75 1.75 1.5 -1.6875 1.375 1.375 -0.1875 -0.5625 1.9375 1.8125 0.75 -0.4375 -1.1875 1.75
// in 2x6x8xf32: -0.9375 0.25 0.6875 -1.0625 -0.75 1 -1.25 0.6875 1.8125 0.75 0.625 -0.125 1.875 -1.125 -0.5625 0.5625 0.625 -1.625 -1.375
//   0.75 1.375 0.5625 1.75 -0.5 -0.6875 1.1875 -1.875 -1.25 -1.25 -0.4375 -1.375 1.1875 1.4375 -0.5 -1.9375 0.875 -1.5625 0.4375 -1.3125
//   1.8125 0.75 2 0.5 0.9375 -0.5 1.25 -1.5625 -1.4375 -0.5625 0.875 -0.0625 1.4375 1.8125 -0.375 -0.3125 0.1875 0.5625 -0.0625 0.4375
//   1.875 0.9375 -0.75 -0.3125 -0.375 -1.4375 -2 1.1875 -0.3125 -0.625 0.5625 0.25 1.75 0.5 1.75 0.3125 -0.6875 -0.75 2 0.375 -1.25 1.3125
//   1.3125 -2 -1.375 0.8125 -0.375 -0.625 -1.75 -1.25 1.4375 1.375 1.3125 0.3125 -1.4375 -0.75 0.125
// in 8x8xf32: 2 -1 0.1875 -0.0625 0 0.1875 0.8125 -1.625 1.9375 1.5 1.0625 -0.875 -0.25 -0.1875 -0.75 -1.8125 1 -2 1.0625 -1.25 0.5625
//   -0.625 -1.0625 1.75 -0.125 1.5625 -1.25 -0.0625 -0.625 -0.1875 -2 0.6875 -0.625 1.4375 -1.1875 -0.6875 -1.875 1.1875 0.125 -0.4375
//   1.6875 0.375 1.875 0.9375 0.375 0 -1.1875 0.75 1.1875 0.8125 -0.375 -2 0.9375 -1.875 1.25 -1.4375 -0.8125 -1.1875 0.1875 -1.1875 -1
//   -1.8125 1.9375 -1.125
// in 8x8xf32: -1.25 0.4375 -1.4375 1.5625 1.125 -0.625 -0.375 -0.5625 0.9375 -0.3125 -0.875 0.75 -1.5 1.1875 -0.3125 1.8125 -1 -0.5 1.5
//   0.8125 -1.875 -0.625 -1.9375 1.3125 -0.3125 -1.125 0.9375 1.5 -1.625 0 -0.5625 0.9375 1.75 0.125 1 -0.75 0.3125 0 0.9375 -1.8125
//   -1.0625 -1.875 1.9375 0.125 -0.0625 -0.0625 -1.875 1.375 1.375 -1.9375 0.5 0.25 -0.5 -0.0625 1.5625 0.375 -0.0625 0.9375 0.8125 0.125
//   1.3125 0.25 0.5 -0.0625
// in 8x8xf32: 0.375 0.4375 1.625 -1 -0.5625 0.1875 -0.6875 0.6875 1.3125 -1.25 -1.8125 2 0.0625 1 1.0625 1.875 -1.875 -0.8125 1.9375 -0.25
//   -0.4375 -1 -1.9375 -1.8125 1.9375 -1.9375 -1.4375 -1 -0.875 1.4375 -0.6875 -1.375 -0.4375 0.75 -0.1875 -1 -1.5625 -1.75 -0.0625 -1.25
//   0.3125 0.75 -0.5 0 -1.8125 0.1875 -1.3125 -0.1875 -1.5625 -0.9375 -0.3125 -0.0625 -1.9375 1.6875 -0.3125 -1.1875 -1.25 0.9375 -0.25 -1
//   -0.1875 -1.25 -1.375 -0.6875
// in i32: 5
// out 2x8xf32: -0.68033683 1.179554 -1.874422 -1.2427118 -1.245907 -0.4334818 -1.3690687 1.1862507 0.8618996 0.8048764 -1.4501747
//   -1.1830976 0.5624478 -0.18248022 -0.46789676 -1.1886476
// out 2x6x8xf32: -2 -1.8125 -1.4375 2 -1.25 0.625 1 -1.0625 -0.875 -0.25 -0.9375 1.9375 -1.3125 1.625 1.1875 1.375 -1.5625 -0.4375 0.5 0
//   0.6875 0.6875 0.6875 -1.8125 1.875 0.25 1.625 -0.9375 -0.5625 1.5625 -1.25 -1.75 -0.5 0.75 -1.5625 1.5 -0.625 -1.125 0.1875 1.625
//   2.3164062 -2.4492188 -4.28125 2.4296875 -0.94140625 2.0117188 2.5117188 1.0625 -1.875 0 -0.6875 -0.25 1.75 -1.1875 0.125 -0.6875
//   -0.8125 1.25 -1.4375 -0.75 -1.5625 -1.4375 -0.875 0.8125 0.3125 -0.1875 -1.3125 1.1875 1.1875 -1.0625 -1.8125 -0.75 -1.4375 1.1875
//   0.0625 0 -0.875 0 1.875 -1.0625 1.0625 -2 -0.75 1.75 1.5 -1.6875 1.375 1.375 -4.0898438 4.3046875 -5.6679688 -0.68359375 5.7617188
//   -3.1679688 -0.46875 -7.5195312
// out 2x6x8xf32: -0.9375 0.25 0.6875 -1.0625 -0.75 1 -1.25 0.6875 1.8125 0.75 0.625 -0.125 1.875 -1.125 -0.5625 0.5625 0.625 -1.625 -1.375
//   0.75 1.375 0.5625 1.75 -0.5 -0.6875 1.1875 -1.875 -1.25 -1.25 -0.4375 -1.375 1.1875 1.4375 -0.5 -1.9375 0.875 -1.5625 0.4375 -1.3125
//   1.8125 8.339844 -3.4453125 -6.6445312 2.015625 -1.2773438 7.28125 4.7226562 4.7617188 -0.5625 0.875 -0.0625 1.4375 1.8125 -0.375
//   -0.3125 0.1875 0.5625 -0.0625 0.4375 1.875 0.9375 -0.75 -0.3125 -0.375 -1.4375 -2 1.1875 -0.3125 -0.625 0.5625 0.25 1.75 0.5 1.75
//   0.3125 -0.6875 -0.75 2 0.375 -1.25 1.3125 1.3125 -2 -1.375 0.8125 -0.375 -0.625 -1.75 3.453125 4.3945312 6.5234375 -3.1875 3.0664062
//   -2.0976562 2.3007812 2.9570312
func.func @main(%arg0: tensor<2x8xf32>, %arg1: tensor<2x6x8xf32>, %arg2: tensor<2x6x8xf32>, %arg3: tensor<8x8xf32>, %arg4: tensor<8x8xf32>, %arg5: tensor<8x8xf32>, %arg6: tensor<i32>) -> (tensor<2x8xf32>, tensor<2x6x8xf32>, tensor<2x6x8xf32>) {
  %cst = arith.constant 0xFF800000 : f32
  %cst_0 = arith.constant 2.82842708 : f32
  %c5 = arith.constant 5 : index
  %c0 = arith.constant 0 : index
  %c6_i32 = arith.constant 6 : i32
  %c0_i32 = arith.constant 0 : i32
  %cst_1 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x8xf32>
  %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<2x8xf32>) -> tensor<2x8xf32>
  %2 = linalg.matmul ins(%arg0, %arg3 : tensor<2x8xf32>, tensor<8x8xf32>) outs(%1 : tensor<2x8xf32>) -> tensor<2x8xf32>
  %3 = tensor.empty() : tensor<2x8xf32>
  %4 = linalg.fill ins(%cst_1 : f32) outs(%3 : tensor<2x8xf32>) -> tensor<2x8xf32>
  %5 = linalg.matmul ins(%arg0, %arg4 : tensor<2x8xf32>, tensor<8x8xf32>) outs(%4 : tensor<2x8xf32>) -> tensor<2x8xf32>
  %6 = tensor.empty() : tensor<2x8xf32>
  %7 = linalg.fill ins(%cst_1 : f32) outs(%6 : tensor<2x8xf32>) -> tensor<2x8xf32>
  %8 = linalg.matmul ins(%arg0, %arg5 : tensor<2x8xf32>, tensor<8x8xf32>) outs(%7 : tensor<2x8xf32>) -> tensor<2x8xf32>
  %9 = tensor.empty() : tensor<2x1x8xf32>
  %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<2x8xf32>) outs(%9 : tensor<2x1x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x1x8xf32>
  %11 = tensor.empty() : tensor<i1>
  %12 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%arg6 : tensor<i32>) outs(%11 : tensor<i1>) {
  ^bb0(%in: i32, %out: i1):
    %63 = arith.cmpi slt, %in, %c0_i32 : i32
    linalg.yield %63 : i1
  } -> tensor<i1>
  %13 = tensor.empty() : tensor<i32>
  %14 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%arg6 : tensor<i32>) outs(%13 : tensor<i32>) {
  ^bb0(%in: i32, %out: i32):
    %63 = arith.addi %in, %c6_i32 : i32
    linalg.yield %63 : i32
  } -> tensor<i32>
  %15 = tensor.empty() : tensor<i32>
  %16 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%12, %14, %arg6 : tensor<i1>, tensor<i32>, tensor<i32>) outs(%15 : tensor<i32>) {
  ^bb0(%in: i1, %in_4: i32, %in_5: i32, %out: i32):
    %63 = arith.select %in, %in_4, %in_5 : i32
    linalg.yield %63 : i32
  } -> tensor<i32>
  %extracted = tensor.extract %16[] : tensor<i32>
  %17 = arith.index_cast %extracted : i32 to index
  %18 = arith.maxsi %17, %c0 : index
  %19 = arith.minsi %18, %c5 : index
  %inserted_slice = tensor.insert_slice %10 into %arg1[0, %19, 0] [2, 1, 8] [1, 1, 1] : tensor<2x1x8xf32> into tensor<2x6x8xf32>
  %20 = tensor.empty() : tensor<2x1x8xf32>
  %21 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x8xf32>) outs(%20 : tensor<2x1x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x1x8xf32>
  %extracted_2 = tensor.extract %16[] : tensor<i32>
  %22 = arith.index_cast %extracted_2 : i32 to index
  %23 = arith.maxsi %22, %c0 : index
  %24 = arith.minsi %23, %c5 : index
  %inserted_slice_3 = tensor.insert_slice %21 into %arg2[0, %24, 0] [2, 1, 8] [1, 1, 1] : tensor<2x1x8xf32> into tensor<2x6x8xf32>
  %25 = tensor.empty() : tensor<2x8x6xf32>
  %26 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%inserted_slice : tensor<2x6x8xf32>) outs(%25 : tensor<2x8x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x8x6xf32>
  %27 = tensor.empty() : tensor<2x6xf32>
  %28 = linalg.fill ins(%cst_1 : f32) outs(%27 : tensor<2x6xf32>) -> tensor<2x6xf32>
  %29 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2, %26 : tensor<2x8xf32>, tensor<2x8x6xf32>) outs(%28 : tensor<2x6xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %63 = arith.mulf %in, %in_4 : f32
    %64 = arith.addf %out, %63 : f32
    linalg.yield %64 : f32
  } -> tensor<2x6xf32>
  %30 = tensor.empty() : tensor<2x6xf32>
  %31 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%29 : tensor<2x6xf32>) outs(%30 : tensor<2x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %63 = arith.divf %in, %cst_0 : f32
    linalg.yield %63 : f32
  } -> tensor<2x6xf32>
  %32 = tensor.empty() : tensor<6xi32>
  %33 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%32 : tensor<6xi32>) {
  ^bb0(%out: i32):
    %63 = linalg.index 0 : index
    %64 = arith.index_cast %63 : index to i32
    linalg.yield %64 : i32
  } -> tensor<6xi32>
  %34 = tensor.empty() : tensor<1x6xi32>
  %35 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%33 : tensor<6xi32>) outs(%34 : tensor<1x6xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<1x6xi32>
  %36 = tensor.empty() : tensor<1x6xi32>
  %37 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg6 : tensor<i32>) outs(%36 : tensor<1x6xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<1x6xi32>
  %38 = tensor.empty() : tensor<1x6xi1>
  %39 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%35, %37 : tensor<1x6xi32>, tensor<1x6xi32>) outs(%38 : tensor<1x6xi1>) {
  ^bb0(%in: i32, %in_4: i32, %out: i1):
    %63 = arith.cmpi sle, %in, %in_4 : i32
    linalg.yield %63 : i1
  } -> tensor<1x6xi1>
  %40 = tensor.empty() : tensor<2x6xi1>
  %41 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%39 : tensor<1x6xi1>) outs(%40 : tensor<2x6xi1>) {
  ^bb0(%in: i1, %out: i1):
    linalg.yield %in : i1
  } -> tensor<2x6xi1>
  %42 = tensor.empty() : tensor<2x6xf32>
  %43 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%41, %31 : tensor<2x6xi1>, tensor<2x6xf32>) outs(%42 : tensor<2x6xf32>) {
  ^bb0(%in: i1, %in_4: f32, %out: f32):
    %63 = arith.select %in, %in_4, %cst : f32
    linalg.yield %63 : f32
  } -> tensor<2x6xf32>
  %44 = tensor.empty() : tensor<2xf32>
  %45 = linalg.fill ins(%cst : f32) outs(%44 : tensor<2xf32>) -> tensor<2xf32>
  %46 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%43 : tensor<2x6xf32>) outs(%45 : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %63 = arith.maximumf %out, %in : f32
    linalg.yield %63 : f32
  } -> tensor<2xf32>
  %47 = tensor.empty() : tensor<2x6xf32>
  %48 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%46 : tensor<2xf32>) outs(%47 : tensor<2x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x6xf32>
  %49 = tensor.empty() : tensor<2x6xf32>
  %50 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%43, %48 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%49 : tensor<2x6xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %63 = arith.subf %in, %in_4 : f32
    linalg.yield %63 : f32
  } -> tensor<2x6xf32>
  %51 = tensor.empty() : tensor<2x6xf32>
  %52 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%50 : tensor<2x6xf32>) outs(%51 : tensor<2x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %63 = math.exp %in : f32
    linalg.yield %63 : f32
  } -> tensor<2x6xf32>
  %53 = tensor.empty() : tensor<2xf32>
  %54 = linalg.fill ins(%cst_1 : f32) outs(%53 : tensor<2xf32>) -> tensor<2xf32>
  %55 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%52 : tensor<2x6xf32>) outs(%54 : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %63 = arith.addf %out, %in : f32
    linalg.yield %63 : f32
  } -> tensor<2xf32>
  %56 = tensor.empty() : tensor<2x6xf32>
  %57 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%55 : tensor<2xf32>) outs(%56 : tensor<2x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x6xf32>
  %58 = tensor.empty() : tensor<2x6xf32>
  %59 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%52, %57 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%58 : tensor<2x6xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %63 = arith.divf %in, %in_4 : f32
    linalg.yield %63 : f32
  } -> tensor<2x6xf32>
  %60 = tensor.empty() : tensor<2x8xf32>
  %61 = linalg.fill ins(%cst_1 : f32) outs(%60 : tensor<2x8xf32>) -> tensor<2x8xf32>
  %62 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%59, %inserted_slice_3 : tensor<2x6xf32>, tensor<2x6x8xf32>) outs(%61 : tensor<2x8xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %63 = arith.mulf %in, %in_4 : f32
    %64 = arith.addf %out, %63 : f32
    linalg.yield %64 : f32
  } -> tensor<2x8xf32>
  return %62, %inserted_slice, %inserted_slice_3 : tensor<2x8xf32>, tensor<2x6x8xf32>, tensor<2x6x8xf32>
}
