// test: round-trip
// embedding
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 9x4xf32: -1 -0.0625 -0.75 -1 -0.4375 0.875 -0.0625 0.5625 -1.625 1.75 -1.375 -1.875 0.1875 1.375 0.8125 0 1.4375 -0.25 0.875 -0.0625
//   0.8125 -1.5 -1.5 -1.75 1.375 0.9375 0.1875 0.6875 -0.625 -0.4375 -1.625 0.125 -1.625 -0.4375 -0.5 -0.375
// in 2x3xi32: 8 1 2 7 6 4
// out 2x3x4xf32: -1.625 -0.4375 -0.5 -0.375 -0.4375 0.875 -0.0625 0.5625 -1.625 1.75 -1.375 -1.875 -0.625 -0.4375 -1.625 0.125 1.375 0.9375
//   0.1875 0.6875 1.4375 -0.25 0.875 -0.0625
module @jit_embedding attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9x4xf32>, %arg1: tensor<2x3xi32>) -> (tensor<2x3x4xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %c_0 = stablehlo.constant dense<9> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<2x3xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<2x3xi1>, tensor<2x3xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<9x4xf32>, tensor<2x3x1xi32>) -> tensor<2x3x4xf32>
    return %6 : tensor<2x3x4xf32>
  }
}
