// test: round-trip
// argmax: The place of the largest of each row, of NaN if there is one; of the smallest of each column
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 4x9xf32: 0 1.625 -1.125 -1.6875 0.1875 -0.9375 -1 0.5 -1.5 1.75 1.25 -1.6875 nan 0.5 1.25 1.125 -1.0625 0.0625 -0.1875 1 0.9375 1.5625
//   0.3125 0 0.0625 1.1875 1.125 -1.8125 0.5 0.9375 -1.375 1.125 1.1875 -1.75 1.75 -1.625
// out 4xi32: 1 3 3 7
// out 9xi32: 3 3 1 1 0 0 3 1 3
// out 4xf32: 1.625 1.75 1.5625 1.75
// out f32: nan
func.func @main(%arg0: tensor<4x9xf32>) -> (tensor<4xi32>, tensor<9xi32>, tensor<4xf32>, tensor<f32>) {
  %cst = arith.constant 0x7FC00000 : f32
  %true = arith.constant true
  %cst_0 = arith.constant 0x7F800000 : f32
  %c0_i32 = arith.constant 0 : i32
  %cst_1 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<4x9xi32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<4x9xi32>) {
  ^bb0(%out: i32):
    %29 = linalg.index 1 : index
    %30 = arith.index_cast %29 : index to i32
    linalg.yield %30 : i32
  } -> tensor<4x9xi32>
  %2 = tensor.empty() : tensor<4xf32>
  %3 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
  %4 = tensor.empty() : tensor<4xi32>
  %5 = linalg.fill ins(%c0_i32 : i32) outs(%4 : tensor<4xi32>) -> tensor<4xi32>
  %6:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%arg0, %1 : tensor<4x9xf32>, tensor<4x9xi32>) outs(%3, %5 : tensor<4xf32>, tensor<4xi32>) {
  ^bb0(%in: f32, %in_2: i32, %out: f32, %out_3: i32):
    %29 = arith.cmpf ogt, %out, %in : f32
    %30 = arith.cmpf une, %out, %out : f32
    %31 = arith.ori %29, %30 : i1
    %32 = arith.cmpf oeq, %out, %in : f32
    %33 = arith.cmpi slt, %out_3, %in_2 : i32
    %34 = arith.andi %32, %33 : i1
    %35 = arith.ori %31, %34 : i1
    %36 = arith.select %31, %out, %in : f32
    %37 = arith.select %35, %out_3, %in_2 : i32
    linalg.yield %36, %37 : f32, i32
  } -> (tensor<4xf32>, tensor<4xi32>)
  %7 = tensor.empty() : tensor<4x9xi32>
  %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%7 : tensor<4x9xi32>) {
  ^bb0(%out: i32):
    %29 = linalg.index 0 : index
    %30 = arith.index_cast %29 : index to i32
    linalg.yield %30 : i32
  } -> tensor<4x9xi32>
  %9 = tensor.empty() : tensor<9xf32>
  %10 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<9xf32>) -> tensor<9xf32>
  %11 = tensor.empty() : tensor<9xi32>
  %12 = linalg.fill ins(%c0_i32 : i32) outs(%11 : tensor<9xi32>) -> tensor<9xi32>
  %13:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%arg0, %8 : tensor<4x9xf32>, tensor<4x9xi32>) outs(%10, %12 : tensor<9xf32>, tensor<9xi32>) {
  ^bb0(%in: f32, %in_2: i32, %out: f32, %out_3: i32):
    %29 = arith.cmpf olt, %out, %in : f32
    %30 = arith.cmpf une, %out, %out : f32
    %31 = arith.ori %29, %30 : i1
    %32 = arith.cmpf oeq, %out, %in : f32
    %33 = arith.cmpi slt, %out_3, %in_2 : i32
    %34 = arith.andi %32, %33 : i1
    %35 = arith.ori %31, %34 : i1
    %36 = arith.select %31, %out, %in : f32
    %37 = arith.select %35, %out_3, %in_2 : i32
    linalg.yield %36, %37 : f32, i32
  } -> (tensor<9xf32>, tensor<9xi32>)
  %14 = tensor.empty() : tensor<4x9xi1>
  %15 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x9xf32>) outs(%14 : tensor<4x9xi1>) {
  ^bb0(%in: f32, %out: i1):
    %29 = arith.cmpf une, %in, %in : f32
    linalg.yield %29 : i1
  } -> tensor<4x9xi1>
  %16 = tensor.empty() : tensor<4x9xf32>
  %17 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%15, %arg0 : tensor<4x9xi1>, tensor<4x9xf32>) outs(%16 : tensor<4x9xf32>) {
  ^bb0(%in: i1, %in_2: f32, %out: f32):
    %29 = arith.select %in, %cst_1, %in_2 : f32
    linalg.yield %29 : f32
  } -> tensor<4x9xf32>
  %18 = tensor.empty() : tensor<4xf32>
  %19 = linalg.fill ins(%cst_1 : f32) outs(%18 : tensor<4xf32>) -> tensor<4xf32>
  %20 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%17 : tensor<4x9xf32>) outs(%19 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %29 = arith.maximumf %out, %in : f32
    linalg.yield %29 : f32
  } -> tensor<4xf32>
  %21 = tensor.empty() : tensor<4xi1>
  %22 = linalg.fill ins(%true : i1) outs(%21 : tensor<4xi1>) -> tensor<4xi1>
  %23 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%15 : tensor<4x9xi1>) outs(%22 : tensor<4xi1>) {
  ^bb0(%in: i1, %out: i1):
    %29 = arith.andi %out, %in : i1
    linalg.yield %29 : i1
  } -> tensor<4xi1>
  %24 = tensor.empty() : tensor<4xf32>
  %25 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%23, %20 : tensor<4xi1>, tensor<4xf32>) outs(%24 : tensor<4xf32>) {
  ^bb0(%in: i1, %in_2: f32, %out: f32):
    %29 = arith.select %in, %cst, %in_2 : f32
    linalg.yield %29 : f32
  } -> tensor<4xf32>
  %26 = tensor.empty() : tensor<f32>
  %27 = linalg.fill ins(%cst_1 : f32) outs(%26 : tensor<f32>) -> tensor<f32>
  %28 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%arg0 : tensor<4x9xf32>) outs(%27 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %29 = arith.maximumf %out, %in : f32
    linalg.yield %29 : f32
  } -> tensor<f32>
  return %6#1, %13#1, %25, %28 : tensor<4xi32>, tensor<9xi32>, tensor<4xf32>, tensor<f32>
}
