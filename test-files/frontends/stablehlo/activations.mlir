// test: round-trip
// activations
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 17xf32: 0.4375 -1 1.9375 1.8125 -1.75 -1.25 -1.25 -1.3125 0.3125 -0.625 -0.0625 -1.125 1.8125 0.6875 0.6875 -1.5625 -1.375
// out 17xf32: 0.29274246 -0.15865527 1.8864621 1.749145 -0.07010353 -0.13206226 -0.13206226 -0.12426197 0.19458428 -0.16624096 -0.029692646
//   -0.14658137 1.749145 0.51845485 0.51845485 -0.09232052 -0.11627792
// out 17xf32: 0.26585266 -0.26894143 1.6935246 1.5581405 -0.25908262 -0.27837518 -0.27837518 -0.27834028 0.1804673 -0.2179032 -0.030273752
//   -0.27572066 1.5581405 0.45746976 0.45746976 -0.2707628 -0.27749318
// out 17xf32: 0.9356345 0.3132617 2.0720866 1.963714 0.16022415 0.25192907 0.25192907 0.2383445 0.86155486 0.42870066 0.6623854 0.28115013
//   1.963714 1.094851 1.094851 0.19029914 0.22541265
// out 17xf32: 0.4375 -0.01 1.9375 1.8125 -0.0175 -0.012499999 -0.012499999 -0.013125 0.3125 -0.0062499996 -6.2499999e-04 -0.0112499995
//   1.8125 0.6875 0.6875 -0.015625 -0.01375
// out 17xf32: 0.4375 -0.63212055 1.9375 1.8125 -0.82622606 -0.7134952 -0.7134952 -0.7308537 0.3125 -0.46473855 -0.06058693 -0.67534757
//   1.8125 0.6875 0.6875 -0.7903886 -0.74716043
// out 17xf32: 0.41157007 -0.7615942 0.95933527 0.94808525 -0.94137555 -0.84828365 -0.84828365 -0.8649066 0.30270973 -0.5545997 -0.06241874
//   -0.809301 0.94808525 0.59637356 0.59637356 -0.9158246 -0.87982666
// out 17xf32: 0.6076632 0.26894143 0.8740772 0.8596637 0.14804721 0.22270013 0.22270013 0.2120688 0.57749534 0.34864512 0.48438004
//   0.24508502 0.8596637 0.6654106 0.6654106 0.1732882 0.20181322
// out 17xf32: 0.4375 0 1.9375 1.8125 0 0 0 0 0.3125 0 0 0 1.8125 0.6875 0.6875 0 0
// out 17xf32: 0 1 1 1 2 2 2 2 0 1 1 2 1 0 0 2 2
module @jit_activations attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<17xf32>) -> (tensor<17xf32> {jax.result_info = "result[0]"}, tensor<17xf32> {jax.result_info = "result[1]"}, tensor<17xf32> {jax.result_info = "result[2]"}, tensor<17xf32> {jax.result_info = "result[3]"}, tensor<17xf32> {jax.result_info = "result[4]"}, tensor<17xf32> {jax.result_info = "result[5]"}, tensor<17xf32> {jax.result_info = "result[6]"}, tensor<17xf32> {jax.result_info = "result[7]"}, tensor<17xf32> {jax.result_info = "result[8]"}) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<17xf32>
    %1 = stablehlo.multiply %0, %arg0 : tensor<17xf32>
    %2 = stablehlo.negate %arg0 : tensor<17xf32>
    %cst_0 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<17xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<17xf32>
    %5 = chlo.erfc %4 : tensor<17xf32> -> tensor<17xf32>
    %6 = stablehlo.multiply %1, %5 : tensor<17xf32>
    %7 = call @silu(%arg0) : (tensor<17xf32>) -> tensor<17xf32>
    %8 = call @softplus(%arg0) : (tensor<17xf32>) -> tensor<17xf32>
    %9 = call @leaky_relu(%arg0) : (tensor<17xf32>) -> tensor<17xf32>
    %10 = call @elu(%arg0) : (tensor<17xf32>) -> tensor<17xf32>
    %11 = stablehlo.tanh %arg0 : tensor<17xf32>
    %12 = stablehlo.negate %arg0 : tensor<17xf32>
    %13 = stablehlo.exponential %12 : tensor<17xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<17xf32>
    %15 = stablehlo.add %14, %13 : tensor<17xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<17xf32>
    %17 = stablehlo.divide %16, %15 : tensor<17xf32>
    %18 = call @relu6(%arg0) : (tensor<17xf32>) -> tensor<17xf32>
    %19 = stablehlo.sign %arg0 : tensor<17xf32>
    %20 = stablehlo.floor %arg0 : tensor<17xf32>
    %21 = stablehlo.multiply %19, %20 : tensor<17xf32>
    return %6, %7, %8, %9, %10, %11, %17, %18, %21 : tensor<17xf32>, tensor<17xf32>, tensor<17xf32>, tensor<17xf32>, tensor<17xf32>, tensor<17xf32>, tensor<17xf32>, tensor<17xf32>, tensor<17xf32>
  }
  func.func private @silu(%arg0: tensor<17xf32>) -> tensor<17xf32> {
    %0 = stablehlo.negate %arg0 : tensor<17xf32>
    %1 = stablehlo.exponential %0 : tensor<17xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<17xf32>
    %3 = stablehlo.add %2, %1 : tensor<17xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<17xf32>
    %5 = stablehlo.divide %4, %3 : tensor<17xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<17xf32>
    return %6 : tensor<17xf32>
  }
  func.func private @softplus(%arg0: tensor<17xf32>) -> tensor<17xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<17xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<17xf32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<17xf32>
    %3 = stablehlo.subtract %arg0, %2 : tensor<17xf32>
    %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<17xf32>, tensor<17xf32>) -> tensor<17xi1>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<17xf32>
    %6 = stablehlo.add %arg0, %5 : tensor<17xf32>
    %7 = stablehlo.abs %3 : tensor<17xf32>
    %8 = stablehlo.negate %7 : tensor<17xf32>
    %9 = stablehlo.exponential %8 : tensor<17xf32>
    %10 = stablehlo.log_plus_one %9 : tensor<17xf32>
    %11 = stablehlo.add %1, %10 : tensor<17xf32>
    %12 = stablehlo.select %4, %6, %11 : tensor<17xi1>, tensor<17xf32>
    return %12 : tensor<17xf32>
  }
  func.func private @leaky_relu(%arg0: tensor<17xf32>) -> tensor<17xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<17xf32>
    %1 = stablehlo.compare GE, %arg0, %0, FLOAT : (tensor<17xf32>, tensor<17xf32>) -> tensor<17xi1>
    %cst_0 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<17xf32>
    %3 = stablehlo.multiply %2, %arg0 : tensor<17xf32>
    %4 = call @_where(%1, %arg0, %3) : (tensor<17xi1>, tensor<17xf32>, tensor<17xf32>) -> tensor<17xf32>
    return %4 : tensor<17xf32>
  }
  func.func private @_where(%arg0: tensor<17xi1>, %arg1: tensor<17xf32>, %arg2: tensor<17xf32>) -> tensor<17xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<17xi1>, tensor<17xf32>
    return %0 : tensor<17xf32>
  }
  func.func private @elu(%arg0: tensor<17xf32>) -> tensor<17xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<17xf32>
    %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<17xf32>, tensor<17xf32>) -> tensor<17xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<17xf32>
    %3 = stablehlo.compare GT, %arg0, %2, FLOAT : (tensor<17xf32>, tensor<17xf32>) -> tensor<17xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = call @_where_0(%3, %cst_1, %arg0) : (tensor<17xi1>, tensor<f32>, tensor<17xf32>) -> tensor<17xf32>
    %5 = stablehlo.exponential_minus_one %4 : tensor<17xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<17xf32>
    %7 = stablehlo.multiply %6, %5 : tensor<17xf32>
    %8 = call @_where(%1, %arg0, %7) : (tensor<17xi1>, tensor<17xf32>, tensor<17xf32>) -> tensor<17xf32>
    return %8 : tensor<17xf32>
  }
  func.func private @_where_0(%arg0: tensor<17xi1>, %arg1: tensor<f32>, %arg2: tensor<17xf32>) -> tensor<17xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<17xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<17xi1>, tensor<17xf32>
    return %2 : tensor<17xf32>
  }
  func.func private @relu6(%arg0: tensor<17xf32>) -> tensor<17xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<17xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<17xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<17xf32>
    %3 = stablehlo.minimum %1, %2 : tensor<17xf32>
    return %3 : tensor<17xf32>
  }
}
