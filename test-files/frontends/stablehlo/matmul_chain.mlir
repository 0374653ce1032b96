// test: round-trip
// matmul chain
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 3x5xf32: -0.125 0.0625 1.0625 1.8125 -1.875 -1.4375 1.3125 1.8125 -1 -0.75 1.5 -0.3125 -0.9375 1.3125 -1
// in 5x7xf32: -0.375 0.5625 0.1875 -1.6875 -1.9375 1.5 1 1.375 0.125 1.3125 -0.6875 -0.1875 1.1875 -1.5 -0.8125 -1.5 -0.1875 1.9375 -1.5
//   -0.5 -0.375 1.625 -1.1875 0 -0.9375 -1.9375 1 -1.75 -0.875 0 -0.0625 -1.5625 1.9375 1 1.875
// in 7x2xf32: -1.6875 0.9375 -0.8125 0.1875 1.75 -0.9375 0.9375 -1.375 -0.75 1.9375 -0.3125 0.0625 -0.8125 -1.5625
// in 2x3xf32: -0.3125 0.5 -0.1875 1.125 -0.5625 0.4375
// out 3x3xf32: -11.665375 10.069473 -5.349655 -10.351898 10.156799 -4.981659 0.45037842 -1.4194183 0.40434265
module @jit_matmul_chain attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x5xf32>, %arg1: tensor<5x7xf32>, %arg2: tensor<7x2xf32>, %arg3: tensor<2x3xf32>) -> (tensor<3x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x5xf32>, tensor<5x7xf32>) -> tensor<3x7xf32>
    %1 = stablehlo.dot_general %0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x7xf32>, tensor<7x2xf32>) -> tensor<3x2xf32>
    %2 = stablehlo.dot_general %1, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x2xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>
    return %2 : tensor<3x3xf32>
  }
}
