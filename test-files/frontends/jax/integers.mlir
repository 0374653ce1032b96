// test: round-trip
// integers: Division as Python has it, remainders, shifts, bits
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 7xi32: -38 -56 -40 3 1 -85 70
// in 7xi32: 5 7 1 5 4 3 6
// out 7xi32: -8 -8 -40 0 0 -29 11
// out 7xi32: 2 0 0 3 1 2 4
// out 7xi32: 0 0 0 1 0 3 6
// out 7xi32: -33 -49 -39 6 5 -88 64
// out 7xi32: -38 -224 -80 3 16 -680 140
// out 7xi32: -19 -28 -20 1 0 -43 35
// out 7xi32: 536870907 536870905 536870907 0 0 536870901 8
// out 7xi32: 38 56 40 3 1 85 70
// out 7xi32: -5 -5 -5 3 1 -5 5
// out 7xi32: 29 27 28 2 1 29 3
func.func @main(%arg0: tensor<7xi32>, %arg1: tensor<7xi32>) -> (tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32> {iree.abi.encoding = tensor<7xui32>}, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>) {
  %c-5_i32 = arith.constant -5 : i32
  %c3_i32 = arith.constant 3 : i32
  %c32_i32 = arith.constant 32 : i32
  %c5_i32 = arith.constant 5 : i32
  %c31_i32 = arith.constant 31 : i32
  %c1_i32 = arith.constant 1 : i32
  %c0_i32 = arith.constant 0 : i32
  %c-2147483648_i32 = arith.constant -2147483648 : i32
  %c-1_i32 = arith.constant -1 : i32
  %0 = tensor.empty() : tensor<7xi32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<7xi32>, tensor<7xi32>) outs(%0 : tensor<7xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %68 = arith.cmpi eq, %in_0, %c0_i32 : i32
    %69 = arith.cmpi eq, %in, %c-2147483648_i32 : i32
    %70 = arith.cmpi eq, %in_0, %c-1_i32 : i32
    %71 = arith.andi %69, %70 : i1
    %72 = arith.ori %68, %71 : i1
    %73 = arith.select %72, %c1_i32, %in_0 : i32
    %74 = arith.divsi %in, %73 : i32
    %75 = arith.select %71, %c-2147483648_i32, %74 : i32
    %76 = arith.select %68, %c-1_i32, %75 : i32
    linalg.yield %76 : i32
  } -> tensor<7xi32>
  %2 = tensor.empty() : tensor<7xi32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<7xi32>) outs(%2 : tensor<7xi32>) {
  ^bb0(%in: i32, %out: i32):
    %68 = arith.cmpi eq, %in, %c0_i32 : i32
    %69 = arith.shrsi %in, %c31_i32 : i32
    %70 = arith.ori %69, %c1_i32 : i32
    %71 = arith.select %68, %c0_i32, %70 : i32
    linalg.yield %71 : i32
  } -> tensor<7xi32>
  %4 = tensor.empty() : tensor<7xi32>
  %5 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg1 : tensor<7xi32>) outs(%4 : tensor<7xi32>) {
  ^bb0(%in: i32, %out: i32):
    %68 = arith.cmpi eq, %in, %c0_i32 : i32
    %69 = arith.shrsi %in, %c31_i32 : i32
    %70 = arith.ori %69, %c1_i32 : i32
    %71 = arith.select %68, %c0_i32, %70 : i32
    linalg.yield %71 : i32
  } -> tensor<7xi32>
  %6 = tensor.empty() : tensor<7xi1>
  %7 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%3, %5 : tensor<7xi32>, tensor<7xi32>) outs(%6 : tensor<7xi1>) {
  ^bb0(%in: i32, %in_0: i32, %out: i1):
    %68 = arith.cmpi ne, %in, %in_0 : i32
    linalg.yield %68 : i1
  } -> tensor<7xi1>
  %8 = tensor.empty() : tensor<7xi32>
  %9 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<7xi32>, tensor<7xi32>) outs(%8 : tensor<7xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %68 = arith.cmpi eq, %in_0, %c0_i32 : i32
    %69 = arith.cmpi eq, %in, %c-2147483648_i32 : i32
    %70 = arith.cmpi eq, %in_0, %c-1_i32 : i32
    %71 = arith.andi %69, %70 : i1
    %72 = arith.ori %68, %71 : i1
    %73 = arith.select %72, %c1_i32, %in_0 : i32
    %74 = arith.remsi %in, %73 : i32
    %75 = arith.select %71, %c0_i32, %74 : i32
    %76 = arith.select %68, %in, %75 : i32
    linalg.yield %76 : i32
  } -> tensor<7xi32>
  %10 = tensor.empty() : tensor<7xi1>
  %11 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%9 : tensor<7xi32>) outs(%10 : tensor<7xi1>) {
  ^bb0(%in: i32, %out: i1):
    %68 = arith.cmpi ne, %in, %c0_i32 : i32
    linalg.yield %68 : i1
  } -> tensor<7xi1>
  %12 = tensor.empty() : tensor<7xi1>
  %13 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%7, %11 : tensor<7xi1>, tensor<7xi1>) outs(%12 : tensor<7xi1>) {
  ^bb0(%in: i1, %in_0: i1, %out: i1):
    %68 = arith.andi %in, %in_0 : i1
    linalg.yield %68 : i1
  } -> tensor<7xi1>
  %14 = tensor.empty() : tensor<7xi32>
  %15 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%1 : tensor<7xi32>) outs(%14 : tensor<7xi32>) {
  ^bb0(%in: i32, %out: i32):
    %68 = arith.subi %in, %c1_i32 : i32
    linalg.yield %68 : i32
  } -> tensor<7xi32>
  %16 = tensor.empty() : tensor<7xi32>
  %17 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%13, %15, %1 : tensor<7xi1>, tensor<7xi32>, tensor<7xi32>) outs(%16 : tensor<7xi32>) {
  ^bb0(%in: i1, %in_0: i32, %in_1: i32, %out: i32):
    %68 = arith.select %in, %in_0, %in_1 : i32
    linalg.yield %68 : i32
  } -> tensor<7xi32>
  %18 = tensor.empty() : tensor<7xi1>
  %19 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg1 : tensor<7xi32>) outs(%18 : tensor<7xi1>) {
  ^bb0(%in: i32, %out: i1):
    %68 = arith.cmpi eq, %in, %c0_i32 : i32
    linalg.yield %68 : i1
  } -> tensor<7xi1>
  %20 = tensor.empty() : tensor<7xi32>
  %21 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%19, %arg1 : tensor<7xi1>, tensor<7xi32>) outs(%20 : tensor<7xi32>) {
  ^bb0(%in: i1, %in_0: i32, %out: i32):
    %68 = arith.select %in, %c1_i32, %in_0 : i32
    linalg.yield %68 : i32
  } -> tensor<7xi32>
  %22 = tensor.empty() : tensor<7xi32>
  %23 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0, %21 : tensor<7xi32>, tensor<7xi32>) outs(%22 : tensor<7xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %68 = arith.cmpi eq, %in_0, %c0_i32 : i32
    %69 = arith.cmpi eq, %in, %c-2147483648_i32 : i32
    %70 = arith.cmpi eq, %in_0, %c-1_i32 : i32
    %71 = arith.andi %69, %70 : i1
    %72 = arith.ori %68, %71 : i1
    %73 = arith.select %72, %c1_i32, %in_0 : i32
    %74 = arith.remsi %in, %73 : i32
    %75 = arith.select %71, %c0_i32, %74 : i32
    %76 = arith.select %68, %in, %75 : i32
    linalg.yield %76 : i32
  } -> tensor<7xi32>
  %24 = tensor.empty() : tensor<7xi1>
  %25 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%23 : tensor<7xi32>) outs(%24 : tensor<7xi1>) {
  ^bb0(%in: i32, %out: i1):
    %68 = arith.cmpi ne, %in, %c0_i32 : i32
    linalg.yield %68 : i1
  } -> tensor<7xi1>
  %26 = tensor.empty() : tensor<7xi1>
  %27 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%23 : tensor<7xi32>) outs(%26 : tensor<7xi1>) {
  ^bb0(%in: i32, %out: i1):
    %68 = arith.cmpi slt, %in, %c0_i32 : i32
    linalg.yield %68 : i1
  } -> tensor<7xi1>
  %28 = tensor.empty() : tensor<7xi1>
  %29 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%21 : tensor<7xi32>) outs(%28 : tensor<7xi1>) {
  ^bb0(%in: i32, %out: i1):
    %68 = arith.cmpi slt, %in, %c0_i32 : i32
    linalg.yield %68 : i1
  } -> tensor<7xi1>
  %30 = tensor.empty() : tensor<7xi1>
  %31 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%27, %29 : tensor<7xi1>, tensor<7xi1>) outs(%30 : tensor<7xi1>) {
  ^bb0(%in: i1, %in_0: i1, %out: i1):
    %68 = arith.cmpi ne, %in, %in_0 : i1
    linalg.yield %68 : i1
  } -> tensor<7xi1>
  %32 = tensor.empty() : tensor<7xi1>
  %33 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%31, %25 : tensor<7xi1>, tensor<7xi1>) outs(%32 : tensor<7xi1>) {
  ^bb0(%in: i1, %in_0: i1, %out: i1):
    %68 = arith.andi %in, %in_0 : i1
    linalg.yield %68 : i1
  } -> tensor<7xi1>
  %34 = tensor.empty() : tensor<7xi32>
  %35 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%23, %21 : tensor<7xi32>, tensor<7xi32>) outs(%34 : tensor<7xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %68 = arith.addi %in, %in_0 : i32
    linalg.yield %68 : i32
  } -> tensor<7xi32>
  %36 = tensor.empty() : tensor<7xi32>
  %37 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%33, %35, %23 : tensor<7xi1>, tensor<7xi32>, tensor<7xi32>) outs(%36 : tensor<7xi32>) {
  ^bb0(%in: i1, %in_0: i32, %in_1: i32, %out: i32):
    %68 = arith.select %in, %in_0, %in_1 : i32
    linalg.yield %68 : i32
  } -> tensor<7xi32>
  %38 = tensor.empty() : tensor<7xi32>
  %39 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<7xi32>, tensor<7xi32>) outs(%38 : tensor<7xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %68 = arith.andi %in, %in_0 : i32
    linalg.yield %68 : i32
  } -> tensor<7xi32>
  %40 = tensor.empty() : tensor<7xi32>
  %41 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<7xi32>, tensor<7xi32>) outs(%40 : tensor<7xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %68 = arith.xori %in, %in_0 : i32
    linalg.yield %68 : i32
  } -> tensor<7xi32>
  %42 = tensor.empty() : tensor<7xi32>
  %43 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg1 : tensor<7xi32>) outs(%42 : tensor<7xi32>) {
  ^bb0(%in: i32, %out: i32):
    %68 = arith.remsi %in, %c5_i32 : i32
    linalg.yield %68 : i32
  } -> tensor<7xi32>
  %44 = tensor.empty() : tensor<7xi1>
  %45 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%43 : tensor<7xi32>) outs(%44 : tensor<7xi1>) {
  ^bb0(%in: i32, %out: i1):
    %68 = arith.cmpi ne, %in, %c0_i32 : i32
    linalg.yield %68 : i1
  } -> tensor<7xi1>
  %46 = tensor.empty() : tensor<7xi1>
  %47 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%43 : tensor<7xi32>) outs(%46 : tensor<7xi1>) {
  ^bb0(%in: i32, %out: i1):
    %68 = arith.cmpi slt, %in, %c0_i32 : i32
    linalg.yield %68 : i1
  } -> tensor<7xi1>
  %48 = tensor.empty() : tensor<7xi1>
  %49 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%47, %45 : tensor<7xi1>, tensor<7xi1>) outs(%48 : tensor<7xi1>) {
  ^bb0(%in: i1, %in_0: i1, %out: i1):
    %68 = arith.andi %in, %in_0 : i1
    linalg.yield %68 : i1
  } -> tensor<7xi1>
  %50 = tensor.empty() : tensor<7xi32>
  %51 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%43 : tensor<7xi32>) outs(%50 : tensor<7xi32>) {
  ^bb0(%in: i32, %out: i32):
    %68 = arith.addi %in, %c5_i32 : i32
    linalg.yield %68 : i32
  } -> tensor<7xi32>
  %52 = tensor.empty() : tensor<7xi32>
  %53 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%49, %51, %43 : tensor<7xi1>, tensor<7xi32>, tensor<7xi32>) outs(%52 : tensor<7xi32>) {
  ^bb0(%in: i1, %in_0: i32, %in_1: i32, %out: i32):
    %68 = arith.select %in, %in_0, %in_1 : i32
    linalg.yield %68 : i32
  } -> tensor<7xi32>
  %54 = tensor.empty() : tensor<7xi32>
  %55 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0, %53 : tensor<7xi32>, tensor<7xi32>) outs(%54 : tensor<7xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %68 = arith.shli %in, %in_0 : i32
    %69 = arith.cmpi ult, %in_0, %c32_i32 : i32
    %70 = arith.select %69, %68, %c0_i32 : i32
    linalg.yield %70 : i32
  } -> tensor<7xi32>
  %56 = tensor.empty() : tensor<7xi32>
  %57 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<7xi32>) outs(%56 : tensor<7xi32>) {
  ^bb0(%in: i32, %out: i32):
    %68 = arith.shrsi %in, %c1_i32 : i32
    linalg.yield %68 : i32
  } -> tensor<7xi32>
  %58 = tensor.empty() : tensor<7xi32>
  %59 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<7xi32>) outs(%58 : tensor<7xi32>) {
  ^bb0(%in: i32, %out: i32):
    %68 = arith.shrui %in, %c3_i32 : i32
    linalg.yield %68 : i32
  } -> tensor<7xi32>
  %60 = tensor.empty() : tensor<7xi32>
  %61 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<7xi32>) outs(%60 : tensor<7xi32>) {
  ^bb0(%in: i32, %out: i32):
    %68 = arith.cmpi sge, %in, %c0_i32 : i32
    %69 = arith.subi %c0_i32, %in : i32
    %70 = arith.select %68, %in, %69 : i32
    linalg.yield %70 : i32
  } -> tensor<7xi32>
  %62 = tensor.empty() : tensor<7xi32>
  %63 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<7xi32>) outs(%62 : tensor<7xi32>) {
  ^bb0(%in: i32, %out: i32):
    %68 = arith.maxsi %in, %c-5_i32 : i32
    linalg.yield %68 : i32
  } -> tensor<7xi32>
  %64 = tensor.empty() : tensor<7xi32>
  %65 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%63 : tensor<7xi32>) outs(%64 : tensor<7xi32>) {
  ^bb0(%in: i32, %out: i32):
    %68 = arith.minsi %in, %c5_i32 : i32
    linalg.yield %68 : i32
  } -> tensor<7xi32>
  %66 = tensor.empty() : tensor<7xi32>
  %67 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<7xi32>) outs(%66 : tensor<7xi32>) {
  ^bb0(%in: i32, %out: i32):
    %68 = math.ctpop %in : i32
    linalg.yield %68 : i32
  } -> tensor<7xi32>
  return %17, %37, %39, %41, %55, %57, %59, %61, %65, %67 : tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>
}
