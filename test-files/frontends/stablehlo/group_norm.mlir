// test: round-trip
// group norm
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 2x3x3x8xf32: -1.5 -1.5 1.1875 0 0.375 0.4375 0.875 -1.9375 -0.0625 -1.4375 -0.375 1.75 0.1875 -1.75 0.1875 -1.5 1.0625 1.8125 1.9375
//   0.5 1.5 -0.5625 -1.4375 0.0625 -0.25 0.6875 2 -0.9375 1.4375 -1.5 -0.625 1.1875 -1 0.6875 -0.1875 0.0625 1.8125 1.3125 1.375 0.1875
//   1.9375 1.9375 -1.5 -1.1875 -0.75 0.1875 1.3125 -0.0625 1.9375 -0.625 1.75 0.375 0.875 -1.0625 0.375 1.25 1.5625 1.5 1.875 -1.5 1.125
//   -0.125 0.75 -0.875 -2 -1.6875 1.9375 1.625 -0.8125 -0.3125 -1.0625 -1.4375 1.4375 0.6875 -1.75 -1.1875 0.25 1.625 2 -1.125 0.4375
//   -1.875 -1.3125 -1.1875 -0.25 -0.625 0.9375 -0.125 -0.625 1.625 0.5 0.8125 1 -0.625 1.5625 -1.9375 -0.8125 -1.375 -2 2 -1.6875 -0.1875
//   1.3125 0.75 1.4375 -1.8125 0 -1.875 -1.25 1.375 -1.75 0.375 -1.9375 -0.75 1.75 -0.75 -0.75 -1.6875 1.125 -1.3125 0 -1.9375 -1.9375
//   1.375 -2 -0.125 -0.3125 -1.5 0.5625 1 2 -1.25 1.75 -1.75 -1.4375 0.375 1.5 1.625 1 -1.9375 -0.3125 1.25 0.125 -1.25
// in 8xf32: 0.75 -1.625 0.8125 -1.9375 -0.5625 -0.8125 1.8125 0.9375
// in 8xf32: 0.625 0 -0.875 1.4375 1.8125 -1.125 -1.0625 -0.75
// out 2x3x3x8xf32: -0.2649034 1.9281241 -0.43640408 2.244943 1.6812739 -1.3632898 0.55530983 -2.3869483 0.50104254 1.8559698 -1.4590371
//   -0.4862736 1.7825055 0.34264892 -0.6137644 -2.0021434 1.1004785 -1.8960557 0.054459654 1.4645954 1.0738847 -0.58343214 -3.3770308
//   -0.6278397 0.40113655 -0.5972775 0.09536502 3.7080948 1.1076286 0.14768454 -1.9953977 0.36165884 0.001512602 -0.5972775 -1.3363211
//   2.1473994 0.9051655 -2.0456653 1.4055455 -0.5178954 1.5667067 -2.0403643 -2.1953328 4.0982685 2.2886631 -1.1683254 1.2992661
//   -0.73778397 1.5667067 0.91796345 -0.068256244 1.6596823 1.4113232 -0.19350323 -0.29492602 0.41663095 1.3668946 -1.5352839 0.013554387
//   4.585986 1.2763478 -0.92461985 0.34275085 -1.4524218 -0.53131944 2.144587 0.054459654 -0.2911867 2.322407 -0.77839655 -2.739354
//   -1.9471711 1.4666395 -0.90109956 -1.6772877 2.5983906 1.5880283 -2.3933382 2.0947866 -1.5224385 0.8989763 2.2506137 -1.4319279
//   2.5983906 1.8257042 -0.84844506 0.5135597 -0.7526728 0.2958342 -2.0541654 -0.41543713 -0.07630122 1.2315146 -0.84844506 1.4436932
//   -2.1478732 0.18939736 1.6356453 -1.8174934 -1.6643995 2.5090222 -1.1488409 1.0716399 -0.07912778 1.4666395 2.1737425 -0.69584835
//   3.5178158 2.301056 -2.2216835 -3.4860148 -0.36778992 -0.44922373 0.8669346 0.285591 2.0133016 2.06338 -0.118912175 0.79259974
//   -1.6667696 0.6506237 2.3274848 -1.782442 -0.82855844 2.65757 -1.1917547 -1.3467075 -1.8111007 0.9699342 -1.2854548 0.42579657 2.6819746
//   0.8750008 -0.07599847 -3.020948 -0.36778992 1.5021183 -2.0541654 -0.13502592 3.6014001 1.8554137 -2.135856 -0.695614 -1.6186593
module @jit_group_norm attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3x3x8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> (tensor<2x3x3x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x3x3x8xf32>) -> tensor<2x3x3x4x2xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<2x3x3x4x2xf32>, tensor<f32>) -> tensor<2x4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 3] : (tensor<2x4xf32>) -> tensor<2x1x1x4x1xf32>
    %cst_0 = stablehlo.constant dense<1.800000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x1x1x4x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<2x1x1x4x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5 = call @_var(%0, %c) : (tensor<2x3x3x4x2xf32>, tensor<i32>) -> tensor<2x1x1x4x1xf32>
    %6 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3, 4] : (tensor<2x1x1x4x1xf32>) -> tensor<2x3x3x4x2xf32>
    %7 = stablehlo.subtract %0, %6 : tensor<2x3x3x4x2xf32>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x1x1x4x1xf32>
    %9 = stablehlo.add %5, %8 : tensor<2x1x1x4x1xf32>
    %10 = stablehlo.sqrt %9 : tensor<2x1x1x4x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3, 4] : (tensor<2x1x1x4x1xf32>) -> tensor<2x3x3x4x2xf32>
    %12 = stablehlo.divide %7, %11 : tensor<2x3x3x4x2xf32>
    %13 = stablehlo.reshape %12 : (tensor<2x3x3x4x2xf32>) -> tensor<2x3x3x8xf32>
    %14 = stablehlo.broadcast_in_dim %arg1, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<2x3x3x8xf32>
    %16 = stablehlo.multiply %13, %15 : tensor<2x3x3x8xf32>
    %17 = stablehlo.broadcast_in_dim %arg2, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<2x3x3x8xf32>
    %19 = stablehlo.add %16, %18 : tensor<2x3x3x8xf32>
    return %19 : tensor<2x3x3x8xf32>
  }
  func.func private @_var(%arg0: tensor<2x3x3x4x2xf32>, %arg1: tensor<i32>) -> tensor<2x1x1x4x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<2x3x3x4x2xf32>, tensor<f32>) -> tensor<2x4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 3] : (tensor<2x4xf32>) -> tensor<2x1x1x4x1xf32>
    %cst_0 = stablehlo.constant dense<1.800000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x1x1x4x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x1x1x4x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3, 4] : (tensor<2x1x1x4x1xf32>) -> tensor<2x3x3x4x2xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x3x3x4x2xf32>
    %6 = chlo.square %5 : tensor<2x3x3x4x2xf32> -> tensor<2x3x3x4x2xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<1.800000e+01> : tensor<f32>
    %8 = stablehlo.subtract %cst_1, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<2x3x3x4x2xf32>, tensor<f32>) -> tensor<2x4xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 3] : (tensor<2x4xf32>) -> tensor<2x1x1x4x1xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<2x1x1x4x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<2x1x1x4x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.compare GT, %8, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = call @_where(%13, %12, %cst_4) : (tensor<i1>, tensor<2x1x1x4x1xf32>, tensor<f32>) -> tensor<2x1x1x4x1xf32>
    return %14 : tensor<2x1x1x4x1xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<2x1x1x4x1xf32>, %arg2: tensor<f32>) -> tensor<2x1x1x4x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x1x1x4x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<2x1x1x4x1xf32>
    return %2 : tensor<2x1x1x4x1xf32>
  }
}
