// test: round-trip
// training step: Two layers, cross entropy, gradient, step
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 4x3xf32: -0.5 -1.3125 -0.3125 -0.4375 -0.25 1.625 1.8125 -0.375 1.6875 0.75 -0.1875 0.0625
// in 3x5xf32: 1.625 0.125 -0.1875 1.5 -1.125 -1.0625 -1.75 -1.4375 1 -0.6875 -1.4375 -0.375 -2 0.625 1.5625
// in 5x2xf32: 1.75 0 -1.125 -0.875 -0.875 -0.875 -1.25 -2 -0.0625 0.1875
// in 4xi32: 0 0 1 1
// out 3x5xf32: 1.4069325 0.19999138 -0.1875 1.4360917 -1.0820786 -1.0729952 -1.7568374 -1.4375 0.9845733 -0.6882256 -1.5981349 -0.37261063
//   -2 0.7516035 1.5887593
// out 5x2xf32: 1.5121013 0.23789874 -1.1619241 -0.8380759 -0.8199959 -0.9300041 -1.4843475 -1.7656527 0.0747924 0.050207615
// out f32: 1.6938245
module @jit_training_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<3x5xf32>, %arg2: tensor<5x2xf32>, %arg3: tensor<4xi32>) -> (tensor<3x5xf32> {jax.result_info = "result[0][0]"}, tensor<5x2xf32> {jax.result_info = "result[0][1]"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
    %1 = stablehlo.tanh %0 : tensor<4x5xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<4x5xf32>
    %4 = stablehlo.dot_general %1, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x5xf32>, tensor<5x2xf32>) -> tensor<4x2xf32>
    %5 = call @_one_hot(%arg3) : (tensor<4xi32>) -> tensor<4x2xf32>
    %6:3 = call @log_softmax(%4) : (tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x1xf32>)
    %7 = stablehlo.multiply %5, %6#0 : tensor<4x2xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %10 = stablehlo.divide %9, %cst_2 : tensor<f32>
    %11 = stablehlo.negate %10 : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.negate %cst_3 : tensor<f32>
    %cst_4 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %13 = stablehlo.divide %12, %cst_4 : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<4xf32>) -> tensor<4x2xf32>
    %16 = stablehlo.multiply %5, %15 : tensor<4x2xf32>
    %17 = call @log_softmax_0(%6#1, %6#2, %16) : (tensor<4x2xf32>, tensor<4x1xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    %18 = stablehlo.dot_general %17, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
    %19 = stablehlo.transpose %18, dims = [1, 0] : (tensor<2x5xf32>) -> tensor<5x2xf32>
    %20 = stablehlo.dot_general %17, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<5x2xf32>) -> tensor<4x5xf32>
    %21 = stablehlo.multiply %20, %3 : tensor<4x5xf32>
    %22 = stablehlo.multiply %21, %1 : tensor<4x5xf32>
    %23 = stablehlo.add %21, %22 : tensor<4x5xf32>
    %24 = stablehlo.dot_general %23, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x5xf32>, tensor<4x3xf32>) -> tensor<5x3xf32>
    %25 = stablehlo.transpose %24, dims = [1, 0] : (tensor<5x3xf32>) -> tensor<3x5xf32>
    %cst_5 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
    %27 = stablehlo.multiply %26, %25 : tensor<3x5xf32>
    %28 = stablehlo.subtract %arg1, %27 : tensor<3x5xf32>
    %cst_6 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<5x2xf32>
    %30 = stablehlo.multiply %29, %19 : tensor<5x2xf32>
    %31 = stablehlo.subtract %arg2, %30 : tensor<5x2xf32>
    return %28, %31, %11 : tensor<3x5xf32>, tensor<5x2xf32>, tensor<f32>
  }
  func.func private @_one_hot(%arg0: tensor<4xi32>) -> tensor<4x2xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x2xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x1xi32>) -> tensor<4x2xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x2xi32>) -> tensor<4x2xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<4x2xi32>, tensor<4x2xi32>) -> tensor<4x2xi1>
    %5 = stablehlo.convert %4 : (tensor<4x2xi1>) -> tensor<4x2xf32>
    return %5 : tensor<4x2xf32>
  }
  func.func private @log_softmax(%arg0: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<4xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x2xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x2xf32>
    %6 = stablehlo.exponential %5 : tensor<4x2xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<4xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %9 = stablehlo.log %8 : tensor<4x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x2xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<4x2xf32>
    return %11, %6, %8 : tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x1xf32>
  }
  func.func private @log_softmax_0(%arg0: tensor<4x2xf32>, %arg1: tensor<4x1xf32>, %arg2: tensor<4x2xf32>) -> tensor<4x2xf32> {
    %0 = stablehlo.negate %arg2 : tensor<4x2xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.reshape %1 : (tensor<4xf32>) -> tensor<4x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<4x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xf32>) -> tensor<4x2xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<4x2xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<4x2xf32>
    return %7 : tensor<4x2xf32>
  }
}
