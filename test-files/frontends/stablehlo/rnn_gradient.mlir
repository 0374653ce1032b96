// test: round-trip
// rnn gradient: Back through time, by the gradient of a scan
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 4x3xf32: 0 -1.375 1.4375 -2 -1.0625 -1.125 0.1875 -0.5625 -1.375 -2 0.375 -1.25
// in 3x5xf32: -0.5 1 0.125 0.5625 0.375 -0.75 -0.625 -0.5625 -0.8125 0.5625 -1 0.875 -0.4375 -0.3125 -0.6875
// in 5x5xf32: 0.5625 -0.125 -0.75 0.375 0.0625 -0.125 0.1875 0.4375 0.625 -0.1875 -0.4375 0.5625 -0.1875 -0.4375 -0.25 0.0625 -0.75 -0.4375
//   0.375 0.8125 0.125 0.0625 0 -0.4375 0.25
// out 3x5xf32: -0.13262191 0.04464104 -2.728807 -2.4337633 -2.9507556 -1.2274442 -0.5224791 -1.6314421 -2.1277819 -0.96780956 1.0051543
//   -0.92452055 -1.3091493 -1.0561298 -2.5182917
// out 5x5xf32: 0.03046915 0.13734122 0.26453254 0.09617457 0.2174751 -0.024423113 -0.1309344 -0.14360331 0.035231523 -0.075462185
//   0.022021312 0.10404336 0.21039921 0.13869986 0.20294096 0.016473373 0.045651056 0.22979721 0.1867242 0.239249 -0.0050105625 -0.07978341
//   -0.027476907 -0.17482369 -0.101244636
module @jit_rnn_gradient attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<3x5xf32>, %arg2: tensor<5x5xf32>) -> (tensor<3x5xf32> {jax.result_info = "result[0]"}, tensor<5x5xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5:9 = stablehlo.while(%iterArg = %arg0, %iterArg_11 = %arg1, %iterArg_12 = %arg2, %iterArg_13 = %c, %iterArg_14 = %0, %iterArg_15 = %1, %iterArg_16 = %2, %iterArg_17 = %3, %iterArg_18 = %4) : tensor<4x3xf32>, tensor<3x5xf32>, tensor<5x5xf32>, tensor<i32>, tensor<5xf32>, tensor<4xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>
    cond {
      %c_19 = stablehlo.constant dense<4> : tensor<i32>
      %13 = stablehlo.compare LT, %iterArg_13, %c_19, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %13 : tensor<i1>
    } do {
      %13 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_13) : (tensor<4x3xf32>, tensor<i32>) -> tensor<3xf32>
      %14:5 = func.call @closed_call(%iterArg_11, %iterArg_12, %iterArg_14, %13) : (tensor<3x5xf32>, tensor<5x5xf32>, tensor<5xf32>, tensor<3xf32>) -> (tensor<5xf32>, tensor<f32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>)
      %15 = func.call @dynamic_update_index_in_dim(%iterArg_15, %14#1, %iterArg_13) : (tensor<4xf32>, tensor<f32>, tensor<i32>) -> tensor<4xf32>
      %16 = func.call @dynamic_update_index_in_dim_0(%iterArg_16, %14#2, %iterArg_13) : (tensor<4x5xf32>, tensor<5xf32>, tensor<i32>) -> tensor<4x5xf32>
      %17 = func.call @dynamic_update_index_in_dim_0(%iterArg_17, %14#3, %iterArg_13) : (tensor<4x5xf32>, tensor<5xf32>, tensor<i32>) -> tensor<4x5xf32>
      %18 = func.call @dynamic_update_index_in_dim_0(%iterArg_18, %14#4, %iterArg_13) : (tensor<4x5xf32>, tensor<5xf32>, tensor<i32>) -> tensor<4x5xf32>
      %c_19 = stablehlo.constant dense<1> : tensor<i32>
      %19 = stablehlo.add %iterArg_13, %c_19 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_11, %iterArg_12, %19, %14#0, %15, %16, %17, %18 : tensor<4x3xf32>, tensor<3x5xf32>, tensor<5x5xf32>, tensor<i32>, tensor<5xf32>, tensor<4xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>
    }
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5#5 init: %cst_4) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %12:10 = stablehlo.while(%iterArg = %8, %iterArg_11 = %arg0, %iterArg_12 = %5#6, %iterArg_13 = %5#7, %iterArg_14 = %5#8, %iterArg_15 = %arg2, %iterArg_16 = %c_10, %iterArg_17 = %10, %iterArg_18 = %11, %iterArg_19 = %9) : tensor<4xf32>, tensor<4x3xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<5x5xf32>, tensor<i32>, tensor<3x5xf32>, tensor<5x5xf32>, tensor<5xf32>
    cond {
      %c_20 = stablehlo.constant dense<4> : tensor<i32>
      %13 = stablehlo.compare LT, %iterArg_16, %c_20, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %13 : tensor<i1>
    } do {
      %c_20 = stablehlo.constant dense<4> : tensor<i32>
      %13 = stablehlo.subtract %c_20, %iterArg_16 : tensor<i32>
      %c_21 = stablehlo.constant dense<1> : tensor<i32>
      %14 = stablehlo.subtract %13, %c_21 : tensor<i32>
      %15 = func.call @dynamic_index_in_dim_1(%iterArg, %14) : (tensor<4xf32>, tensor<i32>) -> tensor<f32>
      %16 = func.call @dynamic_index_in_dim(%iterArg_11, %14) : (tensor<4x3xf32>, tensor<i32>) -> tensor<3xf32>
      %17 = func.call @dynamic_index_in_dim_2(%iterArg_12, %14) : (tensor<4x5xf32>, tensor<i32>) -> tensor<5xf32>
      %18 = func.call @dynamic_index_in_dim_2(%iterArg_13, %14) : (tensor<4x5xf32>, tensor<i32>) -> tensor<5xf32>
      %19 = func.call @dynamic_index_in_dim_2(%iterArg_14, %14) : (tensor<4x5xf32>, tensor<i32>) -> tensor<5xf32>
      %20:3 = func.call @closed_call_3(%iterArg_15, %iterArg_17, %iterArg_18, %iterArg_19, %15, %16, %17, %18, %19) : (tensor<5x5xf32>, tensor<3x5xf32>, tensor<5x5xf32>, tensor<5xf32>, tensor<f32>, tensor<3xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) -> (tensor<3x5xf32>, tensor<5x5xf32>, tensor<5xf32>)
      %c_22 = stablehlo.constant dense<1> : tensor<i32>
      %21 = stablehlo.add %iterArg_16, %c_22 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_11, %iterArg_12, %iterArg_13, %iterArg_14, %iterArg_15, %21, %20#0, %20#1, %20#2 : tensor<4xf32>, tensor<4x3xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<5x5xf32>, tensor<i32>, tensor<3x5xf32>, tensor<5x5xf32>, tensor<5xf32>
    }
    return %12#7, %12#8 : tensor<3x5xf32>, tensor<5x5xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4x3xf32>, %arg1: tensor<i32>) -> tensor<3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 3] : (tensor<4x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x3xf32>) -> tensor<3xf32>
    return %1 : tensor<3xf32>
  }
  func.func private @closed_call(%arg0: tensor<3x5xf32>, %arg1: tensor<5x5xf32>, %arg2: tensor<5xf32>, %arg3: tensor<3xf32>) -> (tensor<5xf32>, tensor<f32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) {
    %0 = stablehlo.dot_general %arg3, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3xf32>, tensor<3x5xf32>) -> tensor<5xf32>
    %1 = stablehlo.dot_general %arg2, %arg1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5xf32>, tensor<5x5xf32>) -> tensor<5xf32>
    %cst = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %3 = stablehlo.divide %1, %2 : tensor<5xf32>
    %4 = stablehlo.add %0, %3 : tensor<5xf32>
    %5 = stablehlo.tanh %4 : tensor<5xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<5xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%5 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
    return %5, %8, %arg2, %5, %7 : tensor<5xf32>, tensor<f32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<4xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>) -> tensor<4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func private @dynamic_update_index_in_dim_0(%arg0: tensor<4x5xf32>, %arg1: tensor<5xf32>, %arg2: tensor<i32>) -> tensor<4x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<4x5xf32>, tensor<1x5xf32>, tensor<i32>, tensor<i32>) -> tensor<4x5xf32>
    return %1 : tensor<4x5xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<4xf32>, %arg1: tensor<i32>) -> tensor<f32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<4x5xf32>, %arg1: tensor<i32>) -> tensor<5xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 5] : (tensor<4x5xf32>, tensor<i32>, tensor<i32>) -> tensor<1x5xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x5xf32>) -> tensor<5xf32>
    return %1 : tensor<5xf32>
  }
  func.func private @closed_call_3(%arg0: tensor<5x5xf32>, %arg1: tensor<3x5xf32>, %arg2: tensor<5x5xf32>, %arg3: tensor<5xf32>, %arg4: tensor<f32>, %arg5: tensor<3xf32>, %arg6: tensor<5xf32>, %arg7: tensor<5xf32>, %arg8: tensor<5xf32>) -> (tensor<3x5xf32>, tensor<5x5xf32>, tensor<5xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %1 = stablehlo.add %arg3, %0 : tensor<5xf32>
    %2 = stablehlo.multiply %1, %arg8 : tensor<5xf32>
    %3 = stablehlo.multiply %2, %arg7 : tensor<5xf32>
    %4 = stablehlo.add %2, %3 : tensor<5xf32>
    %cst = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %6 = stablehlo.divide %4, %5 : tensor<5xf32>
    %7 = stablehlo.dot_general %6, %arg6, contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<5xf32>, tensor<5xf32>) -> tensor<5x5xf32>
    %8 = stablehlo.transpose %7, dims = [1, 0] : (tensor<5x5xf32>) -> tensor<5x5xf32>
    %9 = stablehlo.add %arg2, %8 : tensor<5x5xf32>
    %10 = stablehlo.dot_general %6, %arg0, contracting_dims = [0] x [1], precision = [DEFAULT, DEFAULT] : (tensor<5xf32>, tensor<5x5xf32>) -> tensor<5xf32>
    %11 = stablehlo.dot_general %4, %arg5, contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<5xf32>, tensor<3xf32>) -> tensor<5x3xf32>
    %12 = stablehlo.transpose %11, dims = [1, 0] : (tensor<5x3xf32>) -> tensor<3x5xf32>
    %13 = stablehlo.add %arg1, %12 : tensor<3x5xf32>
    return %13, %9, %10 : tensor<3x5xf32>, tensor<5x5xf32>, tensor<5xf32>
  }
}
