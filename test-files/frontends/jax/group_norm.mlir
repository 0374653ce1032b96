// test: round-trip
// group norm
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 2x3x3x8xf32: -1.5 -1.5 1.1875 0 0.375 0.4375 0.875 -1.9375 -0.0625 -1.4375 -0.375 1.75 0.1875 -1.75 0.1875 -1.5 1.0625 1.8125 1.9375
//   0.5 1.5 -0.5625 -1.4375 0.0625 -0.25 0.6875 2 -0.9375 1.4375 -1.5 -0.625 1.1875 -1 0.6875 -0.1875 0.0625 1.8125 1.3125 1.375 0.1875
//   1.9375 1.9375 -1.5 -1.1875 -0.75 0.1875 1.3125 -0.0625 1.9375 -0.625 1.75 0.375 0.875 -1.0625 0.375 1.25 1.5625 1.5 1.875 -1.5 1.125
//   -0.125 0.75 -0.875 -2 -1.6875 1.9375 1.625 -0.8125 -0.3125 -1.0625 -1.4375 1.4375 0.6875 -1.75 -1.1875 0.25 1.625 2 -1.125 0.4375
//   -1.875 -1.3125 -1.1875 -0.25 -0.625 0.9375 -0.125 -0.625 1.625 0.5 0.8125 1 -0.625 1.5625 -1.9375 -0.8125 -1.375 -2 2 -1.6875 -0.1875
//   1.3125 0.75 1.4375 -1.8125 0 -1.875 -1.25 1.375 -1.75 0.375 -1.9375 -0.75 1.75 -0.75 -0.75 -1.6875 1.125 -1.3125 0 -1.9375 -1.9375
//   1.375 -2 -0.125 -0.3125 -1.5 0.5625 1 2 -1.25 1.75 -1.75 -1.4375 0.375 1.5 1.625 1 -1.9375 -0.3125 1.25 0.125 -1.25
// in 8xf32: 0.75 -1.625 0.8125 -1.9375 -0.5625 -0.8125 1.8125 0.9375
// in 8xf32: 0.625 0 -0.875 1.4375 1.8125 -1.125 -1.0625 -0.75
// out 2x3x3x8xf32: -0.2649034 1.9281241 -0.43640408 2.244943 1.6812739 -1.3632898 0.55530995 -2.3869483 0.50104254 1.8559698 -1.4590371
//   -0.4862736 1.7825055 0.3426488 -0.6137644 -2.0021434 1.1004785 -1.8960557 0.054459654 1.4645954 1.0738847 -0.58343214 -3.377031
//   -0.6278397 0.40113655 -0.5972775 0.09536502 3.7080948 1.1076286 0.14768445 -1.9953977 0.36165896 0.001512602 -0.5972775 -1.3363211
//   2.1473994 0.90516555 -2.0456653 1.4055457 -0.5178954 1.5667067 -2.0403643 -2.1953328 4.0982685 2.2886631 -1.1683254 1.2992661
//   -0.73778397 1.5667067 0.91796345 -0.068256244 1.6596823 1.4113232 -0.19350334 -0.29492596 0.41663104 1.3668946 -1.5352839 0.013554387
//   4.585986 1.2763478 -0.9246199 0.34275097 -1.4524219 -0.53131944 2.144587 0.054459654 -0.2911867 2.322407 -0.77839655 -2.739354
//   -1.9471712 1.4666395 -0.90109956 -1.6772877 2.5983906 1.5880283 -2.3933382 2.0947866 -1.5224385 0.8989763 2.2506137 -1.4319279
//   2.5983906 1.8257042 -0.84844506 0.5135597 -0.7526728 0.2958342 -2.0541654 -0.41543713 -0.07630122 1.2315146 -0.84844506 1.4436932
//   -2.1478732 0.18939736 1.6356453 -1.8174934 -1.6643995 2.5090222 -1.1488409 1.0716399 -0.07912778 1.4666395 2.1737425 -0.69584835
//   3.5178158 2.301056 -2.2216835 -3.4860148 -0.36778992 -0.44922373 0.8669346 0.285591 2.0133016 2.06338 -0.118912175 0.79259974
//   -1.6667696 0.6506237 2.3274848 -1.782442 -0.82855844 2.65757 -1.1917547 -1.3467075 -1.8111007 0.9699342 -1.2854548 0.42579657 2.6819746
//   0.8750008 -0.07599847 -3.020948 -0.36778992 1.5021183 -2.0541654 -0.13502592 3.6014001 1.8554137 -2.135856 -0.695614 -1.6186593
func.func @main(%arg0: tensor<2x3x3x8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> tensor<2x3x3x8xf32> {
  %cst = arith.constant 9.99999974E-6 : f32
  %cst_0 = arith.constant 0x7FC00000 : f32
  %cst_1 = arith.constant 1.800000e+01 : f32
  %cst_2 = arith.constant 0.000000e+00 : f32
  %expanded = tensor.expand_shape %arg0 [[0], [1], [2], [3, 4]] output_shape [2, 3, 3, 4, 2] : tensor<2x3x3x8xf32> into tensor<2x3x3x4x2xf32>
  %0 = tensor.empty() : tensor<2x4xf32>
  %1 = linalg.fill ins(%cst_2 : f32) outs(%0 : tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3, d1, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%expanded : tensor<2x3x3x4x2xf32>) outs(%1 : tensor<2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %46 = arith.addf %out, %in : f32
    linalg.yield %46 : f32
  } -> tensor<2x4xf32>
  %3 = tensor.empty() : tensor<2x1x1x4x1xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<2x4xf32>) outs(%3 : tensor<2x1x1x4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x1x1x4x1xf32>
  %5 = tensor.empty() : tensor<2x1x1x4x1xf32>
  %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<2x1x1x4x1xf32>) outs(%5 : tensor<2x1x1x4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %46 = arith.divf %in, %cst_1 : f32
    linalg.yield %46 : f32
  } -> tensor<2x1x1x4x1xf32>
  %7 = tensor.empty() : tensor<2x3x3x4x2xf32>
  %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, 0, 0, d3, 0)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<2x1x1x4x1xf32>) outs(%7 : tensor<2x3x3x4x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x3x4x2xf32>
  %9 = tensor.empty() : tensor<2x3x3x4x2xf32>
  %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %8 : tensor<2x3x3x4x2xf32>, tensor<2x3x3x4x2xf32>) outs(%9 : tensor<2x3x3x4x2xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %46 = arith.subf %in, %in_3 : f32
    linalg.yield %46 : f32
  } -> tensor<2x3x3x4x2xf32>
  %11 = tensor.empty() : tensor<2x3x3x4x2xf32>
  %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<2x3x3x4x2xf32>) outs(%11 : tensor<2x3x3x4x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %46 = arith.mulf %in, %in : f32
    linalg.yield %46 : f32
  } -> tensor<2x3x3x4x2xf32>
  %13 = tensor.empty() : tensor<f32>
  %14 = linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%13 : tensor<f32>) {
  ^bb0(%out: f32):
    linalg.yield %cst_2 : f32
  } -> tensor<f32>
  %15 = tensor.empty() : tensor<f32>
  %16 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%14 : tensor<f32>) outs(%15 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %46 = arith.subf %cst_1, %in : f32
    linalg.yield %46 : f32
  } -> tensor<f32>
  %17 = tensor.empty() : tensor<2x4xf32>
  %18 = linalg.fill ins(%cst_2 : f32) outs(%17 : tensor<2x4xf32>) -> tensor<2x4xf32>
  %19 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3, d1, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%12 : tensor<2x3x3x4x2xf32>) outs(%18 : tensor<2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %46 = arith.addf %out, %in : f32
    linalg.yield %46 : f32
  } -> tensor<2x4xf32>
  %20 = tensor.empty() : tensor<2x1x1x4x1xf32>
  %21 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<2x4xf32>) outs(%20 : tensor<2x1x1x4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x1x1x4x1xf32>
  %22 = tensor.empty() : tensor<2x1x1x4x1xf32>
  %23 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> ()>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<f32>) outs(%22 : tensor<2x1x1x4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x1x1x4x1xf32>
  %24 = tensor.empty() : tensor<2x1x1x4x1xf32>
  %25 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%21, %23 : tensor<2x1x1x4x1xf32>, tensor<2x1x1x4x1xf32>) outs(%24 : tensor<2x1x1x4x1xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %46 = arith.divf %in, %in_3 : f32
    linalg.yield %46 : f32
  } -> tensor<2x1x1x4x1xf32>
  %26 = tensor.empty() : tensor<i1>
  %27 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%16 : tensor<f32>) outs(%26 : tensor<i1>) {
  ^bb0(%in: f32, %out: i1):
    %46 = arith.cmpf ogt, %in, %cst_2 : f32
    linalg.yield %46 : i1
  } -> tensor<i1>
  %28 = tensor.empty() : tensor<2x1x1x4x1xf32>
  %extracted = tensor.extract %27[] : tensor<i1>
  %29 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<2x1x1x4x1xf32>) outs(%28 : tensor<2x1x1x4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %46 = arith.select %extracted, %in, %cst_0 : f32
    linalg.yield %46 : f32
  } -> tensor<2x1x1x4x1xf32>
  %30 = tensor.empty() : tensor<2x1x1x4x1xf32>
  %31 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<2x1x1x4x1xf32>) outs(%30 : tensor<2x1x1x4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %46 = arith.addf %in, %cst : f32
    linalg.yield %46 : f32
  } -> tensor<2x1x1x4x1xf32>
  %32 = tensor.empty() : tensor<2x1x1x4x1xf32>
  %33 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<2x1x1x4x1xf32>) outs(%32 : tensor<2x1x1x4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %46 = math.sqrt %in : f32
    linalg.yield %46 : f32
  } -> tensor<2x1x1x4x1xf32>
  %34 = tensor.empty() : tensor<2x3x3x4x2xf32>
  %35 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, 0, 0, d3, 0)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<2x1x1x4x1xf32>) outs(%34 : tensor<2x3x3x4x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x3x4x2xf32>
  %36 = tensor.empty() : tensor<2x3x3x4x2xf32>
  %37 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%10, %35 : tensor<2x3x3x4x2xf32>, tensor<2x3x3x4x2xf32>) outs(%36 : tensor<2x3x3x4x2xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %46 = arith.divf %in, %in_3 : f32
    linalg.yield %46 : f32
  } -> tensor<2x3x3x4x2xf32>
  %collapsed = tensor.collapse_shape %37 [[0], [1], [2], [3, 4]] : tensor<2x3x3x4x2xf32> into tensor<2x3x3x8xf32>
  %38 = tensor.empty() : tensor<2x3x3x8xf32>
  %39 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<8xf32>) outs(%38 : tensor<2x3x3x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x3x8xf32>
  %40 = tensor.empty() : tensor<2x3x3x8xf32>
  %41 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed, %39 : tensor<2x3x3x8xf32>, tensor<2x3x3x8xf32>) outs(%40 : tensor<2x3x3x8xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %46 = arith.mulf %in, %in_3 : f32
    linalg.yield %46 : f32
  } -> tensor<2x3x3x8xf32>
  %42 = tensor.empty() : tensor<2x3x3x8xf32>
  %43 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<8xf32>) outs(%42 : tensor<2x3x3x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x3x8xf32>
  %44 = tensor.empty() : tensor<2x3x3x8xf32>
  %45 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %43 : tensor<2x3x3x8xf32>, tensor<2x3x3x8xf32>) outs(%44 : tensor<2x3x3x8xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %46 = arith.addf %in, %in_3 : f32
    linalg.yield %46 : f32
  } -> tensor<2x3x3x8xf32>
  return %45 : tensor<2x3x3x8xf32>
}
