// test: round-trip
// conv relu: With a border, NHWC
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 1x6x6x2xf32: -1.4375 1.375 0.625 -0.5625 -1.6875 0.8125 -0.625 1.4375 -0.6875 0.5625 -1.3125 0.1875 -1.75 1.0625 -1.625 0.875 1.0625
//   -0.125 1.1875 0.3125 1.5 1 1.6875 -1.75 -2 0.625 0.9375 0.9375 1.25 -0.4375 1.375 0 -1.375 -1.125 1.1875 0.625 1.4375 1.9375 1.125
//   -0.8125 0.25 -0.125 -1 1.5625 1.9375 0.1875 -1.1875 -0.3125 -0.25 0.6875 1.75 -1.875 -1.75 -1.4375 -1.9375 1.5 -0.6875 -1.375 -1.8125
//   -1.9375 1.5 1.75 -1.5625 1 1.25 1.9375 1.8125 1.0625 1.6875 1.6875 -1 -0.625
// in 3x3x2x3xf32: 0.4375 1.0625 0.1875 -1.375 -1.5625 1.3125 -0.1875 0.9375 -0.875 -1.25 1.25 -1.3125 1.5 -1.375 -1.5 1.3125 -1.625 0.6875
//   1.125 -0.875 -1.5 0.625 1 0.75 1.25 0.75 -0.5625 2 0.4375 1.375 -1.6875 -0.3125 0.875 -1.8125 0.8125 -1.125 -0.5625 -1.75 1.5 1.125
//   1.8125 1.1875 -1.625 -1.1875 -0.5 1.8125 2 -0.6875 1.4375 -0.125 1 0.3125 1.6875 2
// in 3xf32: -0.1875 1.625 -1.9375
// out 1x6x6x3xf32: 3.4375 6.3789062 2.2109375 7.9804688 13.9921875 0 0 4.265625 0 1.0234375 3.375 6.4335938 3.0859375 0 0 0 0 4.3085938
//   5.6796875 7.5117188 0 0 4.65625 6.4921875 0 1.5742188 6.359375 0 0 0 2.3203125 0 10.183594 0 0 0 0 2.0234375 0.4375 0 0 7.9921875 0 0 0
//   17.628906 3.5039062 0 0 5.265625 0 1.9335938 0.02734375 5.8242188 10.871094 0 0 0 0 0 0 0 0 0 11.3046875 0 8.089844 2.9648438 0 0 0 0 0
//   6.8125 0 10.816406 8.316406 7.4570312 4.7890625 7.984375 0 6.2539062 2.4609375 7.2382812 0 2.578125 2.3984375 0 0 3.9414062 5.3632812
//   6.0820312 0 0 5.2109375 1.7148438 3.6640625 7.6523438 8.730469 0 8.761719 0 4.4960938 1.7851562 2.7382812 4.6171875 0 0
module @jit_conv_relu attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x6x6x2xf32>, %arg1: tensor<3x3x2x3xf32>, %arg2: tensor<3xf32>) -> (tensor<1x6x6x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x6x6x2xf32>, tensor<3x3x2x3xf32>) -> tensor<1x6x6x3xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [3] : (tensor<3xf32>) -> tensor<1x1x1x3xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x3xf32>) -> tensor<1x6x6x3xf32>
    %3 = stablehlo.add %0, %2 : tensor<1x6x6x3xf32>
    %4 = call @relu(%3) : (tensor<1x6x6x3xf32>) -> tensor<1x6x6x3xf32>
    return %4 : tensor<1x6x6x3xf32>
  }
  func.func private @relu(%arg0: tensor<1x6x6x3xf32>) -> tensor<1x6x6x3xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x6x6x3xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x6x6x3xf32>
    return %1 : tensor<1x6x6x3xf32>
  }
}
