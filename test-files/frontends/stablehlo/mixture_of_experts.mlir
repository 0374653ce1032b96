// test: round-trip
// mixture of experts: The best expert for each token; all are computed
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 4x6xf32: 1.1875 0.375 1 1.3125 0.5625 -1.5625 1.25 -0.5 -0.625 -1.25 -1.75 -1.375 1.625 -2 1.4375 1.9375 1.6875 -1.625 1.375 1.75
//   0.5625 -0.3125 -0.1875 0.8125
// in 6x3xf32: 1.9375 -1.5625 -0.9375 0 -2 1.25 -1.625 -1.625 -1.9375 -1.0625 -1.1875 -1.5625 1.4375 -0.625 -0.0625 -0.625 -0.0625 -1.25
// in 6x3xf32: 0.875 -1.5625 0.5625 1.625 0.875 1.125 0.5625 0.625 -0.4375 -1.0625 0.5625 -1.75 -1.75 0.5625 -0.6875 1.8125 1.6875 1.875
// in 3x6x6xf32: 0.0625 1.125 -0.9375 2 1.875 -1.9375 -0.8125 -0.8125 1.5 1.9375 1.8125 -1.4375 0.125 0.0625 0.4375 1.6875 1.8125 0.5625
//   0.375 -0.375 -1.4375 -1.25 1.9375 -0.8125 1.5 -1.0625 0.3125 -2 1.3125 -1.0625 -1.9375 0.5 1.25 0.875 0.5 1.0625 -0.5 -0.25 -1.75
//   -1.625 0.5625 -0.6875 -1 -1.125 0.1875 0.1875 0.75 -0.5625 1.875 -0.3125 -1.75 0.125 0.6875 1 -0.3125 -0.875 1.5625 -1.8125 0.875
//   -0.125 -0.1875 1.125 0.125 -1.6875 1.8125 0.0625 -0.5 1.8125 -1.375 -1.4375 0.4375 -2 -0.9375 0.125 -1.375 0.625 -1.125 0.5 0.75 -0.375
//   1.6875 1.0625 0.9375 0.875 -0.6875 -0.9375 -0.375 0 1.9375 -0.4375 0.8125 1.625 0.5 -0.3125 0.625 -2 1.3125 -0.625 1.8125 0.625 0
//   -0.8125 -0.25 1.875 -2 0.25 -0.625 -1.75
// out 4x6xf32: 4.159598 -0.7594129 -3.6902122 0.6411124 7.052236 -5.472352 -1.6064639 -1.0167104 -1.3269453 -0.31330654 -1.1825786
//   2.6692488 8.297289 0.21055152 -8.168619 -5.408055 7.170449 -4.550252 -2.8547413 0.7782527 2.634351 7.5518064 5.5751824 -3.1267853
module @jit_mixture_of_experts attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6x3xf32>, %arg2: tensor<6x3xf32>, %arg3: tensor<3x6x6xf32>) -> (tensor<4x6xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<6x3xf32>) -> tensor<4x3xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %3 = stablehlo.maximum %2, %1 : tensor<4xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x3xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<4x3xf32>
    %7 = stablehlo.exponential %6 : tensor<4x3xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x3xf32>
    %11 = stablehlo.divide %7, %10 : tensor<4x3xf32>
    %12 = call @argmax(%11) : (tensor<4x3xf32>) -> tensor<4xi32>
    %13 = call @_one_hot(%12) : (tensor<4xi32>) -> tensor<4x3xf32>
    %14 = stablehlo.multiply %13, %11 : tensor<4x3xf32>
    %15 = stablehlo.dot_general %arg0, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<3x6x6xf32>) -> tensor<4x3x6xf32>
    %16 = stablehlo.dot_general %14, %15, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x3xf32>, tensor<4x3x6xf32>) -> tensor<4x6xf32>
    return %16 : tensor<4x6xf32>
  }
  func.func private @argmax(%arg0: tensor<4x3xf32>) -> tensor<4xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<4x3xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<4x3xf32>, tensor<4x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
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
    return %1#1 : tensor<4xi32>
  }
  func.func private @_one_hot(%arg0: tensor<4xi32>) -> tensor<4x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x3xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x1xi32>) -> tensor<4x3xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x3xi32>) -> tensor<4x3xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<4x3xi32>, tensor<4x3xi32>) -> tensor<4x3xi1>
    %5 = stablehlo.convert %4 : (tensor<4x3xi1>) -> tensor<4x3xf32>
    return %5 : tensor<4x3xf32>
  }
}
