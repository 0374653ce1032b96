// test: round-trip
// joins
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 3x4xf32: -1.6875 1.125 0.625 -0.25 -0.25 1.4375 -1.6875 0.8125 -1.1875 -1.625 0.125 1.9375
// in 2x4xf32: 0.9375 1.0625 0.875 1.1875 0.0625 -1.5 1.375 -0.1875
// in 3x1xf32: 0 -0.5 -1.3125
// out 5x4xf32: -1.6875 1.125 0.625 -0.25 -0.25 1.4375 -1.6875 0.8125 -1.1875 -1.625 0.125 1.9375 0.9375 1.0625 0.875 1.1875 0.0625 -1.5
//   1.375 -0.1875
// out 3x9xf32: -1.6875 1.125 0.625 -0.25 0 -1.6875 1.125 0.625 -0.25 -0.25 1.4375 -1.6875 0.8125 -0.5 -0.25 1.4375 -1.6875 0.8125 -1.1875
//   -1.625 0.125 1.9375 -1.3125 -1.1875 -1.625 0.125 1.9375
// out 3x2x4xf32: -1.6875 1.125 0.625 -0.25 -3.375 2.25 1.25 -0.5 -0.25 1.4375 -1.6875 0.8125 -0.5 2.875 -3.375 1.625 -1.1875 -1.625 0.125
//   1.9375 -2.375 -3.25 0.25 3.875
// out 4x4xf32: 0.9375 1.0625 0.875 1.1875 0.0625 -1.5 1.375 -0.1875 0.9375 1.0625 0.875 1.1875 0.0625 -1.5 1.375 -0.1875
// out 3x1xf32: -0.13671875 0.78125 -0.4296875
module @jit_joins attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<3x1xf32>) -> (tensor<5x4xf32> {jax.result_info = "result[0]"}, tensor<3x9xf32> {jax.result_info = "result[1]"}, tensor<3x2x4xf32> {jax.result_info = "result[2]"}, tensor<4x4xf32> {jax.result_info = "result[3]"}, tensor<3x1xf32> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.concatenate %arg0, %arg1, dim = 0 : (tensor<3x4xf32>, tensor<2x4xf32>) -> tensor<5x4xf32>
    %1 = stablehlo.concatenate %arg0, %arg2, %arg0, dim = 1 : (tensor<3x4xf32>, tensor<3x1xf32>, tensor<3x4xf32>) -> tensor<3x9xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %3 = stablehlo.multiply %2, %arg0 : tensor<3x4xf32>
    %4 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<3x4xf32>) -> tensor<3x1x4xf32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 2] : (tensor<3x4xf32>) -> tensor<3x1x4xf32>
    %6 = stablehlo.concatenate %4, %5, dim = 1 : (tensor<3x1x4xf32>, tensor<3x1x4xf32>) -> tensor<3x2x4xf32>
    %7 = stablehlo.reshape %arg1 : (tensor<2x4xf32>) -> tensor<1x2x1x4xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x2x1x4xf32>) -> tensor<2x2x1x4xf32>
    %9 = stablehlo.reshape %8 : (tensor<2x2x1x4xf32>) -> tensor<4x4xf32>
    %10 = call @atleast_1d(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %11 = call @atleast_1d_0(%arg2) : (tensor<3x1xf32>) -> tensor<3x1xf32>
    %12 = stablehlo.concatenate %10, %11, dim = 1 : (tensor<3x4xf32>, tensor<3x1xf32>) -> tensor<3x5xf32>
    %13 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %14 = stablehlo.slice %13 [0:4, 0:1] : (tensor<4x2xf32>) -> tensor<4x1xf32>
    %15 = stablehlo.transpose %arg2, dims = [1, 0] : (tensor<3x1xf32>) -> tensor<1x3xf32>
    %16 = stablehlo.slice %15 [0:1, 0:1] : (tensor<1x3xf32>) -> tensor<1x1xf32>
    %17 = call @atleast_2d(%14) : (tensor<4x1xf32>) -> tensor<4x1xf32>
    %18 = call @atleast_2d_1(%16) : (tensor<1x1xf32>) -> tensor<1x1xf32>
    %19 = stablehlo.concatenate %17, %18, dim = 0 : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<5x1xf32>
    %20 = stablehlo.dot_general %12, %19, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x5xf32>, tensor<5x1xf32>) -> tensor<3x1xf32>
    return %0, %1, %6, %9, %20 : tensor<5x4xf32>, tensor<3x9xf32>, tensor<3x2x4xf32>, tensor<4x4xf32>, tensor<3x1xf32>
  }
  func.func private @atleast_1d(%arg0: tensor<3x4xf32>) -> tensor<3x4xf32> {
    return %arg0 : tensor<3x4xf32>
  }
  func.func private @atleast_1d_0(%arg0: tensor<3x1xf32>) -> tensor<3x1xf32> {
    return %arg0 : tensor<3x1xf32>
  }
  func.func private @atleast_2d(%arg0: tensor<4x1xf32>) -> tensor<4x1xf32> {
    return %arg0 : tensor<4x1xf32>
  }
  func.func private @atleast_2d_1(%arg0: tensor<1x1xf32>) -> tensor<1x1xf32> {
    return %arg0 : tensor<1x1xf32>
  }
}
