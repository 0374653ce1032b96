// test: round-trip
// hessian
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 3xf32: 0.0625 -0.75 0.25
// out 3x3xf32: 0.046798736 0.25 -0.75 0.25 5.249258 0.0625 -0.75 0.0625 0.7305825
func.func @main(%arg0: tensor<3xf32>) -> tensor<3x3xf32> {
  %c0_i32 = arith.constant 0 : i32
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant 1.000000e+00 : f32
  %cst_1 = arith.constant 2.000000e+00 : f32
  %cst_2 = arith.constant 3.000000e+00 : f32
  %0 = tensor.empty() : tensor<3x3xi32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<3x3xi32>) {
  ^bb0(%out: i32):
    %156 = linalg.index 0 : index
    %157 = arith.index_cast %156 : index to i32
    linalg.yield %157 : i32
  } -> tensor<3x3xi32>
  %2 = tensor.empty() : tensor<3x3xi32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%2 : tensor<3x3xi32>) {
  ^bb0(%out: i32):
    %156 = linalg.index 1 : index
    %157 = arith.index_cast %156 : index to i32
    linalg.yield %157 : i32
  } -> tensor<3x3xi32>
  %4 = tensor.empty() : tensor<3x3xi1>
  %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1, %3 : tensor<3x3xi32>, tensor<3x3xi32>) outs(%4 : tensor<3x3xi1>) {
  ^bb0(%in: i32, %in_20: i32, %out: i1):
    %156 = arith.cmpi eq, %in, %in_20 : i32
    linalg.yield %156 : i1
  } -> tensor<3x3xi1>
  %6 = tensor.empty() : tensor<3x3xf32>
  %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<3x3xi1>) outs(%6 : tensor<3x3xf32>) {
  ^bb0(%in: i1, %out: f32):
    %156 = arith.uitofp %in : i1 to f32
    linalg.yield %156 : f32
  } -> tensor<3x3xf32>
  %8 = tensor.empty() : tensor<3xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<3xf32>) outs(%8 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %156 = math.sin %in : f32
    linalg.yield %156 : f32
  } -> tensor<3xf32>
  %10 = tensor.empty() : tensor<3xf32>
  %11 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<3xf32>) outs(%10 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %156 = math.cos %in : f32
    linalg.yield %156 : f32
  } -> tensor<3xf32>
  %12 = tensor.empty() : tensor<3x3xf32>
  %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<3xf32>) outs(%12 : tensor<3x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x3xf32>
  %14 = tensor.empty() : tensor<3x3xf32>
  %15 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%7, %13 : tensor<3x3xf32>, tensor<3x3xf32>) outs(%14 : tensor<3x3xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.mulf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3x3xf32>
  %16 = tensor.empty() : tensor<3x3xf32>
  %17 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<3xf32>) outs(%16 : tensor<3x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x3xf32>
  %18 = tensor.empty() : tensor<3x3xf32>
  %19 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%7, %17 : tensor<3x3xf32>, tensor<3x3xf32>) outs(%18 : tensor<3x3xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.mulf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3x3xf32>
  %20 = tensor.empty() : tensor<3x3xf32>
  %21 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<3x3xf32>) outs(%20 : tensor<3x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %156 = arith.negf %in : f32
    linalg.yield %156 : f32
  } -> tensor<3x3xf32>
  %22 = tensor.empty() : tensor<3xf32>
  %23 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<3xf32>) outs(%22 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %156 = arith.mulf %in, %in : f32
    linalg.yield %156 : f32
  } -> tensor<3xf32>
  %24 = tensor.empty() : tensor<3xf32>
  %25 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%23, %arg0 : tensor<3xf32>, tensor<3xf32>) outs(%24 : tensor<3xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.mulf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3xf32>
  %26 = tensor.empty() : tensor<3xf32>
  %27 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%23 : tensor<3xf32>) outs(%26 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %156 = arith.mulf %in, %cst_2 : f32
    linalg.yield %156 : f32
  } -> tensor<3xf32>
  %28 = tensor.empty() : tensor<3x3xf32>
  %29 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<3xf32>) outs(%28 : tensor<3x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x3xf32>
  %30 = tensor.empty() : tensor<3x3xf32>
  %31 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%7, %29 : tensor<3x3xf32>, tensor<3x3xf32>) outs(%30 : tensor<3x3xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.mulf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3x3xf32>
  %32 = tensor.empty() : tensor<3xf32>
  %33 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<3xf32>) outs(%32 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %156 = arith.mulf %in, %cst_1 : f32
    linalg.yield %156 : f32
  } -> tensor<3xf32>
  %34 = tensor.empty() : tensor<3x3xf32>
  %35 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%33 : tensor<3xf32>) outs(%34 : tensor<3x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x3xf32>
  %36 = tensor.empty() : tensor<3x3xf32>
  %37 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%7, %35 : tensor<3x3xf32>, tensor<3x3xf32>) outs(%36 : tensor<3x3xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.mulf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3x3xf32>
  %38 = tensor.empty() : tensor<3x3xf32>
  %39 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%37 : tensor<3x3xf32>) outs(%38 : tensor<3x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %156 = arith.mulf %in, %cst_2 : f32
    linalg.yield %156 : f32
  } -> tensor<3x3xf32>
  %extracted_slice = tensor.extract_slice %arg0[0] [2] [1] : tensor<3xf32> to tensor<2xf32>
  %extracted_slice_3 = tensor.extract_slice %7[0, 0] [3, 2] [1, 1] : tensor<3x3xf32> to tensor<3x2xf32>
  %extracted_slice_4 = tensor.extract_slice %arg0[2] [1] [1] : tensor<3xf32> to tensor<1xf32>
  %extracted_slice_5 = tensor.extract_slice %7[0, 2] [3, 1] [1, 1] : tensor<3x3xf32> to tensor<3x1xf32>
  %padded = tensor.pad %extracted_slice_4 low[0] high[1] {
  ^bb0(%arg1: index):
    tensor.yield %cst_0 : f32
  } : tensor<1xf32> to tensor<2xf32>
  %padded_6 = tensor.pad %extracted_slice_5 low[0, 0] high[0, 1] {
  ^bb0(%arg1: index, %arg2: index):
    tensor.yield %cst : f32
  } : tensor<3x1xf32> to tensor<3x2xf32>
  %40 = tensor.empty() : tensor<2xf32>
  %41 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%extracted_slice, %padded : tensor<2xf32>, tensor<2xf32>) outs(%40 : tensor<2xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.mulf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<2xf32>
  %42 = tensor.empty() : tensor<3x2xf32>
  %43 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%padded : tensor<2xf32>) outs(%42 : tensor<3x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x2xf32>
  %44 = tensor.empty() : tensor<3x2xf32>
  %45 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_3, %43 : tensor<3x2xf32>, tensor<3x2xf32>) outs(%44 : tensor<3x2xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.mulf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3x2xf32>
  %46 = tensor.empty() : tensor<3x2xf32>
  %47 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<2xf32>) outs(%46 : tensor<3x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x2xf32>
  %48 = tensor.empty() : tensor<3x2xf32>
  %49 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%47, %padded_6 : tensor<3x2xf32>, tensor<3x2xf32>) outs(%48 : tensor<3x2xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.mulf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3x2xf32>
  %50 = tensor.empty() : tensor<3x2xf32>
  %51 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%45, %49 : tensor<3x2xf32>, tensor<3x2xf32>) outs(%50 : tensor<3x2xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.addf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3x2xf32>
  %extracted_slice_7 = tensor.extract_slice %41[0] [1] [1] : tensor<2xf32> to tensor<1xf32>
  %extracted_slice_8 = tensor.extract_slice %51[0, 0] [3, 1] [1, 1] : tensor<3x2xf32> to tensor<3x1xf32>
  %extracted_slice_9 = tensor.extract_slice %41[1] [1] [1] : tensor<2xf32> to tensor<1xf32>
  %extracted_slice_10 = tensor.extract_slice %51[0, 1] [3, 1] [1, 1] : tensor<3x2xf32> to tensor<3x1xf32>
  %52 = tensor.empty() : tensor<1x1xi32>
  %53 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%52 : tensor<1x1xi32>) {
  ^bb0(%out: i32):
    linalg.yield %c0_i32 : i32
  } -> tensor<1x1xi32>
  %54 = tensor.empty() : tensor<1x1xi32>
  %55 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%54 : tensor<1x1xi32>) {
  ^bb0(%out: i32):
    linalg.yield %c0_i32 : i32
  } -> tensor<1x1xi32>
  %56 = tensor.empty() : tensor<1x1xi1>
  %57 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%53, %55 : tensor<1x1xi32>, tensor<1x1xi32>) outs(%56 : tensor<1x1xi1>) {
  ^bb0(%in: i32, %in_20: i32, %out: i1):
    %156 = arith.cmpi eq, %in, %in_20 : i32
    linalg.yield %156 : i1
  } -> tensor<1x1xi1>
  %58 = tensor.empty() : tensor<1x1xf32>
  %59 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%57 : tensor<1x1xi1>) outs(%58 : tensor<1x1xf32>) {
  ^bb0(%in: i1, %out: f32):
    %156 = arith.uitofp %in : i1 to f32
    linalg.yield %156 : f32
  } -> tensor<1x1xf32>
  %collapsed = tensor.collapse_shape %59 [[0, 1]] : tensor<1x1xf32> into tensor<1xf32>
  %60 = tensor.empty() : tensor<1x1xf32>
  %61 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_7 : tensor<1xf32>) outs(%60 : tensor<1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x1xf32>
  %62 = tensor.empty() : tensor<3x1x1xf32>
  %63 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_8 : tensor<3x1xf32>) outs(%62 : tensor<3x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x1x1xf32>
  %64 = tensor.empty() : tensor<1x1xf32>
  %65 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%61, %59 : tensor<1x1xf32>, tensor<1x1xf32>) outs(%64 : tensor<1x1xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.mulf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<1x1xf32>
  %66 = tensor.empty() : tensor<3x1x1xf32>
  %67 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed : tensor<1xf32>) outs(%66 : tensor<3x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x1x1xf32>
  %68 = tensor.empty() : tensor<3x1x1xf32>
  %69 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63, %67 : tensor<3x1x1xf32>, tensor<3x1x1xf32>) outs(%68 : tensor<3x1x1xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.mulf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3x1x1xf32>
  %70 = tensor.empty() : tensor<1x1xf32>
  %71 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_9 : tensor<1xf32>) outs(%70 : tensor<1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x1xf32>
  %72 = tensor.empty() : tensor<3x1x1xf32>
  %73 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_10 : tensor<3x1xf32>) outs(%72 : tensor<3x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x1x1xf32>
  %74 = tensor.empty() : tensor<1x1xf32>
  %75 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%59, %71 : tensor<1x1xf32>, tensor<1x1xf32>) outs(%74 : tensor<1x1xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.mulf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<1x1xf32>
  %76 = tensor.empty() : tensor<3x1x1xf32>
  %77 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67, %73 : tensor<3x1x1xf32>, tensor<3x1x1xf32>) outs(%76 : tensor<3x1x1xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.mulf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3x1x1xf32>
  %padded_11 = tensor.pad %65 low[0, 1] high[0, 0] {
  ^bb0(%arg1: index, %arg2: index):
    tensor.yield %cst : f32
  } : tensor<1x1xf32> to tensor<1x2xf32>
  %padded_12 = tensor.pad %69 low[0, 0, 1] high[0, 0, 0] {
  ^bb0(%arg1: index, %arg2: index, %arg3: index):
    tensor.yield %cst : f32
  } : tensor<3x1x1xf32> to tensor<3x1x2xf32>
  %padded_13 = tensor.pad %75 low[0, 0] high[0, 1] {
  ^bb0(%arg1: index, %arg2: index):
    tensor.yield %cst : f32
  } : tensor<1x1xf32> to tensor<1x2xf32>
  %padded_14 = tensor.pad %77 low[0, 0, 0] high[0, 0, 1] {
  ^bb0(%arg1: index, %arg2: index, %arg3: index):
    tensor.yield %cst : f32
  } : tensor<3x1x1xf32> to tensor<3x1x2xf32>
  %78 = tensor.empty() : tensor<1x2xf32>
  %79 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%padded_11, %padded_13 : tensor<1x2xf32>, tensor<1x2xf32>) outs(%78 : tensor<1x2xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.addf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<1x2xf32>
  %80 = tensor.empty() : tensor<3x1x2xf32>
  %81 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%padded_12, %padded_14 : tensor<3x1x2xf32>, tensor<3x1x2xf32>) outs(%80 : tensor<3x1x2xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.addf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3x1x2xf32>
  %82 = tensor.empty() : tensor<3x1x2xf32>
  %83 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_3 : tensor<3x2xf32>) outs(%82 : tensor<3x1x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x1x2xf32>
  %84 = tensor.empty() : tensor<3x1x2xf32>
  %85 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79 : tensor<1x2xf32>) outs(%84 : tensor<3x1x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x1x2xf32>
  %86 = tensor.empty() : tensor<3x1x2xf32>
  %87 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %85 : tensor<3x1x2xf32>, tensor<3x1x2xf32>) outs(%86 : tensor<3x1x2xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.mulf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3x1x2xf32>
  %88 = tensor.empty() : tensor<3x1x2xf32>
  %89 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice : tensor<2xf32>) outs(%88 : tensor<3x1x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x1x2xf32>
  %90 = tensor.empty() : tensor<3x1x2xf32>
  %91 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89, %81 : tensor<3x1x2xf32>, tensor<3x1x2xf32>) outs(%90 : tensor<3x1x2xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.mulf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3x1x2xf32>
  %92 = tensor.empty() : tensor<3x1x2xf32>
  %93 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87, %91 : tensor<3x1x2xf32>, tensor<3x1x2xf32>) outs(%92 : tensor<3x1x2xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.addf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3x1x2xf32>
  %94 = tensor.empty() : tensor<3x1x2xf32>
  %95 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%padded_6 : tensor<3x2xf32>) outs(%94 : tensor<3x1x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x1x2xf32>
  %96 = tensor.empty() : tensor<3x1x2xf32>
  %97 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%padded : tensor<2xf32>) outs(%96 : tensor<3x1x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x1x2xf32>
  %98 = tensor.empty() : tensor<3x1x2xf32>
  %99 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81, %97 : tensor<3x1x2xf32>, tensor<3x1x2xf32>) outs(%98 : tensor<3x1x2xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.mulf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3x1x2xf32>
  %100 = tensor.empty() : tensor<3x1x2xf32>
  %101 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85, %95 : tensor<3x1x2xf32>, tensor<3x1x2xf32>) outs(%100 : tensor<3x1x2xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.mulf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3x1x2xf32>
  %102 = tensor.empty() : tensor<3x1x2xf32>
  %103 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99, %101 : tensor<3x1x2xf32>, tensor<3x1x2xf32>) outs(%102 : tensor<3x1x2xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.addf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3x1x2xf32>
  %padded_15 = tensor.pad %93 low[0, 0, 0] high[0, 0, 1] {
  ^bb0(%arg1: index, %arg2: index, %arg3: index):
    tensor.yield %cst : f32
  } : tensor<3x1x2xf32> to tensor<3x1x3xf32>
  %extracted_slice_16 = tensor.extract_slice %padded_15[0, 0, 0] [3, 1, 1] [1, 1, 1] : tensor<3x1x3xf32> to tensor<3x1x1xf32>
  %padded_17 = tensor.pad %extracted_slice_16 low[0, 0, 2] high[0, 0, 0] {
  ^bb0(%arg1: index, %arg2: index, %arg3: index):
    tensor.yield %cst : f32
  } : tensor<3x1x1xf32> to tensor<3x1x3xf32>
  %padded_18 = tensor.pad %103 low[0, 0, 0] high[0, 0, 1] {
  ^bb0(%arg1: index, %arg2: index, %arg3: index):
    tensor.yield %cst : f32
  } : tensor<3x1x2xf32> to tensor<3x1x3xf32>
  %104 = tensor.empty() : tensor<3x1x3xf32>
  %105 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%padded_17, %padded_18 : tensor<3x1x3xf32>, tensor<3x1x3xf32>) outs(%104 : tensor<3x1x3xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.addf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3x1x3xf32>
  %106 = tensor.empty() : tensor<1x3xf32>
  %107 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<1xf32>) outs(%106 : tensor<1x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3xf32>
  %108 = tensor.empty() : tensor<1x3xf32>
  %109 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<3xf32>) outs(%108 : tensor<1x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3xf32>
  %110 = tensor.empty() : tensor<3x1x3xf32>
  %111 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<3x3xf32>) outs(%110 : tensor<3x1x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x1x3xf32>
  %112 = tensor.empty() : tensor<1x3xf32>
  %113 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%109, %107 : tensor<1x3xf32>, tensor<1x3xf32>) outs(%112 : tensor<1x3xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.mulf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<1x3xf32>
  %114 = tensor.empty() : tensor<3x1x3xf32>
  %115 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed : tensor<1xf32>) outs(%114 : tensor<3x1x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x1x3xf32>
  %116 = tensor.empty() : tensor<3x1x3xf32>
  %117 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111, %115 : tensor<3x1x3xf32>, tensor<3x1x3xf32>) outs(%116 : tensor<3x1x3xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.mulf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3x1x3xf32>
  %118 = tensor.empty() : tensor<1x3xf32>
  %119 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<3xf32>) outs(%118 : tensor<1x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3xf32>
  %120 = tensor.empty() : tensor<3x1x3xf32>
  %121 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31 : tensor<3x3xf32>) outs(%120 : tensor<3x1x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x1x3xf32>
  %122 = tensor.empty() : tensor<1x3xf32>
  %123 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%107, %119 : tensor<1x3xf32>, tensor<1x3xf32>) outs(%122 : tensor<1x3xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.mulf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<1x3xf32>
  %124 = tensor.empty() : tensor<3x1x3xf32>
  %125 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115, %121 : tensor<3x1x3xf32>, tensor<3x1x3xf32>) outs(%124 : tensor<3x1x3xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.mulf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3x1x3xf32>
  %126 = tensor.empty() : tensor<3x1x3xf32>
  %127 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39 : tensor<3x3xf32>) outs(%126 : tensor<3x1x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x1x3xf32>
  %128 = tensor.empty() : tensor<3x1x3xf32>
  %129 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<3xf32>) outs(%128 : tensor<3x1x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x1x3xf32>
  %130 = tensor.empty() : tensor<3x1x3xf32>
  %131 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117, %129 : tensor<3x1x3xf32>, tensor<3x1x3xf32>) outs(%130 : tensor<3x1x3xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.mulf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3x1x3xf32>
  %132 = tensor.empty() : tensor<3x1x3xf32>
  %133 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%113 : tensor<1x3xf32>) outs(%132 : tensor<3x1x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x1x3xf32>
  %134 = tensor.empty() : tensor<3x1x3xf32>
  %135 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133, %127 : tensor<3x1x3xf32>, tensor<3x1x3xf32>) outs(%134 : tensor<3x1x3xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.mulf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3x1x3xf32>
  %136 = tensor.empty() : tensor<3x1x3xf32>
  %137 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131, %135 : tensor<3x1x3xf32>, tensor<3x1x3xf32>) outs(%136 : tensor<3x1x3xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.addf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3x1x3xf32>
  %138 = tensor.empty() : tensor<3x1x3xf32>
  %139 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105, %137 : tensor<3x1x3xf32>, tensor<3x1x3xf32>) outs(%138 : tensor<3x1x3xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.addf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3x1x3xf32>
  %140 = tensor.empty() : tensor<3x1x3xf32>
  %141 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<3x3xf32>) outs(%140 : tensor<3x1x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x1x3xf32>
  %142 = tensor.empty() : tensor<3x1x3xf32>
  %143 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<3xf32>) outs(%142 : tensor<3x1x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x1x3xf32>
  %144 = tensor.empty() : tensor<3x1x3xf32>
  %145 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125, %143 : tensor<3x1x3xf32>, tensor<3x1x3xf32>) outs(%144 : tensor<3x1x3xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.mulf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3x1x3xf32>
  %146 = tensor.empty() : tensor<3x1x3xf32>
  %147 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%123 : tensor<1x3xf32>) outs(%146 : tensor<3x1x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x1x3xf32>
  %148 = tensor.empty() : tensor<3x1x3xf32>
  %149 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%147, %141 : tensor<3x1x3xf32>, tensor<3x1x3xf32>) outs(%148 : tensor<3x1x3xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.mulf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3x1x3xf32>
  %150 = tensor.empty() : tensor<3x1x3xf32>
  %151 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%145, %149 : tensor<3x1x3xf32>, tensor<3x1x3xf32>) outs(%150 : tensor<3x1x3xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.addf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3x1x3xf32>
  %152 = tensor.empty() : tensor<3x1x3xf32>
  %153 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%139, %151 : tensor<3x1x3xf32>, tensor<3x1x3xf32>) outs(%152 : tensor<3x1x3xf32>) {
  ^bb0(%in: f32, %in_20: f32, %out: f32):
    %156 = arith.addf %in, %in_20 : f32
    linalg.yield %156 : f32
  } -> tensor<3x1x3xf32>
  %collapsed_19 = tensor.collapse_shape %153 [[0], [1, 2]] : tensor<3x1x3xf32> into tensor<3x3xf32>
  %154 = tensor.empty() : tensor<3x3xf32>
  %155 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%collapsed_19 : tensor<3x3xf32>) outs(%154 : tensor<3x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x3xf32>
  return %155 : tensor<3x3xf32>
}
