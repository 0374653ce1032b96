// test: round-trip
// resnet block
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
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
// out 1x6x6x4xf32: 0 0 0 2.365186 0.107805744 0 1.6713314 0 0 0 0 0.9676475 2.138484 0.40255463 0 0 0 0 0 0.5828089 0 1.6361547 0.5505717 0
//   1.6849545 0 0 0.40009704 1.7468717 0 0.63528347 0 0.44912723 0.42349398 0.7788519 0 0.399797 0.2590464 0 1.9568608 0 0 0.6949239 0 0
//   2.7532766 0 2.7841396 1.9423643 2.24715 0.35171226 0.1712942 2.5584583 0 0 1.02366 3.3080165 0 0 0 2.2371445 0.5150559 0 0 0 0
//   0.5599497 0 1.4274049 2.6247444 0 2.057324 0 0 0 1.7711313 0 0.9582963 0 1.2081279 0 0 1.8207631 2.7673633 0.9381825 0.7072598
//   1.9807833 0.6665538 0.8612647 0 0 0 0.22214925 3.2946956 0 0 1.1509662 0 1.512152 1.9537781 0 0.14786942 0.37623215 1.6918504 0 0 0 0
//   3.103843 0 0 0 0 0.24443702 0 0 0 0 0 0 1.6207591 0 0 0.8859946 0.73498774 0 0 0 2.1364899 0 1.2990209 0.6873269 0 0 0 0.9165931
//   2.5040889 0 0 1.5682968 1.6952108 3.36332 0 1.2889602
func.func @main(%arg0: tensor<1x6x6x4xf32>, %arg1: tensor<3x3x4x4xf32>, %arg2: tensor<3x3x4x4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) -> tensor<1x6x6x4xf32> {
  %cst = arith.constant 9.99999974E-6 : f32
  %cst_0 = arith.constant 0x7FC00000 : f32
  %cst_1 = arith.constant 3.600000e+01 : f32
  %cst_2 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x6x6x4xf32>
  %1 = linalg.fill ins(%cst_2 : f32) outs(%0 : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  %padded = tensor.pad %arg0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%arg5: index, %arg6: index, %arg7: index, %arg8: index):
    tensor.yield %cst_2 : f32
  } : tensor<1x6x6x4xf32> to tensor<1x8x8x4xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %arg1 : tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) outs(%1 : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  %3 = tensor.empty() : tensor<1x4xf32>
  %4 = linalg.fill ins(%cst_2 : f32) outs(%3 : tensor<1x4xf32>) -> tensor<1x4xf32>
  %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%2 : tensor<1x6x6x4xf32>) outs(%4 : tensor<1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %88 = arith.addf %out, %in : f32
    linalg.yield %88 : f32
  } -> tensor<1x4xf32>
  %6 = tensor.empty() : tensor<1x1x1x4xf32>
  %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<1x4xf32>) outs(%6 : tensor<1x1x1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x1x1x4xf32>
  %8 = tensor.empty() : tensor<1x1x1x4xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x1x1x4xf32>) outs(%8 : tensor<1x1x1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %88 = arith.divf %in, %cst_1 : f32
    linalg.yield %88 : f32
  } -> tensor<1x1x1x4xf32>
  %10 = tensor.empty() : tensor<1x6x6x4xf32>
  %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x1x1x4xf32>) outs(%10 : tensor<1x6x6x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x6x6x4xf32>
  %12 = tensor.empty() : tensor<1x6x6x4xf32>
  %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %11 : tensor<1x6x6x4xf32>, tensor<1x6x6x4xf32>) outs(%12 : tensor<1x6x6x4xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %88 = arith.subf %in, %in_5 : f32
    linalg.yield %88 : f32
  } -> tensor<1x6x6x4xf32>
  %14 = tensor.empty() : tensor<1x6x6x4xf32>
  %15 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x6x6x4xf32>) outs(%14 : tensor<1x6x6x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %88 = arith.mulf %in, %in : f32
    linalg.yield %88 : f32
  } -> tensor<1x6x6x4xf32>
  %16 = tensor.empty() : tensor<f32>
  %17 = linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%16 : tensor<f32>) {
  ^bb0(%out: f32):
    linalg.yield %cst_2 : f32
  } -> tensor<f32>
  %18 = tensor.empty() : tensor<f32>
  %19 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%17 : tensor<f32>) outs(%18 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %88 = arith.subf %cst_1, %in : f32
    linalg.yield %88 : f32
  } -> tensor<f32>
  %20 = tensor.empty() : tensor<1x4xf32>
  %21 = linalg.fill ins(%cst_2 : f32) outs(%20 : tensor<1x4xf32>) -> tensor<1x4xf32>
  %22 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%15 : tensor<1x6x6x4xf32>) outs(%21 : tensor<1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %88 = arith.addf %out, %in : f32
    linalg.yield %88 : f32
  } -> tensor<1x4xf32>
  %23 = tensor.empty() : tensor<1x1x1x4xf32>
  %24 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x4xf32>) outs(%23 : tensor<1x1x1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x1x1x4xf32>
  %25 = tensor.empty() : tensor<1x1x1x4xf32>
  %26 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<f32>) outs(%25 : tensor<1x1x1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x1x1x4xf32>
  %27 = tensor.empty() : tensor<1x1x1x4xf32>
  %28 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %26 : tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>) outs(%27 : tensor<1x1x1x4xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %88 = arith.divf %in, %in_5 : f32
    linalg.yield %88 : f32
  } -> tensor<1x1x1x4xf32>
  %29 = tensor.empty() : tensor<i1>
  %30 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%19 : tensor<f32>) outs(%29 : tensor<i1>) {
  ^bb0(%in: f32, %out: i1):
    %88 = arith.cmpf ogt, %in, %cst_2 : f32
    linalg.yield %88 : i1
  } -> tensor<i1>
  %31 = tensor.empty() : tensor<1x1x1x4xf32>
  %extracted = tensor.extract %30[] : tensor<i1>
  %32 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<1x1x1x4xf32>) outs(%31 : tensor<1x1x1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %88 = arith.select %extracted, %in, %cst_0 : f32
    linalg.yield %88 : f32
  } -> tensor<1x1x1x4xf32>
  %33 = tensor.empty() : tensor<1x1x1x4xf32>
  %34 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x1x1x4xf32>) outs(%33 : tensor<1x1x1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %88 = arith.addf %in, %cst : f32
    linalg.yield %88 : f32
  } -> tensor<1x1x1x4xf32>
  %35 = tensor.empty() : tensor<1x1x1x4xf32>
  %36 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x1x1x4xf32>) outs(%35 : tensor<1x1x1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %88 = math.rsqrt %in : f32
    linalg.yield %88 : f32
  } -> tensor<1x1x1x4xf32>
  %37 = tensor.empty() : tensor<1x6x6x4xf32>
  %38 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<1x1x1x4xf32>) outs(%37 : tensor<1x6x6x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x6x6x4xf32>
  %39 = tensor.empty() : tensor<1x6x6x4xf32>
  %40 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %38 : tensor<1x6x6x4xf32>, tensor<1x6x6x4xf32>) outs(%39 : tensor<1x6x6x4xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %88 = arith.mulf %in, %in_5 : f32
    linalg.yield %88 : f32
  } -> tensor<1x6x6x4xf32>
  %41 = tensor.empty() : tensor<1x6x6x4xf32>
  %42 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<4xf32>) outs(%41 : tensor<1x6x6x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x6x6x4xf32>
  %43 = tensor.empty() : tensor<1x6x6x4xf32>
  %44 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %42 : tensor<1x6x6x4xf32>, tensor<1x6x6x4xf32>) outs(%43 : tensor<1x6x6x4xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %88 = arith.mulf %in, %in_5 : f32
    linalg.yield %88 : f32
  } -> tensor<1x6x6x4xf32>
  %45 = tensor.empty() : tensor<1x6x6x4xf32>
  %46 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<1x6x6x4xf32>) outs(%45 : tensor<1x6x6x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %88 = arith.maximumf %in, %cst_2 : f32
    linalg.yield %88 : f32
  } -> tensor<1x6x6x4xf32>
  %47 = tensor.empty() : tensor<1x6x6x4xf32>
  %48 = linalg.fill ins(%cst_2 : f32) outs(%47 : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  %padded_3 = tensor.pad %46 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%arg5: index, %arg6: index, %arg7: index, %arg8: index):
    tensor.yield %cst_2 : f32
  } : tensor<1x6x6x4xf32> to tensor<1x8x8x4xf32>
  %49 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_3, %arg2 : tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) outs(%48 : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  %50 = tensor.empty() : tensor<1x4xf32>
  %51 = linalg.fill ins(%cst_2 : f32) outs(%50 : tensor<1x4xf32>) -> tensor<1x4xf32>
  %52 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%49 : tensor<1x6x6x4xf32>) outs(%51 : tensor<1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %88 = arith.addf %out, %in : f32
    linalg.yield %88 : f32
  } -> tensor<1x4xf32>
  %53 = tensor.empty() : tensor<1x1x1x4xf32>
  %54 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52 : tensor<1x4xf32>) outs(%53 : tensor<1x1x1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x1x1x4xf32>
  %55 = tensor.empty() : tensor<1x1x1x4xf32>
  %56 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<1x1x1x4xf32>) outs(%55 : tensor<1x1x1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %88 = arith.divf %in, %cst_1 : f32
    linalg.yield %88 : f32
  } -> tensor<1x1x1x4xf32>
  %57 = tensor.empty() : tensor<1x6x6x4xf32>
  %58 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56 : tensor<1x1x1x4xf32>) outs(%57 : tensor<1x6x6x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x6x6x4xf32>
  %59 = tensor.empty() : tensor<1x6x6x4xf32>
  %60 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49, %58 : tensor<1x6x6x4xf32>, tensor<1x6x6x4xf32>) outs(%59 : tensor<1x6x6x4xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %88 = arith.subf %in, %in_5 : f32
    linalg.yield %88 : f32
  } -> tensor<1x6x6x4xf32>
  %61 = tensor.empty() : tensor<1x6x6x4xf32>
  %62 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60 : tensor<1x6x6x4xf32>) outs(%61 : tensor<1x6x6x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %88 = arith.mulf %in, %in : f32
    linalg.yield %88 : f32
  } -> tensor<1x6x6x4xf32>
  %63 = tensor.empty() : tensor<1x4xf32>
  %64 = linalg.fill ins(%cst_2 : f32) outs(%63 : tensor<1x4xf32>) -> tensor<1x4xf32>
  %65 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%62 : tensor<1x6x6x4xf32>) outs(%64 : tensor<1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %88 = arith.addf %out, %in : f32
    linalg.yield %88 : f32
  } -> tensor<1x4xf32>
  %66 = tensor.empty() : tensor<1x1x1x4xf32>
  %67 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65 : tensor<1x4xf32>) outs(%66 : tensor<1x1x1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x1x1x4xf32>
  %68 = tensor.empty() : tensor<1x1x1x4xf32>
  %69 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67, %26 : tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>) outs(%68 : tensor<1x1x1x4xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %88 = arith.divf %in, %in_5 : f32
    linalg.yield %88 : f32
  } -> tensor<1x1x1x4xf32>
  %70 = tensor.empty() : tensor<1x1x1x4xf32>
  %extracted_4 = tensor.extract %30[] : tensor<i1>
  %71 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69 : tensor<1x1x1x4xf32>) outs(%70 : tensor<1x1x1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %88 = arith.select %extracted_4, %in, %cst_0 : f32
    linalg.yield %88 : f32
  } -> tensor<1x1x1x4xf32>
  %72 = tensor.empty() : tensor<1x1x1x4xf32>
  %73 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71 : tensor<1x1x1x4xf32>) outs(%72 : tensor<1x1x1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %88 = arith.addf %in, %cst : f32
    linalg.yield %88 : f32
  } -> tensor<1x1x1x4xf32>
  %74 = tensor.empty() : tensor<1x1x1x4xf32>
  %75 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73 : tensor<1x1x1x4xf32>) outs(%74 : tensor<1x1x1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %88 = math.rsqrt %in : f32
    linalg.yield %88 : f32
  } -> tensor<1x1x1x4xf32>
  %76 = tensor.empty() : tensor<1x6x6x4xf32>
  %77 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75 : tensor<1x1x1x4xf32>) outs(%76 : tensor<1x6x6x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x6x6x4xf32>
  %78 = tensor.empty() : tensor<1x6x6x4xf32>
  %79 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60, %77 : tensor<1x6x6x4xf32>, tensor<1x6x6x4xf32>) outs(%78 : tensor<1x6x6x4xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %88 = arith.mulf %in, %in_5 : f32
    linalg.yield %88 : f32
  } -> tensor<1x6x6x4xf32>
  %80 = tensor.empty() : tensor<1x6x6x4xf32>
  %81 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg4 : tensor<4xf32>) outs(%80 : tensor<1x6x6x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x6x6x4xf32>
  %82 = tensor.empty() : tensor<1x6x6x4xf32>
  %83 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%79, %81 : tensor<1x6x6x4xf32>, tensor<1x6x6x4xf32>) outs(%82 : tensor<1x6x6x4xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %88 = arith.mulf %in, %in_5 : f32
    linalg.yield %88 : f32
  } -> tensor<1x6x6x4xf32>
  %84 = tensor.empty() : tensor<1x6x6x4xf32>
  %85 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %83 : tensor<1x6x6x4xf32>, tensor<1x6x6x4xf32>) outs(%84 : tensor<1x6x6x4xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %88 = arith.addf %in, %in_5 : f32
    linalg.yield %88 : f32
  } -> tensor<1x6x6x4xf32>
  %86 = tensor.empty() : tensor<1x6x6x4xf32>
  %87 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%85 : tensor<1x6x6x4xf32>) outs(%86 : tensor<1x6x6x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %88 = arith.maximumf %in, %cst_2 : f32
    linalg.yield %88 : f32
  } -> tensor<1x6x6x4xf32>
  return %87 : tensor<1x6x6x4xf32>
}
