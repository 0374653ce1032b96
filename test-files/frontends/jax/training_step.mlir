// test: round-trip
// training step: Two layers, cross entropy, gradient, step
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 4x3xf32: -0.5 -1.3125 -0.3125 -0.4375 -0.25 1.625 1.8125 -0.375 1.6875 0.75 -0.1875 0.0625
// in 3x5xf32: 1.625 0.125 -0.1875 1.5 -1.125 -1.0625 -1.75 -1.4375 1 -0.6875 -1.4375 -0.375 -2 0.625 1.5625
// in 5x2xf32: 1.75 0 -1.125 -0.875 -0.875 -0.875 -1.25 -2 -0.0625 0.1875
// in 4xi32: 0 0 1 1
// out 3x5xf32: 1.4069325 0.19999138 -0.1875 1.4360917 -1.0820786 -1.0729952 -1.7568374 -1.4375 0.9845733 -0.6882256 -1.5981349 -0.37261063
//   -2 0.7516035 1.5887593
// out 5x2xf32: 1.5121013 0.23789874 -1.1619241 -0.8380759 -0.8199959 -0.9300041 -1.4843475 -1.7656527 0.0747924 0.050207615
// out f32: 1.6938245
func.func @main(%arg0: tensor<4x3xf32>, %arg1: tensor<3x5xf32>, %arg2: tensor<5x2xf32>, %arg3: tensor<4xi32>) -> (tensor<3x5xf32>, tensor<5x2xf32>, tensor<f32>) {
  %cst = arith.constant -1.000000e+00 : f32
  %cst_0 = arith.constant 5.000000e-01 : f32
  %cst_1 = arith.constant 4.000000e+00 : f32
  %cst_2 = arith.constant 0xFF800000 : f32
  %cst_3 = arith.constant 1.000000e+00 : f32
  %cst_4 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<4x5xf32>
  %1 = linalg.fill ins(%cst_4 : f32) outs(%0 : tensor<4x5xf32>) -> tensor<4x5xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<4x3xf32>, tensor<3x5xf32>) outs(%1 : tensor<4x5xf32>) -> tensor<4x5xf32>
  %3 = tensor.empty() : tensor<4x5xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<4x5xf32>) outs(%3 : tensor<4x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = math.tanh %in : f32
    linalg.yield %107 : f32
  } -> tensor<4x5xf32>
  %5 = tensor.empty() : tensor<4x5xf32>
  %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<4x5xf32>) outs(%5 : tensor<4x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = arith.subf %cst_3, %in : f32
    linalg.yield %107 : f32
  } -> tensor<4x5xf32>
  %7 = tensor.empty() : tensor<4x2xf32>
  %8 = linalg.fill ins(%cst_4 : f32) outs(%7 : tensor<4x2xf32>) -> tensor<4x2xf32>
  %9 = linalg.matmul ins(%4, %arg2 : tensor<4x5xf32>, tensor<5x2xf32>) outs(%8 : tensor<4x2xf32>) -> tensor<4x2xf32>
  %10 = tensor.empty() : tensor<1x2xi32>
  %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%10 : tensor<1x2xi32>) {
  ^bb0(%out: i32):
    %107 = linalg.index 1 : index
    %108 = arith.index_cast %107 : index to i32
    linalg.yield %108 : i32
  } -> tensor<1x2xi32>
  %12 = tensor.empty() : tensor<4x2xi32>
  %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<4xi32>) outs(%12 : tensor<4x2xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<4x2xi32>
  %14 = tensor.empty() : tensor<4x2xi32>
  %15 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<1x2xi32>) outs(%14 : tensor<4x2xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<4x2xi32>
  %16 = tensor.empty() : tensor<4x2xi1>
  %17 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%13, %15 : tensor<4x2xi32>, tensor<4x2xi32>) outs(%16 : tensor<4x2xi1>) {
  ^bb0(%in: i32, %in_6: i32, %out: i1):
    %107 = arith.cmpi eq, %in, %in_6 : i32
    linalg.yield %107 : i1
  } -> tensor<4x2xi1>
  %18 = tensor.empty() : tensor<4x2xf32>
  %19 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<4x2xi1>) outs(%18 : tensor<4x2xf32>) {
  ^bb0(%in: i1, %out: f32):
    %107 = arith.uitofp %in : i1 to f32
    linalg.yield %107 : f32
  } -> tensor<4x2xf32>
  %20 = tensor.empty() : tensor<4xf32>
  %21 = linalg.fill ins(%cst_2 : f32) outs(%20 : tensor<4xf32>) -> tensor<4xf32>
  %22 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%9 : tensor<4x2xf32>) outs(%21 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = arith.maximumf %out, %in : f32
    linalg.yield %107 : f32
  } -> tensor<4xf32>
  %23 = tensor.empty() : tensor<4x2xf32>
  %24 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<4xf32>) outs(%23 : tensor<4x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x2xf32>
  %25 = tensor.empty() : tensor<4x2xf32>
  %26 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%9, %24 : tensor<4x2xf32>, tensor<4x2xf32>) outs(%25 : tensor<4x2xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %107 = arith.subf %in, %in_6 : f32
    linalg.yield %107 : f32
  } -> tensor<4x2xf32>
  %27 = tensor.empty() : tensor<4x2xf32>
  %28 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%26 : tensor<4x2xf32>) outs(%27 : tensor<4x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = math.exp %in : f32
    linalg.yield %107 : f32
  } -> tensor<4x2xf32>
  %29 = tensor.empty() : tensor<4xf32>
  %30 = linalg.fill ins(%cst_4 : f32) outs(%29 : tensor<4xf32>) -> tensor<4xf32>
  %31 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%28 : tensor<4x2xf32>) outs(%30 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = arith.addf %out, %in : f32
    linalg.yield %107 : f32
  } -> tensor<4xf32>
  %expanded = tensor.expand_shape %31 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  %32 = tensor.empty() : tensor<4x1xf32>
  %33 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<4x1xf32>) outs(%32 : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = math.log %in : f32
    linalg.yield %107 : f32
  } -> tensor<4x1xf32>
  %34 = tensor.empty() : tensor<4x2xf32>
  %35 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%33 : tensor<4x1xf32>) outs(%34 : tensor<4x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x2xf32>
  %36 = tensor.empty() : tensor<4x2xf32>
  %37 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%26, %35 : tensor<4x2xf32>, tensor<4x2xf32>) outs(%36 : tensor<4x2xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %107 = arith.subf %in, %in_6 : f32
    linalg.yield %107 : f32
  } -> tensor<4x2xf32>
  %38 = tensor.empty() : tensor<4x2xf32>
  %39 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%19, %37 : tensor<4x2xf32>, tensor<4x2xf32>) outs(%38 : tensor<4x2xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %107 = arith.mulf %in, %in_6 : f32
    linalg.yield %107 : f32
  } -> tensor<4x2xf32>
  %40 = tensor.empty() : tensor<4xf32>
  %41 = linalg.fill ins(%cst_4 : f32) outs(%40 : tensor<4xf32>) -> tensor<4xf32>
  %42 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%39 : tensor<4x2xf32>) outs(%41 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = arith.addf %out, %in : f32
    linalg.yield %107 : f32
  } -> tensor<4xf32>
  %43 = tensor.empty() : tensor<f32>
  %44 = linalg.fill ins(%cst_4 : f32) outs(%43 : tensor<f32>) -> tensor<f32>
  %45 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%42 : tensor<4xf32>) outs(%44 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = arith.addf %out, %in : f32
    linalg.yield %107 : f32
  } -> tensor<f32>
  %46 = tensor.empty() : tensor<f32>
  %47 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%45 : tensor<f32>) outs(%46 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = arith.divf %in, %cst_1 : f32
    linalg.yield %107 : f32
  } -> tensor<f32>
  %48 = tensor.empty() : tensor<f32>
  %49 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%47 : tensor<f32>) outs(%48 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = arith.negf %in : f32
    linalg.yield %107 : f32
  } -> tensor<f32>
  %50 = tensor.empty() : tensor<f32>
  %51 = linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%50 : tensor<f32>) {
  ^bb0(%out: f32):
    linalg.yield %cst : f32
  } -> tensor<f32>
  %52 = tensor.empty() : tensor<f32>
  %53 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%51 : tensor<f32>) outs(%52 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = arith.divf %in, %cst_1 : f32
    linalg.yield %107 : f32
  } -> tensor<f32>
  %54 = tensor.empty() : tensor<4x2xf32>
  %55 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%53 : tensor<f32>) outs(%54 : tensor<4x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x2xf32>
  %56 = tensor.empty() : tensor<4x2xf32>
  %57 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%19, %55 : tensor<4x2xf32>, tensor<4x2xf32>) outs(%56 : tensor<4x2xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %107 = arith.mulf %in, %in_6 : f32
    linalg.yield %107 : f32
  } -> tensor<4x2xf32>
  %58 = tensor.empty() : tensor<4x2xf32>
  %59 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%57 : tensor<4x2xf32>) outs(%58 : tensor<4x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = arith.negf %in : f32
    linalg.yield %107 : f32
  } -> tensor<4x2xf32>
  %60 = tensor.empty() : tensor<4xf32>
  %61 = linalg.fill ins(%cst_4 : f32) outs(%60 : tensor<4xf32>) -> tensor<4xf32>
  %62 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%59 : tensor<4x2xf32>) outs(%61 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = arith.addf %out, %in : f32
    linalg.yield %107 : f32
  } -> tensor<4xf32>
  %expanded_5 = tensor.expand_shape %62 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  %63 = tensor.empty() : tensor<4x1xf32>
  %64 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%expanded_5, %expanded : tensor<4x1xf32>, tensor<4x1xf32>) outs(%63 : tensor<4x1xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %107 = arith.divf %in, %in_6 : f32
    linalg.yield %107 : f32
  } -> tensor<4x1xf32>
  %65 = tensor.empty() : tensor<4xf32>
  %66 = linalg.fill ins(%cst_4 : f32) outs(%65 : tensor<4xf32>) -> tensor<4xf32>
  %67 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%64 : tensor<4x1xf32>) outs(%66 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = arith.addf %out, %in : f32
    linalg.yield %107 : f32
  } -> tensor<4xf32>
  %68 = tensor.empty() : tensor<4x2xf32>
  %69 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%67 : tensor<4xf32>) outs(%68 : tensor<4x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x2xf32>
  %70 = tensor.empty() : tensor<4x2xf32>
  %71 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%69, %28 : tensor<4x2xf32>, tensor<4x2xf32>) outs(%70 : tensor<4x2xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %107 = arith.mulf %in, %in_6 : f32
    linalg.yield %107 : f32
  } -> tensor<4x2xf32>
  %72 = tensor.empty() : tensor<4x2xf32>
  %73 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%57, %71 : tensor<4x2xf32>, tensor<4x2xf32>) outs(%72 : tensor<4x2xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %107 = arith.addf %in, %in_6 : f32
    linalg.yield %107 : f32
  } -> tensor<4x2xf32>
  %74 = tensor.empty() : tensor<2x4xf32>
  %75 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%73 : tensor<4x2xf32>) outs(%74 : tensor<2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x4xf32>
  %76 = tensor.empty() : tensor<2x5xf32>
  %77 = linalg.fill ins(%cst_4 : f32) outs(%76 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %78 = linalg.matmul ins(%75, %4 : tensor<2x4xf32>, tensor<4x5xf32>) outs(%77 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %79 = tensor.empty() : tensor<5x2xf32>
  %80 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%78 : tensor<2x5xf32>) outs(%79 : tensor<5x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<5x2xf32>
  %81 = tensor.empty() : tensor<2x5xf32>
  %82 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<5x2xf32>) outs(%81 : tensor<2x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x5xf32>
  %83 = tensor.empty() : tensor<4x5xf32>
  %84 = linalg.fill ins(%cst_4 : f32) outs(%83 : tensor<4x5xf32>) -> tensor<4x5xf32>
  %85 = linalg.matmul ins(%73, %82 : tensor<4x2xf32>, tensor<2x5xf32>) outs(%84 : tensor<4x5xf32>) -> tensor<4x5xf32>
  %86 = tensor.empty() : tensor<4x5xf32>
  %87 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%85, %6 : tensor<4x5xf32>, tensor<4x5xf32>) outs(%86 : tensor<4x5xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %107 = arith.mulf %in, %in_6 : f32
    linalg.yield %107 : f32
  } -> tensor<4x5xf32>
  %88 = tensor.empty() : tensor<4x5xf32>
  %89 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%87, %4 : tensor<4x5xf32>, tensor<4x5xf32>) outs(%88 : tensor<4x5xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %107 = arith.mulf %in, %in_6 : f32
    linalg.yield %107 : f32
  } -> tensor<4x5xf32>
  %90 = tensor.empty() : tensor<4x5xf32>
  %91 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%87, %89 : tensor<4x5xf32>, tensor<4x5xf32>) outs(%90 : tensor<4x5xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %107 = arith.addf %in, %in_6 : f32
    linalg.yield %107 : f32
  } -> tensor<4x5xf32>
  %92 = tensor.empty() : tensor<5x4xf32>
  %93 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%91 : tensor<4x5xf32>) outs(%92 : tensor<5x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<5x4xf32>
  %94 = tensor.empty() : tensor<5x3xf32>
  %95 = linalg.fill ins(%cst_4 : f32) outs(%94 : tensor<5x3xf32>) -> tensor<5x3xf32>
  %96 = linalg.matmul ins(%93, %arg0 : tensor<5x4xf32>, tensor<4x3xf32>) outs(%95 : tensor<5x3xf32>) -> tensor<5x3xf32>
  %97 = tensor.empty() : tensor<3x5xf32>
  %98 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%96 : tensor<5x3xf32>) outs(%97 : tensor<3x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x5xf32>
  %99 = tensor.empty() : tensor<3x5xf32>
  %100 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%98 : tensor<3x5xf32>) outs(%99 : tensor<3x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = arith.mulf %in, %cst_0 : f32
    linalg.yield %107 : f32
  } -> tensor<3x5xf32>
  %101 = tensor.empty() : tensor<3x5xf32>
  %102 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg1, %100 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%101 : tensor<3x5xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %107 = arith.subf %in, %in_6 : f32
    linalg.yield %107 : f32
  } -> tensor<3x5xf32>
  %103 = tensor.empty() : tensor<5x2xf32>
  %104 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%80 : tensor<5x2xf32>) outs(%103 : tensor<5x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = arith.mulf %in, %cst_0 : f32
    linalg.yield %107 : f32
  } -> tensor<5x2xf32>
  %105 = tensor.empty() : tensor<5x2xf32>
  %106 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg2, %104 : tensor<5x2xf32>, tensor<5x2xf32>) outs(%105 : tensor<5x2xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %107 = arith.subf %in, %in_6 : f32
    linalg.yield %107 : f32
  } -> tensor<5x2xf32>
  return %102, %106, %49 : tensor<3x5xf32>, tensor<5x2xf32>, tensor<f32>
}
