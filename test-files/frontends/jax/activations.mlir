// test: round-trip
// activations
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 17xf32: 0.4375 -1 1.9375 1.8125 -1.75 -1.25 -1.25 -1.3125 0.3125 -0.625 -0.0625 -1.125 1.8125 0.6875 0.6875 -1.5625 -1.375
// out 17xf32: 0.29274246 -0.15865527 1.8864621 1.749145 -0.07010353 -0.13206226 -0.13206226 -0.12426197 0.19458428 -0.16624096 -0.029692646
//   -0.14658137 1.749145 0.51845485 0.51845485 -0.09232052 -0.11627792
// out 17xf32: 0.26585266 -0.26894143 1.6935246 1.5581405 -0.25908262 -0.27837518 -0.27837518 -0.27834028 0.1804673 -0.2179032 -0.030273752
//   -0.27572066 1.5581405 0.45746976 0.45746976 -0.2707628 -0.27749318
// out 17xf32: 0.9356345 0.3132617 2.0720866 1.963714 0.16022415 0.25192907 0.25192907 0.2383445 0.86155486 0.42870066 0.6623854 0.28115013
//   1.963714 1.094851 1.094851 0.19029914 0.22541265
// out 17xf32: 0.4375 -0.01 1.9375 1.8125 -0.0175 -0.012499999 -0.012499999 -0.013125 0.3125 -0.0062499996 -6.2499999e-04 -0.0112499995
//   1.8125 0.6875 0.6875 -0.015625 -0.01375
// out 17xf32: 0.4375 -0.63212055 1.9375 1.8125 -0.82622606 -0.7134952 -0.7134952 -0.7308537 0.3125 -0.46473855 -0.06058693 -0.67534757
//   1.8125 0.6875 0.6875 -0.7903886 -0.74716043
// out 17xf32: 0.41157007 -0.7615942 0.95933527 0.94808525 -0.94137555 -0.84828365 -0.84828365 -0.8649066 0.30270973 -0.5545997 -0.06241874
//   -0.809301 0.94808525 0.59637356 0.59637356 -0.9158246 -0.87982666
// out 17xf32: 0.6076632 0.26894143 0.8740772 0.8596637 0.14804721 0.22270013 0.22270013 0.2120688 0.57749534 0.34864512 0.48438004
//   0.24508502 0.8596637 0.6654106 0.6654106 0.1732882 0.20181322
// out 17xf32: 0.4375 0 1.9375 1.8125 0 0 0 0 0.3125 0 0 0 1.8125 0.6875 0.6875 0 0
// out 17xf32: 0 1 1 1 2 2 2 2 0 1 1 2 1 0 0 2 2
func.func @main(%arg0: tensor<17xf32>) -> (tensor<17xf32>, tensor<17xf32>, tensor<17xf32>, tensor<17xf32>, tensor<17xf32>, tensor<17xf32>, tensor<17xf32>, tensor<17xf32>, tensor<17xf32>) {
  %cst = arith.constant 6.000000e+00 : f32
  %cst_0 = arith.constant 0.00999999977 : f32
  %cst_1 = arith.constant 1.12837911 : f32
  %cst_2 = arith.constant -0.37612626 : f32
  %cst_3 = arith.constant 0.112835854 : f32
  %cst_4 = arith.constant -0.0268538129 : f32
  %cst_5 = arith.constant 0.00518832775 : f32
  %cst_6 = arith.constant -8.0101937E-4 : f32
  %cst_7 = arith.constant 7.85386146E-5 : f32
  %cst_8 = arith.constant 0.000000e+00 : f32
  %cst_9 = arith.constant -88.7228394 : f32
  %cst_10 = arith.constant 0.564189494 : f32
  %cst_11 = arith.constant -0.282076746 : f32
  %cst_12 = arith.constant 0.42184633 : f32
  %cst_13 = arith.constant -1.01526523 : f32
  %cst_14 = arith.constant 2.92101908 : f32
  %cst_15 = arith.constant -7.49551868 : f32
  %cst_16 = arith.constant 1.297720e+01 : f32
  %cst_17 = arith.constant -10.477664 : f32
  %cst_18 = arith.constant 0.563825965 : f32
  %cst_19 = arith.constant -0.274112701 : f32
  %cst_20 = arith.constant 3.404880e-01 : f32
  %cst_21 = arith.constant -0.494451523 : f32
  %cst_22 = arith.constant 0.621000468 : f32
  %cst_23 = arith.constant -0.582473278 : f32
  %cst_24 = arith.constant 0.368742466 : f32
  %cst_25 = arith.constant -0.138703942 : f32
  %cst_26 = arith.constant 2.326820e-02 : f32
  %cst_27 = arith.constant 2.000000e+00 : f32
  %cst_28 = arith.constant 1.000000e+00 : f32
  %cst_29 = arith.constant 0.707106769 : f32
  %cst_30 = arith.constant 5.000000e-01 : f32
  %0 = tensor.empty() : tensor<17xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<17xf32>) outs(%0 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.mulf %in, %cst_30 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %2 = tensor.empty() : tensor<17xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<17xf32>) outs(%2 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.negf %in : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %4 = tensor.empty() : tensor<17xf32>
  %5 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%3 : tensor<17xf32>) outs(%4 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.mulf %in, %cst_29 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %6 = tensor.empty() : tensor<17xf32>
  %7 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%5 : tensor<17xf32>) outs(%6 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.mulf %in, %in : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %8 = tensor.empty() : tensor<17xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%7 : tensor<17xf32>) outs(%8 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.negf %in : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %10 = tensor.empty() : tensor<17xf32>
  %11 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%5 : tensor<17xf32>) outs(%10 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = math.absf %in : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %12 = tensor.empty() : tensor<17xf32>
  %13 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%7 : tensor<17xf32>) outs(%12 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.divf %cst_28, %in : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %14 = tensor.empty() : tensor<17xf32>
  %15 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%9 : tensor<17xf32>) outs(%14 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = math.exp %in : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %16 = tensor.empty() : tensor<17xf32>
  %17 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%11 : tensor<17xf32>) outs(%16 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.divf %cst_28, %in : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %18 = tensor.empty() : tensor<17xf32>
  %19 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%15, %17 : tensor<17xf32>, tensor<17xf32>) outs(%18 : tensor<17xf32>) {
  ^bb0(%in: f32, %in_31: f32, %out: f32):
    %180 = arith.mulf %in, %in_31 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %20 = tensor.empty() : tensor<17xi1>
  %21 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%11 : tensor<17xf32>) outs(%20 : tensor<17xi1>) {
  ^bb0(%in: f32, %out: i1):
    %180 = arith.cmpf olt, %in, %cst_27 : f32
    linalg.yield %180 : i1
  } -> tensor<17xi1>
  %22 = tensor.empty() : tensor<17xf32>
  %23 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%13 : tensor<17xf32>) outs(%22 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.mulf %in, %cst_26 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %24 = tensor.empty() : tensor<17xf32>
  %25 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%23 : tensor<17xf32>) outs(%24 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.addf %in, %cst_25 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %26 = tensor.empty() : tensor<17xf32>
  %27 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%25, %13 : tensor<17xf32>, tensor<17xf32>) outs(%26 : tensor<17xf32>) {
  ^bb0(%in: f32, %in_31: f32, %out: f32):
    %180 = arith.mulf %in, %in_31 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %28 = tensor.empty() : tensor<17xf32>
  %29 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%27 : tensor<17xf32>) outs(%28 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.addf %in, %cst_24 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %30 = tensor.empty() : tensor<17xf32>
  %31 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%29, %13 : tensor<17xf32>, tensor<17xf32>) outs(%30 : tensor<17xf32>) {
  ^bb0(%in: f32, %in_31: f32, %out: f32):
    %180 = arith.mulf %in, %in_31 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %32 = tensor.empty() : tensor<17xf32>
  %33 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%31 : tensor<17xf32>) outs(%32 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.addf %in, %cst_23 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %34 = tensor.empty() : tensor<17xf32>
  %35 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%33, %13 : tensor<17xf32>, tensor<17xf32>) outs(%34 : tensor<17xf32>) {
  ^bb0(%in: f32, %in_31: f32, %out: f32):
    %180 = arith.mulf %in, %in_31 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %36 = tensor.empty() : tensor<17xf32>
  %37 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%35 : tensor<17xf32>) outs(%36 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.addf %in, %cst_22 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %38 = tensor.empty() : tensor<17xf32>
  %39 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%37, %13 : tensor<17xf32>, tensor<17xf32>) outs(%38 : tensor<17xf32>) {
  ^bb0(%in: f32, %in_31: f32, %out: f32):
    %180 = arith.mulf %in, %in_31 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %40 = tensor.empty() : tensor<17xf32>
  %41 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%39 : tensor<17xf32>) outs(%40 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.addf %in, %cst_21 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %42 = tensor.empty() : tensor<17xf32>
  %43 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%41, %13 : tensor<17xf32>, tensor<17xf32>) outs(%42 : tensor<17xf32>) {
  ^bb0(%in: f32, %in_31: f32, %out: f32):
    %180 = arith.mulf %in, %in_31 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %44 = tensor.empty() : tensor<17xf32>
  %45 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%43 : tensor<17xf32>) outs(%44 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.addf %in, %cst_20 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %46 = tensor.empty() : tensor<17xf32>
  %47 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%45, %13 : tensor<17xf32>, tensor<17xf32>) outs(%46 : tensor<17xf32>) {
  ^bb0(%in: f32, %in_31: f32, %out: f32):
    %180 = arith.mulf %in, %in_31 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %48 = tensor.empty() : tensor<17xf32>
  %49 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%47 : tensor<17xf32>) outs(%48 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.addf %in, %cst_19 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %50 = tensor.empty() : tensor<17xf32>
  %51 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%49, %13 : tensor<17xf32>, tensor<17xf32>) outs(%50 : tensor<17xf32>) {
  ^bb0(%in: f32, %in_31: f32, %out: f32):
    %180 = arith.mulf %in, %in_31 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %52 = tensor.empty() : tensor<17xf32>
  %53 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%51 : tensor<17xf32>) outs(%52 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.addf %in, %cst_18 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %54 = tensor.empty() : tensor<17xf32>
  %55 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%13 : tensor<17xf32>) outs(%54 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.mulf %in, %cst_17 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %56 = tensor.empty() : tensor<17xf32>
  %57 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%55 : tensor<17xf32>) outs(%56 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.addf %in, %cst_16 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %58 = tensor.empty() : tensor<17xf32>
  %59 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%57, %13 : tensor<17xf32>, tensor<17xf32>) outs(%58 : tensor<17xf32>) {
  ^bb0(%in: f32, %in_31: f32, %out: f32):
    %180 = arith.mulf %in, %in_31 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %60 = tensor.empty() : tensor<17xf32>
  %61 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%59 : tensor<17xf32>) outs(%60 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.addf %in, %cst_15 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %62 = tensor.empty() : tensor<17xf32>
  %63 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%61, %13 : tensor<17xf32>, tensor<17xf32>) outs(%62 : tensor<17xf32>) {
  ^bb0(%in: f32, %in_31: f32, %out: f32):
    %180 = arith.mulf %in, %in_31 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %64 = tensor.empty() : tensor<17xf32>
  %65 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%63 : tensor<17xf32>) outs(%64 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.addf %in, %cst_14 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %66 = tensor.empty() : tensor<17xf32>
  %67 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%65, %13 : tensor<17xf32>, tensor<17xf32>) outs(%66 : tensor<17xf32>) {
  ^bb0(%in: f32, %in_31: f32, %out: f32):
    %180 = arith.mulf %in, %in_31 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %68 = tensor.empty() : tensor<17xf32>
  %69 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%67 : tensor<17xf32>) outs(%68 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.addf %in, %cst_13 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %70 = tensor.empty() : tensor<17xf32>
  %71 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%69, %13 : tensor<17xf32>, tensor<17xf32>) outs(%70 : tensor<17xf32>) {
  ^bb0(%in: f32, %in_31: f32, %out: f32):
    %180 = arith.mulf %in, %in_31 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %72 = tensor.empty() : tensor<17xf32>
  %73 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%71 : tensor<17xf32>) outs(%72 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.addf %in, %cst_12 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %74 = tensor.empty() : tensor<17xf32>
  %75 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%73, %13 : tensor<17xf32>, tensor<17xf32>) outs(%74 : tensor<17xf32>) {
  ^bb0(%in: f32, %in_31: f32, %out: f32):
    %180 = arith.mulf %in, %in_31 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %76 = tensor.empty() : tensor<17xf32>
  %77 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%75 : tensor<17xf32>) outs(%76 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.addf %in, %cst_11 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %78 = tensor.empty() : tensor<17xf32>
  %79 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%77, %13 : tensor<17xf32>, tensor<17xf32>) outs(%78 : tensor<17xf32>) {
  ^bb0(%in: f32, %in_31: f32, %out: f32):
    %180 = arith.mulf %in, %in_31 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %80 = tensor.empty() : tensor<17xf32>
  %81 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%79 : tensor<17xf32>) outs(%80 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.addf %in, %cst_10 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %82 = tensor.empty() : tensor<17xf32>
  %83 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%21, %53, %81 : tensor<17xi1>, tensor<17xf32>, tensor<17xf32>) outs(%82 : tensor<17xf32>) {
  ^bb0(%in: i1, %in_31: f32, %in_32: f32, %out: f32):
    %180 = arith.select %in, %in_31, %in_32 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %84 = tensor.empty() : tensor<17xf32>
  %85 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%19, %83 : tensor<17xf32>, tensor<17xf32>) outs(%84 : tensor<17xf32>) {
  ^bb0(%in: f32, %in_31: f32, %out: f32):
    %180 = arith.mulf %in, %in_31 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %86 = tensor.empty() : tensor<17xi1>
  %87 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%9 : tensor<17xf32>) outs(%86 : tensor<17xi1>) {
  ^bb0(%in: f32, %out: i1):
    %180 = arith.cmpf olt, %in, %cst_9 : f32
    linalg.yield %180 : i1
  } -> tensor<17xi1>
  %88 = tensor.empty() : tensor<17xf32>
  %89 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%87, %85 : tensor<17xi1>, tensor<17xf32>) outs(%88 : tensor<17xf32>) {
  ^bb0(%in: i1, %in_31: f32, %out: f32):
    %180 = arith.select %in, %cst_8, %in_31 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %90 = tensor.empty() : tensor<17xi1>
  %91 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%5 : tensor<17xf32>) outs(%90 : tensor<17xi1>) {
  ^bb0(%in: f32, %out: i1):
    %180 = arith.cmpf olt, %in, %cst_8 : f32
    linalg.yield %180 : i1
  } -> tensor<17xi1>
  %92 = tensor.empty() : tensor<17xf32>
  %93 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%89 : tensor<17xf32>) outs(%92 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.subf %cst_27, %in : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %94 = tensor.empty() : tensor<17xf32>
  %95 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%91, %93, %89 : tensor<17xi1>, tensor<17xf32>, tensor<17xf32>) outs(%94 : tensor<17xf32>) {
  ^bb0(%in: i1, %in_31: f32, %in_32: f32, %out: f32):
    %180 = arith.select %in, %in_31, %in_32 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %96 = tensor.empty() : tensor<17xf32>
  %97 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%7 : tensor<17xf32>) outs(%96 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.mulf %in, %cst_7 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %98 = tensor.empty() : tensor<17xf32>
  %99 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%97 : tensor<17xf32>) outs(%98 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.addf %in, %cst_6 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %100 = tensor.empty() : tensor<17xf32>
  %101 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%99, %7 : tensor<17xf32>, tensor<17xf32>) outs(%100 : tensor<17xf32>) {
  ^bb0(%in: f32, %in_31: f32, %out: f32):
    %180 = arith.mulf %in, %in_31 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %102 = tensor.empty() : tensor<17xf32>
  %103 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%101 : tensor<17xf32>) outs(%102 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.addf %in, %cst_5 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %104 = tensor.empty() : tensor<17xf32>
  %105 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%103, %7 : tensor<17xf32>, tensor<17xf32>) outs(%104 : tensor<17xf32>) {
  ^bb0(%in: f32, %in_31: f32, %out: f32):
    %180 = arith.mulf %in, %in_31 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %106 = tensor.empty() : tensor<17xf32>
  %107 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%105 : tensor<17xf32>) outs(%106 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.addf %in, %cst_4 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %108 = tensor.empty() : tensor<17xf32>
  %109 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%107, %7 : tensor<17xf32>, tensor<17xf32>) outs(%108 : tensor<17xf32>) {
  ^bb0(%in: f32, %in_31: f32, %out: f32):
    %180 = arith.mulf %in, %in_31 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %110 = tensor.empty() : tensor<17xf32>
  %111 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%109 : tensor<17xf32>) outs(%110 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.addf %in, %cst_3 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %112 = tensor.empty() : tensor<17xf32>
  %113 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%111, %7 : tensor<17xf32>, tensor<17xf32>) outs(%112 : tensor<17xf32>) {
  ^bb0(%in: f32, %in_31: f32, %out: f32):
    %180 = arith.mulf %in, %in_31 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %114 = tensor.empty() : tensor<17xf32>
  %115 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%113 : tensor<17xf32>) outs(%114 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.addf %in, %cst_2 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %116 = tensor.empty() : tensor<17xf32>
  %117 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%115, %7 : tensor<17xf32>, tensor<17xf32>) outs(%116 : tensor<17xf32>) {
  ^bb0(%in: f32, %in_31: f32, %out: f32):
    %180 = arith.mulf %in, %in_31 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %118 = tensor.empty() : tensor<17xf32>
  %119 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%117 : tensor<17xf32>) outs(%118 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.addf %in, %cst_1 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %120 = tensor.empty() : tensor<17xf32>
  %121 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%5, %119 : tensor<17xf32>, tensor<17xf32>) outs(%120 : tensor<17xf32>) {
  ^bb0(%in: f32, %in_31: f32, %out: f32):
    %180 = arith.mulf %in, %in_31 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %122 = tensor.empty() : tensor<17xf32>
  %123 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%121 : tensor<17xf32>) outs(%122 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.subf %cst_28, %in : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %124 = tensor.empty() : tensor<17xi1>
  %125 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%11 : tensor<17xf32>) outs(%124 : tensor<17xi1>) {
  ^bb0(%in: f32, %out: i1):
    %180 = arith.cmpf olt, %in, %cst_28 : f32
    linalg.yield %180 : i1
  } -> tensor<17xi1>
  %126 = tensor.empty() : tensor<17xf32>
  %127 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%125, %123, %95 : tensor<17xi1>, tensor<17xf32>, tensor<17xf32>) outs(%126 : tensor<17xf32>) {
  ^bb0(%in: i1, %in_31: f32, %in_32: f32, %out: f32):
    %180 = arith.select %in, %in_31, %in_32 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %128 = tensor.empty() : tensor<17xf32>
  %129 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%1, %127 : tensor<17xf32>, tensor<17xf32>) outs(%128 : tensor<17xf32>) {
  ^bb0(%in: f32, %in_31: f32, %out: f32):
    %180 = arith.mulf %in, %in_31 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %130 = tensor.empty() : tensor<17xf32>
  %131 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%3 : tensor<17xf32>) outs(%130 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = math.exp %in : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %132 = tensor.empty() : tensor<17xf32>
  %133 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%131 : tensor<17xf32>) outs(%132 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.addf %in, %cst_28 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %134 = tensor.empty() : tensor<17xf32>
  %135 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%133 : tensor<17xf32>) outs(%134 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.divf %cst_28, %in : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %136 = tensor.empty() : tensor<17xf32>
  %137 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0, %135 : tensor<17xf32>, tensor<17xf32>) outs(%136 : tensor<17xf32>) {
  ^bb0(%in: f32, %in_31: f32, %out: f32):
    %180 = arith.mulf %in, %in_31 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %138 = tensor.empty() : tensor<17xf32>
  %139 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<17xf32>) outs(%138 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.maximumf %in, %cst_8 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %140 = tensor.empty() : tensor<17xi1>
  %141 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<17xf32>) outs(%140 : tensor<17xi1>) {
  ^bb0(%in: f32, %out: i1):
    %180 = arith.cmpf une, %in, %in : f32
    linalg.yield %180 : i1
  } -> tensor<17xi1>
  %142 = tensor.empty() : tensor<17xf32>
  %143 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<17xf32>) outs(%142 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.addf %in, %cst_8 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %144 = tensor.empty() : tensor<17xf32>
  %145 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<17xf32>) outs(%144 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = math.absf %in : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %146 = tensor.empty() : tensor<17xf32>
  %147 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%145 : tensor<17xf32>) outs(%146 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.negf %in : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %148 = tensor.empty() : tensor<17xf32>
  %149 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%147 : tensor<17xf32>) outs(%148 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = math.exp %in : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %150 = tensor.empty() : tensor<17xf32>
  %151 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%149 : tensor<17xf32>) outs(%150 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = math.log1p %in : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %152 = tensor.empty() : tensor<17xf32>
  %153 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%139, %151 : tensor<17xf32>, tensor<17xf32>) outs(%152 : tensor<17xf32>) {
  ^bb0(%in: f32, %in_31: f32, %out: f32):
    %180 = arith.addf %in, %in_31 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %154 = tensor.empty() : tensor<17xf32>
  %155 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%141, %143, %153 : tensor<17xi1>, tensor<17xf32>, tensor<17xf32>) outs(%154 : tensor<17xf32>) {
  ^bb0(%in: i1, %in_31: f32, %in_32: f32, %out: f32):
    %180 = arith.select %in, %in_31, %in_32 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %156 = tensor.empty() : tensor<17xi1>
  %157 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<17xf32>) outs(%156 : tensor<17xi1>) {
  ^bb0(%in: f32, %out: i1):
    %180 = arith.cmpf oge, %in, %cst_8 : f32
    linalg.yield %180 : i1
  } -> tensor<17xi1>
  %158 = tensor.empty() : tensor<17xf32>
  %159 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<17xf32>) outs(%158 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.mulf %in, %cst_0 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %160 = tensor.empty() : tensor<17xf32>
  %161 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%157, %arg0, %159 : tensor<17xi1>, tensor<17xf32>, tensor<17xf32>) outs(%160 : tensor<17xf32>) {
  ^bb0(%in: i1, %in_31: f32, %in_32: f32, %out: f32):
    %180 = arith.select %in, %in_31, %in_32 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %162 = tensor.empty() : tensor<17xi1>
  %163 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<17xf32>) outs(%162 : tensor<17xi1>) {
  ^bb0(%in: f32, %out: i1):
    %180 = arith.cmpf ogt, %in, %cst_8 : f32
    linalg.yield %180 : i1
  } -> tensor<17xi1>
  %164 = tensor.empty() : tensor<17xf32>
  %165 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%163, %arg0 : tensor<17xi1>, tensor<17xf32>) outs(%164 : tensor<17xf32>) {
  ^bb0(%in: i1, %in_31: f32, %out: f32):
    %180 = arith.select %in, %cst_8, %in_31 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %166 = tensor.empty() : tensor<17xf32>
  %167 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%165 : tensor<17xf32>) outs(%166 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = math.expm1 %in : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %168 = tensor.empty() : tensor<17xf32>
  %169 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%163, %arg0, %167 : tensor<17xi1>, tensor<17xf32>, tensor<17xf32>) outs(%168 : tensor<17xf32>) {
  ^bb0(%in: i1, %in_31: f32, %in_32: f32, %out: f32):
    %180 = arith.select %in, %in_31, %in_32 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %170 = tensor.empty() : tensor<17xf32>
  %171 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<17xf32>) outs(%170 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = math.tanh %in : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %172 = tensor.empty() : tensor<17xf32>
  %173 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%139 : tensor<17xf32>) outs(%172 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.minimumf %in, %cst : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %174 = tensor.empty() : tensor<17xf32>
  %175 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<17xf32>) outs(%174 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = arith.cmpf one, %in, %cst_8 : f32
    %181 = arith.uitofp %180 : i1 to f32
    %182 = math.copysign %181, %in : f32
    %183 = arith.cmpf uno, %in, %in : f32
    %184 = arith.select %183, %in, %182 : f32
    linalg.yield %184 : f32
  } -> tensor<17xf32>
  %176 = tensor.empty() : tensor<17xf32>
  %177 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<17xf32>) outs(%176 : tensor<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %180 = math.floor %in : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  %178 = tensor.empty() : tensor<17xf32>
  %179 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%175, %177 : tensor<17xf32>, tensor<17xf32>) outs(%178 : tensor<17xf32>) {
  ^bb0(%in: f32, %in_31: f32, %out: f32):
    %180 = arith.mulf %in, %in_31 : f32
    linalg.yield %180 : f32
  } -> tensor<17xf32>
  return %129, %137, %155, %161, %169, %171, %135, %173, %179 : tensor<17xf32>, tensor<17xf32>, tensor<17xf32>, tensor<17xf32>, tensor<17xf32>, tensor<17xf32>, tensor<17xf32>, tensor<17xf32>, tensor<17xf32>
}
