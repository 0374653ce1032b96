// test: round-trip
// What computations mean for odd, one-sized and empty extents, strides, transposed operands, start values, and each type.

func.func @one_point(%A: tensor<1x1xi32>, %B: tensor<1x1xi32>) -> tensor<1x1xi32> {
  %0 = mdh.compute (i in 1, j in 1, k in 1 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.muli %a, %b : i32
    mdh.yield %p : i32
  } : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi32>
  return %0 : tensor<1x1xi32>
}
// eval: @one_point([6], [7]) == [42]

// Nothing is folded: what is neutral, for each operator and type.
func.func @nothing(%A: tensor<2x0xi8>, %B: tensor<2x0xf64>, %C: tensor<2x0xi1>) -> (tensor<2xi8>, tensor<2xf64>, tensor<2xi1>) {
  %0 = mdh.compute (i in 2, k in 0 pw max) ins(%a = %A[i, k]) outs([i]) {
    mdh.yield %a : i8
  } : (tensor<2x0xi8>) -> tensor<2xi8>
  %1 = mdh.compute (i in 2, k in 0 pw mul) ins(%b = %B[i, k]) outs([i]) {
    mdh.yield %b : f64
  } : (tensor<2x0xf64>) -> tensor<2xf64>
  %2 = mdh.compute (i in 2, k in 0 pw and) ins(%c = %C[i, k]) outs([i]) {
    mdh.yield %c : i1
  } : (tensor<2x0xi1>) -> tensor<2xi1>
  return %0, %1, %2 : tensor<2xi8>, tensor<2xf64>, tensor<2xi1>
}
// eval: @nothing([], [], []) == ([-128, -128], [1.0, 1.0], [true, true])

func.func @no_results(%A: tensor<0x3xi32>) -> tensor<0xi32> {
  %0 = mdh.compute (i in 0, k in 3 pw add) ins(%a = %A[i, k]) outs([i]) {
    mdh.yield %a : i32
  } : (tensor<0x3xi32>) -> tensor<0xi32>
  return %0 : tensor<0xi32>
}
// eval: @no_results([]) == []

// Both operands and the result transposed.
func.func @all_transposed(%A: tensor<3x2xi32>, %B: tensor<2x3xi32>) -> tensor<2x2xi32> {
  %0 = mdh.compute (i in 2, j in 2, k in 3 pw add) ins(%a = %A[k, i], %b = %B[j, k]) outs([j, i]) {
    %p = arith.muli %a, %b : i32
    mdh.yield %p : i32
  } : (tensor<3x2xi32>, tensor<2x3xi32>) -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}
// eval: @all_transposed([1, 2, 3, 4, 5, 6], [1, 0, 0, 0, 1, 0]) == [1, 2, 3, 4]

