// test: round-trip
// power iteration: `lax.fori_loop` of a product and a norm
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 5x5xf32: 0.6875 1.4375 -1.125 1.5625 1.375 1.0625 1.125 -1.875 -1.4375 -1.8125 1.375 -0.6875 -0.625 1.5 -0.9375 1.8125 -0.75 0.125
//   1.3125 1.1875 -0.125 -0.6875 1.6875 1.3125 0.8125
// in 5xf32: 1.3125 -1.375 -1.75 -1.125 1.875
// out 5xf32: 0.093060106 -0.6787365 0.20492843 0.50060433 0.48791003
func.func @main(%arg0: tensor<5x5xf32>, %arg1: tensor<5xf32>) -> tensor<5xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant dense<0> : tensor<i32>
  %c0_i32 = arith.constant 0 : i32
  %c6_i32 = arith.constant 6 : i32
  %c1_i32 = arith.constant 1 : i32
  %0:2 = scf.for %arg2 = %c0_i32 to %c6_i32 step %c1_i32 iter_args(%arg3 = %cst_0, %arg4 = %arg1) -> (tensor<i32>, tensor<5xf32>)  : i32 {
    %1 = tensor.empty() : tensor<i32>
    %2 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%arg3 : tensor<i32>) outs(%1 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %17 = arith.addi %in, %c1_i32 : i32
      linalg.yield %17 : i32
    } -> tensor<i32>
    %3 = tensor.empty() : tensor<5xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<5xf32>) -> tensor<5xf32>
    %5 = linalg.matvec ins(%arg0, %arg4 : tensor<5x5xf32>, tensor<5xf32>) outs(%4 : tensor<5xf32>) -> tensor<5xf32>
    %6 = tensor.empty() : tensor<5xf32>
    %7 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%5 : tensor<5xf32>) outs(%6 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.mulf %in, %in : f32
      linalg.yield %17 : f32
    } -> tensor<5xf32>
    %8 = tensor.empty() : tensor<f32>
    %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<f32>) -> tensor<f32>
    %10 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%7 : tensor<5xf32>) outs(%9 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.addf %out, %in : f32
      linalg.yield %17 : f32
    } -> tensor<f32>
    %11 = tensor.empty() : tensor<f32>
    %12 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%10 : tensor<f32>) outs(%11 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = math.sqrt %in : f32
      linalg.yield %17 : f32
    } -> tensor<f32>
    %13 = tensor.empty() : tensor<5xf32>
    %14 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%12 : tensor<f32>) outs(%13 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5xf32>
    %15 = tensor.empty() : tensor<5xf32>
    %16 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%5, %14 : tensor<5xf32>, tensor<5xf32>) outs(%15 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %17 = arith.divf %in, %in_1 : f32
      linalg.yield %17 : f32
    } -> tensor<5xf32>
    scf.yield %2, %16 : tensor<i32>, tensor<5xf32>
  }
  return %0#1 : tensor<5xf32>
}
