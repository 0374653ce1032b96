// test: round-trip
// integers: Division as Python has it, remainders, shifts, bits
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 7xi32: -38 -56 -40 3 1 -85 70
// in 7xi32: 5 7 1 5 4 3 6
// out 7xi32: -8 -8 -40 0 0 -29 11
// out 7xi32: 2 0 0 3 1 2 4
// out 7xi32: 0 0 0 1 0 3 6
// out 7xi32: -33 -49 -39 6 5 -88 64
// out 7xi32: -38 -224 -80 3 16 -680 140
// out 7xi32: -19 -28 -20 1 0 -43 35
// out 7xi32: 536870907 536870905 536870907 0 0 536870901 8
// out 7xi32: 38 56 40 3 1 85 70
// out 7xi32: -5 -5 -5 3 1 -5 5
// out 7xi32: 29 27 28 2 1 29 3
module @jit_integers attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7xi32>, %arg1: tensor<7xi32>) -> (tensor<7xi32> {jax.result_info = "result[0]"}, tensor<7xi32> {jax.result_info = "result[1]"}, tensor<7xi32> {jax.result_info = "result[2]"}, tensor<7xi32> {jax.result_info = "result[3]"}, tensor<7xi32> {jax.result_info = "result[4]"}, tensor<7xi32> {jax.result_info = "result[5]"}, tensor<7xui32> {jax.result_info = "result[6]"}, tensor<7xi32> {jax.result_info = "result[7]"}, tensor<7xi32> {jax.result_info = "result[8]"}, tensor<7xi32> {jax.result_info = "result[9]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<7xi32>) -> tensor<7xui32>
    %1 = call @floor_divide(%arg0, %arg1) : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
    %2 = call @remainder(%arg0, %arg1) : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
    %3 = stablehlo.and %arg0, %arg1 : tensor<7xi32>
    %4 = stablehlo.xor %arg0, %arg1 : tensor<7xi32>
    %c = stablehlo.constant dense<5> : tensor<i32>
    %5 = call @remainder_0(%arg1, %c) : (tensor<7xi32>, tensor<i32>) -> tensor<7xi32>
    %6 = stablehlo.shift_left %arg0, %5 : tensor<7xi32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %8 = stablehlo.shift_right_arithmetic %arg0, %7 : tensor<7xi32>
    %c_1 = stablehlo.constant dense<3> : tensor<ui32>
    %9 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui32>) -> tensor<7xui32>
    %10 = stablehlo.shift_right_logical %0, %9 : tensor<7xui32>
    %11 = stablehlo.abs %arg0 : tensor<7xi32>
    %c_2 = stablehlo.constant dense<-5> : tensor<i32>
    %c_3 = stablehlo.constant dense<5> : tensor<i32>
    %12 = call @clip(%arg0, %c_2, %c_3) : (tensor<7xi32>, tensor<i32>, tensor<i32>) -> tensor<7xi32>
    %13 = stablehlo.popcnt %arg0 : tensor<7xi32>
    return %1, %2, %3, %4, %6, %8, %10, %11, %12, %13 : tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xui32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>
  }
  func.func private @floor_divide(%arg0: tensor<7xi32>, %arg1: tensor<7xi32>) -> tensor<7xi32> {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<7xi32>
    %1 = stablehlo.sign %arg0 : tensor<7xi32>
    %2 = stablehlo.sign %arg1 : tensor<7xi32>
    %3 = stablehlo.compare NE, %1, %2, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %4 = stablehlo.remainder %arg0, %arg1 : tensor<7xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %7 = stablehlo.and %3, %6 : tensor<7xi1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %9 = stablehlo.subtract %0, %8 : tensor<7xi32>
    %10 = call @_where(%7, %9, %0) : (tensor<7xi1>, tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
    return %10 : tensor<7xi32>
  }
  func.func private @_where(%arg0: tensor<7xi1>, %arg1: tensor<7xi32>, %arg2: tensor<7xi32>) -> tensor<7xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<7xi1>, tensor<7xi32>
    return %0 : tensor<7xi32>
  }
  func.func private @remainder(%arg0: tensor<7xi32>, %arg1: tensor<7xi32>) -> tensor<7xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %1 = stablehlo.compare EQ, %arg1, %0, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %3 = call @_where(%1, %2, %arg1) : (tensor<7xi1>, tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<7xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %10 = stablehlo.compare LT, %3, %9, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<7xi1>, tensor<7xi1>) -> tensor<7xi1>
    %12 = stablehlo.and %11, %6 : tensor<7xi1>
    %13 = stablehlo.add %4, %3 : tensor<7xi32>
    %14 = stablehlo.select %12, %13, %4 : tensor<7xi1>, tensor<7xi32>
    return %14 : tensor<7xi32>
  }
  func.func private @remainder_0(%arg0: tensor<7xi32>, %arg1: tensor<i32>) -> tensor<7xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where_1(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<7xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<7xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<7xi1>, tensor<7xi1>) -> tensor<7xi1>
    %12 = stablehlo.and %11, %6 : tensor<7xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %14 = stablehlo.add %4, %13 : tensor<7xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<7xi1>, tensor<7xi32>
    return %15 : tensor<7xi32>
  }
  func.func private @_where_1(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @clip(%arg0: tensor<7xi32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<7xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<7xi32>
    %3 = stablehlo.convert %arg2 : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %5 = stablehlo.minimum %4, %2 : tensor<7xi32>
    return %5 : tensor<7xi32>
  }
}
