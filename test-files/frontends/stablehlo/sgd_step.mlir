// test: round-trip
// sgd step: Of linear regression: gradient and step in one
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 6x3xf32: -1.625 -0.6875 1.3125 -0.1875 1.75 1.75 -1.0625 1.8125 -1.9375 -1.625 0.0625 -2 -0.625 -0.1875 -0.6875 1.6875 -0.9375 1.25
// in 6xf32: 0.3125 1.625 0.6875 1.25 1.75 -1.375
// in 3xf32: 0 1.9375 1
// in f32: -0.5625
// out 3xf32: -0.3023763 1.7195069 0.5543864
// out f32: -0.41497394
// out f32: 5.770826
module @jit_sgd_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x3xf32>, %arg1: tensor<6xf32>, %arg2: tensor<3xf32>, %arg3: tensor<f32>) -> (tensor<3xf32> {jax.result_info = "result[0]"}, tensor<f32> {jax.result_info = "result[1]"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<6x3xf32>, tensor<3xf32>) -> tensor<6xf32>
    %1 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %2 = stablehlo.add %0, %1 : tensor<6xf32>
    %3 = stablehlo.subtract %2, %arg1 : tensor<6xf32>
    %4 = stablehlo.multiply %3, %3 : tensor<6xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %6 = stablehlo.multiply %5, %3 : tensor<6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %8 = stablehlo.divide %7, %cst_1 : tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_3 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %9 = stablehlo.divide %cst_2, %cst_3 : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %11 = stablehlo.multiply %10, %6 : tensor<6xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_4) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
    %13 = stablehlo.dot_general %11, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<6xf32>, tensor<6x3xf32>) -> tensor<3xf32>
    %cst_5 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %15 = stablehlo.multiply %14, %13 : tensor<3xf32>
    %16 = stablehlo.subtract %arg2, %15 : tensor<3xf32>
    %cst_6 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %17 = stablehlo.multiply %cst_6, %12 : tensor<f32>
    %18 = stablehlo.subtract %arg3, %17 : tensor<f32>
    return %16, %18, %8 : tensor<3xf32>, tensor<f32>, tensor<f32>
  }
}
