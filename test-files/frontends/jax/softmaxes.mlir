// test: round-trip
// softmaxes
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 3x11xf32: 1.625 1.5 1.3125 1.4375 -1.75 1.25 1.8125 -1 -1.3125 -1.6875 1.1875 1.8125 0.4375 0.4375 1.1875 -2 1.375 1.6875 -1.5 2
//   1.4375 -0.875 -0.0625 1.25 1.625 -1.6875 0.625 -0.25 -0.625 1.3125 0.75 -0.375 1.5625
// out 3x11xf32: 0.41819802 0.470723 0.35923412 0.5486253 0.07980965 0.42439806 0.5076462 0.08542502 0.027533583 0.036396265 0.3872776
//   0.5044431 0.16267753 0.14975107 0.42726982 0.062155817 0.480906 0.4479962 0.05181289 0.755898 0.82837516 0.04923682 0.07735886
//   0.36659944 0.4910148 0.024104914 0.85803455 0.09469601 0.044357628 0.8627621 0.21656841 0.13522853 0.56348556
// out 3x11xf32: -1.8210579 -1.9460579 -2.1335578 -2.0085578 -5.196058 -2.1960578 -1.6335579 -4.446058 -4.758558 -5.133558 -2.2585578
//   -1.7208315 -3.0958314 -3.0958314 -2.3458314 -5.5333314 -2.1583314 -1.8458315 -5.0333314 -1.5333315 -2.0958314 -4.4083314 -3.2474442
//   -1.9349442 -1.5599442 -4.872444 -2.5599442 -3.4349442 -3.8099442 -1.8724442 -2.4349442 -3.5599442 -1.6224442
// out f32: 4.497365
// out 3xf32: 3.4460578 3.5333314 3.1849442
func.func @main(%arg0: tensor<3x11xf32>) -> (tensor<3x11xf32>, tensor<3x11xf32>, tensor<f32>, tensor<3xf32>) {
  %cst = arith.constant 0x7F800000 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<11xf32>
  %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<11xf32>) -> tensor<11xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<3x11xf32>) outs(%1 : tensor<11xf32>) {
  ^bb0(%in: f32, %out: f32):
    %75 = arith.maximumf %out, %in : f32
    linalg.yield %75 : f32
  } -> tensor<11xf32>
  %3 = tensor.empty() : tensor<3x11xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<11xf32>) outs(%3 : tensor<3x11xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x11xf32>
  %5 = tensor.empty() : tensor<3x11xf32>
  %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0, %4 : tensor<3x11xf32>, tensor<3x11xf32>) outs(%5 : tensor<3x11xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %75 = arith.subf %in, %in_2 : f32
    linalg.yield %75 : f32
  } -> tensor<3x11xf32>
  %7 = tensor.empty() : tensor<3x11xf32>
  %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<3x11xf32>) outs(%7 : tensor<3x11xf32>) {
  ^bb0(%in: f32, %out: f32):
    %75 = math.exp %in : f32
    linalg.yield %75 : f32
  } -> tensor<3x11xf32>
  %9 = tensor.empty() : tensor<11xf32>
  %10 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<11xf32>) -> tensor<11xf32>
  %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<3x11xf32>) outs(%10 : tensor<11xf32>) {
  ^bb0(%in: f32, %out: f32):
    %75 = arith.addf %out, %in : f32
    linalg.yield %75 : f32
  } -> tensor<11xf32>
  %12 = tensor.empty() : tensor<3x11xf32>
  %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<11xf32>) outs(%12 : tensor<3x11xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x11xf32>
  %14 = tensor.empty() : tensor<3x11xf32>
  %15 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%8, %13 : tensor<3x11xf32>, tensor<3x11xf32>) outs(%14 : tensor<3x11xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %75 = arith.divf %in, %in_2 : f32
    linalg.yield %75 : f32
  } -> tensor<3x11xf32>
  %16 = tensor.empty() : tensor<3xf32>
  %17 = linalg.fill ins(%cst_1 : f32) outs(%16 : tensor<3xf32>) -> tensor<3xf32>
  %18 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<3x11xf32>) outs(%17 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %75 = arith.maximumf %out, %in : f32
    linalg.yield %75 : f32
  } -> tensor<3xf32>
  %19 = tensor.empty() : tensor<3x11xf32>
  %20 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<3xf32>) outs(%19 : tensor<3x11xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x11xf32>
  %21 = tensor.empty() : tensor<3x11xf32>
  %22 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0, %20 : tensor<3x11xf32>, tensor<3x11xf32>) outs(%21 : tensor<3x11xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %75 = arith.subf %in, %in_2 : f32
    linalg.yield %75 : f32
  } -> tensor<3x11xf32>
  %23 = tensor.empty() : tensor<3x11xf32>
  %24 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<3x11xf32>) outs(%23 : tensor<3x11xf32>) {
  ^bb0(%in: f32, %out: f32):
    %75 = math.exp %in : f32
    linalg.yield %75 : f32
  } -> tensor<3x11xf32>
  %25 = tensor.empty() : tensor<3xf32>
  %26 = linalg.fill ins(%cst_0 : f32) outs(%25 : tensor<3xf32>) -> tensor<3xf32>
  %27 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%24 : tensor<3x11xf32>) outs(%26 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %75 = arith.addf %out, %in : f32
    linalg.yield %75 : f32
  } -> tensor<3xf32>
  %28 = tensor.empty() : tensor<3xf32>
  %29 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%27 : tensor<3xf32>) outs(%28 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %75 = math.log %in : f32
    linalg.yield %75 : f32
  } -> tensor<3xf32>
  %expanded = tensor.expand_shape %29 [[0, 1]] output_shape [3, 1] : tensor<3xf32> into tensor<3x1xf32>
  %30 = tensor.empty() : tensor<3x11xf32>
  %31 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<3x1xf32>) outs(%30 : tensor<3x11xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x11xf32>
  %32 = tensor.empty() : tensor<3x11xf32>
  %33 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%22, %31 : tensor<3x11xf32>, tensor<3x11xf32>) outs(%32 : tensor<3x11xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %75 = arith.subf %in, %in_2 : f32
    linalg.yield %75 : f32
  } -> tensor<3x11xf32>
  %34 = tensor.empty() : tensor<f32>
  %35 = linalg.fill ins(%cst_1 : f32) outs(%34 : tensor<f32>) -> tensor<f32>
  %36 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%arg0 : tensor<3x11xf32>) outs(%35 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %75 = arith.maximumf %out, %in : f32
    linalg.yield %75 : f32
  } -> tensor<f32>
  %37 = tensor.empty() : tensor<i1>
  %38 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%36 : tensor<f32>) outs(%37 : tensor<i1>) {
  ^bb0(%in: f32, %out: i1):
    %75 = math.absf %in : f32
    %76 = arith.cmpf one, %75, %cst : f32
    linalg.yield %76 : i1
  } -> tensor<i1>
  %39 = tensor.empty() : tensor<f32>
  %40 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%38, %36 : tensor<i1>, tensor<f32>) outs(%39 : tensor<f32>) {
  ^bb0(%in: i1, %in_2: f32, %out: f32):
    %75 = arith.select %in, %in_2, %cst_0 : f32
    linalg.yield %75 : f32
  } -> tensor<f32>
  %41 = tensor.empty() : tensor<3x11xf32>
  %42 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%40 : tensor<f32>) outs(%41 : tensor<3x11xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x11xf32>
  %43 = tensor.empty() : tensor<3x11xf32>
  %44 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0, %42 : tensor<3x11xf32>, tensor<3x11xf32>) outs(%43 : tensor<3x11xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %75 = arith.subf %in, %in_2 : f32
    linalg.yield %75 : f32
  } -> tensor<3x11xf32>
  %45 = tensor.empty() : tensor<3x11xf32>
  %46 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%44 : tensor<3x11xf32>) outs(%45 : tensor<3x11xf32>) {
  ^bb0(%in: f32, %out: f32):
    %75 = math.exp %in : f32
    linalg.yield %75 : f32
  } -> tensor<3x11xf32>
  %47 = tensor.empty() : tensor<f32>
  %48 = linalg.fill ins(%cst_0 : f32) outs(%47 : tensor<f32>) -> tensor<f32>
  %49 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%46 : tensor<3x11xf32>) outs(%48 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %75 = arith.addf %out, %in : f32
    linalg.yield %75 : f32
  } -> tensor<f32>
  %50 = tensor.empty() : tensor<f32>
  %51 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%49 : tensor<f32>) outs(%50 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %75 = math.absf %in : f32
    linalg.yield %75 : f32
  } -> tensor<f32>
  %52 = tensor.empty() : tensor<f32>
  %53 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%51 : tensor<f32>) outs(%52 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %75 = math.log %in : f32
    linalg.yield %75 : f32
  } -> tensor<f32>
  %54 = tensor.empty() : tensor<f32>
  %55 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%53, %40 : tensor<f32>, tensor<f32>) outs(%54 : tensor<f32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %75 = arith.addf %in, %in_2 : f32
    linalg.yield %75 : f32
  } -> tensor<f32>
  %56 = tensor.empty() : tensor<3xi1>
  %57 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%18 : tensor<3xf32>) outs(%56 : tensor<3xi1>) {
  ^bb0(%in: f32, %out: i1):
    %75 = math.absf %in : f32
    %76 = arith.cmpf one, %75, %cst : f32
    linalg.yield %76 : i1
  } -> tensor<3xi1>
  %58 = tensor.empty() : tensor<3xf32>
  %59 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%57, %18 : tensor<3xi1>, tensor<3xf32>) outs(%58 : tensor<3xf32>) {
  ^bb0(%in: i1, %in_2: f32, %out: f32):
    %75 = arith.select %in, %in_2, %cst_0 : f32
    linalg.yield %75 : f32
  } -> tensor<3xf32>
  %60 = tensor.empty() : tensor<3x11xf32>
  %61 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%59 : tensor<3xf32>) outs(%60 : tensor<3x11xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x11xf32>
  %62 = tensor.empty() : tensor<3x11xf32>
  %63 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0, %61 : tensor<3x11xf32>, tensor<3x11xf32>) outs(%62 : tensor<3x11xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %75 = arith.subf %in, %in_2 : f32
    linalg.yield %75 : f32
  } -> tensor<3x11xf32>
  %64 = tensor.empty() : tensor<3x11xf32>
  %65 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%63 : tensor<3x11xf32>) outs(%64 : tensor<3x11xf32>) {
  ^bb0(%in: f32, %out: f32):
    %75 = math.exp %in : f32
    linalg.yield %75 : f32
  } -> tensor<3x11xf32>
  %66 = tensor.empty() : tensor<3xf32>
  %67 = linalg.fill ins(%cst_0 : f32) outs(%66 : tensor<3xf32>) -> tensor<3xf32>
  %68 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%65 : tensor<3x11xf32>) outs(%67 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %75 = arith.addf %out, %in : f32
    linalg.yield %75 : f32
  } -> tensor<3xf32>
  %69 = tensor.empty() : tensor<3xf32>
  %70 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%68 : tensor<3xf32>) outs(%69 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %75 = math.absf %in : f32
    linalg.yield %75 : f32
  } -> tensor<3xf32>
  %71 = tensor.empty() : tensor<3xf32>
  %72 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%70 : tensor<3xf32>) outs(%71 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %75 = math.log %in : f32
    linalg.yield %75 : f32
  } -> tensor<3xf32>
  %73 = tensor.empty() : tensor<3xf32>
  %74 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%72, %59 : tensor<3xf32>, tensor<3xf32>) outs(%73 : tensor<3xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %75 = arith.addf %in, %in_2 : f32
    linalg.yield %75 : f32
  } -> tensor<3xf32>
  return %15, %33, %55, %74 : tensor<3x11xf32>, tensor<3x11xf32>, tensor<f32>, tensor<3xf32>
}
