// test: round-trip
// fourier
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 3x8xf32: -0.5625 0.9375 -0.4375 -1.9375 1.8125 1.9375 0.5 0.9375 -1.875 0.1875 -0.75 -1.0625 -0.1875 0.4375 -1.375 -0.5625 2 0.375
//   1.0625 -1 -1.75 -1.9375 -0.75 0.375
// out 3x5xf32: 3.1875 3.8242724 4.052873 4.1164613 0.5625 5.1875 1.5136868 2.2508678 2.193243 3.1875 1.625 6.822384 0.93958104 1.6207892
//   2.75
module @jit_fourier attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x8xf32>) -> (tensor<3x5xf32> {jax.result_info = "result"}) {
    %0 = call @fft(%arg0) : (tensor<3x8xf32>) -> tensor<3x5xcomplex<f32>>
    %1 = stablehlo.abs %0 : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xf32>
    return %1 : tensor<3x5xf32>
  }
  func.func private @fft(%arg0: tensor<3x8xf32>) -> tensor<3x5xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [8] : (tensor<3x8xf32>) -> tensor<3x5xcomplex<f32>>
    return %0 : tensor<3x5xcomplex<f32>>
  }
}
