// test: round-trip
// collatz: A loop over numbers without arrays: steps to 1
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in i32: 16453
// out i32: 40
func.func @main(%arg0: tensor<i32>) -> tensor<i32> {
  %c3_i32 = arith.constant 3 : i32
  %c31_i32 = arith.constant 31 : i32
  %c0_i32 = arith.constant 0 : i32
  %c2_i32 = arith.constant 2 : i32
  %c1_i32 = arith.constant 1 : i32
  %cst = arith.constant dense<0> : tensor<i32>
  %0:2 = scf.while (%arg1 = %arg0, %arg2 = %cst) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>) {
    %1 = tensor.empty() : tensor<i1>
    %2 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%arg1 : tensor<i32>) outs(%1 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %3 = arith.cmpi ne, %in, %c1_i32 : i32
      linalg.yield %3 : i1
    } -> tensor<i1>
    %extracted = tensor.extract %2[] : tensor<i1>
    scf.condition(%extracted) %arg1, %arg2 : tensor<i32>, tensor<i32>
  } do {
  ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
    %1 = tensor.empty() : tensor<i32>
    %2 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%arg1 : tensor<i32>) outs(%1 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %37 = arith.remsi %in, %c2_i32 : i32
      linalg.yield %37 : i32
    } -> tensor<i32>
    %3 = tensor.empty() : tensor<i1>
    %4 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%2 : tensor<i32>) outs(%3 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %37 = arith.cmpi ne, %in, %c0_i32 : i32
      linalg.yield %37 : i1
    } -> tensor<i1>
    %5 = tensor.empty() : tensor<i1>
    %6 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%2 : tensor<i32>) outs(%5 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %37 = arith.cmpi slt, %in, %c0_i32 : i32
      linalg.yield %37 : i1
    } -> tensor<i1>
    %7 = tensor.empty() : tensor<i1>
    %8 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%6, %4 : tensor<i1>, tensor<i1>) outs(%7 : tensor<i1>) {
    ^bb0(%in: i1, %in_0: i1, %out: i1):
      %37 = arith.andi %in, %in_0 : i1
      linalg.yield %37 : i1
    } -> tensor<i1>
    %9 = tensor.empty() : tensor<i32>
    %10 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%2 : tensor<i32>) outs(%9 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %37 = arith.addi %in, %c2_i32 : i32
      linalg.yield %37 : i32
    } -> tensor<i32>
    %11 = tensor.empty() : tensor<i32>
    %12 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%8, %10, %2 : tensor<i1>, tensor<i32>, tensor<i32>) outs(%11 : tensor<i32>) {
    ^bb0(%in: i1, %in_0: i32, %in_1: i32, %out: i32):
      %37 = arith.select %in, %in_0, %in_1 : i32
      linalg.yield %37 : i32
    } -> tensor<i32>
    %13 = tensor.empty() : tensor<i1>
    %14 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%12 : tensor<i32>) outs(%13 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %37 = arith.cmpi eq, %in, %c0_i32 : i32
      linalg.yield %37 : i1
    } -> tensor<i1>
    %15 = tensor.empty() : tensor<i32>
    %16 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%arg1 : tensor<i32>) outs(%15 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %37 = arith.divsi %in, %c2_i32 : i32
      linalg.yield %37 : i32
    } -> tensor<i32>
    %17 = tensor.empty() : tensor<i32>
    %18 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%arg1 : tensor<i32>) outs(%17 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %37 = arith.cmpi eq, %in, %c0_i32 : i32
      %38 = arith.shrsi %in, %c31_i32 : i32
      %39 = arith.ori %38, %c1_i32 : i32
      %40 = arith.select %37, %c0_i32, %39 : i32
      linalg.yield %40 : i32
    } -> tensor<i32>
    %19 = tensor.empty() : tensor<i32>
    %20 = linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%19 : tensor<i32>) {
    ^bb0(%out: i32):
      linalg.yield %c1_i32 : i32
    } -> tensor<i32>
    %21 = tensor.empty() : tensor<i1>
    %22 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%18, %20 : tensor<i32>, tensor<i32>) outs(%21 : tensor<i1>) {
    ^bb0(%in: i32, %in_0: i32, %out: i1):
      %37 = arith.cmpi ne, %in, %in_0 : i32
      linalg.yield %37 : i1
    } -> tensor<i1>
    %23 = tensor.empty() : tensor<i1>
    %24 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%22, %4 : tensor<i1>, tensor<i1>) outs(%23 : tensor<i1>) {
    ^bb0(%in: i1, %in_0: i1, %out: i1):
      %37 = arith.andi %in, %in_0 : i1
      linalg.yield %37 : i1
    } -> tensor<i1>
    %25 = tensor.empty() : tensor<i32>
    %26 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%16 : tensor<i32>) outs(%25 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %37 = arith.subi %in, %c1_i32 : i32
      linalg.yield %37 : i32
    } -> tensor<i32>
    %27 = tensor.empty() : tensor<i32>
    %28 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%24, %26, %16 : tensor<i1>, tensor<i32>, tensor<i32>) outs(%27 : tensor<i32>) {
    ^bb0(%in: i1, %in_0: i32, %in_1: i32, %out: i32):
      %37 = arith.select %in, %in_0, %in_1 : i32
      linalg.yield %37 : i32
    } -> tensor<i32>
    %29 = tensor.empty() : tensor<i32>
    %30 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%arg1 : tensor<i32>) outs(%29 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %37 = arith.muli %in, %c3_i32 : i32
      linalg.yield %37 : i32
    } -> tensor<i32>
    %31 = tensor.empty() : tensor<i32>
    %32 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%30 : tensor<i32>) outs(%31 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %37 = arith.addi %in, %c1_i32 : i32
      linalg.yield %37 : i32
    } -> tensor<i32>
    %33 = tensor.empty() : tensor<i32>
    %34 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%14, %28, %32 : tensor<i1>, tensor<i32>, tensor<i32>) outs(%33 : tensor<i32>) {
    ^bb0(%in: i1, %in_0: i32, %in_1: i32, %out: i32):
      %37 = arith.select %in, %in_0, %in_1 : i32
      linalg.yield %37 : i32
    } -> tensor<i32>
    %35 = tensor.empty() : tensor<i32>
    %36 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%arg2 : tensor<i32>) outs(%35 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %37 = arith.addi %in, %c1_i32 : i32
      linalg.yield %37 : i32
    } -> tensor<i32>
    scf.yield %34, %36 : tensor<i32>, tensor<i32>
  }
  return %0#1 : tensor<i32>
}
