// test: round-trip
// vmapped: `vmap` of a function of one row; `jvp` of it
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 4x4xf32: -1.75 0.75 1.3125 -0.125 1.5625 1.375 1.75 -0.625 -0.9375 -0.4375 0.5 -1.375 -0.0625 -0.3125 -0.625 0.9375
// in 4xf32: 1.25 -0.875 -1.5 -0.6875
// out 4x4xf32: -1.7498243 0.74992466 1.3123682 -0.124987446 -1.5502144 -1.3641887 -1.7362401 0.6200858 0.5245061 0.24476951 -0.27973658
//   0.7692756 -0.029319292 -0.14659646 -0.29319292 0.43978938
// out 4xf32: 0.916779 -0.6417453 -1.1001347 -0.5042284
module @jit_vmapped attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x4xf32>, %arg1: tensor<4xf32>) -> (tensor<4x4xf32> {jax.result_info = "result[0]"}, tensor<4xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %1 = stablehlo.sine %0 : tensor<4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x4xf32>
    %4 = stablehlo.multiply %3, %arg0 : tensor<4x4xf32>
    %5 = stablehlo.dot_general %arg1, %arg1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    %6 = stablehlo.dot_general %arg1, %arg1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    %7 = stablehlo.sine %5 : tensor<f32>
    %8 = stablehlo.cosine %5 : tensor<f32>
    %9 = stablehlo.multiply %6, %8 : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %11 = stablehlo.multiply %10, %arg1 : tensor<4xf32>
    %12 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %13 = stablehlo.multiply %12, %arg1 : tensor<4xf32>
    %14 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %15 = stablehlo.multiply %14, %arg1 : tensor<4xf32>
    %16 = stablehlo.add %13, %15 : tensor<4xf32>
    return %4, %16 : tensor<4x4xf32>, tensor<4xf32>
  }
}
