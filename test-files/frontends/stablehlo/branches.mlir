// test: round-trip
// branches: `lax.cond` and `lax.switch`
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 6xf32: -1.625 -1.0625 1.0625 -0.3125 -0.4375 -1.6875
// in i32: 3
// in i32: 0
// out 6xf32: 4.265625 2.1914062 0.06640625 0.41015625 0.62890625 4.5351562
module @jit_branches attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> (tensor<6xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare GT, %arg2, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = stablehlo.convert %0 : (tensor<i1>) -> tensor<i32>
    %2 = "stablehlo.case"(%1) ({
      %6 = stablehlo.multiply %arg0, %arg0 : tensor<6xf32>
      stablehlo.return %6 : tensor<6xf32>
    }, {
      %6 = stablehlo.sine %arg0 : tensor<6xf32>
      stablehlo.return %6 : tensor<6xf32>
    }) : (tensor<i32>) -> tensor<6xf32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<2> : tensor<i32>
    %3 = stablehlo.clamp %c_0, %arg1, %c_1 : tensor<i32>
    %4 = "stablehlo.case"(%3) ({
      %6 = stablehlo.cosine %arg0 : tensor<6xf32>
      stablehlo.return %6 : tensor<6xf32>
    }, {
      %6 = stablehlo.exponential %arg0 : tensor<6xf32>
      stablehlo.return %6 : tensor<6xf32>
    }, {
      %6 = stablehlo.negate %arg0 : tensor<6xf32>
      stablehlo.return %6 : tensor<6xf32>
    }) : (tensor<i32>) -> tensor<6xf32>
    %5 = stablehlo.add %2, %4 : tensor<6xf32>
    return %5 : tensor<6xf32>
  }
}
