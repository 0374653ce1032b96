// Borders of every kind: none, one side, more than the tensor, less than nothing, in two dimensions.
// test: opt --pipeline="func.func(canonicalize)"

func.func @none(%t: tensor<3xi32>, %x: i32) -> tensor<3xi32> {
  %r = tensor.pad %t low[0] high[0] {
  ^bb0(%i: index):
    tensor.yield %x : i32
  } : tensor<3xi32> to tensor<3xi32>
  return %r : tensor<3xi32>
}
// eval: @none([1, 2, 3], 9) == [1, 2, 3]

func.func @wide(%t: tensor<1xi32>, %x: i32) -> tensor<6xi32> {
  %r = tensor.pad %t low[4] high[1] {
  ^bb0(%i: index):
    tensor.yield %x : i32
  } : tensor<1xi32> to tensor<6xi32>
  return %r : tensor<6xi32>
}
// eval: @wide([5], 0) == [0, 0, 0, 0, 5, 0]

// Of a tensor without elements only the border is left.
func.func @all_border(%x: i32) -> tensor<3xi32> {
  %e = tensor.empty() : tensor<0xi32>
  %r = tensor.pad %e low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %x : i32
  } : tensor<0xi32> to tensor<3xi32>
  return %r : tensor<3xi32>
}
// eval: @all_border(7) == [7, 7, 7]

func.func @plane(%t: tensor<2x2xi32>, %x: i32) -> tensor<3x5xi32> {
  %r = tensor.pad %t low[1, 2] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : i32
  } : tensor<2x2xi32> to tensor<3x5xi32>
  return %r : tensor<3x5xi32>
}
// eval: @plane([1, 2, 3, 4], 0) == [0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 3, 4, 0]

// The body sees the place in the result: 10·i + j.
func.func @by_place(%t: tensor<1x1xi32>) -> tensor<2x3xi32> {
  %r = tensor.pad %t low[0, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    %p = affine.apply affine_map<(d0, d1) -> (d0 * 10 + d1)>(%i, %j)
    %x = arith.index_cast %p : index to i32
    tensor.yield %x : i32
  } : tensor<1x1xi32> to tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
// eval: @by_place([99]) == [0, 99, 2, 10, 11, 12]
