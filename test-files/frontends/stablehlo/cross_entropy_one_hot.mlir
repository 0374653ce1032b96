// test: round-trip
// cross entropy one hot: With smoothed labels
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 4x7xf32: -1.75 -2 -1.5625 1.5 -1.5625 -1.0625 -2 0.625 -1.625 -0.0625 -1 1.1875 -1.5625 1.5625 -0.5625 1.625 0 0.0625 0.5625 1.875
//   -1.375 1.6875 0.9375 0.75 -0.5 1.0625 -1.25 -1.3125
// in 4xi32: 6 6 0 6
// out f32: 2.9480076
// out 4x7xf32: 0.0040623597 0.002373772 0.0056366785 0.19330657 0.0056366785 0.011610173 -0.22262622 0.03658287 6.6080323e-04 0.016619422
//   0.0043354216 0.066901565 9.3375897e-04 -0.12603384 -0.2198009 0.07459943 0.011821326 0.012814073 0.023443697 0.09680194 3.2046906e-04
//   0.09205955 0.041601446 0.0338782 0.0071580703 0.04761615 0.0014968277 -0.22381024
module @jit_cross_entropy_one_hot attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x7xf32>, %arg1: tensor<4xi32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<4x7xf32> {jax.result_info = "result[1]"}) {
    %0 = call @_one_hot(%arg1) : (tensor<4xi32>) -> tensor<4x7xf32>
    %cst = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x7xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<4x7xf32>
    %cst_0 = stablehlo.constant dense<0.0142857144> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x7xf32>
    %4 = stablehlo.add %2, %3 : tensor<4x7xf32>
    %5:3 = call @log_softmax(%arg0) : (tensor<4x7xf32>) -> (tensor<4x7xf32>, tensor<4x7xf32>, tensor<4x1xf32>)
    %6 = stablehlo.multiply %4, %5#0 : tensor<4x7xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<4x7xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %cst_3 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %9 = stablehlo.divide %8, %cst_3 : tensor<f32>
    %10 = stablehlo.negate %9 : tensor<f32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.negate %cst_4 : tensor<f32>
    %cst_5 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %12 = stablehlo.divide %11, %cst_5 : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0] : (tensor<4xf32>) -> tensor<4x7xf32>
    %15 = stablehlo.multiply %4, %14 : tensor<4x7xf32>
    %16 = call @log_softmax_0(%5#1, %5#2, %15) : (tensor<4x7xf32>, tensor<4x1xf32>, tensor<4x7xf32>) -> tensor<4x7xf32>
    return %10, %16 : tensor<f32>, tensor<4x7xf32>
  }
  func.func private @_one_hot(%arg0: tensor<4xi32>) -> tensor<4x7xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x7xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x1xi32>) -> tensor<4x7xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x7xi32>) -> tensor<4x7xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<4x7xi32>, tensor<4x7xi32>) -> tensor<4x7xi1>
    %5 = stablehlo.convert %4 : (tensor<4x7xi1>) -> tensor<4x7xf32>
    return %5 : tensor<4x7xf32>
  }
  func.func private @log_softmax(%arg0: tensor<4x7xf32>) -> (tensor<4x7xf32>, tensor<4x7xf32>, tensor<4x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<4x7xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<4xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x7xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x7xf32>
    %6 = stablehlo.exponential %5 : tensor<4x7xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<4x7xf32>, tensor<f32>) -> tensor<4xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %9 = stablehlo.log %8 : tensor<4x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x7xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<4x7xf32>
    return %11, %6, %8 : tensor<4x7xf32>, tensor<4x7xf32>, tensor<4x1xf32>
  }
  func.func private @log_softmax_0(%arg0: tensor<4x7xf32>, %arg1: tensor<4x1xf32>, %arg2: tensor<4x7xf32>) -> tensor<4x7xf32> {
    %0 = stablehlo.negate %arg2 : tensor<4x7xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x7xf32>, tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.reshape %1 : (tensor<4xf32>) -> tensor<4x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<4x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xf32>) -> tensor<4x7xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<4x7xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<4x7xf32>
    return %7 : tensor<4x7xf32>
  }
}
