// test: round-trip
// lstm scan: A sequence by `lax.scan`: the last state and all outputs
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 5x2x3xf32: -1.875 0.8125 -0.3125 0.5625 -0.9375 -1.5 0.4375 -1.5625 -1.5625 0.625 0.625 1.4375 -0.25 -1.1875 -1.1875 -1.125 -1.5625
//   0.875 1.0625 -0.125 0.75 -0.375 0.9375 -0.625 -0.0625 -1.75 -1.25 -0.1875 -1.4375 -0.8125
// in 3x16xf32: -1.9375 -0.4375 -1.5 0.1875 -0.6875 0.75 -1.6875 0.5 -1.875 1 -0.875 -1.9375 -0.9375 0.625 -0.875 0.1875 1.8125 1.4375
//   -1.5625 1.8125 -0.125 -2 -1.125 1.3125 1.125 -1 -1.3125 0.5 -0.1875 1.0625 -2 1.4375 0.3125 1.8125 -1.875 0.5625 -1.625 1.4375 1.375 0
//   -1.375 -1.0625 0.3125 -1.375 0.25 0 1.1875 1
// in 4x16xf32: 1.875 -0.1875 -0.375 0.75 -0.9375 -1.5 -0.625 1.9375 1.9375 -0.125 1.3125 1.3125 -1.8125 0.9375 -1.875 1.125 -1.625 -0.5
//   1.875 -1.5625 -1.75 -0.1875 0.375 -0.6875 -0.5625 -0.4375 -1.25 2 -0.9375 -0.75 -1.0625 1.125 0.875 -1.375 1.5625 0.375 0.1875 -0.625
//   -1.6875 -1.0625 -1.875 -0.4375 -0.5 1.75 -1.3125 0.3125 0.4375 0.0625 0.0625 1.25 1.625 0 -0.5625 -1.5625 -0.4375 -1.5 -0.125 0.875 1.5
//   -0.125 1.25 -1.1875 0 1.875
// in 16xf32: -0.5 -0.9375 -2 1.125 -0.9375 -0.75 0.25 1 -0.25 0.125 1.625 -1.875 -1.625 0.875 1.0625 -0.875
// out 2x4xf32: -0.023468347 0.04858192 0.46980187 -0.07839608 -0.0025231722 0.0200339 0.3804833 -0.10867699
// out 2x4xf32: -0.1642604 0.08346855 0.6174148 -1.1974945 -0.016140783 0.0329386 0.47850394 -1.4959055
// out 5x2x4xf32: 0.14442633 -0.15029182 0.14482018 -0.0953103 -0.005901335 0.045921534 0.19538824 -0.07066551 0.034231476 -0.024511062
//   0.3398524 -0.059212167 -0.045673836 -0.13557181 0.13394669 -0.4120421 0.0138546 0.028300174 0.4545032 -0.09215765 -0.06340065
//   -0.079841666 0.32854772 -0.13829803 -0.023297412 0.056011688 0.25243336 -0.30571163 0.020373138 -0.04754263 0.15398215 -0.29714882
//   -0.023468347 0.04858192 0.46980187 -0.07839608 -0.0025231722 0.0200339 0.3804833 -0.10867699
module @jit_lstm_scan attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x2x3xf32>, %arg1: tensor<3x16xf32>, %arg2: tensor<4x16xf32>, %arg3: tensor<16xf32>) -> (tensor<2x4xf32> {jax.result_info = "result[0][0]"}, tensor<2x4xf32> {jax.result_info = "result[0][1]"}, tensor<5x2x4xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:8 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %arg1, %iterArg_2 = %arg2, %iterArg_3 = %arg3, %iterArg_4 = %c, %iterArg_5 = %0, %iterArg_6 = %0, %iterArg_7 = %1) : tensor<5x2x3xf32>, tensor<3x16xf32>, tensor<4x16xf32>, tensor<16xf32>, tensor<i32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<5x2x4xf32>
    cond {
      %c_8 = stablehlo.constant dense<5> : tensor<i32>
      %3 = stablehlo.compare LT, %iterArg_4, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %3 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_4) : (tensor<5x2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
      %4:3 = func.call @closed_call(%iterArg_1, %iterArg_2, %iterArg_3, %iterArg_5, %iterArg_6, %3) : (tensor<3x16xf32>, tensor<4x16xf32>, tensor<16xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x3xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
      %5 = func.call @dynamic_update_index_in_dim(%iterArg_7, %4#2, %iterArg_4) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %c_8 = stablehlo.constant dense<1> : tensor<i32>
      %6 = stablehlo.add %iterArg_4, %c_8 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_1, %iterArg_2, %iterArg_3, %6, %4#0, %4#1, %5 : tensor<5x2x3xf32>, tensor<3x16xf32>, tensor<4x16xf32>, tensor<16xf32>, tensor<i32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<5x2x4xf32>
    }
    return %2#5, %2#6, %2#7 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<5x2x4xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<5x2x3xf32>, %arg1: tensor<i32>) -> tensor<2x3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 2, 3] : (tensor<5x2x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
  }
  func.func private @closed_call(%arg0: tensor<3x16xf32>, %arg1: tensor<4x16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<2x4xf32>, %arg4: tensor<2x4xf32>, %arg5: tensor<2x3xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
    %0 = stablehlo.dot_general %arg5, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x16xf32>) -> tensor<2x16xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x16xf32>
    %2 = stablehlo.divide %0, %1 : tensor<2x16xf32>
    %3 = stablehlo.dot_general %arg3, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x16xf32>) -> tensor<2x16xf32>
    %cst_0 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x16xf32>
    %5 = stablehlo.divide %3, %4 : tensor<2x16xf32>
    %6 = stablehlo.add %2, %5 : tensor<2x16xf32>
    %7 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<2x16xf32>
    %9 = stablehlo.add %6, %8 : tensor<2x16xf32>
    %10 = stablehlo.slice %9 [0:2, 0:4] : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %11 = stablehlo.slice %9 [0:2, 4:8] : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %12 = stablehlo.slice %9 [0:2, 8:12] : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %13 = stablehlo.slice %9 [0:2, 12:16] : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %14 = stablehlo.negate %11 : tensor<2x4xf32>
    %15 = stablehlo.exponential %14 : tensor<2x4xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %17 = stablehlo.add %16, %15 : tensor<2x4xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %19 = stablehlo.divide %18, %17 : tensor<2x4xf32>
    %20 = stablehlo.multiply %19, %arg4 : tensor<2x4xf32>
    %21 = stablehlo.negate %10 : tensor<2x4xf32>
    %22 = stablehlo.exponential %21 : tensor<2x4xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %24 = stablehlo.add %23, %22 : tensor<2x4xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %26 = stablehlo.divide %25, %24 : tensor<2x4xf32>
    %27 = stablehlo.tanh %12 : tensor<2x4xf32>
    %28 = stablehlo.multiply %26, %27 : tensor<2x4xf32>
    %29 = stablehlo.add %20, %28 : tensor<2x4xf32>
    %30 = stablehlo.negate %13 : tensor<2x4xf32>
    %31 = stablehlo.exponential %30 : tensor<2x4xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %33 = stablehlo.add %32, %31 : tensor<2x4xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %35 = stablehlo.divide %34, %33 : tensor<2x4xf32>
    %36 = stablehlo.tanh %29 : tensor<2x4xf32>
    %37 = stablehlo.multiply %35, %36 : tensor<2x4xf32>
    return %37, %29, %37 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<5x2x4xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<i32>) -> tensor<5x2x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<2x4xf32>) -> tensor<1x2x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<5x2x4xf32>, tensor<1x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x2x4xf32>
    return %1 : tensor<5x2x4xf32>
  }
}
