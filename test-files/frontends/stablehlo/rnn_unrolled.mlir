// test: round-trip
// rnn unrolled: The loop is Python's: each step is there
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 4x3xf32: -0.5 -0.6875 1 -0.375 1.1875 0.3125 -1.5 0 -0.375 0.25 0.3125 0.3125
// in 3x5xf32: 0.125 0.75 -0.3125 -0.875 0.375 0.5 -0.0625 0.6875 -0.4375 0.4375 0.3125 -0.1875 0.5625 0.9375 -0.5
// in 5x5xf32: -0.9375 0.25 0.625 -0.8125 0.1875 0.4375 -0.9375 0.25 -0.375 -0.75 -0.25 0.125 -0.6875 -0.375 0.3125 -0.9375 -0.125 0.6875
//   0.4375 0.8125 -0.25 1 -0.9375 -0.1875 0.4375
// out 4x5xf32: -0.09347629 -0.47733817 0.24124323 0.93231195 -0.7566286 0.43921015 -0.46041504 0.8644559 0.23965718 0.37232968 -0.48850948
//   -0.69435334 0.13317555 0.69947433 -0.16246328 0.18418264 0.16691409 0.31406292 0.1256007 0.26159996
module @jit_rnn_unrolled attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<3x5xf32>, %arg2: tensor<5x5xf32>) -> (tensor<4x5xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %1 = stablehlo.slice %arg0 [0:1, 0:3] : (tensor<4x3xf32>) -> tensor<1x3xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x3xf32>) -> tensor<3xf32>
    %3 = stablehlo.dot_general %2, %arg1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3xf32>, tensor<3x5xf32>) -> tensor<5xf32>
    %4 = stablehlo.dot_general %0, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5xf32>, tensor<5x5xf32>) -> tensor<5xf32>
    %cst_0 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %6 = stablehlo.divide %4, %5 : tensor<5xf32>
    %7 = stablehlo.add %3, %6 : tensor<5xf32>
    %8 = stablehlo.tanh %7 : tensor<5xf32>
    %9 = stablehlo.slice %arg0 [1:2, 0:3] : (tensor<4x3xf32>) -> tensor<1x3xf32>
    %10 = stablehlo.reshape %9 : (tensor<1x3xf32>) -> tensor<3xf32>
    %11 = stablehlo.dot_general %10, %arg1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3xf32>, tensor<3x5xf32>) -> tensor<5xf32>
    %12 = stablehlo.dot_general %8, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5xf32>, tensor<5x5xf32>) -> tensor<5xf32>
    %cst_1 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %14 = stablehlo.divide %12, %13 : tensor<5xf32>
    %15 = stablehlo.add %11, %14 : tensor<5xf32>
    %16 = stablehlo.tanh %15 : tensor<5xf32>
    %17 = stablehlo.slice %arg0 [2:3, 0:3] : (tensor<4x3xf32>) -> tensor<1x3xf32>
    %18 = stablehlo.reshape %17 : (tensor<1x3xf32>) -> tensor<3xf32>
    %19 = stablehlo.dot_general %18, %arg1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3xf32>, tensor<3x5xf32>) -> tensor<5xf32>
    %20 = stablehlo.dot_general %16, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5xf32>, tensor<5x5xf32>) -> tensor<5xf32>
    %cst_2 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %22 = stablehlo.divide %20, %21 : tensor<5xf32>
    %23 = stablehlo.add %19, %22 : tensor<5xf32>
    %24 = stablehlo.tanh %23 : tensor<5xf32>
    %25 = stablehlo.slice %arg0 [3:4, 0:3] : (tensor<4x3xf32>) -> tensor<1x3xf32>
    %26 = stablehlo.reshape %25 : (tensor<1x3xf32>) -> tensor<3xf32>
    %27 = stablehlo.dot_general %26, %arg1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3xf32>, tensor<3x5xf32>) -> tensor<5xf32>
    %28 = stablehlo.dot_general %24, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5xf32>, tensor<5x5xf32>) -> tensor<5xf32>
    %cst_3 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %30 = stablehlo.divide %28, %29 : tensor<5xf32>
    %31 = stablehlo.add %27, %30 : tensor<5xf32>
    %32 = stablehlo.tanh %31 : tensor<5xf32>
    %33 = stablehlo.broadcast_in_dim %8, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
    %34 = stablehlo.broadcast_in_dim %16, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
    %35 = stablehlo.broadcast_in_dim %24, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
    %36 = stablehlo.broadcast_in_dim %32, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
    %37 = stablehlo.concatenate %33, %34, %35, %36, dim = 0 : (tensor<1x5xf32>, tensor<1x5xf32>, tensor<1x5xf32>, tensor<1x5xf32>) -> tensor<4x5xf32>
    return %37 : tensor<4x5xf32>
  }
}
