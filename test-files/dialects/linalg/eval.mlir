// test: opt
// What ops mean, point by point; no pass takes part.

func.func @matmul(%a: tensor<2x2xi32>, %b: tensor<2x2xi32>, %o: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<2x2xi32>, tensor<2x2xi32>) outs(%o : tensor<2x2xi32>) -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}
// eval: @matmul([1, 2, 3, 4], [5, 6, 7, 8], [100, 0, 0, 0]) == [119, 22, 43, 50]

// In row order, each point reading what the ones before left.
#id = affine_map<(i) -> (i)>
#one = affine_map<(i) -> ()>
func.func @last(%a: tensor<4xi32>, %o: tensor<i32>) -> tensor<i32> {
  %r = linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]} ins(%a : tensor<4xi32>) outs(%o : tensor<i32>) {
  ^bb0(%x: i32, %s: i32):
    %two = arith.constant 2 : i32
    %t = arith.muli %s, %two : i32
    %u = arith.addi %t, %x : i32
    linalg.yield %u : i32
  } -> tensor<i32>
  return %r : tensor<i32>
}
// eval: @last([1, 0, 1, 1], [0]) == [11]

func.func @pool(%a: tensor<1x5x1xi32>, %w: tensor<3xi32>, %o: tensor<1x2x1xi32>) -> tensor<1x2x1xi32> {
  %r = linalg.pooling_nwc_max {strides = dense<2> : tensor<1xi64>} ins(%a, %w : tensor<1x5x1xi32>, tensor<3xi32>) outs(%o : tensor<1x2x1xi32>) -> tensor<1x2x1xi32>
  return %r : tensor<1x2x1xi32>
}
// eval: @pool([1, 7, 2, 3, 9], [0, 0, 0], [0, 0]) == [7, 9]

func.func @index(%o: tensor<2x3xindex>) -> tensor<2x3xindex> {
  %r = linalg.map outs(%o : tensor<2x3xindex>) (%out: index) {
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %ten = arith.constant 10 : index
    %t = arith.muli %i, %ten : index
    %s = arith.addi %t, %j : index
    linalg.yield %s : index
  }
  return %r : tensor<2x3xindex>
}
// eval: @index([0, 0, 0, 0, 0, 0]) == [0, 1, 2, 10, 11, 12]
