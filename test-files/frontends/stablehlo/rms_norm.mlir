// test: round-trip
// rms norm
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 4x7xf32: -0.3125 1.5 1.875 -0.875 -1.5625 0.4375 0.6875 1.125 0.5625 0.875 1.6875 1.6875 1.75 1.4375 0.875 1.6875 -2 -1.9375 1.1875
//   -0.25 1 -0.0625 1.625 -1.75 0.6875 -2 -1.4375 1.3125
// in 7xf32: -0.8125 1.9375 -0.625 1.125 1.875 -0.75 1.9375
// out 4x7xf32: 0.21531197 2.4644942 -0.99374765 -0.83474797 -2.484369 -0.27824932 1.1295598 -0.6663478 0.79449165 -0.39866966 1.3839532
//   2.3065886 -0.95680714 2.0303676 -0.5056089 2.3252454 0.8889827 -1.5501636 1.5835004 0.1333474 1.3779233 0.0359479 2.2287698 0.7742625
//   0.5475142 -2.6546142 0.7632016 1.8001603
module @jit_rms_norm attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x7xf32>, %arg1: tensor<7xf32>) -> (tensor<4x7xf32> {jax.result_info = "result"}) {
    %0 = chlo.square %arg0 : tensor<4x7xf32> -> tensor<4x7xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x7xf32>, tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %cst_0 = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<4x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %6 = stablehlo.add %4, %5 : tensor<4x1xf32>
    %7 = stablehlo.rsqrt %6 : tensor<4x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x7xf32>
    %9 = stablehlo.multiply %arg0, %8 : tensor<4x7xf32>
    %10 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<7xf32>) -> tensor<1x7xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x7xf32>) -> tensor<4x7xf32>
    %12 = stablehlo.multiply %9, %11 : tensor<4x7xf32>
    return %12 : tensor<4x7xf32>
  }
}
