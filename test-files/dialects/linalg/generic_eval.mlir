// `linalg.generic`: maps that turn, repeat and leave out dimensions; several results; no dimension at all.
// test: opt --pipeline="func.func(canonicalize)"
// test: opt --pipeline="linalg-operators,func.func(linalg-to-mdh)"

func.func @transposed_sum(%a: tensor<2x3xi32>, %b: tensor<3x2xi32>) -> tensor<2x3xi32> {
  %e = tensor.empty() : tensor<2x3xi32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%a, %b : tensor<2x3xi32>, tensor<3x2xi32>) outs(%e : tensor<2x3xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %s = arith.addi %x, %y : i32
    linalg.yield %s : i32
  } -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
// eval: @transposed_sum([1, 2, 3, 4, 5, 6], [10, 20, 30, 40, 50, 60]) == [11, 32, 53, 24, 45, 66]

// A row for every row of the other, and a scalar for each element.
func.func @broadcast(%a: tensor<2x3xi32>, %row: tensor<3xi32>, %x: i32) -> tensor<2x3xi32> {
  %e = tensor.empty() : tensor<2x3xi32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%a, %row, %x : tensor<2x3xi32>, tensor<3xi32>, i32) outs(%e : tensor<2x3xi32>) {
  ^bb0(%p: i32, %q: i32, %s: i32, %o: i32):
    %t = arith.muli %p, %q : i32
    %u = arith.addi %t, %s : i32
    linalg.yield %u : i32
  } -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
// eval: @broadcast([1, 2, 3, 4, 5, 6], [1, 10, 100], -1) == [0, 19, 299, 3, 49, 599]

// Rows summed up, onto what is there.
func.func @row_sums(%a: tensor<2x3xi32>, %o: tensor<2xi32>) -> tensor<2xi32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%a : tensor<2x3xi32>) outs(%o : tensor<2xi32>) {
  ^bb0(%x: i32, %s: i32):
    %t = arith.addi %s, %x : i32
    linalg.yield %t : i32
  } -> tensor<2xi32>
  return %r : tensor<2xi32>
}
// eval: @row_sums([1, 2, 3, 4, 5, 6], [0, 100]) == [6, 115]

// All of it into one number.
func.func @all(%a: tensor<2x2x2xi32>, %o: tensor<i32>) -> tensor<i32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> ()>],
    iterator_types = ["reduction", "reduction", "reduction"]
  } ins(%a : tensor<2x2x2xi32>) outs(%o : tensor<i32>) {
  ^bb0(%x: i32, %s: i32):
    %t = arith.maxsi %s, %x : i32
    linalg.yield %t : i32
  } -> tensor<i32>
  return %r : tensor<i32>
}
// eval: @all([1, -2, 3, -4, 5, -6, 7, -8], [0]) == [7]
// eval: @all([-1, -2, -3, -4, -5, -6, -7, -8], [-100]) == [-1]

// Two results of one pass over the elements.
func.func @two(%a: tensor<4xi32>, %o: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %r:2 = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>],
    iterator_types = ["reduction"]
  } ins(%a : tensor<4xi32>) outs(%o, %o : tensor<i32>, tensor<i32>) {
  ^bb0(%x: i32, %s: i32, %q: i32):
    %t = arith.addi %s, %x : i32
    %m = arith.muli %x, %x : i32
    %u = arith.addi %q, %m : i32
    linalg.yield %t, %u : i32, i32
  } -> (tensor<i32>, tensor<i32>)
  return %r#0, %r#1 : tensor<i32>, tensor<i32>
}
// eval: @two([1, 2, 3, 4], [0]) == ([10], [30])

// Windows of three, a step of two: an index that two dimensions make.
func.func @windows(%a: tensor<7xi32>, %o: tensor<3xi32>) -> tensor<3xi32> {
  %w = tensor.empty() : tensor<3xi32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, k) -> (i * 2 + k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%a, %w : tensor<7xi32>, tensor<3xi32>) outs(%o : tensor<3xi32>) {
  ^bb0(%x: i32, %shape: i32, %s: i32):
    %t = arith.addi %s, %x : i32
    linalg.yield %t : i32
  } -> tensor<3xi32>
  return %r : tensor<3xi32>
}
// eval: @windows([1, 2, 3, 4, 5, 6, 7], [0, 0, 0]) == [6, 12, 18]

// The place of the element is a value, too.
func.func @places(%a: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %e = tensor.empty() : tensor<2x3xi32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%a : tensor<2x3xi32>) outs(%e : tensor<2x3xi32>) {
  ^bb0(%x: i32, %o: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.muli %i, %j : index
    %q = arith.index_cast %p : index to i32
    %t = arith.addi %x, %q : i32
    linalg.yield %t : i32
  } -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
// eval: @places([0, 0, 0, 0, 0, 0]) == [0, 0, 0, 0, 1, 2]
