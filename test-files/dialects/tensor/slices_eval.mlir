// Parts taken and put in: steps, dimensions of one that go away, the whole, nothing.
// test: opt --pipeline="func.func(canonicalize)"

func.func @steps(%t: tensor<7xi32>) -> (tensor<4xi32>, tensor<3xi32>, tensor<3xi32>) {
  %a = tensor.extract_slice %t[0] [4] [2] : tensor<7xi32> to tensor<4xi32>
  %b = tensor.extract_slice %t[1] [3] [2] : tensor<7xi32> to tensor<3xi32>
  %c = tensor.extract_slice %t[0] [3] [3] : tensor<7xi32> to tensor<3xi32>
  return %a, %b, %c : tensor<4xi32>, tensor<3xi32>, tensor<3xi32>
}
// eval: @steps([0, 1, 2, 3, 4, 5, 6]) == ([0, 2, 4, 6], [1, 3, 5], [0, 3, 6])

// A row, a column and an element of a matrix: dimensions of one may be left out of the type.
func.func @reduced(%t: tensor<3x4xi32>, %i: index, %j: index) -> (tensor<4xi32>, tensor<3xi32>, tensor<i32>, tensor<1x1xi32>) {
  %row = tensor.extract_slice %t[%i, 0] [1, 4] [1, 1] : tensor<3x4xi32> to tensor<4xi32>
  %column = tensor.extract_slice %t[0, %j] [3, 1] [1, 1] : tensor<3x4xi32> to tensor<3xi32>
  %one = tensor.extract_slice %t[%i, %j] [1, 1] [1, 1] : tensor<3x4xi32> to tensor<i32>
  %kept = tensor.extract_slice %t[%i, %j] [1, 1] [1, 1] : tensor<3x4xi32> to tensor<1x1xi32>
  return %row, %column, %one, %kept : tensor<4xi32>, tensor<3xi32>, tensor<i32>, tensor<1x1xi32>
}
// eval: @reduced([0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23], 1, 2) == ([10, 11, 12, 13], [2, 12, 22], [12], [12])
// eval: @reduced([0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23], 0, 0) == ([0, 1, 2, 3], [0, 10, 20], [0], [0])
// eval: @reduced([0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23], 3, 0) == trap E0308
// eval: @reduced([0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23], 0, -1) == trap E0308

func.func @whole(%t: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %r = tensor.extract_slice %t[0, 0] [2, 3] [1, 1] : tensor<2x3xi32> to tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
// eval: @whole([1, 2, 3, 4, 5, 6]) == [1, 2, 3, 4, 5, 6]

// The tensor that a part is put into stays what it was; the result is a new one.
func.func @value(%t: tensor<4xi32>, %p: tensor<2xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %r = tensor.insert_slice %p into %t[1] [2] [1] : tensor<2xi32> into tensor<4xi32>
  return %t, %r : tensor<4xi32>, tensor<4xi32>
}
// eval: @value([0, 1, 2, 3], [8, 9]) == ([0, 1, 2, 3], [0, 8, 9, 3])

func.func @put_in_steps(%t: tensor<2x5xi32>, %p: tensor<2x3xi32>) -> tensor<2x5xi32> {
  %r = tensor.insert_slice %p into %t[0, 0] [2, 3] [1, 2] : tensor<2x3xi32> into tensor<2x5xi32>
  return %r : tensor<2x5xi32>
}
// eval: @put_in_steps([0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [1, 2, 3, 4, 5, 6]) == [1, 0, 2, 0, 3, 4, 0, 5, 0, 6]

// A row goes into a matrix, and comes out again.
func.func @row(%t: tensor<3x2xi32>, %p: tensor<2xi32>, %i: index) -> (tensor<3x2xi32>, tensor<2xi32>) {
  %r = tensor.insert_slice %p into %t[%i, 0] [1, 2] [1, 1] : tensor<2xi32> into tensor<3x2xi32>
  %q = tensor.extract_slice %r[%i, 0] [1, 2] [1, 1] : tensor<3x2xi32> to tensor<2xi32>
  return %r, %q : tensor<3x2xi32>, tensor<2xi32>
}
// eval: @row([1, 2, 3, 4, 5, 6], [8, 9], 0) == ([8, 9, 3, 4, 5, 6], [8, 9])
// eval: @row([1, 2, 3, 4, 5, 6], [8, 9], 2) == ([1, 2, 3, 4, 8, 9], [8, 9])
// eval: @row([1, 2, 3, 4, 5, 6], [8, 9], 3) == trap E0308

// Each iteration puts its own part in.
func.func @parallel(%t: tensor<6xi32>) -> tensor<6xi32> {
  %r = scf.forall (%i) in (3) shared_outs(%o = %t) -> (tensor<6xi32>) {
    %from = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %p = tensor.extract_slice %t[%from] [2] [1] : tensor<6xi32> to tensor<2xi32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x = tensor.extract %p[%c0] : tensor<2xi32>
    %y = tensor.extract %p[%c1] : tensor<2xi32>
    %q = tensor.from_elements %y, %x : tensor<2xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[%from] [2] [1] : tensor<2xi32> into tensor<6xi32>
    }
  }
  return %r : tensor<6xi32>
}
// eval: @parallel([1, 2, 3, 4, 5, 6]) == [2, 1, 4, 3, 6, 5]
