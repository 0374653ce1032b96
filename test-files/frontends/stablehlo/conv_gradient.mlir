// test: round-trip
// conv gradient: Of a causal convolution over time, for both operands
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 2x9x3xf32: 1.625 -0.4375 -1.1875 0.875 1.5 -0.875 -0.5625 -1.6875 1.875 1.9375 0.8125 0.25 0.25 0.5625 1 0.3125 1.1875 -0.125 -0.5625
//   -1.5625 1.25 -0.75 0.6875 0.9375 0.75 1.625 0.8125 1.5625 1 1.8125 -0.0625 -1.9375 0.5 0.9375 -1.4375 0.6875 1.0625 0.5 -1.125 0.5625
//   0.25 -1.5 0.75 0.5 1.4375 1.1875 1.4375 -2 -1.75 1.6875 1.3125 -1.5 -1 -0.5
// in 3x3x4xf32: 1.3125 0.1875 1.3125 0.4375 -0.125 0.1875 -1.8125 -0.4375 1.5625 1.5625 0.25 -0.4375 0.75 1.5 1.75 -0.6875 -0.6875 0.5
//   1.1875 1.4375 1 -1.5625 -1.4375 -1.3125 -1.4375 0.9375 -0.125 -1.5 1.4375 -1.9375 1.5625 -1.25 0.9375 -0.4375 -0.5 0.8125
// out 2x9x3xf32: 1.3222866 0.7562251 1.2451428 -0.03983035 0.69308203 2.1963165 -0.25884634 0.29467314 0.919954 -0.97370243 1.2712246
//   0.13399556 0.59923357 -0.88021576 0.9872236 0.8658193 -0.22626784 0.13419138 -0.74336654 1.1198475 0.3467535 -2.8332719e-04 0.059389345
//   -0.06846193 -0.06208736 -0.012114952 0.022347447 -0.0762229 1.4813671 0.22550131 -1.7635934 1.0672481 2.7626677 3.0043058 -0.31179836
//   0.15278175 1.470076 -0.50080264 1.2599391 -1.5104955 0.044084713 1.8744386 -0.42533353 -0.11993758 0.6455935 -0.20466298 0.2872271
//   0.16077237 0.034087975 -0.05409421 0.010341044 -0.028091943 0.028017435 0.018291138
// out 3x3x4xf32: 3.2751782 0.59979564 0.10289668 0.83495706 -0.56852573 -1.1770108 0.12511453 -1.9875833 -0.8758103 -0.077047065 0.26404202
//   1.3624198 5.002504 1.0721173 0.20542859 2.5048416 1.6995612 -0.9066771 0.41546586 1.2847621 -0.42089453 -0.14910245 0.16157635
//   -0.121450596 3.3281167 1.6109283 2.6575139 0.7982308 -0.5953888 1.0477197 -0.06415973 -0.30596322 1.3596809 0.2706411 0.7397786
//   -0.6325088
module @jit_conv_gradient attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x9x3xf32>, %arg1: tensor<3x3x4xf32>) -> (tensor<2x9x3xf32> {jax.result_info = "result[0]"}, tensor<3x3x4xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[2, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x9x3xf32>, tensor<3x3x4xf32>) -> tensor<2x9x4xf32>
    %1 = stablehlo.tanh %0 : tensor<2x9x4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x9x4xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<2x9x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%1 init: %cst_0) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x9x4xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x9x4xf32>
    %6 = stablehlo.multiply %5, %3 : tensor<2x9x4xf32>
    %7 = stablehlo.multiply %6, %1 : tensor<2x9x4xf32>
    %8 = stablehlo.add %6, %7 : tensor<2x9x4xf32>
    %9 = stablehlo.convolution(%arg0, %8) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [1], pad = [[2, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x9x3xf32>, tensor<2x9x4xf32>) -> tensor<3x3x4xf32>
    %10 = stablehlo.reverse %arg1, dims = [0] : tensor<3x3x4xf32>
    %11 = stablehlo.convolution(%8, %10) dim_numbers = [b, 0, f]x[0, o, i]->[b, 0, f], window = {stride = [1], pad = [[0, 2]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x9x4xf32>, tensor<3x3x4xf32>) -> tensor<2x9x3xf32>
    return %11, %9 : tensor<2x9x3xf32>, tensor<3x3x4xf32>
  }
}
