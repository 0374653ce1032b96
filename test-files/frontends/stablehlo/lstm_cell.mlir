// test: round-trip
// lstm cell
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 2x4xf32: 1.125 -0.5625 0.625 -1.25 1.8125 -1.6875 -0.9375 0.625
// in 2x4xf32: -1.9375 -0.1875 -1.4375 2 -0.6875 1.4375 -0.75 1.375
// in 2x3xf32: -1.8125 -1.8125 -0.9375 0.25 -1.375 0.4375
// in 3x16xf32: 0.0625 -1.8125 -0.625 -0.0625 1.6875 -0.6875 -0.6875 -1.125 -0.125 1.1875 -0.5625 -0.3125 0.5625 -1.625 0.375 -0.5625 0.375
//   1.6875 -1.125 -0.4375 -0.375 -1.25 -0.4375 -1.75 -1 0.0625 -0.25 0.6875 1.6875 -0.375 2 1.4375 -0.6875 0.125 0.6875 1.1875 -0.75 0.25
//   1.5625 0.375 1.9375 -0.375 0.5 -1.5625 -1 0.8125 -1.875 1.4375
// in 4x16xf32: -0.375 0.9375 1.3125 -0.3125 -0.875 -1.6875 -1.5625 -1.25 -2 0.1875 0.4375 0.625 0.75 -1.9375 -0.3125 1.8125 0.1875 0.875
//   -1.1875 0.875 0.875 2 -1.9375 0.5 1.125 0 -1.3125 -1.125 -0.5625 0.75 1.5625 0.8125 -0.25 1.8125 -0.625 1.75 0 -0.0625 1.5625 1.4375
//   -1.4375 1.875 -1.375 -0.3125 0.375 0.4375 1.3125 0.375 -0.4375 -0.0625 1.625 -0.125 0.6875 -1.125 -2 -1.25 -1.875 -0.75 -1.0625 0.375
//   1.4375 0.625 0.75 1.3125
// in 16xf32: 0.4375 -0.875 -1.9375 0.0625 -1.375 -0.1875 -0.9375 -1.3125 1.625 1.9375 -1.5625 -0.6875 1.0625 0.75 0.375 0.75
// out 2x4xf32: 0.1684431 0.18743514 -0.2144509 0.36566254 0.18939379 0.15354708 -0.059120804 0.037467174
// out 2x4xf32: 0.36752257 0.2678299 -0.8613208 1.1131109 0.27265152 0.37646076 -0.433177 0.053538553
module @jit_lstm_cell attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<2x3xf32>, %arg3: tensor<3x16xf32>, %arg4: tensor<4x16xf32>, %arg5: tensor<16xf32>) -> (tensor<2x4xf32> {jax.result_info = "result[0]"}, tensor<2x4xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x16xf32>) -> tensor<2x16xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x16xf32>
    %2 = stablehlo.divide %0, %1 : tensor<2x16xf32>
    %3 = stablehlo.dot_general %arg0, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x16xf32>) -> tensor<2x16xf32>
    %cst_0 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x16xf32>
    %5 = stablehlo.divide %3, %4 : tensor<2x16xf32>
    %6 = stablehlo.add %2, %5 : tensor<2x16xf32>
    %7 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<2x16xf32>
    %9 = stablehlo.add %6, %8 : tensor<2x16xf32>
    %10 = stablehlo.slice %9 [0:2, 0:4] : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %11 = stablehlo.slice %9 [0:2, 4:8] : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %12 = stablehlo.slice %9 [0:2, 8:12] : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %13 = stablehlo.slice %9 [0:2, 12:16] : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %14 = stablehlo.negate %11 : tensor<2x4xf32>
    %15 = stablehlo.exponential %14 : tensor<2x4xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %17 = stablehlo.add %16, %15 : tensor<2x4xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %19 = stablehlo.divide %18, %17 : tensor<2x4xf32>
    %20 = stablehlo.multiply %19, %arg1 : tensor<2x4xf32>
    %21 = stablehlo.negate %10 : tensor<2x4xf32>
    %22 = stablehlo.exponential %21 : tensor<2x4xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %24 = stablehlo.add %23, %22 : tensor<2x4xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %26 = stablehlo.divide %25, %24 : tensor<2x4xf32>
    %27 = stablehlo.tanh %12 : tensor<2x4xf32>
    %28 = stablehlo.multiply %26, %27 : tensor<2x4xf32>
    %29 = stablehlo.add %20, %28 : tensor<2x4xf32>
    %30 = stablehlo.negate %13 : tensor<2x4xf32>
    %31 = stablehlo.exponential %30 : tensor<2x4xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %33 = stablehlo.add %32, %31 : tensor<2x4xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %35 = stablehlo.divide %34, %33 : tensor<2x4xf32>
    %36 = stablehlo.tanh %29 : tensor<2x4xf32>
    %37 = stablehlo.multiply %35, %36 : tensor<2x4xf32>
    return %37, %29 : tensor<2x4xf32>, tensor<2x4xf32>
  }
}
