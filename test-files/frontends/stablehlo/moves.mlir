// test: round-trip
// moves: Padding of all kinds, turns, rolls, triangles
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 3x5xf32: 0 0.625 -0.375 -1.875 0.3125 -1.9375 -0.9375 1.375 -0.125 0.375 1.875 -1.125 1.4375 1 -0.5
// out 4x7xf32: 3 3 3 3 3 3 3 0 0.625 -0.375 -1.875 0.3125 3 3 -1.9375 -0.9375 1.375 -0.125 0.375 3 3 1.875 -1.125 1.4375 1 -0.5 3 3
// out 3x8xf32: 0 0 0 0.625 -0.375 -1.875 0.3125 0.3125 -1.9375 -1.9375 -1.9375 -0.9375 1.375 -0.125 0.375 0.375 1.875 1.875 1.875 -1.125
//   1.4375 1 -0.5 -0.5
// out 5x7xf32: -0.9375 -1.9375 -0.9375 1.375 -0.125 0.375 -0.125 0.625 0 0.625 -0.375 -1.875 0.3125 -1.875 -0.9375 -1.9375 -0.9375 1.375
//   -0.125 0.375 -0.125 -1.125 1.875 -1.125 1.4375 1 -0.5 1 -0.9375 -1.9375 -0.9375 1.375 -0.125 0.375 -0.125
// out 3x5xf32: 1.875 -1.125 1.4375 1 -0.5 -1.9375 -0.9375 1.375 -0.125 0.375 0 0.625 -0.375 -1.875 0.3125
// out 3x5xf32: 0.3125 -1.875 -0.375 0.625 0 0.375 -0.125 1.375 -0.9375 -1.9375 -0.5 1 1.4375 -1.125 1.875
// out 3x5xf32: -1.875 0.3125 0 0.625 -0.375 -0.125 0.375 -1.9375 -0.9375 1.375 1 -0.5 1.875 -1.125 1.4375
// out 5x3xf32: 0.3125 0.375 -0.5 -1.875 -0.125 1 -0.375 1.375 1.4375 0.625 -0.9375 -1.125 0 -1.9375 1.875
// out 3x5xf32: 0 0 0 0 0 -1.9375 -0.9375 0 0 0 1.875 -1.125 1.4375 0 0
// out 3x5xf32: 0 0.625 -0.375 -1.875 0.3125 0 0 1.375 -0.125 0.375 0 0 0 1 -0.5
// out 15xf32: 0 -1.9375 1.875 0.625 -0.9375 -1.125 -0.375 1.375 1.4375 -1.875 -0.125 1 0.3125 0.375 -0.5
// out 5x3x1xf32: 0 -1.9375 1.875 0.625 -0.9375 -1.125 -0.375 1.375 1.4375 -1.875 -0.125 1 0.3125 0.375 -0.5
// out 8x4xf32: 0 0 0 0 0 0.625 -0.375 -1.875 0 0 0 0 -1.9375 -0.9375 1.375 -0.125 0 0 0 0 1.875 -1.125 1.4375 1 0 0 0 0 0 0 0 0
// out 6x5xf32: 0 0.625 -0.375 -1.875 0.3125 0 0.625 -0.375 -1.875 0.3125 -1.9375 -0.9375 1.375 -0.125 0.375 -1.9375 -0.9375 1.375 -0.125
//   0.375 1.875 -1.125 1.4375 1 -0.5 1.875 -1.125 1.4375 1 -0.5
module @jit_moves attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x5xf32>) -> (tensor<4x7xf32> {jax.result_info = "result[0]"}, tensor<3x8xf32> {jax.result_info = "result[1]"}, tensor<5x7xf32> {jax.result_info = "result[2]"}, tensor<3x5xf32> {jax.result_info = "result[3]"}, tensor<3x5xf32> {jax.result_info = "result[4]"}, tensor<3x5xf32> {jax.result_info = "result[5]"}, tensor<5x3xf32> {jax.result_info = "result[6]"}, tensor<3x5xf32> {jax.result_info = "result[7]"}, tensor<3x5xf32> {jax.result_info = "result[8]"}, tensor<15xf32> {jax.result_info = "result[9]"}, tensor<5x3x1xf32> {jax.result_info = "result[10]"}, tensor<8x4xf32> {jax.result_info = "result[11]"}, tensor<6x5xf32> {jax.result_info = "result[12]"}) {
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %0 = call @_pad(%arg0, %cst) : (tensor<3x5xf32>, tensor<f32>) -> tensor<4x7xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = call @_pad_0(%arg0, %c) : (tensor<3x5xf32>, tensor<i32>) -> tensor<3x8xf32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %2 = call @_pad_1(%arg0, %c_0) : (tensor<3x5xf32>, tensor<i32>) -> tensor<5x7xf32>
    %3 = stablehlo.reverse %arg0, dims = [0] : tensor<3x5xf32>
    %4 = call @_flip_3(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %5 = call @_roll_static(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %6 = call @rot90(%arg0) : (tensor<3x5xf32>) -> tensor<5x3xf32>
    %7 = call @tril(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %8 = call @triu(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %9 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<3x5xf32>) -> tensor<5x3xf32>
    %10 = stablehlo.reshape %9 : (tensor<5x3xf32>) -> tensor<15xf32>
    %11 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<3x5xf32>) -> tensor<1x3x5xf32>
    %12 = stablehlo.transpose %11, dims = [2, 1, 0] : (tensor<1x3x5xf32>) -> tensor<5x3x1xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.pad %arg0, %cst_1, low = [1, 0], high = [2, -1], interior = [1, 0] : (tensor<3x5xf32>, tensor<f32>) -> tensor<8x4xf32>
    %14 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<3x5xf32>) -> tensor<3x2x5xf32>
    %15 = stablehlo.reshape %14 : (tensor<3x2x5xf32>) -> tensor<6x5xf32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %10, %12, %13, %15 : tensor<4x7xf32>, tensor<3x8xf32>, tensor<5x7xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<5x3xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<15xf32>, tensor<5x3x1xf32>, tensor<8x4xf32>, tensor<6x5xf32>
  }
  func.func private @_pad(%arg0: tensor<3x5xf32>, %arg1: tensor<f32>) -> tensor<4x7xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1, 0], high = [0, 2], interior = [0, 0] : (tensor<3x5xf32>, tensor<f32>) -> tensor<4x7xf32>
    return %1 : tensor<4x7xf32>
  }
  func.func private @_pad_0(%arg0: tensor<3x5xf32>, %arg1: tensor<i32>) -> tensor<3x8xf32> {
    %0 = stablehlo.slice %arg0 [0:1, 0:5] : (tensor<3x5xf32>) -> tensor<1x5xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 2] : (tensor<1x5xf32>) -> tensor<1x0x5xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x0x5xf32>) -> tensor<0x5xf32>
    %3 = stablehlo.slice %arg0 [2:3, 0:5] : (tensor<3x5xf32>) -> tensor<1x5xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 2] : (tensor<1x5xf32>) -> tensor<1x0x5xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x0x5xf32>) -> tensor<0x5xf32>
    %6 = stablehlo.concatenate %2, %arg0, %5, dim = 0 : (tensor<0x5xf32>, tensor<3x5xf32>, tensor<0x5xf32>) -> tensor<3x5xf32>
    %7 = stablehlo.slice %6 [0:3, 0:1] : (tensor<3x5xf32>) -> tensor<3x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x1x2xf32>
    %9 = stablehlo.reshape %8 : (tensor<3x1x2xf32>) -> tensor<3x2xf32>
    %10 = stablehlo.slice %6 [0:3, 4:5] : (tensor<3x5xf32>) -> tensor<3x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x1x1xf32>
    %12 = stablehlo.reshape %11 : (tensor<3x1x1xf32>) -> tensor<3x1xf32>
    %13 = stablehlo.concatenate %9, %6, %12, dim = 1 : (tensor<3x2xf32>, tensor<3x5xf32>, tensor<3x1xf32>) -> tensor<3x8xf32>
    return %13 : tensor<3x8xf32>
  }
  func.func private @_pad_1(%arg0: tensor<3x5xf32>, %arg1: tensor<i32>) -> tensor<5x7xf32> {
    %0 = stablehlo.slice %arg0 [0:1, 0:5] : (tensor<3x5xf32>) -> tensor<1x5xf32>
    %1 = stablehlo.slice %arg0 [1:2, 0:5] : (tensor<3x5xf32>) -> tensor<1x5xf32>
    %2 = call @_flip(%1) : (tensor<1x5xf32>) -> tensor<1x5xf32>
    %3 = stablehlo.concatenate %2, %arg0, dim = 0 : (tensor<1x5xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
    %4 = stablehlo.slice %3 [3:4, 0:5] : (tensor<4x5xf32>) -> tensor<1x5xf32>
    %5 = stablehlo.slice %3 [2:3, 0:5] : (tensor<4x5xf32>) -> tensor<1x5xf32>
    %6 = call @_flip(%5) : (tensor<1x5xf32>) -> tensor<1x5xf32>
    %7 = stablehlo.concatenate %3, %6, dim = 0 : (tensor<4x5xf32>, tensor<1x5xf32>) -> tensor<5x5xf32>
    %8 = stablehlo.slice %7 [0:5, 0:1] : (tensor<5x5xf32>) -> tensor<5x1xf32>
    %9 = stablehlo.slice %7 [0:5, 1:2] : (tensor<5x5xf32>) -> tensor<5x1xf32>
    %10 = call @_flip_2(%9) : (tensor<5x1xf32>) -> tensor<5x1xf32>
    %11 = stablehlo.concatenate %10, %7, dim = 1 : (tensor<5x1xf32>, tensor<5x5xf32>) -> tensor<5x6xf32>
    %12 = stablehlo.slice %11 [0:5, 5:6] : (tensor<5x6xf32>) -> tensor<5x1xf32>
    %13 = stablehlo.slice %11 [0:5, 4:5] : (tensor<5x6xf32>) -> tensor<5x1xf32>
    %14 = call @_flip_2(%13) : (tensor<5x1xf32>) -> tensor<5x1xf32>
    %15 = stablehlo.concatenate %11, %14, dim = 1 : (tensor<5x6xf32>, tensor<5x1xf32>) -> tensor<5x7xf32>
    return %15 : tensor<5x7xf32>
  }
  func.func private @_flip(%arg0: tensor<1x5xf32>) -> tensor<1x5xf32> {
    %0 = stablehlo.reverse %arg0, dims = [0] : tensor<1x5xf32>
    return %0 : tensor<1x5xf32>
  }
  func.func private @_flip_2(%arg0: tensor<5x1xf32>) -> tensor<5x1xf32> {
    %0 = stablehlo.reverse %arg0, dims = [1] : tensor<5x1xf32>
    return %0 : tensor<5x1xf32>
  }
  func.func private @_flip_3(%arg0: tensor<3x5xf32>) -> tensor<3x5xf32> {
    %0 = stablehlo.reverse %arg0, dims = [1] : tensor<3x5xf32>
    return %0 : tensor<3x5xf32>
  }
  func.func private @_roll_static(%arg0: tensor<3x5xf32>) -> tensor<3x5xf32> {
    %0 = stablehlo.slice %arg0 [0:3, 3:5] : (tensor<3x5xf32>) -> tensor<3x2xf32>
    %1 = stablehlo.slice %arg0 [0:3, 0:3] : (tensor<3x5xf32>) -> tensor<3x3xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<3x2xf32>, tensor<3x3xf32>) -> tensor<3x5xf32>
    return %2 : tensor<3x5xf32>
  }
  func.func private @rot90(%arg0: tensor<3x5xf32>) -> tensor<5x3xf32> {
    %0 = call @_flip_3(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x5xf32>) -> tensor<5x3xf32>
    return %1 : tensor<5x3xf32>
  }
  func.func private @tril(%arg0: tensor<3x5xf32>) -> tensor<3x5xf32> {
    %0 = stablehlo.iota dim = 0 : tensor<3x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<3x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<3x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<3x5xi32>, tensor<3x5xi32>) -> tensor<3x5xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<3x5xi1>, tensor<3x5xf32>
    return %6 : tensor<3x5xf32>
  }
  func.func private @triu(%arg0: tensor<3x5xf32>) -> tensor<3x5xf32> {
    %0 = stablehlo.iota dim = 0 : tensor<3x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<3x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<3x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<3x5xi32>, tensor<3x5xi32>) -> tensor<3x5xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
    %6 = stablehlo.select %4, %5, %arg0 : tensor<3x5xi1>, tensor<3x5xf32>
    return %6 : tensor<3x5xf32>
  }
}
