// test: round-trip
// masked
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 6x4xf32: 0.6875 -1.5625 1.3125 -1 0.6875 -0.375 -1.6875 1.875 0.125 -1.375 2 1.4375 -1.9375 -1.375 -1.625 -0.6875 -0.375 0.75 0.9375
//   0.5 -0.25 1.875 -0.5 -0.375
// in 6x4xi32: 0 1 1 1 1 1 0 0 1 1 0 1 1 1 1 0 1 0 1 1 1 0 1 1
// out 6xf32: -0.41666666 0.15625 0.0625 -1.6458334 0.35416666 -0.375
// out f32: 1.4375
// out 6xi1: 1 1 1 1 1 1
// out 4xi1: 0 0 0 0
// out i32: 17
module @jit_masked attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x4xf32>, %arg1: tensor<6x4xi32>) -> (tensor<6xf32> {jax.result_info = "result[0]"}, tensor<f32> {jax.result_info = "result[1]"}, tensor<6xi1> {jax.result_info = "result[2]"}, tensor<4xi1> {jax.result_info = "result[3]"}, tensor<i32> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x4xi32>
    %1 = stablehlo.compare NE, %arg1, %0, SIGNED : (tensor<6x4xi32>, tensor<6x4xi32>) -> tensor<6x4xi1>
    %2 = stablehlo.convert %1 : tensor<6x4xi1>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3 = call @_where(%2, %arg0, %c_0) : (tensor<6x4xi1>, tensor<6x4xf32>, tensor<i32>) -> tensor<6x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<6x4xf32>, tensor<f32>) -> tensor<6xf32>
    %5 = stablehlo.convert %2 : (tensor<6x4xi1>) -> tensor<6x4xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.reduce(%5 init: %c_1) applies stablehlo.add across dimensions = [1] : (tensor<6x4xi32>, tensor<i32>) -> tensor<6xi32>
    %c_2 = stablehlo.constant dense<1> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %8 = stablehlo.maximum %6, %7 : tensor<6xi32>
    %9 = stablehlo.convert %8 : (tensor<6xi32>) -> tensor<6xf32>
    %10 = stablehlo.divide %4, %9 : tensor<6xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = call @_where_0(%2, %arg0, %cst_3) : (tensor<6x4xi1>, tensor<6x4xf32>, tensor<f32>) -> tensor<6x4xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_4) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<6x4xf32>, tensor<f32>) -> tensor<f32>
    %c_5 = stablehlo.constant dense<false> : tensor<i1>
    %13 = stablehlo.reduce(%2 init: %c_5) applies stablehlo.or across dimensions = [1] : (tensor<6x4xi1>, tensor<i1>) -> tensor<6xi1>
    %c_6 = stablehlo.constant dense<true> : tensor<i1>
    %14 = stablehlo.reduce(%2 init: %c_6) applies stablehlo.and across dimensions = [0] : (tensor<6x4xi1>, tensor<i1>) -> tensor<4xi1>
    %15 = call @count_nonzero(%2) : (tensor<6x4xi1>) -> tensor<i32>
    return %10, %12, %13, %14, %15 : tensor<6xf32>, tensor<f32>, tensor<6xi1>, tensor<4xi1>, tensor<i32>
  }
  func.func private @_where(%arg0: tensor<6x4xi1>, %arg1: tensor<6x4xf32>, %arg2: tensor<i32>) -> tensor<6x4xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6x4xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<6x4xi1>, tensor<6x4xf32>
    return %2 : tensor<6x4xf32>
  }
  func.func private @_where_0(%arg0: tensor<6x4xi1>, %arg1: tensor<6x4xf32>, %arg2: tensor<f32>) -> tensor<6x4xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6x4xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<6x4xi1>, tensor<6x4xf32>
    return %2 : tensor<6x4xf32>
  }
  func.func private @count_nonzero(%arg0: tensor<6x4xi1>) -> tensor<i32> {
    %c = stablehlo.constant dense<false> : tensor<i1>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<6x4xi1>
    %1 = stablehlo.compare NE, %arg0, %0, UNSIGNED : (tensor<6x4xi1>, tensor<6x4xi1>) -> tensor<6x4xi1>
    %2 = stablehlo.convert %1 : (tensor<6x4xi1>) -> tensor<6x4xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.reduce(%2 init: %c_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<6x4xi32>, tensor<i32>) -> tensor<i32>
    return %3 : tensor<i32>
  }
}
