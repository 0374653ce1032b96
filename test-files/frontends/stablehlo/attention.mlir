// test: round-trip
// attention: Causal, several heads
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 1x5x2x3xf32: 1.25 -1.6875 -1.3125 -1.0625 -1.3125 1.25 1.5 0.3125 -1.875 -1.625 -0.6875 -0.25 0.5 -0.0625 -0.9375 -1.375 0.75 0.9375
//   -1.875 -1.5625 -0.1875 -0.4375 1.5625 0.0625 -0.3125 -0.3125 0.6875 0.375 -1.3125 0.9375
// in 1x5x2x3xf32: 1.0625 1.875 1.1875 -0.875 -0.75 0.625 0.625 0.8125 1.5 -0.8125 1.8125 -2 -1.75 1.9375 1.8125 -0.8125 -1.4375 -0.75
//   -1.875 1.5625 0.6875 0.375 -1.0625 -0.125 -1.25 1.125 -0.125 -1.9375 -1 0.8125
// in 1x5x2x3xf32: 0.0625 -0.5 -1 -1.6875 0.4375 0.625 0.0625 1.75 1.75 -1.1875 0.4375 0.5 -1 -0.8125 -0.0625 1 -0.8125 0.875 0.625 -1.125
//   -0.4375 1.3125 1.375 0.625 -2 0.75 -1.125 1.3125 1.6875 -0.3125
// out 1x5x2x3xf32: 0.0625 -0.5 -1 -1.6875 0.4375 0.625 0.062499996 0.14626743 -0.21011756 -1.5212477 0.4375 0.58343697 -0.09814162 0.285579
//   0.15964167 -1.0722234 0.23107436 0.62341976 0.048802085 -0.80951685 -0.17112039 -1.0122725 0.42596185 0.5343893 -0.435898 -0.07011317
//   -0.048013926 0.48043552 0.7743506 0.4262578
module @jit_attention attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x5x2x3xf32>, %arg1: tensor<1x5x2x3xf32>, %arg2: tensor<1x5x2x3xf32>) -> (tensor<1x5x2x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x5x2x3xf32>, tensor<1x5x2x3xf32>) -> tensor<1x2x5x5xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %1 = stablehlo.sqrt %cst : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1x2x5x5xf32>
    %3 = stablehlo.divide %0, %2 : tensor<1x2x5x5xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %5 = call @tril(%4) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %cst_0 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %6 = call @_where(%5, %3, %cst_0) : (tensor<5x5xi1>, tensor<1x2x5x5xf32>, tensor<f32>) -> tensor<1x2x5x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<1x2x5x5xf32>, tensor<f32>) -> tensor<1x2x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %9 = stablehlo.maximum %8, %7 : tensor<1x2x5xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<1x2x5xf32>) -> tensor<1x2x5x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x2x5x1xf32>) -> tensor<1x2x5x5xf32>
    %12 = stablehlo.subtract %6, %11 : tensor<1x2x5x5xf32>
    %13 = stablehlo.exponential %12 : tensor<1x2x5x5xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<1x2x5x5xf32>, tensor<f32>) -> tensor<1x2x5xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<1x2x5xf32>) -> tensor<1x2x5x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<1x2x5x1xf32>) -> tensor<1x2x5x5xf32>
    %17 = stablehlo.divide %13, %16 : tensor<1x2x5x5xf32>
    %18 = stablehlo.dot_general %arg2, %17, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x5x2x3xf32>, tensor<1x2x5x5xf32>) -> tensor<1x2x3x5xf32>
    %19 = stablehlo.transpose %18, dims = [0, 3, 1, 2] : (tensor<1x2x3x5xf32>) -> tensor<1x5x2x3xf32>
    return %19 : tensor<1x5x2x3xf32>
  }
  func.func private @tril(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<5x5xi1>, tensor<5x5xi1>
    return %6 : tensor<5x5xi1>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<1x2x5x5xf32>, %arg2: tensor<f32>) -> tensor<1x2x5x5xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<1x2x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x2x5x5xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<1x2x5x5xi1>, tensor<1x2x5x5xf32>
    return %3 : tensor<1x2x5x5xf32>
  }
}
