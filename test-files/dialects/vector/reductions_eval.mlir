// Elements combined: every kind, one element, an accumulator, dimensions that stay.
// test: opt --pipeline="func.func(canonicalize)"

func.func @ints(%v: vector<4xi8>) -> (i8, i8, i8, i8, i8, i8, i8, i8, i8) {
  %a = vector.reduction <add>, %v : vector<4xi8> into i8
  %b = vector.reduction <mul>, %v : vector<4xi8> into i8
  %c = vector.reduction <minsi>, %v : vector<4xi8> into i8
  %d = vector.reduction <maxsi>, %v : vector<4xi8> into i8
  %e = vector.reduction <minui>, %v : vector<4xi8> into i8
  %f = vector.reduction <maxui>, %v : vector<4xi8> into i8
  %g = vector.reduction <and>, %v : vector<4xi8> into i8
  %h = vector.reduction <or>, %v : vector<4xi8> into i8
  %i = vector.reduction <xor>, %v : vector<4xi8> into i8
  return %a, %b, %c, %d, %e, %f, %g, %h, %i : i8, i8, i8, i8, i8, i8, i8, i8, i8
}
// eval: @ints([1, 2, 3, 4]) == (10, 24, 1, 4, 1, 4, 0, 7, 4)
// eval: @ints([127, 1, 1, -1]) == (-128, -127, -1, 127, 1, -1, 1, -1, -128)
// eval: @ints([-128, -128, -128, -128]) == (0, 0, -128, -128, -128, -128, -128, -128, 0)

func.func @bits(%v: vector<3xi1>) -> (i1, i1, i1) {
  %a = vector.reduction <and>, %v : vector<3xi1> into i1
  %b = vector.reduction <or>, %v : vector<3xi1> into i1
  %c = vector.reduction <xor>, %v : vector<3xi1> into i1
  return %a, %b, %c : i1, i1, i1
}
// eval: @bits([true, true, true]) == (true, true, true)
// eval: @bits([false, true, true]) == (false, true, false)
// eval: @bits([false, false, false]) == (false, false, false)

// Floats are combined from the left, behind the accumulator if there is one.
func.func @floats(%v: vector<4xf32>, %x: f32) -> (f32, f32, f32, f32) {
  %a = vector.reduction <add>, %v : vector<4xf32> into f32
  %b = vector.reduction <mul>, %v : vector<4xf32> into f32
  %c = vector.reduction <add>, %v, %x : vector<4xf32> into f32
  %d = vector.reduction <mul>, %v, %x : vector<4xf32> into f32
  return %a, %b, %c, %d : f32, f32, f32, f32
}
// eval: @floats([1.0, 2.0, 3.0, 4.0], 0.5) == (10.0, 24.0, 10.5, 12.0)
// eval: @floats([1.0e8, 1.0, -1.0e8, 1.0], 0.0) == (1.0, -1.0e16, 1.0, -0.0)

func.func @extremes(%v: vector<3xf32>) -> (f32, f32, f32, f32) {
  %a = vector.reduction <minimumf>, %v : vector<3xf32> into f32
  %b = vector.reduction <maximumf>, %v : vector<3xf32> into f32
  %c = vector.reduction <minnumf>, %v : vector<3xf32> into f32
  %d = vector.reduction <maxnumf>, %v : vector<3xf32> into f32
  return %a, %b, %c, %d : f32, f32, f32, f32
}
// eval: @extremes([1.0, -2.0, 3.0]) == (-2.0, 3.0, -2.0, 3.0)
// eval: @extremes([1.0, 0x7FC00000, 3.0]) == (0x7FC00000, 0x7FC00000, 1.0, 3.0)

func.func @one(%v: vector<1xi32>, %x: i32) -> (i32, i32) {
  %a = vector.reduction <add>, %v : vector<1xi32> into i32
  %b = vector.reduction <mul>, %v, %x : vector<1xi32> into i32
  return %a, %b : i32, i32
}
// eval: @one([7], 3) == (7, 21)

