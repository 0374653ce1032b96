// test: round-trip
// state space: A linear system in time, backwards too
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 6x2xf32: 1.5 -0.0625 0.25 -1.0625 -0.4375 -1.75 -0.5625 0.875 1.0625 1.25 -0.0625 0.1875
// in 3x3xf32: 0.9375 0.25 0.375 -0.6875 0.875 0.125 -0.875 -0.6875 0.8125
// in 2x3xf32: 0 1.1875 -0.625 -1.625 1.875 1.8125
// in 3x2xf32: 0.0625 -0.875 -1.1875 0.875 -1 -1.25
// out 6x2xf32: -0.9189453 2.680664 3.6987495 0.30869293 7.703519 -2.5150993 -2.6677287 -1.7678859 -6.454726 2.685041 -1.4823012 1.3260379
// out 6x2xf32: -0.7868414 1.7255735 5.2414913 -1.4391398 7.608426 -1.4689336 -3.9409437 1.002178 -6.051796 3.0149994 -0.7272949 0.03564453
module @jit_state_space attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x2xf32>, %arg1: tensor<3x3xf32>, %arg2: tensor<2x3xf32>, %arg3: tensor<3x2xf32>) -> (tensor<6x2xf32> {jax.result_info = "result[0]"}, tensor<6x2xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:7 = stablehlo.while(%iterArg = %arg0, %iterArg_3 = %arg1, %iterArg_4 = %arg2, %iterArg_5 = %arg3, %iterArg_6 = %c, %iterArg_7 = %0, %iterArg_8 = %1) : tensor<6x2xf32>, tensor<3x3xf32>, tensor<2x3xf32>, tensor<3x2xf32>, tensor<i32>, tensor<3xf32>, tensor<6x2xf32>
    cond {
      %c_9 = stablehlo.constant dense<6> : tensor<i32>
      %5 = stablehlo.compare LT, %iterArg_6, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    } do {
      %5 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_6) : (tensor<6x2xf32>, tensor<i32>) -> tensor<2xf32>
      %6:2 = func.call @closed_call(%iterArg_3, %iterArg_4, %iterArg_5, %iterArg_7, %5) : (tensor<3x3xf32>, tensor<2x3xf32>, tensor<3x2xf32>, tensor<3xf32>, tensor<2xf32>) -> (tensor<3xf32>, tensor<2xf32>)
      %7 = func.call @dynamic_update_index_in_dim(%iterArg_8, %6#1, %iterArg_6) : (tensor<6x2xf32>, tensor<2xf32>, tensor<i32>) -> tensor<6x2xf32>
      %c_9 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.add %iterArg_6, %c_9 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_3, %iterArg_4, %iterArg_5, %8, %6#0, %7 : tensor<6x2xf32>, tensor<3x3xf32>, tensor<2x3xf32>, tensor<3x2xf32>, tensor<i32>, tensor<3xf32>, tensor<6x2xf32>
    }
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %4:7 = stablehlo.while(%iterArg = %arg0, %iterArg_3 = %arg1, %iterArg_4 = %arg2, %iterArg_5 = %arg3, %iterArg_6 = %c_2, %iterArg_7 = %0, %iterArg_8 = %3) : tensor<6x2xf32>, tensor<3x3xf32>, tensor<2x3xf32>, tensor<3x2xf32>, tensor<i32>, tensor<3xf32>, tensor<6x2xf32>
    cond {
      %c_9 = stablehlo.constant dense<6> : tensor<i32>
      %5 = stablehlo.compare LT, %iterArg_6, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    } do {
      %c_9 = stablehlo.constant dense<6> : tensor<i32>
      %5 = stablehlo.subtract %c_9, %iterArg_6 : tensor<i32>
      %c_10 = stablehlo.constant dense<1> : tensor<i32>
      %6 = stablehlo.subtract %5, %c_10 : tensor<i32>
      %7 = func.call @dynamic_index_in_dim(%iterArg, %6) : (tensor<6x2xf32>, tensor<i32>) -> tensor<2xf32>
      %8:2 = func.call @closed_call(%iterArg_3, %iterArg_4, %iterArg_5, %iterArg_7, %7) : (tensor<3x3xf32>, tensor<2x3xf32>, tensor<3x2xf32>, tensor<3xf32>, tensor<2xf32>) -> (tensor<3xf32>, tensor<2xf32>)
      %9 = func.call @dynamic_update_index_in_dim(%iterArg_8, %8#1, %6) : (tensor<6x2xf32>, tensor<2xf32>, tensor<i32>) -> tensor<6x2xf32>
      %c_11 = stablehlo.constant dense<1> : tensor<i32>
      %10 = stablehlo.add %iterArg_6, %c_11 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_3, %iterArg_4, %iterArg_5, %10, %8#0, %9 : tensor<6x2xf32>, tensor<3x3xf32>, tensor<2x3xf32>, tensor<3x2xf32>, tensor<i32>, tensor<3xf32>, tensor<6x2xf32>
    }
    return %2#6, %4#6 : tensor<6x2xf32>, tensor<6x2xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<6x2xf32>, %arg1: tensor<i32>) -> tensor<2xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 2] : (tensor<6x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2xf32>) -> tensor<2xf32>
    return %1 : tensor<2xf32>
  }
  func.func private @closed_call(%arg0: tensor<3x3xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<3x2xf32>, %arg3: tensor<3xf32>, %arg4: tensor<2xf32>) -> (tensor<3xf32>, tensor<2xf32>) {
    %0 = stablehlo.dot_general %arg3, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3xf32>, tensor<3x3xf32>) -> tensor<3xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %2 = stablehlo.multiply %1, %0 : tensor<3xf32>
    %3 = stablehlo.dot_general %arg4, %arg1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<3xf32>
    %4 = stablehlo.add %2, %3 : tensor<3xf32>
    %5 = stablehlo.dot_general %4, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3xf32>, tensor<3x2xf32>) -> tensor<2xf32>
    return %4, %5 : tensor<3xf32>, tensor<2xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<6x2xf32>, %arg1: tensor<2xf32>, %arg2: tensor<i32>) -> tensor<6x2xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<6x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<6x2xf32>
    return %1 : tensor<6x2xf32>
  }
}
