// test: round-trip
// resnet block
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 1x6x6x4xf32: 0.375 -0.3125 -0.5625 1.75 -0.5 -0.9375 1.5 -1.8125 -0.25 -0.75 -1.9375 0.875 2 1.125 -0.75 0.1875 1.4375 -0.75 -0.3125
//   1.6875 -1.25 1.75 0.6875 -0.25 1.1875 -0.375 -0.5625 0.4375 1.6875 0.875 0.6875 0.5 1.375 -0.25 1 -0.25 0.4375 0.5625 -0.5625 1.6875
//   -1.0625 -1.8125 1 -1.6875 0.1875 1.0625 -1.375 -0.1875 0.3125 1.125 0 0.1875 0.25 -0.125 -1.9375 1.875 1.375 -0.5625 -0.5625 0.625
//   1.5625 0.1875 -0.9375 -1.5625 0 -1.375 0.375 1.3125 1.1875 0.0625 -1.4375 0.75 -1.3125 -0.1875 -1.1875 1.4375 -1.8125 1.4375 -1 -0.3125
//   -0.375 -1.5 1.125 1.375 1.125 0 1.75 0.25 0.375 0.0625 0.125 -1.875 1.4375 0.0625 -1.5 -1.625 1.75 -1.75 1.125 1.3125 0.3125 -1.4375
//   -0.125 0.875 -1.875 -0.25 -0.0625 0 1.125 0.0625 -1 -1.375 0.25 -1.75 -1.875 0.5625 0.0625 -1.625 -1.8125 -1.75 -0.125 -1.875 -0.875
//   0.4375 -1.5625 1.8125 -1.1875 0.1875 1.875 -1.9375 1.3125 0.3125 -0.75 -0.0625 -1.3125 0.75 1.3125 -1.5625 -1.6875 0.6875 -0.1875 1.75
//   0.25 -1.125
// in 3x3x4x4xf32: 1.5625 1.8125 0.1875 0.4375 1 1.375 1.25 -1.1875 -0.5 -0.4375 0.8125 1.5 1.625 1.375 1.5 0.375 0.125 1 0.4375 0.3125 -1
//   -0.1875 0.25 -0.8125 0.625 0 0.125 0.0625 1.25 -0.0625 1.6875 -2 -0.1875 1.9375 1.9375 2 0.0625 0.875 1 -1.3125 -1.25 1.5 -1 -1 -0.125
//   -1.875 -1.875 -1.3125 -0.9375 1.1875 -1.4375 1.5 -0.875 1.875 1.3125 1.25 -0.125 -0.8125 -0.8125 0.1875 1.5 0.8125 0.3125 -1.8125
//   0.8125 -1.6875 -1.5 0.875 0.0625 -0.625 0.75 -1.625 1 0 0.1875 -1.6875 -1 0.6875 -0.9375 -1.6875 -0.875 1.9375 -1.125 1.3125 -0.5
//   -1.1875 -0.5 -1.4375 -1 0.875 -0.1875 -1.0625 0.3125 1.5 1.1875 1 1.125 1.25 0.625 -0.5 1.75 1.25 0.0625 1.6875 -0.25 1.5 -0.5 -0.875
//   -1.25 -1.25 0.75 -1.625 -0.5 -1.125 0.625 0.4375 1.3125 -0.75 -0.75 -0.125 -0.125 1.625 -0.25 0.375 1.75 -0.3125 -0.4375 -1.625 1.25
//   0.5625 1.1875 -0.3125 -0.5 -1.4375 1.5 0.4375 0.25 0.4375 2 1.75 0.0625 -1.9375 0.8125 -1.5
// in 3x3x4x4xf32: -1.4375 -0.6875 -0.25 -1.375 -0.875 -1.6875 1.3125 -1.6875 -1.0625 0.3125 0.4375 0 0.1875 -1.5625 1.125 -1.25 1.75 -1.25
//   0.8125 0 -1.9375 0.0625 -0.8125 0.75 2 0.75 -1.75 1.625 -0.4375 -0.4375 -0.875 -1.4375 -1.3125 0.6875 -1.5625 2 -1 -1 -0.5625 0.5
//   -0.0625 -0.8125 -2 -0.625 -1.125 -0.375 -0.875 -1.375 -1.0625 -0.875 -0.5 0.5 -0.8125 1 0.5 0.75 2 1.6875 0.3125 0.0625 0.125 0.8125
//   1.5625 -1.0625 1.875 -1.875 0.125 0.5 0.0625 -1.9375 1.9375 -1.5 -1.4375 -1.5625 -1.75 -0.4375 0.6875 -1.375 0.1875 1.8125 2 0.25 1.5
//   0.375 1.875 1.6875 0 1.0625 0.9375 1.9375 1.5625 -0.0625 -0.5625 1.5 0.3125 1.875 -0.3125 0.5 -0.9375 1.875 1.875 1.125 -1.4375 -1.5
//   -1.1875 1.3125 1.5 1.75 0.875 0.9375 -0.8125 -0.8125 -1.0625 -0.5625 0.3125 0 1.125 -0.875 0.25 -0.9375 -0.875 1.625 -1.3125 0.75
//   0.9375 -2 1.875 -0.5625 -1.8125 -0.0625 0.375 0.9375 1.1875 -1.125 0.375 1.125 -1.5625 -1.5 -2 0.625 1.4375 -1.125 -0.625 -0.0625
// in 4xf32: -1.125 -1.1875 1.125 0.875
// in 4xf32: -1.3125 -1.375 -0.375 -1.25
// out 1x6x6x4xf32: 0 0 0 2.3651862 0.10780567 0 1.6713314 0 0 0 0 0.96764755 2.138484 0.4025547 0 0 0 0 0 0.5828089 0 1.6361548 0.5505717 0
//   1.6849544 0 0 0.4000971 1.7468716 0 0.63528347 0 0.44912723 0.42349416 0.7788519 0 0.39979705 0.25904638 0 1.9568608 0 0 0.6949239 0 0
//   2.753277 0 2.7841399 1.9423642 2.2471502 0.35171226 0.17129426 2.5584583 0 0 1.02366 3.3080163 0 0 0 2.2371445 0.51505613 0 0 0 0
//   0.5599497 0 1.4274049 2.624745 0 2.0573242 0 0 0 1.7711314 0 0.95829636 0 1.208128 0 0 1.8207631 2.7673635 0.9381826 0.7072598
//   1.9807833 0.66655374 0.8612646 0 0 0 0.22214925 3.2946959 0 0 1.1509662 0 1.512152 1.9537781 0 0.14786975 0.37623215 1.6918504 0 0 0 0
//   3.103843 0 0 0 0 0.24443735 0 0 0 0 0 0 1.620759 0 0 0.88599473 0.7349871 0 0 0 2.1364899 0 1.2990209 0.68732715 0 0 0 0.9165931
//   2.5040886 0 0 1.5682967 1.6952105 3.36332 0 1.2889605
module @jit_resnet_block attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x6x6x4xf32>, %arg1: tensor<3x3x4x4xf32>, %arg2: tensor<3x3x4x4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) -> (tensor<1x6x6x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x6x6x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1, 2] : (tensor<1x6x6x4xf32>, tensor<f32>) -> tensor<1x4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 3] : (tensor<1x4xf32>) -> tensor<1x1x1x4xf32>
    %cst_0 = stablehlo.constant dense<3.600000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x1x1x4xf32>
    %4 = stablehlo.divide %2, %3 : tensor<1x1x1x4xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x6x6x4xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<1x6x6x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %7 = call @_var(%0, %c) : (tensor<1x6x6x4xf32>, tensor<i32>) -> tensor<1x1x1x4xf32>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x1x1x4xf32>
    %9 = stablehlo.add %7, %8 : tensor<1x1x1x4xf32>
    %10 = stablehlo.rsqrt %9 : tensor<1x1x1x4xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x6x6x4xf32>
    %12 = stablehlo.multiply %6, %11 : tensor<1x6x6x4xf32>
    %13 = stablehlo.broadcast_in_dim %arg3, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x6x6x4xf32>
    %15 = stablehlo.multiply %12, %14 : tensor<1x6x6x4xf32>
    %16 = call @relu(%15) : (tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
    %17 = stablehlo.convolution(%16, %arg2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x6x6x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_2) applies stablehlo.add across dimensions = [1, 2] : (tensor<1x6x6x4xf32>, tensor<f32>) -> tensor<1x4xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 3] : (tensor<1x4xf32>) -> tensor<1x1x1x4xf32>
    %cst_3 = stablehlo.constant dense<3.600000e+01> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x1x1x4xf32>
    %21 = stablehlo.divide %19, %20 : tensor<1x1x1x4xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x6x6x4xf32>
    %23 = stablehlo.subtract %17, %22 : tensor<1x6x6x4xf32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %24 = call @_var(%17, %c_4) : (tensor<1x6x6x4xf32>, tensor<i32>) -> tensor<1x1x1x4xf32>
    %cst_5 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x1x1x4xf32>
    %26 = stablehlo.add %24, %25 : tensor<1x1x1x4xf32>
    %27 = stablehlo.rsqrt %26 : tensor<1x1x1x4xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x6x6x4xf32>
    %29 = stablehlo.multiply %23, %28 : tensor<1x6x6x4xf32>
    %30 = stablehlo.broadcast_in_dim %arg4, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x6x6x4xf32>
    %32 = stablehlo.multiply %29, %31 : tensor<1x6x6x4xf32>
    %33 = stablehlo.add %arg0, %32 : tensor<1x6x6x4xf32>
    %34 = call @relu(%33) : (tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
    return %34 : tensor<1x6x6x4xf32>
  }
  func.func private @_var(%arg0: tensor<1x6x6x4xf32>, %arg1: tensor<i32>) -> tensor<1x1x1x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1, 2] : (tensor<1x6x6x4xf32>, tensor<f32>) -> tensor<1x4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 3] : (tensor<1x4xf32>) -> tensor<1x1x1x4xf32>
    %cst_0 = stablehlo.constant dense<3.600000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x1x1x4xf32>
    %3 = stablehlo.divide %1, %2 : tensor<1x1x1x4xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x6x6x4xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<1x6x6x4xf32>
    %6 = chlo.square %5 : tensor<1x6x6x4xf32> -> tensor<1x6x6x4xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<3.600000e+01> : tensor<f32>
    %8 = stablehlo.subtract %cst_1, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [1, 2] : (tensor<1x6x6x4xf32>, tensor<f32>) -> tensor<1x4xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 3] : (tensor<1x4xf32>) -> tensor<1x1x1x4xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<1x1x1x4xf32>
    %12 = stablehlo.divide %10, %11 : tensor<1x1x1x4xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.compare GT, %8, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = call @_where(%13, %12, %cst_4) : (tensor<i1>, tensor<1x1x1x4xf32>, tensor<f32>) -> tensor<1x1x1x4xf32>
    return %14 : tensor<1x1x1x4xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<1x1x1x4xf32>, %arg2: tensor<f32>) -> tensor<1x1x1x4xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x1x1x4xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<1x1x1x4xf32>
    return %2 : tensor<1x1x1x4xf32>
  }
  func.func private @relu(%arg0: tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x6x6x4xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x6x6x4xf32>
    return %1 : tensor<1x6x6x4xf32>
  }
}