func.func @diagonal(%A: tensor<3x3xi32>) -> tensor<3xi32> {
  %0 = mdh.compute (i in 3) ins(%a = %A[i, i]) outs([i]) {
    mdh.yield %a : i32
  } : (tensor<3x3xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}
// eval: @diagonal([1, 2, 3, 4, 5, 6, 7, 8, 9]) == [1, 5, 9]

func.func @trace(%A: tensor<3x3xi32>) -> tensor<i32> {
  %0 = mdh.compute (i in 3 pw add) ins(%a = %A[i, i]) outs([]) {
    mdh.yield %a : i32
  } : (tensor<3x3xi32>) -> tensor<i32>
  return %0 : tensor<i32>
}
// eval: @trace([1, 2, 3, 4, 5, 6, 7, 8, 9]) == [15]

// Every second element backwards.
func.func @backwards(%A: tensor<7xi32>) -> tensor<4xi32> {
  %0 = mdh.compute (i in 4) ins(%a = %A[6 - 2 * i]) outs([i]) {
    mdh.yield %a : i32
  } : (tensor<7xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
// eval: @backwards([0, 1, 2, 3, 4, 5, 6]) == [6, 4, 2, 0]

// Results backwards and with a stride, over start values that stay between.
func.func @spread(%A: tensor<3xi32>, %I: tensor<5xi32>) -> tensor<5xi32> {
  %0 = mdh.compute (i in 3) ins(%a = %A[i]) outs([4 - 2 * i] into %I) {
    mdh.yield %a : i32
  } : (tensor<3xi32>, tensor<5xi32>) -> tensor<5xi32>
  return %0 : tensor<5xi32>
}
// eval: @spread([1, 2, 3], [-1, -2, -3, -4, -5]) == [3, -2, 2, -4, 1]

// Start values by another map: one for each column.
func.func @bias(%A: tensor<2x3xi32>, %b: tensor<3xi32>) -> tensor<2x3xi32> {
  %0 = mdh.compute (i in 2, j in 3, k in 1 pw add) ins(%a = %A[i, j]) outs([i, j] into %b[j]) {
    mdh.yield %a : i32
  } : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}
// eval: @bias([1, 2, 3, 4, 5, 6], [10, 20, 30]) == [11, 22, 33, 14, 25, 36]

// A start value takes part in a maximum as everything else.
func.func @at_least(%A: tensor<2x2xi32>, %I: tensor<2xi32>) -> tensor<2xi32> {
  %0 = mdh.compute (i in 2, k in 2 pw max) ins(%a = %A[i, k]) outs([i] into %I) {
    mdh.yield %a : i32
  } : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
// eval: @at_least([1, 2, 3, 4], [7, -7]) == [7, 4]

// Two dimensions folded by one operator.
func.func @plane(%A: tensor<2x3x2xi32>) -> tensor<3xi32> {
  %0 = mdh.compute (i in 2 pw add, j in 3, k in 2 pw add) ins(%a = %A[i, j, k]) outs([j]) {
    mdh.yield %a : i32
  } : (tensor<2x3x2xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}
// eval: @plane([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]) == [18, 26, 34]

// Prefixes of sums of rows, and prefixes along the last dimension.
func.func @prefixes(%A: tensor<2x3xi32>) -> (tensor<2xi32>, tensor<2x3xi32>) {
  %0 = mdh.compute (i in 2 ps add, j in 3 pw add) ins(%a = %A[i, j]) outs([i]) {
    mdh.yield %a : i32
  } : (tensor<2x3xi32>) -> tensor<2xi32>
  %1 = mdh.compute (i in 2, j in 3 ps add) ins(%a = %A[i, j]) outs([i, j]) {
    mdh.yield %a : i32
  } : (tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0, %1 : tensor<2xi32>, tensor<2x3xi32>
}
// eval: @prefixes([1, 2, 3, 4, 5, 6]) == ([6, 21], [1, 3, 6, 4, 9, 15])

// Prefixes in both dimensions: sums of rectangles.
func.func @rectangles(%A: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %0 = mdh.compute (i in 2 ps add, j in 2 ps add) ins(%a = %A[i, j]) outs([i, j]) {
    mdh.yield %a : i32
  } : (tensor<2x2xi32>) -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}
// eval: @rectangles([1, 2, 3, 4]) == [1, 3, 4, 10]

// A triangle: conditions of two dimensions.
func.func @lower(%A: tensor<3x3xi32>) -> tensor<3xi32> {
  %0 = mdh.compute (i in 3, k in 3 pw add) where k < i + 1 ins(%a = %A[i, k]) outs([i]) {
    mdh.yield %a : i32
  } : (tensor<3x3xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}
// eval: @lower([1, 2, 3, 4, 5, 6, 7, 8, 9]) == [1, 9, 24]

// An equation leaves one point of each row.
func.func @anti_diagonal(%A: tensor<3x3xi32>) -> tensor<3xi32> {
  %0 = mdh.compute (i in 3, k in 3 pw add) where i + k = 2 ins(%a = %A[i, k]) outs([i]) {
    mdh.yield %a : i32
  } : (tensor<3x3xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}
// eval: @anti_diagonal([1, 2, 3, 4, 5, 6, 7, 8, 9]) == [3, 5, 7]

// Coordinates are values.
func.func @coordinates(%A: tensor<2x3xindex>) -> tensor<2x3xindex> {
  %0 = mdh.compute (i in 2, j in 3) ins(%a = %A[i, j]) outs([i, j]) {
    %i = mdh.index 0
    %j = mdh.index 1
    %c10 = arith.constant 10 : index
    %t = arith.muli %i, %c10 : index
    %s = arith.addi %t, %j : index
    %r = arith.addi %s, %a : index
    mdh.yield %r : index
  } : (tensor<2x3xindex>) -> tensor<2x3xindex>
  return %0 : tensor<2x3xindex>
}
// eval: @coordinates([100, 100, 100, 100, 100, 100]) == [100, 101, 102, 110, 111, 112]

// Quotients and remainders as places: blocks of two by two, read in their order.
func.func @blocks(%A: tensor<4x4xi32>) -> tensor<16xi32> {
  %0 = mdh.compute (i in 16) ins(%a = %A[2 * (i floordiv 8) + (i floordiv 2) mod 2, 2 * ((i floordiv 4) mod 2) + i mod 2]) outs([i]) {
    mdh.yield %a : i32
  } : (tensor<4x4xi32>) -> tensor<16xi32>
  return %0 : tensor<16xi32>
}
// eval: @blocks([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]) == [0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15]

// Outside by several on each side, with a value of its own.
func.func @borders(%A: tensor<3xi32>) -> tensor<7xi32> {
  %0 = mdh.compute (i in 7) ins(%a = %A[i - 2] else 9) outs([i]) {
    mdh.yield %a : i32
  } : (tensor<3xi32>) -> tensor<7xi32>
  return %0 : tensor<7xi32>
}
// eval: @borders([1, 2, 3]) == [9, 9, 1, 2, 3, 9, 9]

// Floats of 16 bits round after each sum.
func.func @halves(%A: tensor<3xf16>) -> tensor<f16> {
  %0 = mdh.compute (k in 3 pw add source) ins(%a = %A[k]) outs([]) {
    mdh.yield %a : f16
  } : (tensor<3xf16>) -> tensor<f16>
  return %0 : tensor<f16>
}
// eval: @halves([2048.0, 1.0, 1.0]) == [2048.0]

// A chain of computations: the norm of each column, then each element by it.
func.func @normalized(%A: tensor<2x2xf64>) -> tensor<2x2xf64> {
  %s = mdh.compute "sums" (i in 2 pw add, j in 2) ins(%a = %A[i, j]) outs([j]) {
    mdh.yield %a : f64
  } : (tensor<2x2xf64>) -> tensor<2xf64>
  %n = mdh.compute "parts" (i in 2, j in 2) ins(%a = %A[i, j], %t = %s[j]) outs([i, j]) {
    %q = arith.divf %a, %t : f64
    mdh.yield %q : f64
  } : (tensor<2x2xf64>, tensor<2xf64>) -> tensor<2x2xf64>
  return %n : tensor<2x2xf64>
}
// eval: @normalized([1.0, 2.0, 3.0, 6.0]) == [0.25, 0.25, 0.75, 0.75]

// The place of the least element, the first of equals: an operator on pairs.
func.func private @lesser(%a: i32, %i: index, %b: i32, %j: index) -> (i32, index)
    attributes {sched.operator = {associative, exact, identity = [2147483647 : i32, 0 : index]}} {
  %less = arith.cmpi slt, %b, %a : i32
  %v = arith.select %less, %b, %a : i32
  %p = arith.select %less, %j, %i : index
  return %v, %p : i32, index
}
func.func @place_of_least(%A: tensor<2x4xi32>) -> (tensor<2xi32>, tensor<2xindex>) {
  %v, %p = mdh.compute (i in 2, k in 4 pw @lesser) ins(%a = %A[i, k]) outs([i], [i]) {
    %k = mdh.index 1
    mdh.yield %a, %k : i32, index
  } : (tensor<2x4xi32>) -> (tensor<2xi32>, tensor<2xindex>)
  return %v, %p : tensor<2xi32>, tensor<2xindex>
}
// eval: @place_of_least([3, 1, 1, 2, 5, 6, 4, 4]) == ([1, 4], [1, 2])

// Even and odd places by two accesses of one output.
func.func @interleaved(%A: tensor<3xi32>, %B: tensor<3xi32>) -> tensor<6xi32> {
  %0 = mdh.compute (i in 3) ins(%a = %A[i], %b = %B[i]) outs([2 * i + 1] | [2 * i]) {
    mdh.yield %a, %b : i32, i32
  } : (tensor<3xi32>, tensor<3xi32>) -> tensor<6xi32>
  return %0 : tensor<6xi32>
}
// eval: @interleaved([1, 2, 3], [10, 20, 30]) == [10, 1, 20, 2, 30, 3]
