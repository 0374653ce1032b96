// test: round-trip
// heat: Steps in time over a plate: slices and padding in a loop
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 4x4xf32: 1.75 -1.8125 0.375 0 -1.125 0.0625 0.625 -0.9375 0.3125 -1.5 1.75 -1.9375 -0.3125 -0.4375 -1.75 -0.5
// out 4x4xf32: -0.048257798 -0.0793281 -0.0755129 -0.057057846 -0.096158415 -0.15452074 -0.15210053 -0.115457274 -0.124700524 -0.20353709
//   -0.21033312 -0.15760869 -0.0975349 -0.16324335 -0.17407508 -0.12787874
module @jit_heat attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x4xf32>) -> (tensor<4x4xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %c_0, %iterArg_1 = %c, %iterArg_2 = %arg0) : tensor<i32>, tensor<i32>, tensor<4x4xf32>
    cond {
      %c_3 = stablehlo.constant dense<10> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1:2 = func.call @closed_call(%iterArg_1, %iterArg_2) : (tensor<i32>, tensor<4x4xf32>) -> (tensor<i32>, tensor<4x4xf32>)
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg, %c_3 : tensor<i32>
      stablehlo.return %2, %1#0, %1#1 : tensor<i32>, tensor<i32>, tensor<4x4xf32>
    }
    return %0#2 : tensor<4x4xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<4x4xf32>) -> (tensor<i32>, tensor<4x4xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = call @_pad(%arg1, %c_0) : (tensor<4x4xf32>, tensor<i32>) -> tensor<6x6xf32>
    %2 = stablehlo.slice %1 [0:4, 1:5] : (tensor<6x6xf32>) -> tensor<4x4xf32>
    %3 = stablehlo.slice %1 [2:6, 1:5] : (tensor<6x6xf32>) -> tensor<4x4xf32>
    %4 = stablehlo.add %2, %3 : tensor<4x4xf32>
    %5 = stablehlo.slice %1 [1:5, 0:4] : (tensor<6x6xf32>) -> tensor<4x4xf32>
    %6 = stablehlo.add %4, %5 : tensor<4x4xf32>
    %7 = stablehlo.slice %1 [1:5, 2:6] : (tensor<6x6xf32>) -> tensor<4x4xf32>
    %8 = stablehlo.add %6, %7 : tensor<4x4xf32>
    %cst = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %10 = stablehlo.multiply %9, %arg1 : tensor<4x4xf32>
    %11 = stablehlo.subtract %8, %10 : tensor<4x4xf32>
    %cst_1 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %13 = stablehlo.multiply %12, %11 : tensor<4x4xf32>
    %14 = stablehlo.add %arg1, %13 : tensor<4x4xf32>
    return %0, %14 : tensor<i32>, tensor<4x4xf32>
  }
  func.func private @_pad(%arg0: tensor<4x4xf32>, %arg1: tensor<i32>) -> tensor<6x6xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1, 1], high = [1, 1], interior = [0, 0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<6x6xf32>
    return %1 : tensor<6x6xf32>
  }
}
