// test: round-trip
// pooling: Largest, mean, with a border, and over all places
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 1x6x6x2xf32: 1.5625 -0.875 -0.9375 -0.1875 1.625 -1.5625 -1 0.0625 -1.0625 -0.375 -0.625 -1.75 -1.875 -1.625 0.6875 2 1.75 0.8125
//   1.6875 -0.1875 0.1875 0.5625 -0.375 -0.9375 0.8125 -0.8125 0.25 -1.75 -1.1875 -1.8125 0.5 1.25 1.5625 1.25 1.6875 -2 1.0625 -0.6875
//   0.625 -1.6875 -1.125 -0.125 -0.9375 0.5 1.625 0.1875 1.75 -1.5 -0.25 0.8125 -1.4375 0.4375 -0.375 -0.125 0.125 -0.8125 0.8125 1.6875
//   -1.5 -1.6875 -1 -1.4375 -0.4375 -0.5 -1.0625 -1 -0.8125 0.5 1.375 0.8125 -1.625 0.8125
// out 1x2x2x2xf32: 1.75 2 1.75 1.25 1.0625 0.8125 1.625 1.6875
// out 1x3x3x2xf32: 0.2986111 -0.6458333 0.4513889 0 0.15277778 -0.3611111 -0.18055555 -0.6388889 0.11111111 0.22222222 0.6597222
//   -0.22916667 -0.5069445 -0.2013889 0.0069444445 0.11805556 -0.104166664 0.18055555
// out 1x3x3x2xf32: -1.875 -1.625 -1 -1.5625 -1.0625 -1.75 0.25 -1.75 -1.1875 -1.8125 1.5625 -2 -1.4375 -1.4375 -1.0625 -1 -1.625 -1.6875
// out 1x2xf32: 0.057291668 -0.3263889
func.func @main(%arg0: tensor<1x6x6x2xf32>) -> (tensor<1x2x2x2xf32>, tensor<1x3x3x2xf32>, tensor<1x3x3x2xf32>, tensor<1x2xf32>) {
  %cst = arith.constant 0x7F800000 : f32
  %cst_0 = arith.constant 0xFF800000 : f32
  %cst_1 = arith.constant 3.600000e+01 : f32
  %cst_2 = arith.constant 9.000000e+00 : f32
  %cst_3 = arith.constant 0.000000e+00 : f32
  %cst_4 = arith.constant dense<0.000000e+00> : tensor<f32>
  %0 = tensor.empty() : tensor<3x3xf32>
  %1 = tensor.empty() : tensor<1x2x2x2xf32>
  %2 = linalg.fill ins(%cst_0 : f32) outs(%1 : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %3 = linalg.pooling_nhwc_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%arg0, %0 : tensor<1x6x6x2xf32>, tensor<3x3xf32>) outs(%2 : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %4 = tensor.empty() : tensor<1x3x3x2xf32>
  %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%4 : tensor<1x3x3x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x3x2xf32>
  %padded = tensor.pad %arg0 low[0, 0, 0, 0] high[0, 1, 1, 0] {
  ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
    tensor.yield %cst_3 : f32
  } : tensor<1x6x6x2xf32> to tensor<1x7x7x2xf32>
  %6 = tensor.empty() : tensor<3x3xf32>
  %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4, d2 * 2 + d5, d3)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%padded, %6 : tensor<1x7x7x2xf32>, tensor<3x3xf32>) outs(%5 : tensor<1x3x3x2xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %19 = arith.addf %out, %in : f32
    linalg.yield %19 : f32
  } -> tensor<1x3x3x2xf32>
  %8 = tensor.empty() : tensor<1x3x3x2xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x3x3x2xf32>) outs(%8 : tensor<1x3x3x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %19 = arith.divf %in, %cst_2 : f32
    linalg.yield %19 : f32
  } -> tensor<1x3x3x2xf32>
  %10 = tensor.empty() : tensor<2x2xf32>
  %11 = tensor.empty() : tensor<1x3x3x2xf32>
  %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32>
  %13 = linalg.pooling_nhwc_min {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%arg0, %10 : tensor<1x6x6x2xf32>, tensor<2x2xf32>) outs(%12 : tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32>
  %14 = tensor.empty() : tensor<1x2xf32>
  %15 = linalg.fill ins(%cst_3 : f32) outs(%14 : tensor<1x2xf32>) -> tensor<1x2xf32>
  %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%arg0 : tensor<1x6x6x2xf32>) outs(%15 : tensor<1x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %19 = arith.addf %out, %in : f32
    linalg.yield %19 : f32
  } -> tensor<1x2xf32>
  %17 = tensor.empty() : tensor<1x2xf32>
  %18 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<1x2xf32>) outs(%17 : tensor<1x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %19 = arith.divf %in, %cst_1 : f32
    linalg.yield %19 : f32
  } -> tensor<1x2xf32>
  return %3, %9, %13, %18 : tensor<1x2x2x2xf32>, tensor<1x3x3x2xf32>, tensor<1x3x3x2xf32>, tensor<1x2xf32>
}
