// test: round-trip
// bf16 product: Small floats, summed up in f32
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 3x4xbf16: 1.0625 -2 0.75 0.875 1.25 -0.6875 0.0625 1.75 -0.5625 -1.625 -1.5 0.6875
// in 4x2xbf16: 1 1.3125 -1.25 0.75 1 2 1.25 1.0625
// out 3x2xf32: 5.40625 2.3242188 4.359375 3.109375 0.828125 0
// out 3x4xf32: 3.125 -3 2.5 2.75 3.5 -0.375 1.125 4.5 -0.125 -2.25 -2 2.375
module @jit_bf16_product attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xbf16>, %arg1: tensor<4x2xbf16>) -> (tensor<3x2xf32> {jax.result_info = "result[0]"}, tensor<3x4xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x4xbf16>, tensor<4x2xbf16>) -> tensor<3x2xf32>
    %1 = call @relu(%0) : (tensor<3x2xf32>) -> tensor<3x2xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<bf16>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<3x4xbf16>
    %3 = stablehlo.multiply %arg0, %2 : tensor<3x4xbf16>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<3x4xbf16>
    %5 = stablehlo.add %3, %4 : tensor<3x4xbf16>
    %6 = stablehlo.convert %5 : (tensor<3x4xbf16>) -> tensor<3x4xf32>
    return %1, %6 : tensor<3x2xf32>, tensor<3x4xf32>
  }
  func.func private @relu(%arg0: tensor<3x2xf32>) -> tensor<3x2xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<3x2xf32>
    return %1 : tensor<3x2xf32>
  }
}
