// test: round-trip
// layer norm
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 4x7xf32: 0.875 -0.6875 -1.0625 2 -1.3125 -0.75 0.5625 1.1875 0.5625 1.5 -1.8125 -0.4375 0.3125 -0.25 -0.4375 -0.5 -1.875 -1.625 0.1875
//   -0.0625 1.875 -1.0625 1.4375 -1 -1.4375 -1.25 -0.4375 -1.25
// in 7xf32: 1.625 1.25 1.25 -0.3125 -1.9375 -1 -0.25
// in 7xf32: 0.375 -0.1875 0.4375 -0.5 0.625 -1.9375 1.6875
// out 4x7xf32: 1.7095566 -0.8883395 -0.67792076 -1.0675814 2.7823029 -1.3215508 1.5512805 2.0061862 0.31007674 2.07085 0.09492875 1.7315675
//   -2.0932631 1.784852 0.24914868 -0.3520748 -1.2179294 -0.15390879 -0.27532113 -2.1853304 1.2053925 -0.23584151 2.716106 0.051959015
//   -0.25602484 1.7454785 -2.2362943 1.8320779
module @jit_layer_norm attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x7xf32>, %arg1: tensor<7xf32>, %arg2: tensor<7xf32>) -> (tensor<4x7xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x7xf32>, tensor<f32>) -> tensor<4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %cst_0 = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x7xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x7xf32>
    %6 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x7xf32>
    %7 = stablehlo.subtract %arg0, %6 : tensor<4x7xf32>
    %8 = stablehlo.multiply %7, %7 : tensor<4x7xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<4x7xf32>, tensor<f32>) -> tensor<4xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %cst_2 = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<4x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %14 = stablehlo.add %12, %13 : tensor<4x1xf32>
    %15 = stablehlo.sqrt %14 : tensor<4x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x7xf32>
    %17 = stablehlo.divide %5, %16 : tensor<4x7xf32>
    %18 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<7xf32>) -> tensor<1x7xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<1x7xf32>) -> tensor<4x7xf32>
    %20 = stablehlo.multiply %17, %19 : tensor<4x7xf32>
    %21 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<7xf32>) -> tensor<1x7xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<1x7xf32>) -> tensor<4x7xf32>
    %23 = stablehlo.add %20, %22 : tensor<4x7xf32>
    return %23 : tensor<4x7xf32>
  }
}
