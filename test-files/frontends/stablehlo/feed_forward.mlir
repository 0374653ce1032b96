// test: round-trip
// feed forward: Layer norm, gelu, and what came in added
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 4x6xf32: 1.8125 0.5 0.75 1.625 0.3125 1.125 1.375 -1.125 -1.8125 -0.8125 -0.875 1.5 1.6875 -2 0 1.3125 -1.5 1.1875 -1.5625 -0.125
//   1.3125 -0.8125 -0.625 -0.875
// in 6x12xf32: 0.875 -1 2 -0.25 -0.0625 0 0.3125 0.1875 0.0625 2 1.25 1.1875 0.8125 0.5 -0.625 2 -0.125 -1.1875 1.375 -1.375 1.4375 0.4375
//   -1.5625 -1.875 -0.25 -1.875 -1.4375 0.0625 1.9375 -0.125 1.25 1.6875 1.3125 0.5 -0.25 0.0625 -0.9375 0 -0.5 -1 2 -2 -1.625 -1.25 1.875
//   0.75 1.5625 -1.1875 0.875 -0.5 -0.0625 -2 0.5 1.3125 0.6875 -1.375 0.125 -0.9375 1.875 1.5625 -1.25 0.0625 1.8125 1.4375 0.875 0.5625
//   -1.875 1 -0.125 -1.6875 -1.0625 0.1875
// in 12x6xf32: 0.9375 0.0625 0.4375 1.5 0.75 -0.5625 0.5625 0.375 -1.5625 -1.8125 0.625 -0.4375 0.375 -0.75 -1.125 -1.4375 -0.5 1.3125
//   -0.375 -0.5 0.3125 1.9375 -0.4375 0.375 -0.25 0.4375 -0.25 0.5625 0.1875 0.6875 1.875 -1.4375 0.25 -0.25 -0.5625 -1.0625 -1.8125 -0.375
//   1.3125 -1.625 -0.375 1.875 1.8125 -1.1875 -2 0.6875 -2 -0.8125 0 1.5 -1.625 0.6875 0.125 -1.5 1.375 1.375 -0.0625 1.8125 0.4375 1.625
//   1.875 0.3125 -0.875 -1.4375 0.25 -1.25 1 1.75 -1.0625 0.1875 -1.8125 -1.3125
// in 6xf32: -0.5 1.5625 1.9375 0.5625 0.3125 0.3125
// in 6xf32: -1.8125 -0.5 1.9375 -0.375 -1.1875 -1.0625
// out 4x6xf32: 10.023692 -4.6691704 -9.344688 4.892957 -8.749225 -1.936816 9.957487 -4.7822924 -12.242062 -4.5915265 -5.1152673 -3.0666437
//   15.008198 -10.594751 -15.4387665 8.292781 -16.421322 -3.2244215 2.32948 0.53349495 -19.921614 10.402604 -22.587301 10.251705
module @jit_feed_forward attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6x12xf32>, %arg2: tensor<12x6xf32>, %arg3: tensor<6xf32>, %arg4: tensor<6xf32>) -> (tensor<4x6xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x6xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x6xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6 = call @_var(%arg0, %c) : (tensor<4x6xf32>, tensor<i32>) -> tensor<4x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %8 = stablehlo.add %6, %7 : tensor<4x1xf32>
    %9 = stablehlo.rsqrt %8 : tensor<4x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x6xf32>
    %11 = stablehlo.multiply %5, %10 : tensor<4x6xf32>
    %12 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<4x6xf32>
    %14 = stablehlo.multiply %11, %13 : tensor<4x6xf32>
    %15 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<4x6xf32>
    %17 = stablehlo.add %14, %16 : tensor<4x6xf32>
    %18 = stablehlo.dot_general %17, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<6x12xf32>) -> tensor<4x12xf32>
    %19 = stablehlo.multiply %18, %18 : tensor<4x12xf32>
    %20 = stablehlo.multiply %19, %18 : tensor<4x12xf32>
    %cst_2 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x12xf32>
    %22 = stablehlo.multiply %21, %20 : tensor<4x12xf32>
    %23 = stablehlo.add %18, %22 : tensor<4x12xf32>
    %cst_3 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x12xf32>
    %25 = stablehlo.multiply %24, %23 : tensor<4x12xf32>
    %26 = stablehlo.tanh %25 : tensor<4x12xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x12xf32>
    %28 = stablehlo.add %27, %26 : tensor<4x12xf32>
    %cst_5 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x12xf32>
    %30 = stablehlo.multiply %29, %28 : tensor<4x12xf32>
    %31 = stablehlo.multiply %18, %30 : tensor<4x12xf32>
    %32 = stablehlo.dot_general %31, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x12xf32>, tensor<12x6xf32>) -> tensor<4x6xf32>
    %33 = stablehlo.add %arg0, %32 : tensor<4x6xf32>
    return %33 : tensor<4x6xf32>
  }
  func.func private @_var(%arg0: tensor<4x6xf32>, %arg1: tensor<i32>) -> tensor<4x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x6xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x6xf32>
    %6 = chlo.square %5 : tensor<4x6xf32> -> tensor<4x6xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %8 = stablehlo.subtract %cst_1, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<4x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.compare GT, %8, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = call @_where(%13, %12, %cst_4) : (tensor<i1>, tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
    return %14 : tensor<4x1xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<4x1xf32>, %arg2: tensor<f32>) -> tensor<4x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<4x1xf32>
    return %2 : tensor<4x1xf32>
  }
}
