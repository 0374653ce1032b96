// test: round-trip
// power iteration: `lax.fori_loop` of a product and a norm
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 5x5xf32: 0.6875 1.4375 -1.125 1.5625 1.375 1.0625 1.125 -1.875 -1.4375 -1.8125 1.375 -0.6875 -0.625 1.5 -0.9375 1.8125 -0.75 0.125
//   1.3125 1.1875 -0.125 -0.6875 1.6875 1.3125 0.8125
// in 5xf32: 1.3125 -1.375 -1.75 -1.125 1.875
// out 5xf32: 0.093060106 -0.6787365 0.20492843 0.50060433 0.48791003
module @jit_power_iteration attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x5xf32>, %arg1: tensor<5xf32>) -> (tensor<5xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0:4 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %c_0, %iterArg_2 = %c, %iterArg_3 = %arg1) : tensor<5x5xf32>, tensor<i32>, tensor<i32>, tensor<5xf32>
    cond {
      %c_4 = stablehlo.constant dense<6> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg_1, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1:2 = func.call @closed_call(%iterArg, %iterArg_2, %iterArg_3) : (tensor<5x5xf32>, tensor<i32>, tensor<5xf32>) -> (tensor<i32>, tensor<5xf32>)
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg_1, %c_4 : tensor<i32>
      stablehlo.return %iterArg, %2, %1#0, %1#1 : tensor<5x5xf32>, tensor<i32>, tensor<i32>, tensor<5xf32>
    }
    return %0#3 : tensor<5xf32>
  }
  func.func private @closed_call(%arg0: tensor<5x5xf32>, %arg1: tensor<i32>, %arg2: tensor<5xf32>) -> (tensor<i32>, tensor<5xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %1 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %2 = stablehlo.multiply %1, %1 : tensor<5xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
    %4 = stablehlo.sqrt %3 : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %6 = stablehlo.divide %1, %5 : tensor<5xf32>
    return %0, %6 : tensor<i32>, tensor<5xf32>
  }
}
