// test: round-trip
// random numbers: Threefry's bits as numbers from 0 to 1
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 2xi32: 1034663190 893623977
// out 5xf32: 0.700989 0.8892261 0.8930193 0.5250025 0.19011939
func.func @main(%arg0: tensor<2xi32> {iree.abi.encoding = tensor<2xui32>}) -> tensor<5xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant 1.000000e+00 : f32
  %c1065353216_i32 = arith.constant 1065353216 : i32
  %c9_i32 = arith.constant 9 : i32
  %c32_i32 = arith.constant 32 : i32
  %c466688986_i32 = arith.constant 466688986 : i32
  %c32_i64 = arith.constant 32 : i64
  %cst_1 = arith.constant dense<[17, 29, 16, 24]> : tensor<4xi32>
  %cst_2 = arith.constant dense<[13, 15, 26, 6]> : tensor<4xi32>
  %cst_3 = arith.constant dense<0> : tensor<i32>
  %c0_i32 = arith.constant 0 : i32
  %c5_i32 = arith.constant 5 : i32
  %c1_i32 = arith.constant 1 : i32
  %extracted_slice = tensor.extract_slice %arg0[0] [1] [1] : tensor<2xi32> to tensor<1xi32>
  %collapsed = tensor.collapse_shape %extracted_slice [] : tensor<1xi32> into tensor<i32>
  %extracted_slice_4 = tensor.extract_slice %arg0[1] [1] [1] : tensor<2xi32> to tensor<1xi32>
  %collapsed_5 = tensor.collapse_shape %extracted_slice_4 [] : tensor<1xi32> into tensor<i32>
  %0 = tensor.empty() : tensor<5xi64>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%0 : tensor<5xi64>) {
  ^bb0(%out: i64):
    %35 = linalg.index 0 : index
    %36 = arith.index_cast %35 : index to i64
    linalg.yield %36 : i64
  } -> tensor<5xi64>
  %2 = tensor.empty() : tensor<5xi64>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%1 : tensor<5xi64>) outs(%2 : tensor<5xi64>) {
  ^bb0(%in: i64, %out: i64):
    %35 = arith.shrui %in, %c32_i64 : i64
    linalg.yield %35 : i64
  } -> tensor<5xi64>
  %4 = tensor.empty() : tensor<5xi32>
  %5 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%1 : tensor<5xi64>) outs(%4 : tensor<5xi32>) {
  ^bb0(%in: i64, %out: i32):
    %35 = arith.trunci %in : i64 to i32
    linalg.yield %35 : i32
  } -> tensor<5xi32>
  %6 = tensor.empty() : tensor<5xi32>
  %7 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%3 : tensor<5xi64>) outs(%6 : tensor<5xi32>) {
  ^bb0(%in: i64, %out: i32):
    %35 = arith.trunci %in : i64 to i32
    linalg.yield %35 : i32
  } -> tensor<5xi32>
  %8 = tensor.empty() : tensor<i32>
  %9 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%collapsed, %collapsed_5 : tensor<i32>, tensor<i32>) outs(%8 : tensor<i32>) {
  ^bb0(%in: i32, %in_6: i32, %out: i32):
    %35 = arith.xori %in, %in_6 : i32
    linalg.yield %35 : i32
  } -> tensor<i32>
  %10 = tensor.empty() : tensor<i32>
  %11 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%9 : tensor<i32>) outs(%10 : tensor<i32>) {
  ^bb0(%in: i32, %out: i32):
    %35 = arith.xori %in, %c466688986_i32 : i32
    linalg.yield %35 : i32
  } -> tensor<i32>
  %12 = tensor.empty() : tensor<5xi32>
  %13 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%collapsed : tensor<i32>) outs(%12 : tensor<5xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<5xi32>
  %14 = tensor.empty() : tensor<5xi32>
  %15 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%7, %13 : tensor<5xi32>, tensor<5xi32>) outs(%14 : tensor<5xi32>) {
  ^bb0(%in: i32, %in_6: i32, %out: i32):
    %35 = arith.addi %in, %in_6 : i32
    linalg.yield %35 : i32
  } -> tensor<5xi32>
  %16 = tensor.empty() : tensor<5xi32>
  %17 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%collapsed_5 : tensor<i32>) outs(%16 : tensor<5xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<5xi32>
  %18 = tensor.empty() : tensor<5xi32>
  %19 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%5, %17 : tensor<5xi32>, tensor<5xi32>) outs(%18 : tensor<5xi32>) {
  ^bb0(%in: i32, %in_6: i32, %out: i32):
    %35 = arith.addi %in, %in_6 : i32
    linalg.yield %35 : i32
  } -> tensor<5xi32>
  %20:8 = scf.for %arg1 = %c0_i32 to %c5_i32 step %c1_i32 iter_args(%arg2 = %cst_3, %arg3 = %15, %arg4 = %19, %arg5 = %collapsed_5, %arg6 = %11, %arg7 = %collapsed, %arg8 = %cst_2, %arg9 = %cst_1) -> (tensor<i32>, tensor<5xi32>, tensor<5xi32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<4xi32>, tensor<4xi32>)  : i32 {
    %35 = tensor.empty() : tensor<i32>
    %36 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%arg2 : tensor<i32>) outs(%35 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %113 = arith.addi %in, %c1_i32 : i32
      linalg.yield %113 : i32
    } -> tensor<i32>
    %extracted_slice_6 = tensor.extract_slice %arg8[0] [1] [1] : tensor<4xi32> to tensor<1xi32>
    %collapsed_7 = tensor.collapse_shape %extracted_slice_6 [] : tensor<1xi32> into tensor<i32>
    %37 = tensor.empty() : tensor<5xi32>
    %38 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg3, %arg4 : tensor<5xi32>, tensor<5xi32>) outs(%37 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_14: i32, %out: i32):
      %113 = arith.addi %in, %in_14 : i32
      linalg.yield %113 : i32
    } -> tensor<5xi32>
    %39 = tensor.empty() : tensor<5xi32>
    %40 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%collapsed_7 : tensor<i32>) outs(%39 : tensor<5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5xi32>
    %41 = tensor.empty() : tensor<5xi32>
    %42 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg4, %40 : tensor<5xi32>, tensor<5xi32>) outs(%41 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_14: i32, %out: i32):
      %113 = arith.shli %in, %in_14 : i32
      %114 = arith.cmpi ult, %in_14, %c32_i32 : i32
      %115 = arith.select %114, %113, %c0_i32 : i32
      linalg.yield %115 : i32
    } -> tensor<5xi32>
    %43 = tensor.empty() : tensor<i32>
    %44 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%collapsed_7 : tensor<i32>) outs(%43 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %113 = arith.subi %c32_i32, %in : i32
      linalg.yield %113 : i32
    } -> tensor<i32>
    %45 = tensor.empty() : tensor<5xi32>
    %46 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%44 : tensor<i32>) outs(%45 : tensor<5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5xi32>
    %47 = tensor.empty() : tensor<5xi32>
    %48 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg4, %46 : tensor<5xi32>, tensor<5xi32>) outs(%47 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_14: i32, %out: i32):
      %113 = arith.shrui %in, %in_14 : i32
      %114 = arith.cmpi ult, %in_14, %c32_i32 : i32
      %115 = arith.select %114, %113, %c0_i32 : i32
      linalg.yield %115 : i32
    } -> tensor<5xi32>
    %49 = tensor.empty() : tensor<5xi32>
    %50 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%42, %48 : tensor<5xi32>, tensor<5xi32>) outs(%49 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_14: i32, %out: i32):
      %113 = arith.ori %in, %in_14 : i32
      linalg.yield %113 : i32
    } -> tensor<5xi32>
    %51 = tensor.empty() : tensor<5xi32>
    %52 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%38, %50 : tensor<5xi32>, tensor<5xi32>) outs(%51 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_14: i32, %out: i32):
      %113 = arith.xori %in, %in_14 : i32
      linalg.yield %113 : i32
    } -> tensor<5xi32>
    %extracted_slice_8 = tensor.extract_slice %arg8[1] [1] [1] : tensor<4xi32> to tensor<1xi32>
    %collapsed_9 = tensor.collapse_shape %extracted_slice_8 [] : tensor<1xi32> into tensor<i32>
    %53 = tensor.empty() : tensor<5xi32>
    %54 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%38, %52 : tensor<5xi32>, tensor<5xi32>) outs(%53 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_14: i32, %out: i32):
      %113 = arith.addi %in, %in_14 : i32
      linalg.yield %113 : i32
    } -> tensor<5xi32>
    %55 = tensor.empty() : tensor<5xi32>
    %56 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%collapsed_9 : tensor<i32>) outs(%55 : tensor<5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5xi32>
    %57 = tensor.empty() : tensor<5xi32>
    %58 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%52, %56 : tensor<5xi32>, tensor<5xi32>) outs(%57 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_14: i32, %out: i32):
      %113 = arith.shli %in, %in_14 : i32
      %114 = arith.cmpi ult, %in_14, %c32_i32 : i32
      %115 = arith.select %114, %113, %c0_i32 : i32
      linalg.yield %115 : i32
    } -> tensor<5xi32>
    %59 = tensor.empty() : tensor<i32>
    %60 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%collapsed_9 : tensor<i32>) outs(%59 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %113 = arith.subi %c32_i32, %in : i32
      linalg.yield %113 : i32
    } -> tensor<i32>
    %61 = tensor.empty() : tensor<5xi32>
    %62 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%60 : tensor<i32>) outs(%61 : tensor<5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5xi32>
    %63 = tensor.empty() : tensor<5xi32>
    %64 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%52, %62 : tensor<5xi32>, tensor<5xi32>) outs(%63 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_14: i32, %out: i32):
      %113 = arith.shrui %in, %in_14 : i32
      %114 = arith.cmpi ult, %in_14, %c32_i32 : i32
      %115 = arith.select %114, %113, %c0_i32 : i32
      linalg.yield %115 : i32
    } -> tensor<5xi32>
    %65 = tensor.empty() : tensor<5xi32>
    %66 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%58, %64 : tensor<5xi32>, tensor<5xi32>) outs(%65 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_14: i32, %out: i32):
      %113 = arith.ori %in, %in_14 : i32
      linalg.yield %113 : i32
    } -> tensor<5xi32>
    %67 = tensor.empty() : tensor<5xi32>
    %68 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%54, %66 : tensor<5xi32>, tensor<5xi32>) outs(%67 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_14: i32, %out: i32):
      %113 = arith.xori %in, %in_14 : i32
      linalg.yield %113 : i32
    } -> tensor<5xi32>
    %extracted_slice_10 = tensor.extract_slice %arg8[2] [1] [1] : tensor<4xi32> to tensor<1xi32>
    %collapsed_11 = tensor.collapse_shape %extracted_slice_10 [] : tensor<1xi32> into tensor<i32>
    %69 = tensor.empty() : tensor<5xi32>
    %70 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%54, %68 : tensor<5xi32>, tensor<5xi32>) outs(%69 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_14: i32, %out: i32):
      %113 = arith.addi %in, %in_14 : i32
      linalg.yield %113 : i32
    } -> tensor<5xi32>
    %71 = tensor.empty() : tensor<5xi32>
    %72 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%collapsed_11 : tensor<i32>) outs(%71 : tensor<5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5xi32>
    %73 = tensor.empty() : tensor<5xi32>
    %74 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%68, %72 : tensor<5xi32>, tensor<5xi32>) outs(%73 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_14: i32, %out: i32):
      %113 = arith.shli %in, %in_14 : i32
      %114 = arith.cmpi ult, %in_14, %c32_i32 : i32
      %115 = arith.select %114, %113, %c0_i32 : i32
      linalg.yield %115 : i32
    } -> tensor<5xi32>
    %75 = tensor.empty() : tensor<i32>
    %76 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%collapsed_11 : tensor<i32>) outs(%75 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %113 = arith.subi %c32_i32, %in : i32
      linalg.yield %113 : i32
    } -> tensor<i32>
    %77 = tensor.empty() : tensor<5xi32>
    %78 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%76 : tensor<i32>) outs(%77 : tensor<5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5xi32>
    %79 = tensor.empty() : tensor<5xi32>
    %80 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%68, %78 : tensor<5xi32>, tensor<5xi32>) outs(%79 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_14: i32, %out: i32):
      %113 = arith.shrui %in, %in_14 : i32
      %114 = arith.cmpi ult, %in_14, %c32_i32 : i32
      %115 = arith.select %114, %113, %c0_i32 : i32
      linalg.yield %115 : i32
    } -> tensor<5xi32>
    %81 = tensor.empty() : tensor<5xi32>
    %82 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%74, %80 : tensor<5xi32>, tensor<5xi32>) outs(%81 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_14: i32, %out: i32):
      %113 = arith.ori %in, %in_14 : i32
      linalg.yield %113 : i32
    } -> tensor<5xi32>
    %83 = tensor.empty() : tensor<5xi32>
    %84 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%70, %82 : tensor<5xi32>, tensor<5xi32>) outs(%83 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_14: i32, %out: i32):
      %113 = arith.xori %in, %in_14 : i32
      linalg.yield %113 : i32
    } -> tensor<5xi32>
    %extracted_slice_12 = tensor.extract_slice %arg8[3] [1] [1] : tensor<4xi32> to tensor<1xi32>
    %collapsed_13 = tensor.collapse_shape %extracted_slice_12 [] : tensor<1xi32> into tensor<i32>
    %85 = tensor.empty() : tensor<5xi32>
    %86 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%70, %84 : tensor<5xi32>, tensor<5xi32>) outs(%85 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_14: i32, %out: i32):
      %113 = arith.addi %in, %in_14 : i32
      linalg.yield %113 : i32
    } -> tensor<5xi32>
    %87 = tensor.empty() : tensor<5xi32>
    %88 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%collapsed_13 : tensor<i32>) outs(%87 : tensor<5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5xi32>
    %89 = tensor.empty() : tensor<5xi32>
    %90 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%84, %88 : tensor<5xi32>, tensor<5xi32>) outs(%89 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_14: i32, %out: i32):
      %113 = arith.shli %in, %in_14 : i32
      %114 = arith.cmpi ult, %in_14, %c32_i32 : i32
      %115 = arith.select %114, %113, %c0_i32 : i32
      linalg.yield %115 : i32
    } -> tensor<5xi32>
    %91 = tensor.empty() : tensor<i32>
    %92 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%collapsed_13 : tensor<i32>) outs(%91 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %113 = arith.subi %c32_i32, %in : i32
      linalg.yield %113 : i32
    } -> tensor<i32>
    %93 = tensor.empty() : tensor<5xi32>
    %94 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%92 : tensor<i32>) outs(%93 : tensor<5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5xi32>
    %95 = tensor.empty() : tensor<5xi32>
    %96 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%84, %94 : tensor<5xi32>, tensor<5xi32>) outs(%95 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_14: i32, %out: i32):
      %113 = arith.shrui %in, %in_14 : i32
      %114 = arith.cmpi ult, %in_14, %c32_i32 : i32
      %115 = arith.select %114, %113, %c0_i32 : i32
      linalg.yield %115 : i32
    } -> tensor<5xi32>
    %97 = tensor.empty() : tensor<5xi32>
    %98 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%90, %96 : tensor<5xi32>, tensor<5xi32>) outs(%97 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_14: i32, %out: i32):
      %113 = arith.ori %in, %in_14 : i32
      linalg.yield %113 : i32
    } -> tensor<5xi32>
    %99 = tensor.empty() : tensor<5xi32>
    %100 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%86, %98 : tensor<5xi32>, tensor<5xi32>) outs(%99 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_14: i32, %out: i32):
      %113 = arith.xori %in, %in_14 : i32
      linalg.yield %113 : i32
    } -> tensor<5xi32>
    %101 = tensor.empty() : tensor<5xi32>
    %102 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg5 : tensor<i32>) outs(%101 : tensor<5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5xi32>
    %103 = tensor.empty() : tensor<5xi32>
    %104 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%86, %102 : tensor<5xi32>, tensor<5xi32>) outs(%103 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_14: i32, %out: i32):
      %113 = arith.addi %in, %in_14 : i32
      linalg.yield %113 : i32
    } -> tensor<5xi32>
    %105 = tensor.empty() : tensor<5xi32>
    %106 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg6 : tensor<i32>) outs(%105 : tensor<5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5xi32>
    %107 = tensor.empty() : tensor<5xi32>
    %108 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%100, %106 : tensor<5xi32>, tensor<5xi32>) outs(%107 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_14: i32, %out: i32):
      %113 = arith.addi %in, %in_14 : i32
      linalg.yield %113 : i32
    } -> tensor<5xi32>
    %109 = tensor.empty() : tensor<5xi32>
    %110 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%36 : tensor<i32>) outs(%109 : tensor<5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5xi32>
    %111 = tensor.empty() : tensor<5xi32>
    %112 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%108, %110 : tensor<5xi32>, tensor<5xi32>) outs(%111 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_14: i32, %out: i32):
      %113 = arith.addi %in, %in_14 : i32
      linalg.yield %113 : i32
    } -> tensor<5xi32>
    scf.yield %36, %104, %112, %arg6, %arg7, %arg5, %arg9, %arg8 : tensor<i32>, tensor<5xi32>, tensor<5xi32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<4xi32>, tensor<4xi32>
  }
  %21 = tensor.empty() : tensor<5xi32>
  %22 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%20#1, %20#2 : tensor<5xi32>, tensor<5xi32>) outs(%21 : tensor<5xi32>) {
  ^bb0(%in: i32, %in_6: i32, %out: i32):
    %35 = arith.xori %in, %in_6 : i32
    linalg.yield %35 : i32
  } -> tensor<5xi32>
  %23 = tensor.empty() : tensor<5xi32>
  %24 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%22 : tensor<5xi32>) outs(%23 : tensor<5xi32>) {
  ^bb0(%in: i32, %out: i32):
    %35 = arith.shrui %in, %c9_i32 : i32
    linalg.yield %35 : i32
  } -> tensor<5xi32>
  %25 = tensor.empty() : tensor<5xi32>
  %26 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%24 : tensor<5xi32>) outs(%25 : tensor<5xi32>) {
  ^bb0(%in: i32, %out: i32):
    %35 = arith.ori %in, %c1065353216_i32 : i32
    linalg.yield %35 : i32
  } -> tensor<5xi32>
  %27 = tensor.empty() : tensor<5xf32>
  %28 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%26 : tensor<5xi32>) outs(%27 : tensor<5xf32>) {
  ^bb0(%in: i32, %out: f32):
    %35 = arith.bitcast %in : i32 to f32
    linalg.yield %35 : f32
  } -> tensor<5xf32>
  %29 = tensor.empty() : tensor<5xf32>
  %30 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%28 : tensor<5xf32>) outs(%29 : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %35 = arith.subf %in, %cst_0 : f32
    linalg.yield %35 : f32
  } -> tensor<5xf32>
  %31 = tensor.empty() : tensor<5xf32>
  %32 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%30 : tensor<5xf32>) outs(%31 : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %35 = arith.addf %in, %cst : f32
    linalg.yield %35 : f32
  } -> tensor<5xf32>
  %33 = tensor.empty() : tensor<5xf32>
  %34 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%32 : tensor<5xf32>) outs(%33 : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %35 = arith.maximumf %in, %cst : f32
    linalg.yield %35 : f32
  } -> tensor<5xf32>
  return %34 : tensor<5xf32>
}
