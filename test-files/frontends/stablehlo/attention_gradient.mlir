// test: round-trip
// attention gradient
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 1x5x2x3xf32: 0.9375 1.8125 1.5625 0.0625 1.8125 1.9375 1.9375 -1.6875 -0.1875 0.4375 -0.875 -0.5 0.5 1.25 0.3125 -1.3125 0.6875 1.5
//   -1.125 0.1875 -0.6875 1.625 -1.8125 -0.0625 1.625 -0.3125 -1.4375 1.1875 1.875 1.9375
// in 1x5x2x3xf32: 1.75 -0.5 0.9375 1.875 0.3125 1.75 0.375 -1.3125 -0.125 0.4375 -0.8125 0.8125 -0.375 1.8125 -1.1875 0.6875 -1.6875 -1.5
//   0.0625 0 0 0 1.4375 0 -0.5625 1.875 1.5625 -0.625 -1.1875 -1.125
// in 1x5x2x3xf32: -1.375 0.0625 0.3125 0.5625 1.625 1.8125 0.125 0.3125 -1.6875 -0.9375 2 1.75 -1.9375 -0.0625 0 0.6875 -1.5625 -0.125
//   -0.5625 -1.125 1.25 0.8125 -1.3125 1.125 0.125 -1.25 0.625 -0.1875 -0.0625 -0.5625
// out 1x5x2x3xf32: 0 0 0 5.7869886e-07 9.6449810e-08 5.4011895e-07 0.1728445 0.102135494 0.13356169 -0.44303498 -0.3467231 -0.28893584
//   -0.4572243 1.141507 -0.5443816 -0.07989246 0.3118115 0.81343055 -0.33936536 1.4373227 -0.5819881 0.09095842 0.08127573 0.01627267
//   0.082486235 0.57352465 -0.10584307 1.0701752 -0.6030743 1.0251181
// out 1x5x2x3xf32: 0.40566376 -0.40054664 -0.26153702 0.6386007 1.2263095 1.2621222 -0.36501145 -0.1294961 0.5310428 -0.45531058 0.13925272
//   0.37903836 -0.075577945 0.53178847 -0.5285609 0.47290075 -0.2849033 -0.5429077 0.064594746 -0.0074514784 0.2328094 -0.64599323
//   -1.064556 -1.081613 -0.029669404 0.0057056546 0.026246011 -0.010198821 -0.016103402 -0.01664018
// out 1x5x2x3xf32: -5.6161594 0.24001189 -0.030238185 1.8204175 8.534382 9.977308 -1.8196181 -0.01888446 -0.36426094 -0.36338598 3.7603781
//   4.037744 -3.6787083 -0.2806317 -0.12320881 0.45153952 -0.22148955 0.8720118 -0.831227 -0.12691636 -0.042548582 0.13017456 0.28624186
//   0.40280014 -0.029575473 -0.0028732787 -0.005266966 0.0013121674 0.0031598823 0.004196001
module @jit_attention_gradient attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x5x2x3xf32>, %arg1: tensor<1x5x2x3xf32>, %arg2: tensor<1x5x2x3xf32>) -> (tensor<1x5x2x3xf32> {jax.result_info = "result[0]"}, tensor<1x5x2x3xf32> {jax.result_info = "result[1]"}, tensor<1x5x2x3xf32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x5x2x3xf32>, tensor<1x5x2x3xf32>) -> tensor<1x2x5x5xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %1 = stablehlo.sqrt %cst : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1x2x5x5xf32>
    %3 = stablehlo.divide %0, %2 : tensor<1x2x5x5xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %5 = call @tril(%4) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %cst_0 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %6:3 = call @_where(%5, %3, %cst_0) : (tensor<5x5xi1>, tensor<1x2x5x5xf32>, tensor<f32>) -> (tensor<1x2x5x5xf32>, tensor<1x2x5x5xi1>, tensor<1x2x5x5xf32>)
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.reduce(%6#0 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<1x2x5x5xf32>, tensor<f32>) -> tensor<1x2x5xf32>
    %8 = stablehlo.reshape %7 : (tensor<1x2x5xf32>) -> tensor<1x2x5x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x2x5x1xf32>) -> tensor<1x2x5x5xf32>
    %10 = stablehlo.compare EQ, %6#0, %9, FLOAT : (tensor<1x2x5x5xf32>, tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xi1>
    %11 = stablehlo.convert %10 : (tensor<1x2x5x5xi1>) -> tensor<1x2x5x5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<1x2x5x5xf32>, tensor<f32>) -> tensor<1x2x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %14 = stablehlo.maximum %13, %7 : tensor<1x2x5xf32>
    %15 = stablehlo.compare EQ, %7, %14, FLOAT : (tensor<1x2x5xf32>, tensor<1x2x5xf32>) -> tensor<1x2x5xi1>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %18 = stablehlo.select %15, %16, %17 : tensor<1x2x5xi1>, tensor<1x2x5xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %20 = stablehlo.compare EQ, %19, %14, FLOAT : (tensor<1x2x5xf32>, tensor<1x2x5xf32>) -> tensor<1x2x5xi1>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %23 = stablehlo.select %20, %21, %22 : tensor<1x2x5xi1>, tensor<1x2x5xf32>
    %24 = stablehlo.divide %18, %23 : tensor<1x2x5xf32>
    %25 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<1x2x5xf32>) -> tensor<1x2x5x1xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3] : (tensor<1x2x5x1xf32>) -> tensor<1x2x5x5xf32>
    %27 = stablehlo.subtract %6#0, %26 : tensor<1x2x5x5xf32>
    %28 = stablehlo.exponential %27 : tensor<1x2x5x5xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_9) applies stablehlo.add across dimensions = [3] : (tensor<1x2x5x5xf32>, tensor<f32>) -> tensor<1x2x5xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2] : (tensor<1x2x5xf32>) -> tensor<1x2x5x1xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2, 3] : (tensor<1x2x5x1xf32>) -> tensor<1x2x5x5xf32>
    %32 = stablehlo.divide %28, %31 : tensor<1x2x5x5xf32>
    %33 = stablehlo.multiply %30, %30 : tensor<1x2x5x1xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<1x2x5x1xf32>
    %35 = stablehlo.divide %34, %33 : tensor<1x2x5x1xf32>
    %36 = stablehlo.dot_general %arg2, %32, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x5x2x3xf32>, tensor<1x2x5x5xf32>) -> tensor<1x2x3x5xf32>
    %37 = stablehlo.transpose %36, dims = [0, 3, 1, 2] : (tensor<1x2x3x5xf32>) -> tensor<1x5x2x3xf32>
    %38 = stablehlo.multiply %37, %37 : tensor<1x5x2x3xf32>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<1x5x2x3xf32>
    %40 = stablehlo.multiply %39, %37 : tensor<1x5x2x3xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.reduce(%38 init: %cst_12) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<1x5x2x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<1x5x2x3xf32>
    %43 = stablehlo.multiply %42, %40 : tensor<1x5x2x3xf32>
    %44 = stablehlo.transpose %43, dims = [0, 2, 3, 1] : (tensor<1x5x2x3xf32>) -> tensor<1x2x3x5xf32>
    %45 = stablehlo.dot_general %44, %arg2, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x2x3x5xf32>, tensor<1x5x2x3xf32>) -> tensor<1x2x5x5xf32>
    %46 = stablehlo.dot_general %44, %32, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x2x3x5xf32>, tensor<1x2x5x5xf32>) -> tensor<1x2x3x5xf32>
    %47 = stablehlo.transpose %46, dims = [0, 3, 1, 2] : (tensor<1x2x3x5xf32>) -> tensor<1x5x2x3xf32>
    %48 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2, 3] : (tensor<1x2x5x1xf32>) -> tensor<1x2x5x5xf32>
    %49 = stablehlo.multiply %45, %48 : tensor<1x2x5x5xf32>
    %50 = stablehlo.multiply %49, %28 : tensor<1x2x5x5xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.reduce(%50 init: %cst_14) applies stablehlo.add across dimensions = [3] : (tensor<1x2x5x5xf32>, tensor<f32>) -> tensor<1x2x5xf32>
    %52 = stablehlo.reshape %51 : (tensor<1x2x5xf32>) -> tensor<1x2x5x1xf32>
    %53 = stablehlo.negate %52 : tensor<1x2x5x1xf32>
    %54 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2, 3] : (tensor<1x2x5x1xf32>) -> tensor<1x2x5x5xf32>
    %55 = stablehlo.divide %45, %54 : tensor<1x2x5x5xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.reduce(%53 init: %cst_15) applies stablehlo.add across dimensions = [0, 3] : (tensor<1x2x5x1xf32>, tensor<f32>) -> tensor<2x5xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [1, 2] : (tensor<2x5xf32>) -> tensor<1x2x5xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2] : (tensor<1x2x5xf32>) -> tensor<1x2x5x5xf32>
    %59 = stablehlo.add %55, %58 : tensor<1x2x5x5xf32>
    %60 = stablehlo.multiply %59, %28 : tensor<1x2x5x5xf32>
    %61 = call @_where_0(%6#1, %6#2, %60) : (tensor<1x2x5x5xi1>, tensor<1x2x5x5xf32>, tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
    %62 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1x2x5x5xf32>
    %63 = stablehlo.divide %61, %62 : tensor<1x2x5x5xf32>
    %64 = stablehlo.dot_general %63, %arg0, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x2x5x5xf32>, tensor<1x5x2x3xf32>) -> tensor<1x2x5x3xf32>
    %65 = stablehlo.transpose %64, dims = [0, 2, 1, 3] : (tensor<1x2x5x3xf32>) -> tensor<1x5x2x3xf32>
    %66 = stablehlo.dot_general %63, %arg1, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x2x5x5xf32>, tensor<1x5x2x3xf32>) -> tensor<1x2x5x3xf32>
    %67 = stablehlo.transpose %66, dims = [0, 2, 1, 3] : (tensor<1x2x5x3xf32>) -> tensor<1x5x2x3xf32>
    return %67, %65, %47 : tensor<1x5x2x3xf32>, tensor<1x5x2x3xf32>, tensor<1x5x2x3xf32>
  }
  func.func private @tril(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<5x5xi1>, tensor<5x5xi1>
    return %6 : tensor<5x5xi1>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<1x2x5x5xf32>, %arg2: tensor<f32>) -> (tensor<1x2x5x5xf32>, tensor<1x2x5x5xi1>, tensor<1x2x5x5xf32>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<1x2x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x2x5x5xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<1x2x5x5xi1>, tensor<1x2x5x5xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5x5xf32>
    return %3, %1, %4 : tensor<1x2x5x5xf32>, tensor<1x2x5x5xi1>, tensor<1x2x5x5xf32>
  }
  func.func private @_where_0(%arg0: tensor<1x2x5x5xi1>, %arg1: tensor<1x2x5x5xf32>, %arg2: tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5x5xf32>
    %1 = stablehlo.select %arg0, %arg2, %0 : tensor<1x2x5x5xi1>, tensor<1x2x5x5xf32>
    return %1 : tensor<1x2x5x5xf32>
  }
}