func.func @planes(%v: vector<2x3xi32>, %rows: vector<2xi32>, %columns: vector<3xi32>, %all: i32) -> (vector<2xi32>, vector<3xi32>, i32) {
  %a = vector.multi_reduction <add>, %v, %rows [1] : vector<2x3xi32> to vector<2xi32>
  %b = vector.multi_reduction <maxsi>, %v, %columns [0] : vector<2x3xi32> to vector<3xi32>
  %c = vector.multi_reduction <mul>, %v, %all [0, 1] : vector<2x3xi32> to i32
  return %a, %b, %c : vector<2xi32>, vector<3xi32>, i32
}
// eval: @planes([1, 2, 3, 4, 5, 6], [0, 10], [0, 9, 0], 1) == ([6, 25], [4, 9, 6], 720)

// No dimension is combined: the accumulator is.
func.func @none(%v: vector<2xi32>, %w: vector<2xi32>) -> vector<2xi32> {
  %a = vector.multi_reduction <add>, %v, %w [] : vector<2xi32> to vector<2xi32>
  return %a : vector<2xi32>
}
// eval: @none([1, 2], [10, 20]) == [11, 22]

// An exclusive scan begins with the accumulator; an inclusive one with the first element.
func.func @scans(%v: vector<4xi32>, %x: vector<i32>) -> (vector<4xi32>, vector<i32>, vector<4xi32>, vector<i32>) {
  %a:2 = vector.scan <add>, %v, %x {inclusive = true, reduction_dim = 0 : i64} : vector<4xi32>, vector<i32>
  %b:2 = vector.scan <add>, %v, %x {inclusive = false, reduction_dim = 0 : i64} : vector<4xi32>, vector<i32>
  return %a#0, %a#1, %b#0, %b#1 : vector<4xi32>, vector<i32>, vector<4xi32>, vector<i32>
}
// eval: @scans([1, 2, 3, 4], [10]) == ([1, 3, 6, 10], [10], [10, 11, 13, 16], [16])

func.func @outer(%a: vector<2xi32>, %b: vector<3xi32>, %c: vector<2x3xi32>, %x: i32) -> (vector<2x3xi32>, vector<2x3xi32>, vector<2xi32>) {
  %r = vector.outerproduct %a, %b : vector<2xi32>, vector<3xi32>
  %s = vector.outerproduct %a, %b, %c {kind = #vector.kind<add>} : vector<2xi32>, vector<3xi32>
  %t = vector.outerproduct %a, %x : vector<2xi32>, i32
  return %r, %s, %t : vector<2x3xi32>, vector<2x3xi32>, vector<2xi32>
}
// eval: @outer([1, 2], [3, 4, 5], [1, 1, 1, 1, 1, 1], 7) == ([3, 4, 5, 6, 8, 10], [4, 5, 6, 7, 9, 11], [7, 14])

// Products of matrices, of a matrix and a vector, of two vectors.
func.func @contract(%a: vector<2x3xi32>, %b: vector<3x2xi32>, %c: vector<2x2xi32>) -> vector<2x2xi32> {
  %r = vector.contract {
    indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>
  } %a, %b, %c : vector<2x3xi32>, vector<3x2xi32> into vector<2x2xi32>
  return %r : vector<2x2xi32>
}
// eval: @contract([1, 2, 3, 4, 5, 6], [1, 0, 0, 1, 1, 1], [0, 0, 0, 100]) == [4, 5, 10, 111]

func.func @dot(%a: vector<3xi32>, %b: vector<3xi32>, %c: i32) -> i32 {
  %r = vector.contract {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
    iterator_types = ["reduction"], kind = #vector.kind<add>
  } %a, %b, %c : vector<3xi32>, vector<3xi32> into i32
  return %r : i32
}
// eval: @dot([1, 2, 3], [4, 5, 6], 0) == 32
// eval: @dot([2147483647, 1, 0], [1, 1, 5], 0) == -2147483648

// The greatest of products in place of their sum.
func.func @max_of_products(%a: vector<3xi32>, %b: vector<3xi32>, %c: i32) -> i32 {
  %r = vector.contract {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
    iterator_types = ["reduction"], kind = #vector.kind<maxsi>
  } %a, %b, %c : vector<3xi32>, vector<3xi32> into i32
  return %r : i32
}
// eval: @max_of_products([1, 2, 3], [4, -5, 2], 0) == 6
// eval: @max_of_products([1, 2, 3], [-4, -5, -2], 0) == 0
