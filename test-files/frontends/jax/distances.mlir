// test: round-trip
// distances: Each to each, and which is nearest
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 5x3xf32: -0.5 1.8125 1.75 -0.8125 -0.625 -1 -0.75 -1.125 1.3125 1.1875 1.5625 -1.125 -0.4375 1.25 -0.4375
// in 4x3xf32: 0.9375 -1.875 -0.3125 -1.3125 -0.0625 -1.25 1.6875 -0.125 1.1875 -1.9375 -1.4375 1.1875
// out 5x4xf32: 4.462955 3.6298459 2.9758139 3.5979595 2.257799 0.7930361 3.3593388 2.5905478 2.4598336 2.830498 2.6376185 1.234276
//   3.5410538 2.984334 2.906082 4.9105277 3.4164126 1.7743837 3.0078022 3.480414
// out 5xi32: 2 1 3 2 1
// out 5x4xf32: 0.011528247 0.02652027 0.051005904 0.027379533 0.104580425 0.45246896 0.034758236 0.074978955 0.08544917 0.058983475
//   0.071531415 0.2910454 0.02898277 0.050573174 0.05468959 0.007368599 0.03283 0.16958794 0.04940013 0.030794661
func.func @main(%arg0: tensor<5x3xf32>, %arg1: tensor<4x3xf32>) -> (tensor<5x4xf32>, tensor<5xi32>, tensor<5x4xf32>) {
  %c0_i32 = arith.constant 0 : i32
  %cst = arith.constant 0x7F800000 : f32
  %cst_0 = arith.constant 9.99999971E-10 : f32
  %cst_1 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<5x4x3xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<5x3xf32>) outs(%0 : tensor<5x4x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<5x4x3xf32>
  %2 = tensor.empty() : tensor<5x4x3xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<4x3xf32>) outs(%2 : tensor<5x4x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<5x4x3xf32>
  %4 = tensor.empty() : tensor<5x4x3xf32>
  %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %3 : tensor<5x4x3xf32>, tensor<5x4x3xf32>) outs(%4 : tensor<5x4x3xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %26 = arith.subf %in, %in_2 : f32
    linalg.yield %26 : f32
  } -> tensor<5x4x3xf32>
  %6 = tensor.empty() : tensor<5x4x3xf32>
  %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<5x4x3xf32>) outs(%6 : tensor<5x4x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = arith.mulf %in, %in : f32
    linalg.yield %26 : f32
  } -> tensor<5x4x3xf32>
  %8 = tensor.empty() : tensor<5x4xf32>
  %9 = linalg.fill ins(%cst_1 : f32) outs(%8 : tensor<5x4xf32>) -> tensor<5x4xf32>
  %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<5x4x3xf32>) outs(%9 : tensor<5x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = arith.addf %out, %in : f32
    linalg.yield %26 : f32
  } -> tensor<5x4xf32>
  %11 = tensor.empty() : tensor<5x4xf32>
  %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<5x4xf32>) outs(%11 : tensor<5x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = arith.addf %in, %cst_0 : f32
    linalg.yield %26 : f32
  } -> tensor<5x4xf32>
  %13 = tensor.empty() : tensor<5x4xf32>
  %14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<5x4xf32>) outs(%13 : tensor<5x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = math.sqrt %in : f32
    linalg.yield %26 : f32
  } -> tensor<5x4xf32>
  %15 = tensor.empty() : tensor<5x4xi32>
  %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%15 : tensor<5x4xi32>) {
  ^bb0(%out: i32):
    %26 = linalg.index 1 : index
    %27 = arith.index_cast %26 : index to i32
    linalg.yield %27 : i32
  } -> tensor<5x4xi32>
  %17 = tensor.empty() : tensor<5xf32>
  %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<5xf32>) -> tensor<5xf32>
  %19 = tensor.empty() : tensor<5xi32>
  %20 = linalg.fill ins(%c0_i32 : i32) outs(%19 : tensor<5xi32>) -> tensor<5xi32>
  %21:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%14, %16 : tensor<5x4xf32>, tensor<5x4xi32>) outs(%18, %20 : tensor<5xf32>, tensor<5xi32>) {
  ^bb0(%in: f32, %in_2: i32, %out: f32, %out_3: i32):
    %26 = arith.cmpf olt, %out, %in : f32
    %27 = arith.cmpf une, %out, %out : f32
    %28 = arith.ori %26, %27 : i1
    %29 = arith.cmpf oeq, %out, %in : f32
    %30 = arith.cmpi slt, %out_3, %in_2 : i32
    %31 = arith.andi %29, %30 : i1
    %32 = arith.ori %28, %31 : i1
    %33 = arith.select %28, %out, %in : f32
    %34 = arith.select %32, %out_3, %in_2 : i32
    linalg.yield %33, %34 : f32, i32
  } -> (tensor<5xf32>, tensor<5xi32>)
  %22 = tensor.empty() : tensor<5x4xf32>
  %23 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<5x4xf32>) outs(%22 : tensor<5x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = arith.negf %in : f32
    linalg.yield %26 : f32
  } -> tensor<5x4xf32>
  %24 = tensor.empty() : tensor<5x4xf32>
  %25 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<5x4xf32>) outs(%24 : tensor<5x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = math.exp %in : f32
    linalg.yield %26 : f32
  } -> tensor<5x4xf32>
  return %14, %21#1, %25 : tensor<5x4xf32>, tensor<5xi32>, tensor<5x4xf32>
}
