// test: round-trip
// adam step
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 13xf32: -1.375 0.8125 0.5625 0.6875 -0.9375 -1.75 1.6875 0.8125 -0.875 -0.75 1.25 -0.1875 1.8125
// in 13xf32: 1.9375 -1.125 -1.75 -1.9375 -1.3125 0.25 -1.5625 1.4375 1.4375 0.8125 0.8125 1.5 -1.0625
// in 13xf32: -0.125 -1.5 0.8125 0.875 1.3125 -1.25 0.3125 -0.875 -0.8125 0.8125 0.1875 -1.75 -1.1875
// in 13xf32: 0.625 0.5 1 0.25 1.25 0.5 0.8125 0.5625 2 1.25 1.5625 0.8125 0
// in i32: 75
// out 13xf32: -1.3752757 0.8180588 0.5610054 0.68432814 -0.9400255 -1.745814 1.6871274 0.81480557 -0.87388265 -0.7519551 1.2494619
//   -0.18325165 1.9065611
// out 13xf32: 0.08125001 -1.4625 0.55625 0.59375 1.05 -1.1 0.12499999 -0.64374995 -0.5875 0.8125 0.25 -1.425 -1.175
// out 13xf32: 0.6281289 0.5007656 1.0020626 0.25350392 1.2504727 0.4995625 0.81412894 0.5640039 2.0000665 1.2494102 1.5615977 0.8139375
//   0.0011289063
module @jit_adam_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<13xf32>, %arg1: tensor<13xf32>, %arg2: tensor<13xf32>, %arg3: tensor<13xf32>, %arg4: tensor<i32>) -> (tensor<13xf32> {jax.result_info = "result[0]"}, tensor<13xf32> {jax.result_info = "result[1]"}, tensor<13xf32> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<0.899999976> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<13xf32>
    %1 = stablehlo.multiply %0, %arg2 : tensor<13xf32>
    %cst_0 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<13xf32>
    %3 = stablehlo.multiply %2, %arg1 : tensor<13xf32>
    %4 = stablehlo.add %1, %3 : tensor<13xf32>
    %cst_1 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<13xf32>
    %6 = stablehlo.multiply %5, %arg3 : tensor<13xf32>
    %cst_2 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<13xf32>
    %8 = stablehlo.multiply %7, %arg1 : tensor<13xf32>
    %9 = stablehlo.multiply %8, %arg1 : tensor<13xf32>
    %10 = stablehlo.add %6, %9 : tensor<13xf32>
    %11 = stablehlo.convert %arg4 : (tensor<i32>) -> tensor<f32>
    %cst_3 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %12 = stablehlo.power %cst_3, %11 : tensor<f32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.subtract %cst_4, %12 : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [] : (tensor<f32>) -> tensor<13xf32>
    %15 = stablehlo.divide %4, %14 : tensor<13xf32>
    %cst_5 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<13xf32>
    %17 = stablehlo.multiply %16, %15 : tensor<13xf32>
    %cst_6 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %18 = stablehlo.power %cst_6, %11 : tensor<f32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.subtract %cst_7, %18 : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [] : (tensor<f32>) -> tensor<13xf32>
    %21 = stablehlo.divide %10, %20 : tensor<13xf32>
    %22 = stablehlo.sqrt %21 : tensor<13xf32>
    %cst_8 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<13xf32>
    %24 = stablehlo.add %22, %23 : tensor<13xf32>
    %25 = stablehlo.divide %17, %24 : tensor<13xf32>
    %26 = stablehlo.subtract %arg0, %25 : tensor<13xf32>
    return %26, %4, %10 : tensor<13xf32>, tensor<13xf32>, tensor<13xf32>
  }
}
