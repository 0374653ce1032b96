// test: round-trip
// einsums: A batched product, a trace, an outer product, a bilinear form
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 2x3x4xf32: 1.375 -0.9375 -1.5625 -0.8125 -0.375 1.25 -0.1875 -1.6875 -0.6875 0.4375 1.25 0.9375 2 -1.25 1.5625 -1.8125 0.25 -0.9375
//   -1.1875 0.625 -0.8125 0.25 -1 -1.4375
// in 2x5x4xf32: 1 -0.25 0.75 0.6875 1.8125 -0.3125 -1.125 0.5625 1.75 1.875 1.5 0.75 -0.5 -0.4375 -1.875 -1.25 -0.6875 -0.625 0.3125 0.0625
//   0.8125 1.5625 1.5625 1.125 1.9375 -0.75 1.625 1.75 -1.125 -0.125 0.3125 0.8125 0.8125 -1.625 -0.0625 -1.625 1.875 -1.1875 -0.1875
//   1.5625
// in 3x3xf32: 0.0625 0.75 0 1.4375 0.375 0.5625 -0.1875 -0.375 0.375
// in 3xf32: 0.0625 1.1875 0.375
// out 2x3x5xf32: -0.12109375 4.0859375 -2.3046875 3.6679688 -0.8984375 -1.9882812 -1.8085938 0.140625 2.1015625 -0.6875 0.78515625
//   -2.2617188 2.1953125 -3.3632812 0.6484375 0.07421875 4.1796875 -3.078125 6.5039062 2.109375 -2.4140625 0.3515625 -0.02734375 0.78515625
//   2.78125 -3.4492188 -5.9023438 -0.59765625 1.3320312 -3.8789062
// out f32: 0.8125
// out 3x3xf32: 0.00390625 0.07421875 0.0234375 0.07421875 1.4101562 0.4453125 0.0234375 0.4453125 0.140625
// out f32: 0.8232422
// out 4x2xf32: 0.3125 1.4375 0.75 -1.9375 -0.5 -0.625 -1.5625 -2.625
module @jit_einsums attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x5x4xf32>, %arg2: tensor<3x3xf32>, %arg3: tensor<3xf32>) -> (tensor<2x3x5xf32> {jax.result_info = "result[0]"}, tensor<f32> {jax.result_info = "result[1]"}, tensor<3x3xf32> {jax.result_info = "result[2]"}, tensor<f32> {jax.result_info = "result[3]"}, tensor<4x2xf32> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x3x4xf32>, tensor<2x5x4xf32>) -> tensor<2x3x5xf32>
    %1 = stablehlo.iota dim = 0 : tensor<3x3xui32>
    %2 = stablehlo.iota dim = 1 : tensor<3x3xui32>
    %3 = stablehlo.compare EQ, %1, %2, UNSIGNED : (tensor<3x3xui32>, tensor<3x3xui32>) -> tensor<3x3xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
    %5 = stablehlo.select %3, %arg2, %4 : tensor<3x3xi1>, tensor<3x3xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x3xf32>, tensor<f32>) -> tensor<f32>
    %7 = stablehlo.dot_general %arg3, %arg3, contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
    %8 = stablehlo.dot_general %arg3, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3xf32>, tensor<3x3xf32>) -> tensor<3xf32>
    %9 = stablehlo.dot_general %arg3, %8, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%arg0 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %11 = stablehlo.transpose %10, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
    return %0, %6, %7, %9, %11 : tensor<2x3x5xf32>, tensor<f32>, tensor<3x3xf32>, tensor<f32>, tensor<4x2xf32>
  }
}
