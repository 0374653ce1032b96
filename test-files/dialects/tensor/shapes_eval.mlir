// Tensors in other shapes: groups of dimensions joined and cut, dimensions of one, rank 0, nothing in it.
// test: opt --pipeline="func.func(canonicalize)"

func.func @joined(%t: tensor<2x3x2xi32>) -> (tensor<6x2xi32>, tensor<2x6xi32>, tensor<12xi32>) {
  %a = tensor.collapse_shape %t [[0, 1], [2]] : tensor<2x3x2xi32> into tensor<6x2xi32>
  %b = tensor.collapse_shape %t [[0], [1, 2]] : tensor<2x3x2xi32> into tensor<2x6xi32>
  %c = tensor.collapse_shape %t [[0, 1, 2]] : tensor<2x3x2xi32> into tensor<12xi32>
  return %a, %b, %c : tensor<6x2xi32>, tensor<2x6xi32>, tensor<12xi32>
}
// eval: @joined([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) == ([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])

// There and back is the tensor.
func.func @cut(%t: tensor<6xi32>) -> tensor<6xi32> {
  %a = tensor.expand_shape %t [[0, 1]] output_shape [2, 3] : tensor<6xi32> into tensor<2x3xi32>
  %b = tensor.expand_shape %a [[0], [1, 2]] output_shape [2, 1, 3] : tensor<2x3xi32> into tensor<2x1x3xi32>
  %c = tensor.collapse_shape %b [[0, 1, 2]] : tensor<2x1x3xi32> into tensor<6xi32>
  return %c : tensor<6xi32>
}
// eval: @cut([5, 4, 3, 2, 1, 0]) == [5, 4, 3, 2, 1, 0]

// Which element is where: [i, j] of 2×3 is 3·i + j.
func.func @place(%t: tensor<6xi32>, %i: index, %j: index) -> i32 {
  %a = tensor.expand_shape %t [[0, 1]] output_shape [2, 3] : tensor<6xi32> into tensor<2x3xi32>
  %x = tensor.extract %a[%i, %j] : tensor<2x3xi32>
  return %x : i32
}
// eval: @place([10, 11, 12, 13, 14, 15], 0, 2) == 12
// eval: @place([10, 11, 12, 13, 14, 15], 1, 0) == 13
// eval: @place([10, 11, 12, 13, 14, 15], 1, 3) == trap E0308
// eval: @place([10, 11, 12, 13, 14, 15], -1, 0) == trap E0308

// All dimensions are one: a group for each, or no dimension at all.
func.func @ones(%t: tensor<1x1xf32>) -> (tensor<f32>, tensor<1x1x1xf32>) {
  %a = tensor.collapse_shape %t [] : tensor<1x1xf32> into tensor<f32>
  %b = tensor.expand_shape %a [] output_shape [1, 1, 1] : tensor<f32> into tensor<1x1x1xf32>
  return %a, %b : tensor<f32>, tensor<1x1x1xf32>
}
// eval: @ones([2.5]) == ([2.5], [2.5])

func.func @rank_0(%x: f64) -> (f64, tensor<f64>) {
  %t = tensor.from_elements %x : tensor<f64>
  %y = tensor.extract %t[] : tensor<f64>
  %z = arith.addf %y, %y : f64
  %u = tensor.insert %z into %t[] : tensor<f64>
  return %y, %u : f64, tensor<f64>
}
// eval: @rank_0(1.25) == (1.25, [2.5])

// A tensor without elements is one, too.
func.func @nothing(%x: i32) -> (index, tensor<2xi32>) {
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<2x0xi32>
  %n = tensor.dim %e, %c1 : tensor<2x0xi32>
  %s = tensor.splat %x : tensor<2x1xi32>
  %c = tensor.concat dim(1) %e, %s : (tensor<2x0xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
  %r = tensor.collapse_shape %c [[0, 1]] : tensor<2x1xi32> into tensor<2xi32>
  return %n, %r : index, tensor<2xi32>
}
// eval: @nothing(3) == (0, [3, 3])

func.func @splat() -> (tensor<2x2xi8>, tensor<i1>, tensor<3xf16>) {
  %a = arith.constant -128 : i8
  %b = arith.constant true
  %c = arith.constant 65504.0 : f16
  %r = tensor.splat %a : tensor<2x2xi8>
  %s = tensor.splat %b : tensor<i1>
  %t = tensor.splat %c : tensor<3xf16>
  return %r, %s, %t : tensor<2x2xi8>, tensor<i1>, tensor<3xf16>
}
// eval: @splat() == ([-128, -128, -128, -128], [true], [65504.0, 65504.0, 65504.0])
