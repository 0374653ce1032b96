// test: round-trip
// top 1: The best and the second best without a sort
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 4x9xf32: -1.625 1 0.1875 1 -0.25 -0.125 -1.5625 -1.625 -1.6875 1.875 -0.5625 -0.75 1.375 -1.1875 -0.3125 1.4375 -1.5 0.0625 -0.1875
//   -1.3125 -0.8125 1 1.375 1.1875 1.8125 0.1875 1.3125 1.3125 -1.5 0.4375 -0.9375 -0.25 -0.875 -0.75 -0.1875 0.875
// in 4xi32: 1 8 4 1
// out 4xi32: 1 0 6 0
// out 4xf32: 1 1.875 1.8125 1.3125
// out 4xi32: 3 6 4 8
// out f32: 0.25
func.func @main(%arg0: tensor<4x9xf32>, %arg1: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xf32>, tensor<4xi32>, tensor<f32>) {
  %cst = arith.constant 4.000000e+00 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %c0_i32 = arith.constant 0 : i32
  %cst_1 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<4x9xi32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<4x9xi32>) {
  ^bb0(%out: i32):
    %36 = linalg.index 1 : index
    %37 = arith.index_cast %36 : index to i32
    linalg.yield %37 : i32
  } -> tensor<4x9xi32>
  %2 = tensor.empty() : tensor<4xf32>
  %3 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
  %4 = tensor.empty() : tensor<4xi32>
  %5 = linalg.fill ins(%c0_i32 : i32) outs(%4 : tensor<4xi32>) -> tensor<4xi32>
  %6:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%arg0, %1 : tensor<4x9xf32>, tensor<4x9xi32>) outs(%3, %5 : tensor<4xf32>, tensor<4xi32>) {
  ^bb0(%in: f32, %in_2: i32, %out: f32, %out_3: i32):
    %36 = arith.cmpf ogt, %out, %in : f32
    %37 = arith.cmpf une, %out, %out : f32
    %38 = arith.ori %36, %37 : i1
    %39 = arith.cmpf oeq, %out, %in : f32
    %40 = arith.cmpi slt, %out_3, %in_2 : i32
    %41 = arith.andi %39, %40 : i1
    %42 = arith.ori %38, %41 : i1
    %43 = arith.select %38, %out, %in : f32
    %44 = arith.select %42, %out_3, %in_2 : i32
    linalg.yield %43, %44 : f32, i32
  } -> (tensor<4xf32>, tensor<4xi32>)
  %7 = tensor.empty() : tensor<9xi32>
  %8 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%7 : tensor<9xi32>) {
  ^bb0(%out: i32):
    %36 = linalg.index 0 : index
    %37 = arith.index_cast %36 : index to i32
    linalg.yield %37 : i32
  } -> tensor<9xi32>
  %9 = tensor.empty() : tensor<4x9xi32>
  %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<9xi32>) outs(%9 : tensor<4x9xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<4x9xi32>
  %11 = tensor.empty() : tensor<4x9xi32>
  %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%6#1 : tensor<4xi32>) outs(%11 : tensor<4x9xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<4x9xi32>
  %13 = tensor.empty() : tensor<4x9xi1>
  %14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%10, %12 : tensor<4x9xi32>, tensor<4x9xi32>) outs(%13 : tensor<4x9xi1>) {
  ^bb0(%in: i32, %in_2: i32, %out: i1):
    %36 = arith.cmpi eq, %in, %in_2 : i32
    linalg.yield %36 : i1
  } -> tensor<4x9xi1>
  %15 = tensor.empty() : tensor<4x9xf32>
  %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%14, %arg0 : tensor<4x9xi1>, tensor<4x9xf32>) outs(%15 : tensor<4x9xf32>) {
  ^bb0(%in: i1, %in_2: f32, %out: f32):
    %36 = arith.select %in, %cst_1, %in_2 : f32
    linalg.yield %36 : f32
  } -> tensor<4x9xf32>
  %17 = tensor.empty() : tensor<4xf32>
  %18 = linalg.fill ins(%cst_1 : f32) outs(%17 : tensor<4xf32>) -> tensor<4xf32>
  %19 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x9xf32>) outs(%18 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %36 = arith.maximumf %out, %in : f32
    linalg.yield %36 : f32
  } -> tensor<4xf32>
  %20 = tensor.empty() : tensor<4xf32>
  %21 = linalg.fill ins(%cst_1 : f32) outs(%20 : tensor<4xf32>) -> tensor<4xf32>
  %22 = tensor.empty() : tensor<4xi32>
  %23 = linalg.fill ins(%c0_i32 : i32) outs(%22 : tensor<4xi32>) -> tensor<4xi32>
  %24:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%16, %1 : tensor<4x9xf32>, tensor<4x9xi32>) outs(%21, %23 : tensor<4xf32>, tensor<4xi32>) {
  ^bb0(%in: f32, %in_2: i32, %out: f32, %out_3: i32):
    %36 = arith.cmpf ogt, %out, %in : f32
    %37 = arith.cmpf une, %out, %out : f32
    %38 = arith.ori %36, %37 : i1
    %39 = arith.cmpf oeq, %out, %in : f32
    %40 = arith.cmpi slt, %out_3, %in_2 : i32
    %41 = arith.andi %39, %40 : i1
    %42 = arith.ori %38, %41 : i1
    %43 = arith.select %38, %out, %in : f32
    %44 = arith.select %42, %out_3, %in_2 : i32
    linalg.yield %43, %44 : f32, i32
  } -> (tensor<4xf32>, tensor<4xi32>)
  %25 = tensor.empty() : tensor<4xi1>
  %26 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%6#1, %arg1 : tensor<4xi32>, tensor<4xi32>) outs(%25 : tensor<4xi1>) {
  ^bb0(%in: i32, %in_2: i32, %out: i1):
    %36 = arith.cmpi eq, %in, %in_2 : i32
    linalg.yield %36 : i1
  } -> tensor<4xi1>
  %27 = tensor.empty() : tensor<4xi32>
  %28 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%26 : tensor<4xi1>) outs(%27 : tensor<4xi32>) {
  ^bb0(%in: i1, %out: i32):
    %36 = arith.extui %in : i1 to i32
    linalg.yield %36 : i32
  } -> tensor<4xi32>
  %29 = tensor.empty() : tensor<4xf32>
  %30 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%28 : tensor<4xi32>) outs(%29 : tensor<4xf32>) {
  ^bb0(%in: i32, %out: f32):
    %36 = arith.sitofp %in : i32 to f32
    linalg.yield %36 : f32
  } -> tensor<4xf32>
  %31 = tensor.empty() : tensor<f32>
  %32 = linalg.fill ins(%cst_0 : f32) outs(%31 : tensor<f32>) -> tensor<f32>
  %33 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%30 : tensor<4xf32>) outs(%32 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %36 = arith.addf %out, %in : f32
    linalg.yield %36 : f32
  } -> tensor<f32>
  %34 = tensor.empty() : tensor<f32>
  %35 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%33 : tensor<f32>) outs(%34 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %36 = arith.divf %in, %cst : f32
    linalg.yield %36 : f32
  } -> tensor<f32>
  return %6#1, %19, %24#1, %35 : tensor<4xi32>, tensor<4xf32>, tensor<4xi32>, tensor<f32>
}
