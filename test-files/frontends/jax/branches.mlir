// test: round-trip
// branches: `lax.cond` and `lax.switch`
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 6xf32: -1.625 -1.0625 1.0625 -0.3125 -0.4375 -1.6875
// in i32: 3
// in i32: 0
// out 6xf32: 4.265625 2.1914062 0.06640625 0.41015625 0.62890625 4.5351562
func.func @main(%arg0: tensor<6xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<6xf32> {
  %c1_i32 = arith.constant 1 : i32
  %c2_i32 = arith.constant 2 : i32
  %c0_i32 = arith.constant 0 : i32
  %0 = tensor.empty() : tensor<i1>
  %1 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%arg2 : tensor<i32>) outs(%0 : tensor<i1>) {
  ^bb0(%in: i32, %out: i1):
    %14 = arith.cmpi sgt, %in, %c0_i32 : i32
    linalg.yield %14 : i1
  } -> tensor<i1>
  %2 = tensor.empty() : tensor<i32>
  %3 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%1 : tensor<i1>) outs(%2 : tensor<i32>) {
  ^bb0(%in: i1, %out: i32):
    %14 = arith.extui %in : i1 to i32
    linalg.yield %14 : i32
  } -> tensor<i32>
  %4 = tensor.empty() : tensor<i1>
  %5 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%3 : tensor<i32>) outs(%4 : tensor<i1>) {
  ^bb0(%in: i32, %out: i1):
    %14 = arith.cmpi eq, %in, %c0_i32 : i32
    linalg.yield %14 : i1
  } -> tensor<i1>
  %extracted = tensor.extract %5[] : tensor<i1>
  %6 = scf.if %extracted -> (tensor<6xf32>) {
    %14 = tensor.empty() : tensor<6xf32>
    %15 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<6xf32>) outs(%14 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.mulf %in, %in : f32
      linalg.yield %16 : f32
    } -> tensor<6xf32>
    scf.yield %15 : tensor<6xf32>
  } else {
    %14 = tensor.empty() : tensor<6xf32>
    %15 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<6xf32>) outs(%14 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = math.sin %in : f32
      linalg.yield %16 : f32
    } -> tensor<6xf32>
    scf.yield %15 : tensor<6xf32>
  }
  %7 = tensor.empty() : tensor<i32>
  %8 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%arg1 : tensor<i32>) outs(%7 : tensor<i32>) {
  ^bb0(%in: i32, %out: i32):
    %14 = arith.maxsi %in, %c0_i32 : i32
    %15 = arith.minsi %14, %c2_i32 : i32
    linalg.yield %15 : i32
  } -> tensor<i32>
  %9 = tensor.empty() : tensor<i1>
  %10 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%8 : tensor<i32>) outs(%9 : tensor<i1>) {
  ^bb0(%in: i32, %out: i1):
    %14 = arith.cmpi eq, %in, %c0_i32 : i32
    linalg.yield %14 : i1
  } -> tensor<i1>
  %extracted_0 = tensor.extract %10[] : tensor<i1>
  %11 = scf.if %extracted_0 -> (tensor<6xf32>) {
    %14 = tensor.empty() : tensor<6xf32>
    %15 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<6xf32>) outs(%14 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = math.cos %in : f32
      linalg.yield %16 : f32
    } -> tensor<6xf32>
    scf.yield %15 : tensor<6xf32>
  } else {
    %14 = tensor.empty() : tensor<i1>
    %15 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%8 : tensor<i32>) outs(%14 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %17 = arith.cmpi eq, %in, %c1_i32 : i32
      linalg.yield %17 : i1
    } -> tensor<i1>
    %extracted_1 = tensor.extract %15[] : tensor<i1>
    %16 = scf.if %extracted_1 -> (tensor<6xf32>) {
      %17 = tensor.empty() : tensor<6xf32>
      %18 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<6xf32>) outs(%17 : tensor<6xf32>) {
      ^bb0(%in: f32, %out: f32):
        %19 = math.exp %in : f32
        linalg.yield %19 : f32
      } -> tensor<6xf32>
      scf.yield %18 : tensor<6xf32>
    } else {
      %17 = tensor.empty() : tensor<6xf32>
      %18 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<6xf32>) outs(%17 : tensor<6xf32>) {
      ^bb0(%in: f32, %out: f32):
        %19 = arith.negf %in : f32
        linalg.yield %19 : f32
      } -> tensor<6xf32>
      scf.yield %18 : tensor<6xf32>
    }
    scf.yield %16 : tensor<6xf32>
  }
  %12 = tensor.empty() : tensor<6xf32>
  %13 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%6, %11 : tensor<6xf32>, tensor<6xf32>) outs(%12 : tensor<6xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %14 = arith.addf %in, %in_1 : f32
    linalg.yield %14 : f32
  } -> tensor<6xf32>
  return %13 : tensor<6xf32>
}
