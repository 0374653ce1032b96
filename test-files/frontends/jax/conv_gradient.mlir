// test: round-trip
// conv gradient: Of a causal convolution over time, for both operands
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
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
func.func @main(%arg0: tensor<2x9x3xf32>, %arg1: tensor<3x3x4xf32>) -> (tensor<2x9x3xf32>, tensor<3x3x4xf32>) {
  %c2 = arith.constant 2 : index
  %cst = arith.constant 1.000000e+00 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x9x4xf32>
  %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<2x9x4xf32>) -> tensor<2x9x4xf32>
  %padded = tensor.pad %arg0 low[0, 2, 0] high[0, 0, 0] {
  ^bb0(%arg2: index, %arg3: index, %arg4: index):
    tensor.yield %cst_0 : f32
  } : tensor<2x9x3xf32> to tensor<2x11x3xf32>
  %2 = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%padded, %arg1 : tensor<2x11x3xf32>, tensor<3x3x4xf32>) outs(%1 : tensor<2x9x4xf32>) -> tensor<2x9x4xf32>
  %3 = tensor.empty() : tensor<2x9x4xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<2x9x4xf32>) outs(%3 : tensor<2x9x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %27 = math.tanh %in : f32
    linalg.yield %27 : f32
  } -> tensor<2x9x4xf32>
  %5 = tensor.empty() : tensor<2x9x4xf32>
  %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x9x4xf32>) outs(%5 : tensor<2x9x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %27 = arith.subf %cst, %in : f32
    linalg.yield %27 : f32
  } -> tensor<2x9x4xf32>
  %7 = tensor.empty() : tensor<2x9x4xf32>
  %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %4 : tensor<2x9x4xf32>, tensor<2x9x4xf32>) outs(%7 : tensor<2x9x4xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %27 = arith.mulf %in, %in_3 : f32
    linalg.yield %27 : f32
  } -> tensor<2x9x4xf32>
  %9 = tensor.empty() : tensor<2x9x4xf32>
  %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %8 : tensor<2x9x4xf32>, tensor<2x9x4xf32>) outs(%9 : tensor<2x9x4xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %27 = arith.addf %in, %in_3 : f32
    linalg.yield %27 : f32
  } -> tensor<2x9x4xf32>
  %11 = tensor.empty() : tensor<3x9x2xf32>
  %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d1, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x9x3xf32>) outs(%11 : tensor<3x9x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x9x2xf32>
  %13 = tensor.empty() : tensor<9x2x4xf32>
  %14 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x9x4xf32>) outs(%13 : tensor<9x2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<9x2x4xf32>
  %15 = tensor.empty() : tensor<3x3x4xf32>
  %16 = linalg.fill ins(%cst_0 : f32) outs(%15 : tensor<3x3x4xf32>) -> tensor<3x3x4xf32>
  %padded_1 = tensor.pad %12 low[0, 2, 0] high[0, 0, 0] {
  ^bb0(%arg2: index, %arg3: index, %arg4: index):
    tensor.yield %cst_0 : f32
  } : tensor<3x9x2xf32> to tensor<3x11x2xf32>
  %17 = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%padded_1, %14 : tensor<3x11x2xf32>, tensor<9x2x4xf32>) outs(%16 : tensor<3x3x4xf32>) -> tensor<3x3x4xf32>
  %18 = tensor.empty() : tensor<3x3x4xf32>
  %19 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<3x3x4xf32>) outs(%18 : tensor<3x3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x3x4xf32>
  %20 = tensor.empty() : tensor<3x3x4xf32>
  %21 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%20 : tensor<3x3x4xf32>) {
  ^bb0(%out: f32):
    %27 = linalg.index 0 : index
    %28 = arith.subi %c2, %27 : index
    %29 = linalg.index 1 : index
    %30 = linalg.index 2 : index
    %extracted = tensor.extract %arg1[%28, %29, %30] : tensor<3x3x4xf32>
    linalg.yield %extracted : f32
  } -> tensor<3x3x4xf32>
  %22 = tensor.empty() : tensor<3x4x3xf32>
  %23 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<3x3x4xf32>) outs(%22 : tensor<3x4x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x4x3xf32>
  %24 = tensor.empty() : tensor<2x9x3xf32>
  %25 = linalg.fill ins(%cst_0 : f32) outs(%24 : tensor<2x9x3xf32>) -> tensor<2x9x3xf32>
  %padded_2 = tensor.pad %10 low[0, 0, 0] high[0, 2, 0] {
  ^bb0(%arg2: index, %arg3: index, %arg4: index):
    tensor.yield %cst_0 : f32
  } : tensor<2x9x4xf32> to tensor<2x11x4xf32>
  %26 = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%padded_2, %23 : tensor<2x11x4xf32>, tensor<3x4x3xf32>) outs(%25 : tensor<2x9x3xf32>) -> tensor<2x9x3xf32>
  return %26, %19 : tensor<2x9x3xf32>, tensor<3x3x4xf32>
}
