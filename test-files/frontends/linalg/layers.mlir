// test: opt --pipeline="func.func(linalg-to-mdh)"
// snapshot:
// Upstream's computations on tensors become ours.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>

// A fill with the neutral element is dropped; the bias is broadcast, the rectifier reads a constant from outside.
func.func @layer(%A: tensor<4x6xf32>, %B: tensor<6x5xf32>, %bias: tensor<5xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %c = linalg.matmul ins(%A, %B : tensor<4x6xf32>, tensor<6x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%c, %bias : tensor<4x5xf32>, tensor<5xf32>) outs(%e : tensor<4x5xf32>) {
  ^bb0(%x: f32, %b: f32, %o: f32):
    %s = arith.addf %x, %b : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
// check: @layer
// not: linalg
// check: mdh.compute "matmul" (d0 in 4, d1 in 5, d2 in 6 pw add) ins(%arg0 = %A[d0, d2], %arg1 = %B[d2, d1]) outs([d0, d1])
// check: mdh.compute (d0 in 4, d1 in 5) ins(%arg0 = %c[d0, d1], %arg1 = %bias[d1], %arg2 = %zero) outs([d0, d1])

// Another start value goes in front.
func.func @sums(%A: tensor<4x6xi32>, %s: tensor<4xi32>) -> (tensor<4xi32>, tensor<6xi32>) {
  %seven = arith.constant 7 : i32
  %e = tensor.empty() : tensor<6xi32>
  %f = linalg.fill ins(%seven : i32) outs(%e : tensor<6xi32>) -> tensor<6xi32>
  %r = linalg.reduce ins(%A : tensor<4x6xi32>) outs(%s : tensor<4xi32>) dimensions = [1] (%in: i32, %init: i32) {
    %0 = arith.addi %in, %init : i32
    linalg.yield %0 : i32
  }
  %m = linalg.reduce ins(%A : tensor<4x6xi32>) outs(%f : tensor<6xi32>) dimensions = [0] (%in: i32, %init: i32) {
    %0 = arith.maxsi %in, %init : i32
    linalg.yield %0 : i32
  }
  return %r, %m : tensor<4xi32>, tensor<6xi32>
}
// check: @sums
// check: mdh.compute (d0 in 6) ins(%arg0 = %seven)
// check: (d0 in 4, d1 in 6 pw add) ins(%arg0 = %A[d0, d1]) outs([d0] into %s)
// check: (d0 in 4 pw max, d1 in 6) ins(%arg0 = %A[d0, d1]) outs([d1] into %

func.func @conv(%I: tensor<1x9x9x3xf32>, %K: tensor<3x3x3x2xf32>, %o: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%I, %K : tensor<1x9x9x3xf32>, tensor<3x3x3x2xf32>) outs(%o : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  return %r : tensor<1x4x4x2xf32>
}
// check: @conv
// check: ins(%arg0 = %I[d0, 2 * d1 + d4, 2 * d2 + d5, d6], %arg1 = %K[d4, d5, d6, d3]) outs([d0, d1, d2, d3] into %o)

// Parts, padding, other orders: computations that only move elements.
func.func @moves(%A: tensor<4x5xf32>, %x: f32) -> (tensor<5x4xf32>, tensor<2x4x5xf32>, tensor<2x2xf32>, tensor<4x5xf32>, tensor<6x8xf32>) {
  %e = tensor.empty() : tensor<5x4xf32>
  %t = linalg.transpose ins(%A : tensor<4x5xf32>) outs(%e : tensor<5x4xf32>) permutation = [1, 0]
  %e2 = tensor.empty() : tensor<2x4x5xf32>
  %b = linalg.broadcast ins(%A : tensor<4x5xf32>) outs(%e2 : tensor<2x4x5xf32>) dimensions = [0]
  %p = tensor.extract_slice %A[1, 0] [2, 2] [1, 2] : tensor<4x5xf32> to tensor<2x2xf32>
  %i = tensor.insert_slice %p into %A[0, 3] [2, 2] [2, 1] : tensor<2x2xf32> into tensor<4x5xf32>
  %q = tensor.pad %A low[1, 1] high[1, 2] {
  ^bb0(%m: index, %n: index):
    tensor.yield %x : f32
  } : tensor<4x5xf32> to tensor<6x8xf32>
  return %t, %b, %p, %i, %q : tensor<5x4xf32>, tensor<2x4x5xf32>, tensor<2x2xf32>, tensor<4x5xf32>, tensor<6x8xf32>
}
// check: @moves
// check: ins(%arg0 = %A[d1, d0]) outs([d0, d1])
// check: ins(%arg0 = %A[d1, d2]) outs([d0, d1, d2])
// check: ins(%arg0 = %A[d0 + 1, 2 * d1]) outs([d0, d1])
// check: outs([2 * d0, d1 + 3] into %A)
// check: ins(%arg0 = %A[d0 - 1, d1 - 1] else %x) outs([d0, d1])

func.func @coordinates() -> tensor<3x4xindex> {
  %e = tensor.empty() : tensor<3x4xindex>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<3x4xindex>) {
  ^bb0(%o: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.addi %i, %j : index
    linalg.yield %s : index
  } -> tensor<3x4xindex>
  return %r : tensor<3x4xindex>
}
// check: @coordinates
// check: mdh.index 0
