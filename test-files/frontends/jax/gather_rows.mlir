// test: round-trip
// gather rows
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 5x4xf32: 0.25 0.9375 -1.9375 0.8125 -0.25 1.8125 -1.875 -1.8125 -0.125 0.75 -1.75 1.6875 0.875 -0.125 -1.8125 -0.6875 0.625 0.4375
//   1.0625 0.9375
// in 3xi32: 3 0 4
// in i32: 0
// out 3x4xf32: 0.875 -0.125 -1.8125 -0.6875 0.25 0.9375 -1.9375 0.8125 0.625 0.4375 1.0625 0.9375
// out 4xf32: 0.25 0.9375 -1.9375 0.8125
// out 5x3xf32: 0.25 0.25 0.9375 -0.25 -0.25 1.8125 -0.125 -0.125 0.75 0.875 0.875 -0.125 0.625 0.625 0.4375
// out 2x2xf32: 0.9375 -1.9375 1.8125 -1.875
// out 5x2xf32: 0.625 1.0625 0.875 -1.8125 -0.125 -1.75 -0.25 -1.875 0.25 -1.9375
func.func @main(%arg0: tensor<5x4xf32>, %arg1: tensor<3xi32>, %arg2: tensor<i32>) -> (tensor<3x4xf32>, tensor<4xf32>, tensor<5x3xf32>, tensor<2x2xf32>, tensor<5x2xf32>) {
  %cst = arith.constant 0x7FC00000 : f32
  %c3 = arith.constant 3 : index
  %true = arith.constant true
  %c4_i32 = arith.constant 4 : i32
  %c3_i32 = arith.constant 3 : i32
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %c5_i32 = arith.constant 5 : i32
  %c0_i32 = arith.constant 0 : i32
  %0 = tensor.empty() : tensor<3xi1>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg1 : tensor<3xi32>) outs(%0 : tensor<3xi1>) {
  ^bb0(%in: i32, %out: i1):
    %55 = arith.cmpi slt, %in, %c0_i32 : i32
    linalg.yield %55 : i1
  } -> tensor<3xi1>
  %2 = tensor.empty() : tensor<3xi32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg1 : tensor<3xi32>) outs(%2 : tensor<3xi32>) {
  ^bb0(%in: i32, %out: i32):
    %55 = arith.addi %in, %c5_i32 : i32
    linalg.yield %55 : i32
  } -> tensor<3xi32>
  %4 = tensor.empty() : tensor<3xi32>
  %5 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%1, %3, %arg1 : tensor<3xi1>, tensor<3xi32>, tensor<3xi32>) outs(%4 : tensor<3xi32>) {
  ^bb0(%in: i1, %in_5: i32, %in_6: i32, %out: i32):
    %55 = arith.select %in, %in_5, %in_6 : i32
    linalg.yield %55 : i32
  } -> tensor<3xi32>
  %expanded = tensor.expand_shape %5 [[0, 1]] output_shape [3, 1] : tensor<3xi32> into tensor<3x1xi32>
  %6 = tensor.empty() : tensor<3x1x4xf32>
  %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<3x1xi32>) outs(%6 : tensor<3x1x4xf32>) {
  ^bb0(%in: i32, %out: f32):
    %55 = arith.index_cast %in : i32 to index
    %56 = linalg.index 2 : index
    %extracted_5 = tensor.extract %arg0[%55, %56] : tensor<5x4xf32>
    linalg.yield %extracted_5 : f32
  } -> tensor<3x1x4xf32>
  %collapsed = tensor.collapse_shape %7 [[0], [1, 2]] : tensor<3x1x4xf32> into tensor<3x4xf32>
  %8 = tensor.empty() : tensor<i1>
  %9 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%arg2 : tensor<i32>) outs(%8 : tensor<i1>) {
  ^bb0(%in: i32, %out: i1):
    %55 = arith.cmpi slt, %in, %c0_i32 : i32
    linalg.yield %55 : i1
  } -> tensor<i1>
  %10 = tensor.empty() : tensor<i32>
  %11 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%arg2 : tensor<i32>) outs(%10 : tensor<i32>) {
  ^bb0(%in: i32, %out: i32):
    %55 = arith.addi %in, %c5_i32 : i32
    linalg.yield %55 : i32
  } -> tensor<i32>
  %12 = tensor.empty() : tensor<i32>
  %13 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%9, %11, %arg2 : tensor<i1>, tensor<i32>, tensor<i32>) outs(%12 : tensor<i32>) {
  ^bb0(%in: i1, %in_5: i32, %in_6: i32, %out: i32):
    %55 = arith.select %in, %in_5, %in_6 : i32
    linalg.yield %55 : i32
  } -> tensor<i32>
  %extracted = tensor.extract %13[] : tensor<i32>
  %14 = arith.index_cast %extracted : i32 to index
  %15 = arith.maxsi %14, %c0 : index
  %16 = arith.minsi %15, %c4 : index
  %extracted_slice = tensor.extract_slice %arg0[%16, 0] [1, 4] [1, 1] : tensor<5x4xf32> to tensor<1x4xf32>
  %collapsed_0 = tensor.collapse_shape %extracted_slice [[0, 1]] : tensor<1x4xf32> into tensor<4xf32>
  %17 = tensor.empty() : tensor<3xi32>
  %18 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg1 : tensor<3xi32>) outs(%17 : tensor<3xi32>) {
  ^bb0(%in: i32, %out: i32):
    %55 = arith.remsi %in, %c3_i32 : i32
    linalg.yield %55 : i32
  } -> tensor<3xi32>
  %19 = tensor.empty() : tensor<3xi1>
  %20 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%18 : tensor<3xi32>) outs(%19 : tensor<3xi1>) {
  ^bb0(%in: i32, %out: i1):
    %55 = arith.cmpi ne, %in, %c0_i32 : i32
    linalg.yield %55 : i1
  } -> tensor<3xi1>
  %21 = tensor.empty() : tensor<3xi1>
  %22 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%18 : tensor<3xi32>) outs(%21 : tensor<3xi1>) {
  ^bb0(%in: i32, %out: i1):
    %55 = arith.cmpi slt, %in, %c0_i32 : i32
    linalg.yield %55 : i1
  } -> tensor<3xi1>
  %23 = tensor.empty() : tensor<3xi1>
  %24 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%22, %20 : tensor<3xi1>, tensor<3xi1>) outs(%23 : tensor<3xi1>) {
  ^bb0(%in: i1, %in_5: i1, %out: i1):
    %55 = arith.andi %in, %in_5 : i1
    linalg.yield %55 : i1
  } -> tensor<3xi1>
  %25 = tensor.empty() : tensor<3xi32>
  %26 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%18 : tensor<3xi32>) outs(%25 : tensor<3xi32>) {
  ^bb0(%in: i32, %out: i32):
    %55 = arith.addi %in, %c3_i32 : i32
    linalg.yield %55 : i32
  } -> tensor<3xi32>
  %27 = tensor.empty() : tensor<3xi32>
  %28 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%24, %26, %18 : tensor<3xi1>, tensor<3xi32>, tensor<3xi32>) outs(%27 : tensor<3xi32>) {
  ^bb0(%in: i1, %in_5: i32, %in_6: i32, %out: i32):
    %55 = arith.select %in, %in_5, %in_6 : i32
    linalg.yield %55 : i32
  } -> tensor<3xi32>
  %29 = tensor.empty() : tensor<3xi1>
  %30 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%28 : tensor<3xi32>) outs(%29 : tensor<3xi1>) {
  ^bb0(%in: i32, %out: i1):
    %55 = arith.cmpi slt, %in, %c0_i32 : i32
    linalg.yield %55 : i1
  } -> tensor<3xi1>
  %31 = tensor.empty() : tensor<3xi32>
  %32 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%28 : tensor<3xi32>) outs(%31 : tensor<3xi32>) {
  ^bb0(%in: i32, %out: i32):
    %55 = arith.addi %in, %c4_i32 : i32
    linalg.yield %55 : i32
  } -> tensor<3xi32>
  %33 = tensor.empty() : tensor<3xi32>
  %34 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%30, %32, %28 : tensor<3xi1>, tensor<3xi32>, tensor<3xi32>) outs(%33 : tensor<3xi32>) {
  ^bb0(%in: i1, %in_5: i32, %in_6: i32, %out: i32):
    %55 = arith.select %in, %in_5, %in_6 : i32
    linalg.yield %55 : i32
  } -> tensor<3xi32>
  %expanded_1 = tensor.expand_shape %34 [[0, 1]] output_shape [3, 1] : tensor<3xi32> into tensor<3x1xi32>
  %35 = tensor.empty() : tensor<3x1xi1>
  %36 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%expanded_1 : tensor<3x1xi32>) outs(%35 : tensor<3x1xi1>) {
  ^bb0(%in: i32, %out: i1):
    %55 = arith.cmpi sge, %in, %c0_i32 : i32
    linalg.yield %55 : i1
  } -> tensor<3x1xi1>
  %37 = tensor.empty() : tensor<3x1xi1>
  %38 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%expanded_1 : tensor<3x1xi32>) outs(%37 : tensor<3x1xi1>) {
  ^bb0(%in: i32, %out: i1):
    %55 = arith.cmpi sle, %in, %c3_i32 : i32
    linalg.yield %55 : i1
  } -> tensor<3x1xi1>
  %39 = tensor.empty() : tensor<3x1xi1>
  %40 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%36, %38 : tensor<3x1xi1>, tensor<3x1xi1>) outs(%39 : tensor<3x1xi1>) {
  ^bb0(%in: i1, %in_5: i1, %out: i1):
    %55 = arith.andi %in, %in_5 : i1
    linalg.yield %55 : i1
  } -> tensor<3x1xi1>
  %41 = tensor.empty() : tensor<3xi1>
  %42 = linalg.fill ins(%true : i1) outs(%41 : tensor<3xi1>) -> tensor<3xi1>
  %43 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%40 : tensor<3x1xi1>) outs(%42 : tensor<3xi1>) {
  ^bb0(%in: i1, %out: i1):
    %55 = arith.andi %out, %in : i1
    linalg.yield %55 : i1
  } -> tensor<3xi1>
  %44 = tensor.empty() : tensor<5x3xf32>
  %45 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%44 : tensor<5x3xf32>) {
  ^bb0(%out: f32):
    %55 = linalg.index 0 : index
    %56 = linalg.index 1 : index
    %extracted_5 = tensor.extract %expanded_1[%56, %c0] : tensor<3x1xi32>
    %57 = arith.index_cast %extracted_5 : i32 to index
    %58 = arith.maxsi %57, %c0 : index
    %59 = arith.minsi %58, %c3 : index
    %extracted_6 = tensor.extract %arg0[%55, %59] : tensor<5x4xf32>
    linalg.yield %extracted_6 : f32
  } -> tensor<5x3xf32>
  %46 = tensor.empty() : tensor<5x3xi1>
  %47 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%43 : tensor<3xi1>) outs(%46 : tensor<5x3xi1>) {
  ^bb0(%in: i1, %out: i1):
    linalg.yield %in : i1
  } -> tensor<5x3xi1>
  %48 = tensor.empty() : tensor<5x3xf32>
  %49 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%47, %45 : tensor<5x3xi1>, tensor<5x3xf32>) outs(%48 : tensor<5x3xf32>) {
  ^bb0(%in: i1, %in_5: f32, %out: f32):
    %55 = arith.select %in, %in_5, %cst : f32
    linalg.yield %55 : f32
  } -> tensor<5x3xf32>
  %extracted_2 = tensor.extract %13[] : tensor<i32>
  %50 = arith.index_cast %extracted_2 : i32 to index
  %51 = arith.maxsi %50, %c0 : index
  %52 = arith.minsi %51, %c3 : index
  %extracted_slice_3 = tensor.extract_slice %arg0[%52, 1] [2, 2] [1, 1] : tensor<5x4xf32> to tensor<2x2xf32>
  %extracted_slice_4 = tensor.extract_slice %arg0[0, 0] [5, 2] [1, 2] : tensor<5x4xf32> to tensor<5x2xf32>
  %53 = tensor.empty() : tensor<5x2xf32>
  %54 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%53 : tensor<5x2xf32>) {
  ^bb0(%out: f32):
    %55 = linalg.index 0 : index
    %56 = arith.subi %c4, %55 : index
    %57 = linalg.index 1 : index
    %extracted_5 = tensor.extract %extracted_slice_4[%56, %57] : tensor<5x2xf32>
    linalg.yield %extracted_5 : f32
  } -> tensor<5x2xf32>
  return %collapsed, %collapsed_0, %49, %extracted_slice_3, %54 : tensor<3x4xf32>, tensor<4xf32>, tensor<5x3xf32>, tensor<2x2xf32>, tensor<5x2xf32>
}
