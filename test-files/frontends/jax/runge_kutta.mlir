// test: round-trip
// runge kutta: Four stages a step, in a loop; the state is a tuple
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 3xf32: 1.5625 -1.375 1.4375
// in 3xf32: 0.3125 -0.3125 -0.5
// in f32: 0.25
// out 3xf32: 0.8135638 -0.74939096 0.04592672
// out 3xf32: -1.3148768 1.1476024 -1.4089571
func.func @main(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %cst = arith.constant 6.000000e+00 : f32
  %cst_0 = arith.constant 2.000000e+00 : f32
  %cst_1 = arith.constant 1.000000e-01 : f32
  %cst_2 = arith.constant dense<0> : tensor<i32>
  %c0_i32 = arith.constant 0 : i32
  %c5_i32 = arith.constant 5 : i32
  %c1_i32 = arith.constant 1 : i32
  %0:3 = scf.for %arg3 = %c0_i32 to %c5_i32 step %c1_i32 iter_args(%arg4 = %cst_2, %arg5 = %arg0, %arg6 = %arg1) -> (tensor<i32>, tensor<3xf32>, tensor<3xf32>)  : i32 {
    %1 = tensor.empty() : tensor<i32>
    %2 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%arg4 : tensor<i32>) outs(%1 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %89 = arith.addi %in, %c1_i32 : i32
      linalg.yield %89 : i32
    } -> tensor<i32>
    %3 = tensor.empty() : tensor<3xf32>
    %4 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg5 : tensor<3xf32>) outs(%3 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.negf %in : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %5 = tensor.empty() : tensor<3xf32>
    %6 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg6 : tensor<3xf32>) outs(%5 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.mulf %in, %cst_1 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %7 = tensor.empty() : tensor<3xf32>
    %8 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%4, %6 : tensor<3xf32>, tensor<3xf32>) outs(%7 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %89 = arith.subf %in, %in_3 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %9 = tensor.empty() : tensor<f32>
    %10 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%arg2 : tensor<f32>) outs(%9 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.divf %in, %cst_0 : f32
      linalg.yield %89 : f32
    } -> tensor<f32>
    %11 = tensor.empty() : tensor<3xf32>
    %12 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%10 : tensor<f32>) outs(%11 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3xf32>
    %13 = tensor.empty() : tensor<3xf32>
    %14 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%12, %arg6 : tensor<3xf32>, tensor<3xf32>) outs(%13 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %89 = arith.mulf %in, %in_3 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %15 = tensor.empty() : tensor<3xf32>
    %16 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg5, %14 : tensor<3xf32>, tensor<3xf32>) outs(%15 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %89 = arith.addf %in, %in_3 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %17 = tensor.empty() : tensor<3xf32>
    %18 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%12, %8 : tensor<3xf32>, tensor<3xf32>) outs(%17 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %89 = arith.mulf %in, %in_3 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %19 = tensor.empty() : tensor<3xf32>
    %20 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg6, %18 : tensor<3xf32>, tensor<3xf32>) outs(%19 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %89 = arith.addf %in, %in_3 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %21 = tensor.empty() : tensor<3xf32>
    %22 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%16 : tensor<3xf32>) outs(%21 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.negf %in : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %23 = tensor.empty() : tensor<3xf32>
    %24 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%20 : tensor<3xf32>) outs(%23 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.mulf %in, %cst_1 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %25 = tensor.empty() : tensor<3xf32>
    %26 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%22, %24 : tensor<3xf32>, tensor<3xf32>) outs(%25 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %89 = arith.subf %in, %in_3 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %27 = tensor.empty() : tensor<3xf32>
    %28 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%12, %20 : tensor<3xf32>, tensor<3xf32>) outs(%27 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %89 = arith.mulf %in, %in_3 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %29 = tensor.empty() : tensor<3xf32>
    %30 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg5, %28 : tensor<3xf32>, tensor<3xf32>) outs(%29 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %89 = arith.addf %in, %in_3 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %31 = tensor.empty() : tensor<3xf32>
    %32 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%12, %26 : tensor<3xf32>, tensor<3xf32>) outs(%31 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %89 = arith.mulf %in, %in_3 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %33 = tensor.empty() : tensor<3xf32>
    %34 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg6, %32 : tensor<3xf32>, tensor<3xf32>) outs(%33 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %89 = arith.addf %in, %in_3 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %35 = tensor.empty() : tensor<3xf32>
    %36 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%30 : tensor<3xf32>) outs(%35 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.negf %in : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %37 = tensor.empty() : tensor<3xf32>
    %38 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%34 : tensor<3xf32>) outs(%37 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.mulf %in, %cst_1 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %39 = tensor.empty() : tensor<3xf32>
    %40 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%36, %38 : tensor<3xf32>, tensor<3xf32>) outs(%39 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %89 = arith.subf %in, %in_3 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %41 = tensor.empty() : tensor<3xf32>
    %42 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg2 : tensor<f32>) outs(%41 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3xf32>
    %43 = tensor.empty() : tensor<3xf32>
    %44 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%42, %34 : tensor<3xf32>, tensor<3xf32>) outs(%43 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %89 = arith.mulf %in, %in_3 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %45 = tensor.empty() : tensor<3xf32>
    %46 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg5, %44 : tensor<3xf32>, tensor<3xf32>) outs(%45 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %89 = arith.addf %in, %in_3 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %47 = tensor.empty() : tensor<3xf32>
    %48 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%42, %40 : tensor<3xf32>, tensor<3xf32>) outs(%47 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %89 = arith.mulf %in, %in_3 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %49 = tensor.empty() : tensor<3xf32>
    %50 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg6, %48 : tensor<3xf32>, tensor<3xf32>) outs(%49 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %89 = arith.addf %in, %in_3 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %51 = tensor.empty() : tensor<3xf32>
    %52 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%46 : tensor<3xf32>) outs(%51 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.negf %in : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %53 = tensor.empty() : tensor<3xf32>
    %54 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%50 : tensor<3xf32>) outs(%53 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.mulf %in, %cst_1 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %55 = tensor.empty() : tensor<3xf32>
    %56 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%52, %54 : tensor<3xf32>, tensor<3xf32>) outs(%55 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %89 = arith.subf %in, %in_3 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %57 = tensor.empty() : tensor<3xf32>
    %58 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%20 : tensor<3xf32>) outs(%57 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.mulf %in, %cst_0 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %59 = tensor.empty() : tensor<3xf32>
    %60 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg6, %58 : tensor<3xf32>, tensor<3xf32>) outs(%59 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %89 = arith.addf %in, %in_3 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %61 = tensor.empty() : tensor<3xf32>
    %62 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%34 : tensor<3xf32>) outs(%61 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.mulf %in, %cst_0 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %63 = tensor.empty() : tensor<3xf32>
    %64 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%60, %62 : tensor<3xf32>, tensor<3xf32>) outs(%63 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %89 = arith.addf %in, %in_3 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %65 = tensor.empty() : tensor<3xf32>
    %66 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%64, %50 : tensor<3xf32>, tensor<3xf32>) outs(%65 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %89 = arith.addf %in, %in_3 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %67 = tensor.empty() : tensor<3xf32>
    %68 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%66 : tensor<3xf32>) outs(%67 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.divf %in, %cst : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %69 = tensor.empty() : tensor<3xf32>
    %70 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%42, %68 : tensor<3xf32>, tensor<3xf32>) outs(%69 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %89 = arith.mulf %in, %in_3 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %71 = tensor.empty() : tensor<3xf32>
    %72 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg5, %70 : tensor<3xf32>, tensor<3xf32>) outs(%71 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %89 = arith.addf %in, %in_3 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %73 = tensor.empty() : tensor<3xf32>
    %74 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%26 : tensor<3xf32>) outs(%73 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.mulf %in, %cst_0 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %75 = tensor.empty() : tensor<3xf32>
    %76 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%8, %74 : tensor<3xf32>, tensor<3xf32>) outs(%75 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %89 = arith.addf %in, %in_3 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %77 = tensor.empty() : tensor<3xf32>
    %78 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%40 : tensor<3xf32>) outs(%77 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.mulf %in, %cst_0 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %79 = tensor.empty() : tensor<3xf32>
    %80 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%76, %78 : tensor<3xf32>, tensor<3xf32>) outs(%79 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %89 = arith.addf %in, %in_3 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %81 = tensor.empty() : tensor<3xf32>
    %82 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%80, %56 : tensor<3xf32>, tensor<3xf32>) outs(%81 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %89 = arith.addf %in, %in_3 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %83 = tensor.empty() : tensor<3xf32>
    %84 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%82 : tensor<3xf32>) outs(%83 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.divf %in, %cst : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %85 = tensor.empty() : tensor<3xf32>
    %86 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%42, %84 : tensor<3xf32>, tensor<3xf32>) outs(%85 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %89 = arith.mulf %in, %in_3 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    %87 = tensor.empty() : tensor<3xf32>
    %88 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg6, %86 : tensor<3xf32>, tensor<3xf32>) outs(%87 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %89 = arith.addf %in, %in_3 : f32
      linalg.yield %89 : f32
    } -> tensor<3xf32>
    scf.yield %2, %72, %88 : tensor<i32>, tensor<3xf32>, tensor<3xf32>
  }
  return %0#1, %0#2 : tensor<3xf32>, tensor<3xf32>
}
