// test: round-trip
// newton: Square roots until all of them are near enough: `lax.while_loop`
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 5xf32: 1 6.625 2.6875 3.5 8.875
// out 5xf32: 1 2.5739179 1.6393597 1.8708286 2.9791775
// out i32: 4
func.func @main(%arg0: tensor<5xf32>) -> (tensor<5xf32>, tensor<i32>) {
  %c1_i32 = arith.constant 1 : i32
  %cst = arith.constant 5.000000e-01 : f32
  %cst_0 = arith.constant 1.000000e-03 : f32
  %cst_1 = arith.constant 0xFF800000 : f32
  %c50_i32 = arith.constant 50 : i32
  %cst_2 = arith.constant dense<0> : tensor<i32>
  %0:2 = scf.while (%arg1 = %arg0, %arg2 = %cst_2) : (tensor<5xf32>, tensor<i32>) -> (tensor<5xf32>, tensor<i32>) {
    %1 = tensor.empty() : tensor<i1>
    %2 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%arg2 : tensor<i32>) outs(%1 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %16 = arith.cmpi slt, %in, %c50_i32 : i32
      linalg.yield %16 : i1
    } -> tensor<i1>
    %3 = tensor.empty() : tensor<5xf32>
    %4 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg1 : tensor<5xf32>) outs(%3 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.mulf %in, %in : f32
      linalg.yield %16 : f32
    } -> tensor<5xf32>
    %5 = tensor.empty() : tensor<5xf32>
    %6 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%4, %arg0 : tensor<5xf32>, tensor<5xf32>) outs(%5 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %16 = arith.subf %in, %in_3 : f32
      linalg.yield %16 : f32
    } -> tensor<5xf32>
    %7 = tensor.empty() : tensor<5xf32>
    %8 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%6 : tensor<5xf32>) outs(%7 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = math.absf %in : f32
      linalg.yield %16 : f32
    } -> tensor<5xf32>
    %9 = tensor.empty() : tensor<f32>
    %10 = linalg.fill ins(%cst_1 : f32) outs(%9 : tensor<f32>) -> tensor<f32>
    %11 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%8 : tensor<5xf32>) outs(%10 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.maximumf %out, %in : f32
      linalg.yield %16 : f32
    } -> tensor<f32>
    %12 = tensor.empty() : tensor<i1>
    %13 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%11 : tensor<f32>) outs(%12 : tensor<i1>) {
    ^bb0(%in: f32, %out: i1):
      %16 = arith.cmpf ogt, %in, %cst_0 : f32
      linalg.yield %16 : i1
    } -> tensor<i1>
    %14 = tensor.empty() : tensor<i1>
    %15 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%2, %13 : tensor<i1>, tensor<i1>) outs(%14 : tensor<i1>) {
    ^bb0(%in: i1, %in_3: i1, %out: i1):
      %16 = arith.andi %in, %in_3 : i1
      linalg.yield %16 : i1
    } -> tensor<i1>
    %extracted = tensor.extract %15[] : tensor<i1>
    scf.condition(%extracted) %arg1, %arg2 : tensor<5xf32>, tensor<i32>
  } do {
  ^bb0(%arg1: tensor<5xf32>, %arg2: tensor<i32>):
    %1 = tensor.empty() : tensor<5xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<5xf32>, tensor<5xf32>) outs(%1 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %9 = arith.divf %in, %in_3 : f32
      linalg.yield %9 : f32
    } -> tensor<5xf32>
    %3 = tensor.empty() : tensor<5xf32>
    %4 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg1, %2 : tensor<5xf32>, tensor<5xf32>) outs(%3 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %9 = arith.addf %in, %in_3 : f32
      linalg.yield %9 : f32
    } -> tensor<5xf32>
    %5 = tensor.empty() : tensor<5xf32>
    %6 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%4 : tensor<5xf32>) outs(%5 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %9 = arith.mulf %in, %cst : f32
      linalg.yield %9 : f32
    } -> tensor<5xf32>
    %7 = tensor.empty() : tensor<i32>
    %8 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%arg2 : tensor<i32>) outs(%7 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %9 = arith.addi %in, %c1_i32 : i32
      linalg.yield %9 : i32
    } -> tensor<i32>
    scf.yield %6, %8 : tensor<5xf32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<5xf32>, tensor<i32>
}
