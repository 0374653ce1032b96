// test: round-trip
// distances: Each to each, and which is nearest
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 5x3xf32: -0.5 1.8125 1.75 -0.8125 -0.625 -1 -0.75 -1.125 1.3125 1.1875 1.5625 -1.125 -0.4375 1.25 -0.4375
// in 4x3xf32: 0.9375 -1.875 -0.3125 -1.3125 -0.0625 -1.25 1.6875 -0.125 1.1875 -1.9375 -1.4375 1.1875
// out 5x4xf32: 4.462955 3.6298459 2.9758139 3.5979595 2.257799 0.7930361 3.3593388 2.5905478 2.4598336 2.830498 2.6376185 1.234276
//   3.5410538 2.984334 2.906082 4.9105277 3.4164126 1.7743837 3.0078022 3.480414
// out 5xi32: 2 1 3 2 1
// out 5x4xf32: 0.011528247 0.02652027 0.051005904 0.027379533 0.104580425 0.45246896 0.034758236 0.074978955 0.08544917 0.058983475
//   0.071531415 0.2910454 0.02898277 0.050573174 0.05468959 0.007368599 0.03283 0.16958794 0.04940013 0.030794661
module @jit_distances attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x3xf32>, %arg1: tensor<4x3xf32>) -> (tensor<5x4xf32> {jax.result_info = "result[0]"}, tensor<5xi32> {jax.result_info = "result[1]"}, tensor<5x4xf32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<5x3xf32>) -> tensor<5x1x3xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<5x1x3xf32>) -> tensor<5x4x3xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x4x3xf32>) -> tensor<5x4x3xf32>
    %4 = stablehlo.subtract %2, %3 : tensor<5x4x3xf32>
    %5 = stablehlo.multiply %4, %4 : tensor<5x4x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<5x4x3xf32>, tensor<f32>) -> tensor<5x4xf32>
    %cst_0 = stablehlo.constant dense<9.99999971E-10> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %8 = stablehlo.add %6, %7 : tensor<5x4xf32>
    %9 = stablehlo.sqrt %8 : tensor<5x4xf32>
    %10 = call @argmin(%9) : (tensor<5x4xf32>) -> tensor<5xi32>
    %11 = stablehlo.negate %9 : tensor<5x4xf32>
    %12 = stablehlo.exponential %11 : tensor<5x4xf32>
    return %9, %10, %12 : tensor<5x4xf32>, tensor<5xi32>, tensor<5x4xf32>
  }
  func.func private @argmin(%arg0: tensor<5x4xf32>) -> tensor<5xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<5x4xi32>
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<5x4xf32>, tensor<5x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<5xf32>, tensor<5xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare LT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<5xi32>
  }
}
