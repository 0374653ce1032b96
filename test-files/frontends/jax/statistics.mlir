// test: round-trip
// statistics
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 7xf32: 1.125 1.1875 0.875 1.375 1.3125 0.1875 -1.0625
// in 7xf32: 1.9375 1.3125 -1.0625 -0.875 0.625 0.6875 -1.75
// out f32: 0.71428573
// out f32: 0.77455366
// out f32: 0.5254893
// out f32: 2.8668363
// out f32: 4.4140625
// out f32: -0.4202681
// out f32: 2.4375
func.func @main(%arg0: tensor<7xf32>, %arg1: tensor<7xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %cst = arith.constant 0x7F800000 : f32
  %cst_0 = arith.constant 0xFF800000 : f32
  %cst_1 = arith.constant 1.000000e+00 : f32
  %cst_2 = arith.constant 0x7FC00000 : f32
  %cst_3 = arith.constant 7.000000e+00 : f32
  %cst_4 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<f32>
  %1 = linalg.fill ins(%cst_4 : f32) outs(%0 : tensor<f32>) -> tensor<f32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%arg0 : tensor<7xf32>) outs(%1 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %104 = arith.addf %out, %in : f32
    linalg.yield %104 : f32
  } -> tensor<f32>
  %3 = tensor.empty() : tensor<f32>
  %4 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%2 : tensor<f32>) outs(%3 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %104 = arith.divf %in, %cst_3 : f32
    linalg.yield %104 : f32
  } -> tensor<f32>
  %expanded = tensor.expand_shape %2 [] output_shape [1] : tensor<f32> into tensor<1xf32>
  %5 = tensor.empty() : tensor<1xf32>
  %6 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%expanded : tensor<1xf32>) outs(%5 : tensor<1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %104 = arith.divf %in, %cst_3 : f32
    linalg.yield %104 : f32
  } -> tensor<1xf32>
  %7 = tensor.empty() : tensor<7xf32>
  %8 = linalg.generic {indexing_maps = [affine_map<(d0) -> (0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%6 : tensor<1xf32>) outs(%7 : tensor<7xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<7xf32>
  %9 = tensor.empty() : tensor<7xf32>
  %10 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0, %8 : tensor<7xf32>, tensor<7xf32>) outs(%9 : tensor<7xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %104 = arith.subf %in, %in_6 : f32
    linalg.yield %104 : f32
  } -> tensor<7xf32>
  %11 = tensor.empty() : tensor<7xf32>
  %12 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%10 : tensor<7xf32>) outs(%11 : tensor<7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %104 = arith.mulf %in, %in : f32
    linalg.yield %104 : f32
  } -> tensor<7xf32>
  %13 = tensor.empty() : tensor<f32>
  %14 = linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%13 : tensor<f32>) {
  ^bb0(%out: f32):
    linalg.yield %cst_1 : f32
  } -> tensor<f32>
  %15 = tensor.empty() : tensor<f32>
  %16 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%14 : tensor<f32>) outs(%15 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %104 = arith.subf %cst_3, %in : f32
    linalg.yield %104 : f32
  } -> tensor<f32>
  %17 = tensor.empty() : tensor<f32>
  %18 = linalg.fill ins(%cst_4 : f32) outs(%17 : tensor<f32>) -> tensor<f32>
  %19 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%12 : tensor<7xf32>) outs(%18 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %104 = arith.addf %out, %in : f32
    linalg.yield %104 : f32
  } -> tensor<f32>
  %20 = tensor.empty() : tensor<f32>
  %21 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%19, %16 : tensor<f32>, tensor<f32>) outs(%20 : tensor<f32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %104 = arith.divf %in, %in_6 : f32
    linalg.yield %104 : f32
  } -> tensor<f32>
  %22 = tensor.empty() : tensor<i1>
  %23 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%16 : tensor<f32>) outs(%22 : tensor<i1>) {
  ^bb0(%in: f32, %out: i1):
    %104 = arith.cmpf ogt, %in, %cst_4 : f32
    linalg.yield %104 : i1
  } -> tensor<i1>
  %24 = tensor.empty() : tensor<f32>
  %25 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%23, %21 : tensor<i1>, tensor<f32>) outs(%24 : tensor<f32>) {
  ^bb0(%in: i1, %in_6: f32, %out: f32):
    %104 = arith.select %in, %in_6, %cst_2 : f32
    linalg.yield %104 : f32
  } -> tensor<f32>
  %26 = tensor.empty() : tensor<7xf32>
  %27 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%4 : tensor<f32>) outs(%26 : tensor<7xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<7xf32>
  %28 = tensor.empty() : tensor<7xf32>
  %29 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0, %27 : tensor<7xf32>, tensor<7xf32>) outs(%28 : tensor<7xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %104 = arith.subf %in, %in_6 : f32
    linalg.yield %104 : f32
  } -> tensor<7xf32>
  %30 = tensor.empty() : tensor<f32>
  %31 = linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%30 : tensor<f32>) {
  ^bb0(%out: f32):
    linalg.yield %cst_4 : f32
  } -> tensor<f32>
  %32 = tensor.empty() : tensor<f32>
  %33 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%31 : tensor<f32>) outs(%32 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %104 = arith.subf %cst_3, %in : f32
    linalg.yield %104 : f32
  } -> tensor<f32>
  %34 = tensor.empty() : tensor<f32>
  %35 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%19, %33 : tensor<f32>, tensor<f32>) outs(%34 : tensor<f32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %104 = arith.divf %in, %in_6 : f32
    linalg.yield %104 : f32
  } -> tensor<f32>
  %36 = tensor.empty() : tensor<i1>
  %37 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%33 : tensor<f32>) outs(%36 : tensor<i1>) {
  ^bb0(%in: f32, %out: i1):
    %104 = arith.cmpf ogt, %in, %cst_4 : f32
    linalg.yield %104 : i1
  } -> tensor<i1>
  %38 = tensor.empty() : tensor<f32>
  %39 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%37, %35 : tensor<i1>, tensor<f32>) outs(%38 : tensor<f32>) {
  ^bb0(%in: i1, %in_6: f32, %out: f32):
    %104 = arith.select %in, %in_6, %cst_2 : f32
    linalg.yield %104 : f32
  } -> tensor<f32>
  %40 = tensor.empty() : tensor<f32>
  %41 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%39 : tensor<f32>) outs(%40 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %104 = math.sqrt %in : f32
    linalg.yield %104 : f32
  } -> tensor<f32>
  %42 = tensor.empty() : tensor<7xf32>
  %43 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%41 : tensor<f32>) outs(%42 : tensor<7xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<7xf32>
  %44 = tensor.empty() : tensor<7xf32>
  %45 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%29, %43 : tensor<7xf32>, tensor<7xf32>) outs(%44 : tensor<7xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %104 = arith.divf %in, %in_6 : f32
    linalg.yield %104 : f32
  } -> tensor<7xf32>
  %46 = tensor.empty() : tensor<f32>
  %47 = linalg.fill ins(%cst_4 : f32) outs(%46 : tensor<f32>) -> tensor<f32>
  %48 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%arg1 : tensor<7xf32>) outs(%47 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %104 = arith.addf %out, %in : f32
    linalg.yield %104 : f32
  } -> tensor<f32>
  %49 = tensor.empty() : tensor<f32>
  %50 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%48 : tensor<f32>) outs(%49 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %104 = arith.divf %in, %cst_3 : f32
    linalg.yield %104 : f32
  } -> tensor<f32>
  %51 = tensor.empty() : tensor<7xf32>
  %52 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%50 : tensor<f32>) outs(%51 : tensor<7xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<7xf32>
  %53 = tensor.empty() : tensor<7xf32>
  %54 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg1, %52 : tensor<7xf32>, tensor<7xf32>) outs(%53 : tensor<7xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %104 = arith.subf %in, %in_6 : f32
    linalg.yield %104 : f32
  } -> tensor<7xf32>
  %expanded_5 = tensor.expand_shape %48 [] output_shape [1] : tensor<f32> into tensor<1xf32>
  %55 = tensor.empty() : tensor<1xf32>
  %56 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%expanded_5 : tensor<1xf32>) outs(%55 : tensor<1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %104 = arith.divf %in, %cst_3 : f32
    linalg.yield %104 : f32
  } -> tensor<1xf32>
  %57 = tensor.empty() : tensor<7xf32>
  %58 = linalg.generic {indexing_maps = [affine_map<(d0) -> (0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%56 : tensor<1xf32>) outs(%57 : tensor<7xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<7xf32>
  %59 = tensor.empty() : tensor<7xf32>
  %60 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg1, %58 : tensor<7xf32>, tensor<7xf32>) outs(%59 : tensor<7xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %104 = arith.subf %in, %in_6 : f32
    linalg.yield %104 : f32
  } -> tensor<7xf32>
  %61 = tensor.empty() : tensor<7xf32>
  %62 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%60 : tensor<7xf32>) outs(%61 : tensor<7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %104 = arith.mulf %in, %in : f32
    linalg.yield %104 : f32
  } -> tensor<7xf32>
  %63 = tensor.empty() : tensor<f32>
  %64 = linalg.fill ins(%cst_4 : f32) outs(%63 : tensor<f32>) -> tensor<f32>
  %65 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%62 : tensor<7xf32>) outs(%64 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %104 = arith.addf %out, %in : f32
    linalg.yield %104 : f32
  } -> tensor<f32>
  %66 = tensor.empty() : tensor<f32>
  %67 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%65, %33 : tensor<f32>, tensor<f32>) outs(%66 : tensor<f32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %104 = arith.divf %in, %in_6 : f32
    linalg.yield %104 : f32
  } -> tensor<f32>
  %68 = tensor.empty() : tensor<f32>
  %69 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%37, %67 : tensor<i1>, tensor<f32>) outs(%68 : tensor<f32>) {
  ^bb0(%in: i1, %in_6: f32, %out: f32):
    %104 = arith.select %in, %in_6, %cst_2 : f32
    linalg.yield %104 : f32
  } -> tensor<f32>
  %70 = tensor.empty() : tensor<f32>
  %71 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%69 : tensor<f32>) outs(%70 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %104 = math.sqrt %in : f32
    linalg.yield %104 : f32
  } -> tensor<f32>
  %72 = tensor.empty() : tensor<7xf32>
  %73 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%71 : tensor<f32>) outs(%72 : tensor<7xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<7xf32>
  %74 = tensor.empty() : tensor<7xf32>
  %75 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%54, %73 : tensor<7xf32>, tensor<7xf32>) outs(%74 : tensor<7xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %104 = arith.divf %in, %in_6 : f32
    linalg.yield %104 : f32
  } -> tensor<7xf32>
  %76 = tensor.empty() : tensor<7xf32>
  %77 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%45, %75 : tensor<7xf32>, tensor<7xf32>) outs(%76 : tensor<7xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %104 = arith.mulf %in, %in_6 : f32
    linalg.yield %104 : f32
  } -> tensor<7xf32>
  %78 = tensor.empty() : tensor<f32>
  %79 = linalg.fill ins(%cst_4 : f32) outs(%78 : tensor<f32>) -> tensor<f32>
  %80 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%77 : tensor<7xf32>) outs(%79 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %104 = arith.addf %out, %in : f32
    linalg.yield %104 : f32
  } -> tensor<f32>
  %81 = tensor.empty() : tensor<f32>
  %82 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%80 : tensor<f32>) outs(%81 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %104 = arith.divf %in, %cst_3 : f32
    linalg.yield %104 : f32
  } -> tensor<f32>
  %83 = tensor.empty() : tensor<7xf32>
  %84 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<7xf32>) outs(%83 : tensor<7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %104 = arith.mulf %in, %in : f32
    linalg.yield %104 : f32
  } -> tensor<7xf32>
  %85 = tensor.empty() : tensor<f32>
  %86 = linalg.fill ins(%cst_4 : f32) outs(%85 : tensor<f32>) -> tensor<f32>
  %87 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%84 : tensor<7xf32>) outs(%86 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %104 = arith.addf %out, %in : f32
    linalg.yield %104 : f32
  } -> tensor<f32>
  %88 = tensor.empty() : tensor<f32>
  %89 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%87 : tensor<f32>) outs(%88 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %104 = math.sqrt %in : f32
    linalg.yield %104 : f32
  } -> tensor<f32>
  %90 = tensor.empty() : tensor<f32>
  %91 = linalg.fill ins(%cst_4 : f32) outs(%90 : tensor<f32>) -> tensor<f32>
  %92 = linalg.dot ins(%arg0, %arg1 : tensor<7xf32>, tensor<7xf32>) outs(%91 : tensor<f32>) -> tensor<f32>
  %93 = tensor.empty() : tensor<f32>
  %94 = linalg.fill ins(%cst_1 : f32) outs(%93 : tensor<f32>) -> tensor<f32>
  %95 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%arg0 : tensor<7xf32>) outs(%94 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %104 = arith.mulf %out, %in : f32
    linalg.yield %104 : f32
  } -> tensor<f32>
  %96 = tensor.empty() : tensor<f32>
  %97 = linalg.fill ins(%cst_0 : f32) outs(%96 : tensor<f32>) -> tensor<f32>
  %98 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%arg0 : tensor<7xf32>) outs(%97 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %104 = arith.maximumf %out, %in : f32
    linalg.yield %104 : f32
  } -> tensor<f32>
  %99 = tensor.empty() : tensor<f32>
  %100 = linalg.fill ins(%cst : f32) outs(%99 : tensor<f32>) -> tensor<f32>
  %101 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%arg0 : tensor<7xf32>) outs(%100 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %104 = arith.minimumf %out, %in : f32
    linalg.yield %104 : f32
  } -> tensor<f32>
  %102 = tensor.empty() : tensor<f32>
  %103 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%98, %101 : tensor<f32>, tensor<f32>) outs(%102 : tensor<f32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %104 = arith.subf %in, %in_6 : f32
    linalg.yield %104 : f32
  } -> tensor<f32>
  return %4, %25, %82, %89, %92, %95, %103 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}
