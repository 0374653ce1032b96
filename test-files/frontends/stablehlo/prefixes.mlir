// test: round-trip
// prefixes
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 3x7xf32: -1.5 -0.4375 0 0.375 0.6875 0.0625 -1.8125 0.8125 1.75 0.625 1.4375 1.5 0.4375 0.375 -1.5 0.125 1.125 1.125 1.25 -1.1875 1.25
// out 3x7xf32: -1.5 -1.9375 -1.9375 -1.5625 -0.875 -0.8125 -2.625 0.8125 2.5625 3.1875 4.625 6.125 6.5625 6.9375 -1.5 -1.375 -0.25 0.875
//   2.125 0.9375 2.1875
// out 3x7xf32: -1.5 -0.4375 0 0.375 0.6875 0.0625 -1.8125 -1.21875 -0.765625 0 0.5390625 1.03125 0.02734375 -0.6796875 1.828125
//   -0.095703125 0 0.6064453 1.2890625 -0.032470703 -0.8496094
// out 3x7xf32: -1.5 -0.4375 0 0.375 0.6875 0.6875 0.6875 0.8125 1.75 1.75 1.75 1.75 1.75 1.75 -1.5 0.125 1.125 1.125 1.25 1.25 1.25
// out 3x7xf32: -1.8125 -1.75 -1.0625 -0.6875 -0.6875 -1.125 -2.625 0.375 0.8125 2.3125 3.75 4.375 6.125 6.9375 1.25 0.0625 1.3125 2.4375
//   3.5625 3.6875 2.1875
module @jit_prefixes attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x7xf32>) -> (tensor<3x7xf32> {jax.result_info = "result[0]"}, tensor<3x7xf32> {jax.result_info = "result[1]"}, tensor<3x7xf32> {jax.result_info = "result[2]"}, tensor<3x7xf32> {jax.result_info = "result[3]"}) {
    %0 = call @cumsum(%arg0) : (tensor<3x7xf32>) -> tensor<3x7xf32>
    %1 = call @cumprod(%arg0) : (tensor<3x7xf32>) -> tensor<3x7xf32>
    %2 = call @cummax(%arg0) : (tensor<3x7xf32>) -> tensor<3x7xf32>
    %3 = stablehlo.reverse %arg0, dims = [1] : tensor<3x7xf32>
    %4 = call @cumsum(%3) : (tensor<3x7xf32>) -> tensor<3x7xf32>
    return %0, %1, %2, %4 : tensor<3x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>
  }
  func.func private @cumsum(%arg0: tensor<3x7xf32>) -> tensor<3x7xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<3x7xf32>) -> tensor<3x7xf32>
    return %0 : tensor<3x7xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<3x7xf32>) -> tensor<3x7xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [6, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 7>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<3x7xf32>, tensor<f32>) -> tensor<3x7xf32>
    return %1 : tensor<3x7xf32>
  }
  func.func private @cumprod(%arg0: tensor<3x7xf32>) -> tensor<3x7xf32> {
    %0 = call @cumprod_1(%arg0) : (tensor<3x7xf32>) -> tensor<3x7xf32>
    return %0 : tensor<3x7xf32>
  }
  func.func private @cumprod_1(%arg0: tensor<3x7xf32>) -> tensor<3x7xf32> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1, 1>, padding = dense<[[2, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.multiply %arg1, %arg2 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<3x7xf32>, tensor<f32>) -> tensor<3x7xf32>
    return %0 : tensor<3x7xf32>
  }
  func.func private @cummax(%arg0: tensor<3x7xf32>) -> tensor<3x7xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [6, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 7>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<3x7xf32>, tensor<f32>) -> tensor<3x7xf32>
    return %1 : tensor<3x7xf32>
  }
}
