// test: opt
// A tensor is its elements row by row.

func.func @slices(%t: tensor<3x4xi32>, %i: index) -> (tensor<2x2xi32>, tensor<3x4xi32>) {
  %p = tensor.extract_slice %t[%i, 0] [2, 2] [1, 2] : tensor<3x4xi32> to tensor<2x2xi32>
  %q = tensor.insert_slice %p into %t[0, %i] [2, 2] [2, 1] : tensor<2x2xi32> into tensor<3x4xi32>
  return %p, %q : tensor<2x2xi32>, tensor<3x4xi32>
}
// eval: @slices([0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23], 1) == ([10, 12, 20, 22], [0, 10, 12, 3, 10, 11, 12, 13, 20, 20, 22, 23])

func.func @elements(%t: tensor<2xi32>, %i: index) -> (i32, tensor<2xi32>, tensor<2x2xi32>, tensor<4xi32>, index) {
  %x = tensor.extract %t[%i] : tensor<2xi32>
  %zero = arith.constant 0 : index
  %r = tensor.insert %x into %t[%zero] : tensor<2xi32>
  %f = tensor.from_elements %x, %x, %x, %x : tensor<2x2xi32>
  %c = tensor.concat dim(0) %t, %r : (tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>
  %n = tensor.dim %c, %zero : tensor<4xi32>
  return %x, %r, %f, %c, %n : i32, tensor<2xi32>, tensor<2x2xi32>, tensor<4xi32>, index
}
// eval: @elements([7, 8], 1) == (8, [8, 8], [8, 8, 8, 8], [7, 8, 8, 8], 4)

// Outside, the body says the element, by its place.
func.func @pad(%t: tensor<2xi32>) -> tensor<5xi32> {
  %r = tensor.pad %t low[1] high[2] {
  ^bb0(%i: index):
    %x = arith.index_cast %i : index to i32
    tensor.yield %x : i32
  } : tensor<2xi32> to tensor<5xi32>
  return %r : tensor<5xi32>
}
// eval: @pad([7, 8]) == [0, 7, 8, 3, 4]

func.func @outside(%t: tensor<2xi32>, %i: index) -> i32 {
  %x = tensor.extract %t[%i] : tensor<2xi32>
  return %x : i32
}
// eval: @outside([7, 8], 2) == trap E0308
