// `affine.parallel`: every reduction, empty boxes, bounds from maps.
// test: opt --pipeline="func.func(canonicalize)"
// test: opt --pipeline="func.func(lower-affine)"

func.func @ints(%n: index) -> (i32, i32, i32, i32, i32, i32) {
  %a, %b, %c, %d, %e, %f = affine.parallel (%i) = (1) to (%n) reduce ("addi", "muli", "maxs", "mins", "maxu", "minu") -> (i32, i32, i32, i32, i32, i32) {
    %w = arith.index_cast %i : index to i32
    %three = arith.constant 3 : i32
    %v = arith.subi %w, %three : i32
    affine.yield %w, %w, %v, %v, %v, %v : i32, i32, i32, i32, i32, i32
  }
  return %a, %b, %c, %d, %e, %f : i32, i32, i32, i32, i32, i32
}
// eval: @ints(6) == (15, 120, 2, -2, -1, 0)
// eval: @ints(2) == (1, 1, -2, -2, -2, -2)
// eval: @ints(1) == (0, 1, -2147483648, 2147483647, 0, -1)

func.func @bits(%n: index) -> (i8, i8) {
  %a, %b = affine.parallel (%i) = (0) to (%n) reduce ("ori", "andi") -> (i8, i8) {
    %w = arith.index_cast %i : index to i8
    affine.yield %w, %w : i8, i8
  }
  return %a, %b : i8, i8
}
// eval: @bits(0) == (0, -1)
// eval: @bits(1) == (0, 0)
// eval: @bits(6) == (7, 0)

func.func @floats(%n: index) -> (f32, f32, f32, f32) {
  %a, %b, %c, %d = affine.parallel (%i) = (1) to (%n) reduce ("addf", "mulf", "maximumf", "minimumf") -> (f32, f32, f32, f32) {
    %w = arith.index_cast %i : index to i32
    %v = arith.sitofp %w : i32 to f32
    affine.yield %v, %v, %v, %v : f32, f32, f32, f32
  }
  return %a, %b, %c, %d : f32, f32, f32, f32
}
// eval: @floats(5) == (10.0, 24.0, 4.0, 1.0)
// eval: @floats(2) == (1.0, 1.0, 1.0, 1.0)

// A box whose second dimension is empty has no points, whatever the first.
func.func @empty(%n: index) -> i32 {
  %a = affine.parallel (%i, %j) = (0, 0) to (5, %n) reduce ("addi") -> (i32) {
    %one = arith.constant 1 : i32
    affine.yield %one : i32
  }
  return %a : i32
}
// eval: @empty(0) == 0
// eval: @empty(-3) == 0
// eval: @empty(1) == 5
// eval: @empty(4) == 20

func.func @steps(%n: index) -> i32 {
  %a = affine.parallel (%i, %j) = (0, 0) to (%n, 7) step (3, 4) reduce ("addi") -> (i32) {
    %p = affine.apply affine_map<(d0, d1) -> (d0 * 10 + d1)>(%i, %j)
    %w = arith.index_cast %p : index to i32
    affine.yield %w : i32
  }
  return %a : i32
}
// eval: @steps(1) == 4
// eval: @steps(7) == 192

// The most of several lower bounds and the least of several upper ones, per dimension.
func.func @bounds(%n: index, %m: index) -> i32 {
  %a = affine.parallel (%i, %j) = (max(0, %n), 1) to (min(8, %m), 3) reduce ("addi") -> (i32) {
    %one = arith.constant 1 : i32
    affine.yield %one : i32
  }
  return %a : i32
}
// eval: @bounds(-4, 100) == 16
// eval: @bounds(6, 7) == 2
// eval: @bounds(6, 3) == 0
