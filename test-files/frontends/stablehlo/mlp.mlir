// test: round-trip
// mlp: Two layers with relu and softmax
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 4x6xf32: 1.4375 0.5625 0.0625 -0.9375 -0.75 -1.875 -1.75 -1.9375 -1.3125 1.25 0.625 1.6875 0 0.4375 1.9375 0.9375 0.5625 0.1875 0.25
//   1.75 -0.875 1.3125 0.6875 -2
// in 6x8xf32: -0.4375 1.4375 0.25 -1.875 1.0625 0.9375 1.4375 -1.3125 -1.6875 1.5 -1.9375 0.1875 -1.6875 -0.8125 -0.0625 -0.3125 -0.375
//   -1.9375 -2 -1.5 -2 0.6875 0.125 0.625 -1 0.5 1.0625 -0.5 -0.1875 2 1.25 1.9375 -0.5 0.75 1.8125 0.625 1.375 0.75 0.8125 -0.4375 1.5
//   -1.5 0.3125 0.875 1.375 0.125 -0.5 -0.75
// in 8xf32: -0.3125 -0.0625 0.875 1.5625 -1.75 1.75 0.125 -0.5625
// in 8x3xf32: 0.6875 0.3125 -1 -0.75 0.875 0.375 0 -0.6875 1.0625 -0.4375 -0.6875 1.5625 -0.9375 -1.125 0.875 0.5 -1.8125 -1.6875 -0.5
//   1.375 -0.375 1.1875 -0.75 -1.0625
// in 3xf32: 1.1875 1.5 -1.6875
// out 4x3xf32: 4.1631491e-05 0.99952805 4.3032906e-04 6.8515707e-05 8.6978018e-16 0.99993145 0.9999908 9.1271486e-06 1.4504058e-08
//   4.5417608e-05 0.99990106 5.3462787e-05
module @jit_mlp attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6x8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<8x3xf32>, %arg4: tensor<3xf32>) -> (tensor<4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<4x8xf32>
    %3 = stablehlo.add %0, %2 : tensor<4x8xf32>
    %4 = call @relu(%3) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %5 = stablehlo.dot_general %4, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
    %6 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<4x3xf32>
    %8 = stablehlo.add %5, %7 : tensor<4x3xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %11 = stablehlo.maximum %10, %9 : tensor<4xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x3xf32>
    %14 = stablehlo.subtract %8, %13 : tensor<4x3xf32>
    %15 = stablehlo.exponential %14 : tensor<4x3xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x3xf32>
    %19 = stablehlo.divide %15, %18 : tensor<4x3xf32>
    return %19 : tensor<4x3xf32>
  }
  func.func private @relu(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
}
