// test: round-trip
// cross entropy one hot: With smoothed labels
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 4x7xf32: -1.75 -2 -1.5625 1.5 -1.5625 -1.0625 -2 0.625 -1.625 -0.0625 -1 1.1875 -1.5625 1.5625 -0.5625 1.625 0 0.0625 0.5625 1.875
//   -1.375 1.6875 0.9375 0.75 -0.5 1.0625 -1.25 -1.3125
// in 4xi32: 6 6 0 6
// out f32: 2.9480076
// out 4x7xf32: 0.0040623597 0.002373772 0.0056366785 0.19330657 0.0056366785 0.011610173 -0.22262622 0.03658287 6.6080323e-04 0.016619422
//   0.0043354216 0.066901565 9.3375897e-04 -0.12603384 -0.2198009 0.07459943 0.011821326 0.012814073 0.023443697 0.09680194 3.2046906e-04
//   0.09205955 0.041601446 0.0338782 0.0071580703 0.04761615 0.0014968277 -0.22381024
func.func @main(%arg0: tensor<4x7xf32>, %arg1: tensor<4xi32>) -> (tensor<f32>, tensor<4x7xf32>) {
  %cst = arith.constant -1.000000e+00 : f32
  %cst_0 = arith.constant 4.000000e+00 : f32
  %cst_1 = arith.constant 0.000000e+00 : f32
  %cst_2 = arith.constant 0xFF800000 : f32
  %cst_3 = arith.constant 0.0142857144 : f32
  %cst_4 = arith.constant 0.899999976 : f32
  %0 = tensor.empty() : tensor<1x7xi32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<1x7xi32>) {
  ^bb0(%out: i32):
    %68 = linalg.index 1 : index
    %69 = arith.index_cast %68 : index to i32
    linalg.yield %69 : i32
  } -> tensor<1x7xi32>
  %2 = tensor.empty() : tensor<4x7xi32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<4xi32>) outs(%2 : tensor<4x7xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<4x7xi32>
  %4 = tensor.empty() : tensor<4x7xi32>
  %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<1x7xi32>) outs(%4 : tensor<4x7xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<4x7xi32>
  %6 = tensor.empty() : tensor<4x7xi1>
  %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%3, %5 : tensor<4x7xi32>, tensor<4x7xi32>) outs(%6 : tensor<4x7xi1>) {
  ^bb0(%in: i32, %in_6: i32, %out: i1):
    %68 = arith.cmpi eq, %in, %in_6 : i32
    linalg.yield %68 : i1
  } -> tensor<4x7xi1>
  %8 = tensor.empty() : tensor<4x7xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<4x7xi1>) outs(%8 : tensor<4x7xf32>) {
  ^bb0(%in: i1, %out: f32):
    %68 = arith.uitofp %in : i1 to f32
    linalg.yield %68 : f32
  } -> tensor<4x7xf32>
  %10 = tensor.empty() : tensor<4x7xf32>
  %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<4x7xf32>) outs(%10 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.mulf %in, %cst_4 : f32
    linalg.yield %68 : f32
  } -> tensor<4x7xf32>
  %12 = tensor.empty() : tensor<4x7xf32>
  %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<4x7xf32>) outs(%12 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.addf %in, %cst_3 : f32
    linalg.yield %68 : f32
  } -> tensor<4x7xf32>
  %14 = tensor.empty() : tensor<4xf32>
  %15 = linalg.fill ins(%cst_2 : f32) outs(%14 : tensor<4xf32>) -> tensor<4xf32>
  %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x7xf32>) outs(%15 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.maximumf %out, %in : f32
    linalg.yield %68 : f32
  } -> tensor<4xf32>
  %17 = tensor.empty() : tensor<4x7xf32>
  %18 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<4xf32>) outs(%17 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x7xf32>
  %19 = tensor.empty() : tensor<4x7xf32>
  %20 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0, %18 : tensor<4x7xf32>, tensor<4x7xf32>) outs(%19 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %68 = arith.subf %in, %in_6 : f32
    linalg.yield %68 : f32
  } -> tensor<4x7xf32>
  %21 = tensor.empty() : tensor<4x7xf32>
  %22 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<4x7xf32>) outs(%21 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = math.exp %in : f32
    linalg.yield %68 : f32
  } -> tensor<4x7xf32>
  %23 = tensor.empty() : tensor<4xf32>
  %24 = linalg.fill ins(%cst_1 : f32) outs(%23 : tensor<4xf32>) -> tensor<4xf32>
  %25 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%22 : tensor<4x7xf32>) outs(%24 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.addf %out, %in : f32
    linalg.yield %68 : f32
  } -> tensor<4xf32>
  %expanded = tensor.expand_shape %25 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  %26 = tensor.empty() : tensor<4x1xf32>
  %27 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<4x1xf32>) outs(%26 : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = math.log %in : f32
    linalg.yield %68 : f32
  } -> tensor<4x1xf32>
  %28 = tensor.empty() : tensor<4x7xf32>
  %29 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<4x1xf32>) outs(%28 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x7xf32>
  %30 = tensor.empty() : tensor<4x7xf32>
  %31 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%20, %29 : tensor<4x7xf32>, tensor<4x7xf32>) outs(%30 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %68 = arith.subf %in, %in_6 : f32
    linalg.yield %68 : f32
  } -> tensor<4x7xf32>
  %32 = tensor.empty() : tensor<4x7xf32>
  %33 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%13, %31 : tensor<4x7xf32>, tensor<4x7xf32>) outs(%32 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %68 = arith.mulf %in, %in_6 : f32
    linalg.yield %68 : f32
  } -> tensor<4x7xf32>
  %34 = tensor.empty() : tensor<4xf32>
  %35 = linalg.fill ins(%cst_1 : f32) outs(%34 : tensor<4xf32>) -> tensor<4xf32>
  %36 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%33 : tensor<4x7xf32>) outs(%35 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.addf %out, %in : f32
    linalg.yield %68 : f32
  } -> tensor<4xf32>
  %37 = tensor.empty() : tensor<f32>
  %38 = linalg.fill ins(%cst_1 : f32) outs(%37 : tensor<f32>) -> tensor<f32>
  %39 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%36 : tensor<4xf32>) outs(%38 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.addf %out, %in : f32
    linalg.yield %68 : f32
  } -> tensor<f32>
  %40 = tensor.empty() : tensor<f32>
  %41 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%39 : tensor<f32>) outs(%40 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.divf %in, %cst_0 : f32
    linalg.yield %68 : f32
  } -> tensor<f32>
  %42 = tensor.empty() : tensor<f32>
  %43 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%41 : tensor<f32>) outs(%42 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.negf %in : f32
    linalg.yield %68 : f32
  } -> tensor<f32>
  %44 = tensor.empty() : tensor<f32>
  %45 = linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%44 : tensor<f32>) {
  ^bb0(%out: f32):
    linalg.yield %cst : f32
  } -> tensor<f32>
  %46 = tensor.empty() : tensor<f32>
  %47 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%45 : tensor<f32>) outs(%46 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.divf %in, %cst_0 : f32
    linalg.yield %68 : f32
  } -> tensor<f32>
  %48 = tensor.empty() : tensor<4x7xf32>
  %49 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%47 : tensor<f32>) outs(%48 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x7xf32>
  %50 = tensor.empty() : tensor<4x7xf32>
  %51 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%13, %49 : tensor<4x7xf32>, tensor<4x7xf32>) outs(%50 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %68 = arith.mulf %in, %in_6 : f32
    linalg.yield %68 : f32
  } -> tensor<4x7xf32>
  %52 = tensor.empty() : tensor<4x7xf32>
  %53 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%51 : tensor<4x7xf32>) outs(%52 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.negf %in : f32
    linalg.yield %68 : f32
  } -> tensor<4x7xf32>
  %54 = tensor.empty() : tensor<4xf32>
  %55 = linalg.fill ins(%cst_1 : f32) outs(%54 : tensor<4xf32>) -> tensor<4xf32>
  %56 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%53 : tensor<4x7xf32>) outs(%55 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.addf %out, %in : f32
    linalg.yield %68 : f32
  } -> tensor<4xf32>
  %expanded_5 = tensor.expand_shape %56 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  %57 = tensor.empty() : tensor<4x1xf32>
  %58 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%expanded_5, %expanded : tensor<4x1xf32>, tensor<4x1xf32>) outs(%57 : tensor<4x1xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %68 = arith.divf %in, %in_6 : f32
    linalg.yield %68 : f32
  } -> tensor<4x1xf32>
  %59 = tensor.empty() : tensor<4xf32>
  %60 = linalg.fill ins(%cst_1 : f32) outs(%59 : tensor<4xf32>) -> tensor<4xf32>
  %61 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%58 : tensor<4x1xf32>) outs(%60 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.addf %out, %in : f32
    linalg.yield %68 : f32
  } -> tensor<4xf32>
  %62 = tensor.empty() : tensor<4x7xf32>
  %63 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%61 : tensor<4xf32>) outs(%62 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x7xf32>
  %64 = tensor.empty() : tensor<4x7xf32>
  %65 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%63, %22 : tensor<4x7xf32>, tensor<4x7xf32>) outs(%64 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %68 = arith.mulf %in, %in_6 : f32
    linalg.yield %68 : f32
  } -> tensor<4x7xf32>
  %66 = tensor.empty() : tensor<4x7xf32>
  %67 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%51, %65 : tensor<4x7xf32>, tensor<4x7xf32>) outs(%66 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %68 = arith.addf %in, %in_6 : f32
    linalg.yield %68 : f32
  } -> tensor<4x7xf32>
  return %43, %67 : tensor<f32>, tensor<4x7xf32>
}
