// test: round-trip
// test: opt
// Extents that are known at run time: dimensions have the bound's size, and end where the number says.

func.func @rows(%A: tensor<4x3xi32>, %n: index) -> tensor<3xi32> {
  %s = mdh.compute (i in 4 pw add, j in 3) extents(%n <= 4) where i < %n ins(%a = %A[i, j]) outs([j]) {
    mdh.yield %a : i32
  } : (tensor<4x3xi32>, index) -> tensor<3xi32>
  return %s : tensor<3xi32>
}
// check: (i in 4 pw add, j in 3) extents(%n <= 4) where i < %n ins(
// eval: @rows([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], 2) == [5, 7, 9]
// eval: @rows([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], 0) == [0, 0, 0]
// eval: @rows([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], 4) == [22, 26, 30]
// eval: @rows([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], 5) == trap E0612

// What is behind the end of a kept dimension has the start value.
func.func @kept(%A: tensor<4xi32>, %Y: tensor<4xi32>, %n: index) -> tensor<4xi32> {
  %s = mdh.compute (i in 4) extents(%n <= 4) where i < %n ins(%a = %A[i]) outs([i] into %Y) {
    mdh.yield %a : i32
  } : (tensor<4xi32>, tensor<4xi32>, index) -> tensor<4xi32>
  return %s : tensor<4xi32>
}
// eval: @kept([1, 2, 3, 4], [9, 9, 9, 9], 3) == [1, 2, 3, 9]

// One of the kept dimensions, and one of the reduced ones.
func.func @both(%A: tensor<4x5xi32>, %Y: tensor<4xi32>, %n: index, %m: index) -> tensor<4xi32> {
  %s = mdh.compute (i in 4, j in 5 pw add) extents(%n <= 4, %m <= 5) where i < %n, j < %m ins(%a = %A[i, j]) outs([i] into %Y) {
    mdh.yield %a : i32
  } : (tensor<4x5xi32>, tensor<4xi32>, index, index) -> tensor<4xi32>
  return %s : tensor<4xi32>
}
// eval: @both([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20], [100, 100, 100, 100], 2, 3) == [106, 121, 100, 100]
