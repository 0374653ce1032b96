// test: round-trip
// masked
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 6x4xf32: 0.6875 -1.5625 1.3125 -1 0.6875 -0.375 -1.6875 1.875 0.125 -1.375 2 1.4375 -1.9375 -1.375 -1.625 -0.6875 -0.375 0.75 0.9375
//   0.5 -0.25 1.875 -0.5 -0.375
// in 6x4xi32: 0 1 1 1 1 1 0 0 1 1 0 1 1 1 1 0 1 0 1 1 1 0 1 1
// out 6xf32: -0.41666666 0.15625 0.0625 -1.6458334 0.35416666 -0.375
// out f32: 1.4375
// out 6xi1: 1 1 1 1 1 1
// out 4xi1: 0 0 0 0
// out i32: 17
func.func @main(%arg0: tensor<6x4xf32>, %arg1: tensor<6x4xi32>) -> (tensor<6xf32>, tensor<f32>, tensor<6xi1>, tensor<4xi1>, tensor<i32>) {
  %true = arith.constant true
  %false = arith.constant false
  %cst = arith.constant 0xFF800000 : f32
  %c1_i32 = arith.constant 1 : i32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %c0_i32 = arith.constant 0 : i32
  %0 = tensor.empty() : tensor<6x4xi1>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<6x4xi32>) outs(%0 : tensor<6x4xi1>) {
  ^bb0(%in: i32, %out: i1):
    %38 = arith.cmpi ne, %in, %c0_i32 : i32
    linalg.yield %38 : i1
  } -> tensor<6x4xi1>
  %2 = tensor.empty() : tensor<f32>
  %3 = linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%2 : tensor<f32>) {
  ^bb0(%out: f32):
    linalg.yield %cst_0 : f32
  } -> tensor<f32>
  %4 = tensor.empty() : tensor<6x4xf32>
  %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<f32>) outs(%4 : tensor<6x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<6x4xf32>
  %6 = tensor.empty() : tensor<6x4xf32>
  %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1, %arg0, %5 : tensor<6x4xi1>, tensor<6x4xf32>, tensor<6x4xf32>) outs(%6 : tensor<6x4xf32>) {
  ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
    %38 = arith.select %in, %in_1, %in_2 : f32
    linalg.yield %38 : f32
  } -> tensor<6x4xf32>
  %8 = tensor.empty() : tensor<6xf32>
  %9 = linalg.fill ins(%cst_0 : f32) outs(%8 : tensor<6xf32>) -> tensor<6xf32>
  %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%7 : tensor<6x4xf32>) outs(%9 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = arith.addf %out, %in : f32
    linalg.yield %38 : f32
  } -> tensor<6xf32>
  %11 = tensor.empty() : tensor<6x4xi32>
  %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<6x4xi1>) outs(%11 : tensor<6x4xi32>) {
  ^bb0(%in: i1, %out: i32):
    %38 = arith.extui %in : i1 to i32
    linalg.yield %38 : i32
  } -> tensor<6x4xi32>
  %13 = tensor.empty() : tensor<6xi32>
  %14 = linalg.fill ins(%c0_i32 : i32) outs(%13 : tensor<6xi32>) -> tensor<6xi32>
  %15 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%12 : tensor<6x4xi32>) outs(%14 : tensor<6xi32>) {
  ^bb0(%in: i32, %out: i32):
    %38 = arith.addi %out, %in : i32
    linalg.yield %38 : i32
  } -> tensor<6xi32>
  %16 = tensor.empty() : tensor<6xi32>
  %17 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%15 : tensor<6xi32>) outs(%16 : tensor<6xi32>) {
  ^bb0(%in: i32, %out: i32):
    %38 = arith.maxsi %in, %c1_i32 : i32
    linalg.yield %38 : i32
  } -> tensor<6xi32>
  %18 = tensor.empty() : tensor<6xf32>
  %19 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%17 : tensor<6xi32>) outs(%18 : tensor<6xf32>) {
  ^bb0(%in: i32, %out: f32):
    %38 = arith.sitofp %in : i32 to f32
    linalg.yield %38 : f32
  } -> tensor<6xf32>
  %20 = tensor.empty() : tensor<6xf32>
  %21 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%10, %19 : tensor<6xf32>, tensor<6xf32>) outs(%20 : tensor<6xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %38 = arith.divf %in, %in_1 : f32
    linalg.yield %38 : f32
  } -> tensor<6xf32>
  %22 = tensor.empty() : tensor<6x4xf32>
  %23 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1, %arg0 : tensor<6x4xi1>, tensor<6x4xf32>) outs(%22 : tensor<6x4xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %38 = arith.select %in, %in_1, %cst : f32
    linalg.yield %38 : f32
  } -> tensor<6x4xf32>
  %24 = tensor.empty() : tensor<f32>
  %25 = linalg.fill ins(%cst : f32) outs(%24 : tensor<f32>) -> tensor<f32>
  %26 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%23 : tensor<6x4xf32>) outs(%25 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = arith.maximumf %out, %in : f32
    linalg.yield %38 : f32
  } -> tensor<f32>
  %27 = tensor.empty() : tensor<6xi1>
  %28 = linalg.fill ins(%false : i1) outs(%27 : tensor<6xi1>) -> tensor<6xi1>
  %29 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<6x4xi1>) outs(%28 : tensor<6xi1>) {
  ^bb0(%in: i1, %out: i1):
    %38 = arith.ori %out, %in : i1
    linalg.yield %38 : i1
  } -> tensor<6xi1>
  %30 = tensor.empty() : tensor<4xi1>
  %31 = linalg.fill ins(%true : i1) outs(%30 : tensor<4xi1>) -> tensor<4xi1>
  %32 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<6x4xi1>) outs(%31 : tensor<4xi1>) {
  ^bb0(%in: i1, %out: i1):
    %38 = arith.andi %out, %in : i1
    linalg.yield %38 : i1
  } -> tensor<4xi1>
  %33 = tensor.empty() : tensor<6x4xi32>
  %34 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<6x4xi1>) outs(%33 : tensor<6x4xi32>) {
  ^bb0(%in: i1, %out: i32):
    %38 = arith.extui %in : i1 to i32
    linalg.yield %38 : i32
  } -> tensor<6x4xi32>
  %35 = tensor.empty() : tensor<i32>
  %36 = linalg.fill ins(%c0_i32 : i32) outs(%35 : tensor<i32>) -> tensor<i32>
  %37 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%34 : tensor<6x4xi32>) outs(%36 : tensor<i32>) {
  ^bb0(%in: i32, %out: i32):
    %38 = arith.addi %out, %in : i32
    linalg.yield %38 : i32
  } -> tensor<i32>
  return %21, %26, %29, %32, %37 : tensor<6xf32>, tensor<f32>, tensor<6xi1>, tensor<4xi1>, tensor<i32>
}
