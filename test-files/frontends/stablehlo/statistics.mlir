// test: round-trip
// statistics
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 7xf32: 1.125 1.1875 0.875 1.375 1.3125 0.1875 -1.0625
// in 7xf32: 1.9375 1.3125 -1.0625 -0.875 0.625 0.6875 -1.75
// out f32: 0.71428573
// out f32: 0.77455366
// out f32: 0.5254893
// out f32: 2.8668363
// out f32: 4.4140625
// out f32: -0.4202681
// out f32: 2.4375
module @jit_statistics attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7xf32>, %arg1: tensor<7xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<f32> {jax.result_info = "result[1]"}, tensor<f32> {jax.result_info = "result[2]"}, tensor<f32> {jax.result_info = "result[3]"}, tensor<f32> {jax.result_info = "result[4]"}, tensor<f32> {jax.result_info = "result[5]"}, tensor<f32> {jax.result_info = "result[6]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %1 = stablehlo.divide %0, %cst_0 : tensor<f32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_var(%arg0, %c) : (tensor<7xf32>, tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%arg0 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %4 = stablehlo.divide %3, %cst_2 : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %6 = stablehlo.subtract %arg0, %5 : tensor<7xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %7 = call @_std(%arg0, %c_3) : (tensor<7xf32>, tensor<i32>) -> tensor<f32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %9 = stablehlo.divide %6, %8 : tensor<7xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%arg1 init: %cst_4) applies stablehlo.add across dimensions = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<f32>
    %cst_5 = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %11 = stablehlo.divide %10, %cst_5 : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %13 = stablehlo.subtract %arg1, %12 : tensor<7xf32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %14 = call @_std(%arg1, %c_6) : (tensor<7xf32>, tensor<i32>) -> tensor<f32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %16 = stablehlo.divide %13, %15 : tensor<7xf32>
    %17 = stablehlo.multiply %9, %16 : tensor<7xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_7) applies stablehlo.add across dimensions = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<f32>
    %cst_8 = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %19 = stablehlo.divide %18, %cst_8 : tensor<f32>
    %20 = call @norm(%arg0) : (tensor<7xf32>) -> tensor<f32>
    %21 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<7xf32>, tensor<7xf32>) -> tensor<f32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.reduce(%arg0 init: %cst_9) applies stablehlo.multiply across dimensions = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<f32>
    %23 = call @_ptp(%arg0) : (tensor<7xf32>) -> tensor<f32>
    return %1, %2, %19, %20, %21, %22, %23 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  }
  func.func private @_var(%arg0: tensor<7xf32>, %arg1: tensor<i32>) -> tensor<f32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_0 = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1xf32>) -> tensor<7xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<7xf32>
    %6 = chlo.square %5 : tensor<7xf32> -> tensor<7xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %8 = stablehlo.subtract %cst_1, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<f32>
    %10 = stablehlo.divide %9, %8 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.compare GT, %8, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %12 = call @_where(%11, %10, %cst_4) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    return %12 : tensor<f32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @_std(%arg0: tensor<7xf32>, %arg1: tensor<i32>) -> tensor<f32> {
    %0 = call @_var(%arg0, %arg1) : (tensor<7xf32>, tensor<i32>) -> tensor<f32>
    %1 = stablehlo.sqrt %0 : tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @norm(%arg0: tensor<7xf32>) -> tensor<f32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<7xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.sqrt %1 : tensor<f32>
    return %2 : tensor<f32>
  }
  func.func private @_ptp(%arg0: tensor<7xf32>) -> tensor<f32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %cst_0) applies stablehlo.minimum across dimensions = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.subtract %0, %1 : tensor<f32>
    return %2 : tensor<f32>
  }
}
