// test: round-trip
// embedding gradient: Adds rows at places that are data
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 9x4xf32: 1.9375 0 -1.0625 0.1875 1.0625 -1.5 -0.8125 -0.8125 1.1875 0.3125 -0.4375 1.1875 1.9375 -1.4375 1.625 -1.125 0.625 1.8125
//   -0.375 0.6875 -0.5625 1.0625 -0.0625 0.625 -0.4375 -1.1875 0.5625 -1.125 -0.875 -1.125 1.875 -0.0625 -1.375 0.25 -0.625 1.9375
// in 2x3xi32: 3 7 3 1 1 7
// out 9x4xf32: 0 0 0 0 0.9733793 0.1414744 1.3753711 1.3753711 0 0 0 0 -0.7170804 0.2658039 -0.10835427 0.862353 0 0 0 0 0 0 0 0 0 0 0 0
//   1.2819937 0.862353 -0.59906703 1.9960951 0 0 0 0
module @jit_embedding_gradient attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9x4xf32>, %arg1: tensor<2x3xi32>) -> (tensor<9x4xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %c_0 = stablehlo.constant dense<9> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<2x3xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<2x3xi1>, tensor<2x3xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<9x4xf32>, tensor<2x3x1xi32>) -> tensor<2x3x4xf32>
    %7 = stablehlo.sine %6 : tensor<2x3x4xf32>
    %8 = stablehlo.cosine %6 : tensor<2x3x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%7 init: %cst) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x3x4xf32>
    %11 = stablehlo.multiply %10, %8 : tensor<2x3x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<9x4xf32>
    %13 = "stablehlo.scatter"(%12, %5, %11) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %14 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %14 : tensor<f32>
    }) : (tensor<9x4xf32>, tensor<2x3x1xi32>, tensor<2x3x4xf32>) -> tensor<9x4xf32>
    return %13 : tensor<9x4xf32>
  }
}
