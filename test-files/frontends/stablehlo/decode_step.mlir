// test: round-trip
// decode step: One token: the cache grows at a place that is an argument
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 2x8xf32: 0.6875 1.25 -1.9375 1.25 -0.125 0.0625 0.5 -0.875 1.9375 -1.8125 -0.875 -0.5 0.3125 -0.375 -1.5 -1.875
// in 2x6x8xf32: -2 -1.8125 -1.4375 2 -1.25 0.625 1 -1.0625 -0.875 -0.25 -0.9375 1.9375 -1.3125 1.625 1.1875 1.375 -1.5625 -0.4375 0.5 0
//   0.6875 0.6875 0.6875 -1.8125 1.875 0.25 1.625 -0.9375 -0.5625 1.5625 -1.25 -1.75 -0.5 0.75 -1.5625 1.5 -0.625 -1.125 0.1875 1.625
//   1.5625 1.5 -0.8125 -1.9375 1.125 0.8125 1.125 -2 -1.875 0 -0.6875 -0.25 1.75 -1.1875 0.125 -0.6875 -0.8125 1.25 -1.4375 -0.75 -1.5625
//   -1.4375 -0.875 0.8125 0.3125 -0.1875 -1.3125 1.1875 1.1875 -1.0625 -1.8125 -0.75 -1.4375 1.1875 0.0625 0 -0.875 0 1.875 -1.0625 1.0625
//   -2 -0.75 1.75 1.5 -1.6875 1.375 1.375 -0.1875 -0.5625 1.9375 1.8125 0.75 -0.4375 -1.1875 1.75
// in 2x6x8xf32: -0.9375 0.25 0.6875 -1.0625 -0.75 1 -1.25 0.6875 1.8125 0.75 0.625 -0.125 1.875 -1.125 -0.5625 0.5625 0.625 -1.625 -1.375
//   0.75 1.375 0.5625 1.75 -0.5 -0.6875 1.1875 -1.875 -1.25 -1.25 -0.4375 -1.375 1.1875 1.4375 -0.5 -1.9375 0.875 -1.5625 0.4375 -1.3125
//   1.8125 0.75 2 0.5 0.9375 -0.5 1.25 -1.5625 -1.4375 -0.5625 0.875 -0.0625 1.4375 1.8125 -0.375 -0.3125 0.1875 0.5625 -0.0625 0.4375
//   1.875 0.9375 -0.75 -0.3125 -0.375 -1.4375 -2 1.1875 -0.3125 -0.625 0.5625 0.25 1.75 0.5 1.75 0.3125 -0.6875 -0.75 2 0.375 -1.25 1.3125
//   1.3125 -2 -1.375 0.8125 -0.375 -0.625 -1.75 -1.25 1.4375 1.375 1.3125 0.3125 -1.4375 -0.75 0.125
// in 8x8xf32: 2 -1 0.1875 -0.0625 0 0.1875 0.8125 -1.625 1.9375 1.5 1.0625 -0.875 -0.25 -0.1875 -0.75 -1.8125 1 -2 1.0625 -1.25 0.5625
//   -0.625 -1.0625 1.75 -0.125 1.5625 -1.25 -0.0625 -0.625 -0.1875 -2 0.6875 -0.625 1.4375 -1.1875 -0.6875 -1.875 1.1875 0.125 -0.4375
//   1.6875 0.375 1.875 0.9375 0.375 0 -1.1875 0.75 1.1875 0.8125 -0.375 -2 0.9375 -1.875 1.25 -1.4375 -0.8125 -1.1875 0.1875 -1.1875 -1
//   -1.8125 1.9375 -1.125
// in 8x8xf32: -1.25 0.4375 -1.4375 1.5625 1.125 -0.625 -0.375 -0.5625 0.9375 -0.3125 -0.875 0.75 -1.5 1.1875 -0.3125 1.8125 -1 -0.5 1.5
//   0.8125 -1.875 -0.625 -1.9375 1.3125 -0.3125 -1.125 0.9375 1.5 -1.625 0 -0.5625 0.9375 1.75 0.125 1 -0.75 0.3125 0 0.9375 -1.8125
//   -1.0625 -1.875 1.9375 0.125 -0.0625 -0.0625 -1.875 1.375 1.375 -1.9375 0.5 0.25 -0.5 -0.0625 1.5625 0.375 -0.0625 0.9375 0.8125 0.125
//   1.3125 0.25 0.5 -0.0625
// in 8x8xf32: 0.375 0.4375 1.625 -1 -0.5625 0.1875 -0.6875 0.6875 1.3125 -1.25 -1.8125 2 0.0625 1 1.0625 1.875 -1.875 -0.8125 1.9375 -0.25
//   -0.4375 -1 -1.9375 -1.8125 1.9375 -1.9375 -1.4375 -1 -0.875 1.4375 -0.6875 -1.375 -0.4375 0.75 -0.1875 -1 -1.5625 -1.75 -0.0625 -1.25
//   0.3125 0.75 -0.5 0 -1.8125 0.1875 -1.3125 -0.1875 -1.5625 -0.9375 -0.3125 -0.0625 -1.9375 1.6875 -0.3125 -1.1875 -1.25 0.9375 -0.25 -1
//   -0.1875 -1.25 -1.375 -0.6875
// in i32: 5
// out 2x8xf32: -0.68033683 1.179554 -1.874422 -1.2427118 -1.245907 -0.4334818 -1.3690687 1.1862507 0.8618996 0.8048764 -1.4501747
//   -1.1830976 0.5624478 -0.18248022 -0.46789676 -1.1886476
// out 2x6x8xf32: -2 -1.8125 -1.4375 2 -1.25 0.625 1 -1.0625 -0.875 -0.25 -0.9375 1.9375 -1.3125 1.625 1.1875 1.375 -1.5625 -0.4375 0.5 0
//   0.6875 0.6875 0.6875 -1.8125 1.875 0.25 1.625 -0.9375 -0.5625 1.5625 -1.25 -1.75 -0.5 0.75 -1.5625 1.5 -0.625 -1.125 0.1875 1.625
//   2.3164062 -2.4492188 -4.28125 2.4296875 -0.94140625 2.0117188 2.5117188 1.0625 -1.875 0 -0.6875 -0.25 1.75 -1.1875 0.125 -0.6875
//   -0.8125 1.25 -1.4375 -0.75 -1.5625 -1.4375 -0.875 0.8125 0.3125 -0.1875 -1.3125 1.1875 1.1875 -1.0625 -1.8125 -0.75 -1.4375 1.1875
//   0.0625 0 -0.875 0 1.875 -1.0625 1.0625 -2 -0.75 1.75 1.5 -1.6875 1.375 1.375 -4.0898438 4.3046875 -5.6679688 -0.68359375 5.7617188
//   -3.1679688 -0.46875 -7.5195312
// out 2x6x8xf32: -0.9375 0.25 0.6875 -1.0625 -0.75 1 -1.25 0.6875 1.8125 0.75 0.625 -0.125 1.875 -1.125 -0.5625 0.5625 0.625 -1.625 -1.375
//   0.75 1.375 0.5625 1.75 -0.5 -0.6875 1.1875 -1.875 -1.25 -1.25 -0.4375 -1.375 1.1875 1.4375 -0.5 -1.9375 0.875 -1.5625 0.4375 -1.3125
//   1.8125 8.339844 -3.4453125 -6.6445312 2.015625 -1.2773438 7.28125 4.7226562 4.7617188 -0.5625 0.875 -0.0625 1.4375 1.8125 -0.375
//   -0.3125 0.1875 0.5625 -0.0625 0.4375 1.875 0.9375 -0.75 -0.3125 -0.375 -1.4375 -2 1.1875 -0.3125 -0.625 0.5625 0.25 1.75 0.5 1.75
//   0.3125 -0.6875 -0.75 2 0.375 -1.25 1.3125 1.3125 -2 -1.375 0.8125 -0.375 -0.625 -1.75 3.453125 4.3945312 6.5234375 -3.1875 3.0664062
//   -2.0976562 2.3007812 2.9570312
module @jit_decode_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x8xf32>, %arg1: tensor<2x6x8xf32>, %arg2: tensor<2x6x8xf32>, %arg3: tensor<8x8xf32>, %arg4: tensor<8x8xf32>, %arg5: tensor<8x8xf32>, %arg6: tensor<i32>) -> (tensor<2x8xf32> {jax.result_info = "result[0]"}, tensor<2x6x8xf32> {jax.result_info = "result[1]"}, tensor<2x6x8xf32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.dot_general %arg0, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %1 = stablehlo.dot_general %arg0, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %2 = stablehlo.dot_general %arg0, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 2] : (tensor<2x8xf32>) -> tensor<2x1x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.compare LT, %arg6, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<6> : tensor<i32>
    %5 = stablehlo.add %arg6, %c_0 : tensor<i32>
    %6 = stablehlo.select %4, %5, %arg6 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.dynamic_update_slice %arg1, %3, %c_1, %6, %c_2 : (tensor<2x6x8xf32>, tensor<2x1x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x6x8xf32>
    %8 = stablehlo.broadcast_in_dim %2, dims = [0, 2] : (tensor<2x8xf32>) -> tensor<2x1x8xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %arg6, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_4 = stablehlo.constant dense<6> : tensor<i32>
    %10 = stablehlo.add %arg6, %c_4 : tensor<i32>
    %11 = stablehlo.select %9, %10, %arg6 : tensor<i1>, tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %12 = stablehlo.dynamic_update_slice %arg2, %8, %c_5, %11, %c_6 : (tensor<2x6x8xf32>, tensor<2x1x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x6x8xf32>
    %13 = stablehlo.dot_general %0, %7, batching_dims = [0] x [0], contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6xf32>
    %cst = stablehlo.constant dense<2.82842708> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %15 = stablehlo.divide %13, %14 : tensor<2x6xf32>
    %16 = stablehlo.iota dim = 0 : tensor<6xi32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [1] : (tensor<6xi32>) -> tensor<1x6xi32>
    %18 = stablehlo.broadcast_in_dim %arg6, dims = [] : (tensor<i32>) -> tensor<1x6xi32>
    %19 = stablehlo.compare LE, %17, %18, SIGNED : (tensor<1x6xi32>, tensor<1x6xi32>) -> tensor<1x6xi1>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %20 = call @_where(%19, %15, %cst_7) : (tensor<1x6xi1>, tensor<2x6xf32>, tensor<f32>) -> tensor<2x6xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_8) applies stablehlo.maximum across dimensions = [1] : (tensor<2x6xf32>, tensor<f32>) -> tensor<2xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %23 = stablehlo.maximum %22, %21 : tensor<2xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x6xf32>
    %26 = stablehlo.subtract %20, %25 : tensor<2x6xf32>
    %27 = stablehlo.exponential %26 : tensor<2x6xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.reduce(%27 init: %cst_10) applies stablehlo.add across dimensions = [1] : (tensor<2x6xf32>, tensor<f32>) -> tensor<2xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x6xf32>
    %31 = stablehlo.divide %27, %30 : tensor<2x6xf32>
    %32 = stablehlo.dot_general %31, %12, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6xf32>, tensor<2x6x8xf32>) -> tensor<2x8xf32>
    return %32, %7, %12 : tensor<2x8xf32>, tensor<2x6x8xf32>, tensor<2x6x8xf32>
  }
  func.func private @_where(%arg0: tensor<1x6xi1>, %arg1: tensor<2x6xf32>, %arg2: tensor<f32>) -> tensor<2x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<1x6xi1>) -> tensor<2x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x6xi1>, tensor<2x6xf32>
    return %3 : tensor<2x6xf32>
  }
}
