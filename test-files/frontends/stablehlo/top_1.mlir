// test: round-trip
// top 1: The best and the second best without a sort
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 4x9xf32: -1.625 1 0.1875 1 -0.25 -0.125 -1.5625 -1.625 -1.6875 1.875 -0.5625 -0.75 1.375 -1.1875 -0.3125 1.4375 -1.5 0.0625 -0.1875
//   -1.3125 -0.8125 1 1.375 1.1875 1.8125 0.1875 1.3125 1.3125 -1.5 0.4375 -0.9375 -0.25 -0.875 -0.75 -0.1875 0.875
// in 4xi32: 1 8 4 1
// out 4xi32: 1 0 6 0
// out 4xf32: 1 1.875 1.8125 1.3125
// out 4xi32: 3 6 4 8
// out f32: 0.25
module @jit_top_1 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x9xf32>, %arg1: tensor<4xi32>) -> (tensor<4xi32> {jax.result_info = "result[0]"}, tensor<4xf32> {jax.result_info = "result[1]"}, tensor<4xi32> {jax.result_info = "result[2]"}, tensor<f32> {jax.result_info = "result[3]"}) {
    %0 = call @argmax(%arg0) : (tensor<4x9xf32>) -> tensor<4xi32>
    %1 = stablehlo.iota dim = 0 : tensor<9xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<9xi32>) -> tensor<1x9xi32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x9xi32>) -> tensor<4x9xi32>
    %5 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<4x1xi32>) -> tensor<4x9xi32>
    %6 = stablehlo.compare EQ, %4, %5, SIGNED : (tensor<4x9xi32>, tensor<4x9xi32>) -> tensor<4x9xi1>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = call @_where(%6, %cst, %arg0) : (tensor<4x9xi1>, tensor<f32>, tensor<4x9xf32>) -> tensor<4x9xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.reduce(%arg0 init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<4x9xf32>, tensor<f32>) -> tensor<4xf32>
    %9 = call @argmax(%7) : (tensor<4x9xf32>) -> tensor<4xi32>
    %10 = stablehlo.compare EQ, %0, %arg1, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %11 = stablehlo.convert %10 : (tensor<4xi1>) -> tensor<4xi32>
    %12 = stablehlo.convert %11 : (tensor<4xi32>) -> tensor<4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %14 = stablehlo.divide %13, %cst_2 : tensor<f32>
    return %0, %8, %9, %14 : tensor<4xi32>, tensor<4xf32>, tensor<4xi32>, tensor<f32>
  }
  func.func private @argmax(%arg0: tensor<4x9xf32>) -> tensor<4xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<4x9xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<4x9xf32>, tensor<4x9xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<4xi32>
  }
  func.func private @_where(%arg0: tensor<4x9xi1>, %arg1: tensor<f32>, %arg2: tensor<4x9xf32>) -> tensor<4x9xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x9xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<4x9xi1>, tensor<4x9xf32>
    return %2 : tensor<4x9xf32>
  }
}
