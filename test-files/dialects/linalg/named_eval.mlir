// Named ops on odd sizes, one and many: products, convolutions, pooling, moves.
// test: opt --pipeline="func.func(canonicalize)"
// test: opt --pipeline="func.func(linalg-generalize-named-ops)"

func.func @matmul(%a: tensor<2x3xi32>, %b: tensor<3x1xi32>, %c: tensor<2x1xi32>) -> tensor<2x1xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<2x3xi32>, tensor<3x1xi32>) outs(%c : tensor<2x1xi32>) -> tensor<2x1xi32>
  return %r : tensor<2x1xi32>
}
// eval: @matmul([1, 2, 3, 4, 5, 6], [1, 10, 100], [0, 5]) == [321, 659]

// Nothing to sum up: what is there stays.
func.func @no_products(%c: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %a = tensor.empty() : tensor<2x0xi32>
  %b = tensor.empty() : tensor<0x2xi32>
  %r = linalg.matmul ins(%a, %b : tensor<2x0xi32>, tensor<0x2xi32>) outs(%c : tensor<2x2xi32>) -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}
// eval: @no_products([1, 2, 3, 4]) == [1, 2, 3, 4]

// Narrow elements are widened before they are multiplied.
func.func @widened(%a: tensor<1x2xi8>, %b: tensor<2x1xi8>, %c: tensor<1x1xi32>) -> tensor<1x1xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<1x2xi8>, tensor<2x1xi8>) outs(%c : tensor<1x1xi32>) -> tensor<1x1xi32>
  return %r : tensor<1x1xi32>
}
// eval: @widened([127, -128], [127, -128], [0]) == [32513]

