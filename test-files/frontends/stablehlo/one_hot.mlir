// test: round-trip
// one hot
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 7xi32: 4 2 3 2 2 3 3
// out 7x5xf32: 0 0 0 0 1 0 0 1 0 0 0 0 0 1 0 0 0 1 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 1 0
// out 4x4xf32: 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1
// out 5xi32: 0 0 3 3 1
module @jit_one_hot attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7xi32>) -> (tensor<7x5xf32> {jax.result_info = "result[0]"}, tensor<4x4xf32> {jax.result_info = "result[1]"}, tensor<5xi32> {jax.result_info = "result[2]"}) {
    %0 = call @_one_hot(%arg0) : (tensor<7xi32>) -> tensor<7x5xf32>
    %1 = stablehlo.iota dim = 0 : tensor<4x4xi32>
    %2 = stablehlo.iota dim = 1 : tensor<4x4xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
    %4 = stablehlo.add %1, %3 : tensor<4x4xi32>
    %5 = stablehlo.compare EQ, %4, %2, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %6 = stablehlo.convert %5 : (tensor<4x4xi1>) -> tensor<4x4xf32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %8 = call @clip(%arg0, %c_1) : (tensor<7xi32>, tensor<i32>) -> tensor<7xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %10 = stablehlo.compare LT, %8, %9, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %c_3 = stablehlo.constant dense<5> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %12 = stablehlo.add %8, %11 : tensor<7xi32>
    %13 = stablehlo.select %10, %12, %8 : tensor<7xi1>, tensor<7xi32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0] : (tensor<7xi32>) -> tensor<7x1xi32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %15 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %16 = "stablehlo.scatter"(%7, %14, %15) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %17 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %17 : tensor<i32>
    }) : (tensor<5xi32>, tensor<7x1xi32>, tensor<7xi32>) -> tensor<5xi32>
    return %0, %6, %16 : tensor<7x5xf32>, tensor<4x4xf32>, tensor<5xi32>
  }
  func.func private @_one_hot(%arg0: tensor<7xi32>) -> tensor<7x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<7xi32>) -> tensor<7x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x5xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<7x1xi32>) -> tensor<7x5xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x5xi32>) -> tensor<7x5xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<7x5xi32>, tensor<7x5xi32>) -> tensor<7x5xi1>
    %5 = stablehlo.convert %4 : (tensor<7x5xi1>) -> tensor<7x5xf32>
    return %5 : tensor<7x5xf32>
  }
  func.func private @clip(%arg0: tensor<7xi32>, %arg1: tensor<i32>) -> tensor<7xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<7xi32>
    return %2 : tensor<7xi32>
  }
}
