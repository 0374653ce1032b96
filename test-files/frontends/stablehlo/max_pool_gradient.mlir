// test: round-trip
// max pool gradient: Of windows that do not overlap, as a reduction of a reshape
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 1x4x4x2xf32: -0.8125 1.125 -0.4375 0.4375 -0.125 0.875 -0.625 -1.6875 -0.8125 0.5 0.5 1.9375 -1.0625 -0.3125 1.8125 -1.5625 0.8125
//   1.875 1.6875 0.6875 1.5625 -1.25 1.0625 0.6875 0 2 1.375 -1.1875 1.9375 1.4375 -0.5 0.8125
// out 1x4x4x2xf32: 0 0 0 0 0 0.6409969 0 0 0 0 0.87758255 -0.3585402 0 0 -0.23935713 0 0 0 -0.11643894 0 0 0 0 0 0 -0.41614684 0 0
//   -0.3585402 0.13290195 0 0
module @jit_max_pool_gradient attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x4x4x2xf32>) -> (tensor<1x4x4x2xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<1x4x4x2xf32>) -> tensor<1x2x2x2x2x2xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [2, 4] : (tensor<1x2x2x2x2x2xf32>, tensor<f32>) -> tensor<1x2x2x2xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x2x2x2xf32>) -> tensor<1x2x1x2x1x2xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2, 3, 4, 5] : (tensor<1x2x1x2x1x2xf32>) -> tensor<1x2x2x2x2x2xf32>
    %4 = stablehlo.compare EQ, %0, %3, FLOAT : (tensor<1x2x2x2x2x2xf32>, tensor<1x2x2x2x2x2xf32>) -> tensor<1x2x2x2x2x2xi1>
    %5 = stablehlo.convert %4 : (tensor<1x2x2x2x2x2xi1>) -> tensor<1x2x2x2x2x2xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.add across dimensions = [2, 4] : (tensor<1x2x2x2x2x2xf32>, tensor<f32>) -> tensor<1x2x2x2xf32>
    %7 = stablehlo.sine %1 : tensor<1x2x2x2xf32>
    %8 = stablehlo.cosine %1 : tensor<1x2x2x2xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<1x2x2x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x2x2x2xf32>
    %11 = stablehlo.multiply %10, %8 : tensor<1x2x2x2xf32>
    %12 = stablehlo.divide %11, %6 : tensor<1x2x2x2xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 3, 5] : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2x2x2xf32>
    %14 = stablehlo.multiply %13, %5 : tensor<1x2x2x2x2x2xf32>
    %15 = stablehlo.reshape %14 : (tensor<1x2x2x2x2x2xf32>) -> tensor<1x4x4x2xf32>
    return %15 : tensor<1x4x4x2xf32>
  }
}