func.func @vectors(%a: tensor<2x3xf32>, %x: tensor<3xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %r = linalg.matvec ins(%a, %x : tensor<2x3xf32>, tensor<3xf32>) outs(%y : tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
// eval: @vectors([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 0.5, 0.0], [0.0, 1.0]) == [2.0, 7.5]

func.func @dot(%a: tensor<3xi32>, %b: tensor<3xi32>, %c: tensor<i32>) -> tensor<i32> {
  %r = linalg.dot ins(%a, %b : tensor<3xi32>, tensor<3xi32>) outs(%c : tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}
// eval: @dot([1, 2, 3], [4, 5, 6], [10]) == [42]

func.func @batches(%a: tensor<2x1x2xi32>, %b: tensor<2x2x1xi32>, %c: tensor<2x1x1xi32>) -> tensor<2x1x1xi32> {
  %r = linalg.batch_matmul ins(%a, %b : tensor<2x1x2xi32>, tensor<2x2x1xi32>) outs(%c : tensor<2x1x1xi32>) -> tensor<2x1x1xi32>
  return %r : tensor<2x1x1xi32>
}
// eval: @batches([1, 2, 3, 4], [5, 6, 7, 8], [0, 0]) == [17, 53]

func.func @conv(%a: tensor<5xi32>, %w: tensor<3xi32>, %c: tensor<3xi32>) -> tensor<3xi32> {
  %r = linalg.conv_1d ins(%a, %w : tensor<5xi32>, tensor<3xi32>) outs(%c : tensor<3xi32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}
// eval: @conv([1, 2, 3, 4, 5], [1, 0, -1], [0, 0, 100]) == [-2, -2, 98]

// Steps of two, and windows whose elements lie two apart.
func.func @conv_steps(%a: tensor<1x7x1xi32>, %w: tensor<2x1x1xi32>, %c: tensor<1x3x1xi32>) -> tensor<1x3x1xi32> {
  %r = linalg.conv_1d_nwc_wcf {strides = dense<2> : tensor<1xi64>, dilations = dense<2> : tensor<1xi64>}
    ins(%a, %w : tensor<1x7x1xi32>, tensor<2x1x1xi32>) outs(%c : tensor<1x3x1xi32>) -> tensor<1x3x1xi32>
  return %r : tensor<1x3x1xi32>
}
// eval: @conv_steps([1, 2, 3, 4, 5, 6, 7], [1, 10], [0, 0, 0]) == [31, 53, 75]

func.func @conv_plane(%a: tensor<3x3xi32>, %w: tensor<2x2xi32>, %c: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %r = linalg.conv_2d ins(%a, %w : tensor<3x3xi32>, tensor<2x2xi32>) outs(%c : tensor<2x2xi32>) -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}
// eval: @conv_plane([1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 0, 0, 1], [0, 0, 0, 0]) == [6, 8, 12, 14]

func.func @pooled(%a: tensor<1x4x4x1xi32>, %w: tensor<2x2xi32>, %c: tensor<1x2x2x1xi32>) -> (tensor<1x2x2x1xi32>, tensor<1x2x2x1xi32>) {
  %r = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%a, %w : tensor<1x4x4x1xi32>, tensor<2x2xi32>) outs(%c : tensor<1x2x2x1xi32>) -> tensor<1x2x2x1xi32>
  %s = linalg.pooling_nhwc_sum {strides = dense<2> : tensor<2xi64>} ins(%a, %w : tensor<1x4x4x1xi32>, tensor<2x2xi32>) outs(%c : tensor<1x2x2x1xi32>) -> tensor<1x2x2x1xi32>
  return %r, %s : tensor<1x2x2x1xi32>, tensor<1x2x2x1xi32>
}
// eval: @pooled([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16], [0, 0, 0, 0], [0, 7, 0, 0]) == ([6, 8, 14, 16], [14, 29, 46, 54])

func.func @fill(%x: f32) -> (tensor<2x2xf32>, tensor<f32>) {
  %e = tensor.empty() : tensor<2x2xf32>
  %r = linalg.fill ins(%x : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %f = tensor.empty() : tensor<f32>
  %s = linalg.fill ins(%x : f32) outs(%f : tensor<f32>) -> tensor<f32>
  return %r, %s : tensor<2x2xf32>, tensor<f32>
}
// eval: @fill(-0.0) == ([-0.0, -0.0, -0.0, -0.0], [-0.0])

func.func @moved(%a: tensor<2x3xi32>, %row: tensor<3xi32>) -> (tensor<3x2xi32>, tensor<3x2xi32>) {
  %e = tensor.empty() : tensor<3x2xi32>
  %r = linalg.transpose ins(%a : tensor<2x3xi32>) outs(%e : tensor<3x2xi32>) permutation = [1, 0]
  %s = linalg.broadcast ins(%row : tensor<3xi32>) outs(%e : tensor<3x2xi32>) dimensions = [1]
  return %r, %s : tensor<3x2xi32>, tensor<3x2xi32>
}
// eval: @moved([1, 2, 3, 4, 5, 6], [7, 8, 9]) == ([1, 4, 2, 5, 3, 6], [7, 7, 8, 8, 9, 9])

func.func @reduced(%a: tensor<2x3xi32>, %o: tensor<2xi32>) -> tensor<2xi32> {
  %r = linalg.reduce ins(%a : tensor<2x3xi32>) outs(%o : tensor<2xi32>) dimensions = [1]
    (%x: i32, %s: i32) {
      %t = arith.muli %x, %s : i32
      linalg.yield %t : i32
    }
  return %r : tensor<2xi32>
}
// eval: @reduced([1, 2, 3, 4, 5, 6], [1, -1]) == [6, -120]

func.func @mapped(%a: tensor<3xi32>, %b: tensor<3xi32>) -> tensor<3xi32> {
  %e = tensor.empty() : tensor<3xi32>
  %r = linalg.map { arith.subi } ins(%a, %b : tensor<3xi32>, tensor<3xi32>) outs(%e : tensor<3xi32>)
  return %r : tensor<3xi32>
}
// eval: @mapped([1, 2, 3], [3, 2, 1]) == [-2, 0, 2]
