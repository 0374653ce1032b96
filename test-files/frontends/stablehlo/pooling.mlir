// test: round-trip
// pooling: Largest, mean, with a border, and over all places
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 1x6x6x2xf32: 1.5625 -0.875 -0.9375 -0.1875 1.625 -1.5625 -1 0.0625 -1.0625 -0.375 -0.625 -1.75 -1.875 -1.625 0.6875 2 1.75 0.8125
//   1.6875 -0.1875 0.1875 0.5625 -0.375 -0.9375 0.8125 -0.8125 0.25 -1.75 -1.1875 -1.8125 0.5 1.25 1.5625 1.25 1.6875 -2 1.0625 -0.6875
//   0.625 -1.6875 -1.125 -0.125 -0.9375 0.5 1.625 0.1875 1.75 -1.5 -0.25 0.8125 -1.4375 0.4375 -0.375 -0.125 0.125 -0.8125 0.8125 1.6875
//   -1.5 -1.6875 -1 -1.4375 -0.4375 -0.5 -1.0625 -1 -0.8125 0.5 1.375 0.8125 -1.625 0.8125
// out 1x2x2x2xf32: 1.75 2 1.75 1.25 1.0625 0.8125 1.625 1.6875
// out 1x3x3x2xf32: 0.2986111 -0.6458333 0.4513889 0 0.15277778 -0.3611111 -0.18055555 -0.6388889 0.11111111 0.22222222 0.6597222
//   -0.22916667 -0.5069445 -0.2013889 0.0069444445 0.11805556 -0.104166664 0.18055555
// out 1x3x3x2xf32: -1.875 -1.625 -1 -1.5625 -1.0625 -1.75 0.25 -1.75 -1.1875 -1.8125 1.5625 -2 -1.4375 -1.4375 -1.0625 -1 -1.625 -1.6875
// out 1x2xf32: 0.057291668 -0.3263889
module @jit_pooling attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x6x6x2xf32>) -> (tensor<1x2x2x2xf32> {jax.result_info = "result[0]"}, tensor<1x3x3x2xf32> {jax.result_info = "result[1]"}, tensor<1x3x3x2xf32> {jax.result_info = "result[2]"}, tensor<1x2xf32> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %11 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      stablehlo.return %11 : tensor<f32>
    }) : (tensor<1x6x6x2xf32>, tensor<f32>) -> tensor<1x2x2x2xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<f32>
    %3 = "stablehlo.reduce_window"(%arg0, %2) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %11 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %11 : tensor<f32>
    }) : (tensor<1x6x6x2xf32>, tensor<f32>) -> tensor<1x3x3x2xf32>
    %cst_1 = stablehlo.constant dense<9.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x3x3x2xf32>
    %5 = stablehlo.divide %3, %4 : tensor<1x3x3x2xf32>
    %cst_2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<f32>
    %7 = "stablehlo.reduce_window"(%arg0, %6) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %11 = stablehlo.minimum %arg1, %arg2 : tensor<f32>
      stablehlo.return %11 : tensor<f32>
    }) : (tensor<1x6x6x2xf32>, tensor<f32>) -> tensor<1x3x3x2xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%arg0 init: %cst_3) applies stablehlo.add across dimensions = [1, 2] : (tensor<1x6x6x2xf32>, tensor<f32>) -> tensor<1x2xf32>
    %cst_4 = stablehlo.constant dense<3.600000e+01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1x2xf32>
    %10 = stablehlo.divide %8, %9 : tensor<1x2xf32>
    return %1, %5, %7, %10 : tensor<1x2x2x2xf32>, tensor<1x3x3x2xf32>, tensor<1x3x3x2xf32>, tensor<1x2xf32>
  }
}
