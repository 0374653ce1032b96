// Loops with bounds from maps, steps, and values that they carry.
// test: opt --pipeline="func.func(canonicalize,cse)"
// test: opt --pipeline="func.func(lower-affine)"
// test: opt --pipeline="func.func(lower-affine),convert-scf-to-cf"

// The greatest of the lower bounds, and the least of the upper ones.
func.func @bounds(%n: index, %m: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = affine.for %i = max affine_map<()[s0] -> (0, s0 - 3)>()[%n] to min affine_map<()[s0] -> (10, s0)>()[%m] iter_args(%k = %c0, %s = %c0) -> (index, index) {
    %l = arith.addi %k, %c1 : index
    %t = arith.addi %s, %i : index
    affine.yield %l, %t : index, index
  }
  return %r#0, %r#1 : index, index
}
// eval: @bounds(0, 4) == (4, 6)
// eval: @bounds(5, 4) == (2, 5)
// eval: @bounds(5, 100) == (8, 44)
// eval: @bounds(20, 100) == (0, 0)
// eval: @bounds(0, -5) == (0, 0)

func.func @steps(%n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = affine.for %i = -7 to %n step 5 iter_args(%k = %c0, %s = %c0) -> (index, index) {
    %l = arith.addi %k, %c1 : index
    %t = arith.addi %s, %i : index
    affine.yield %l, %t : index, index
  }
  return %r#0, %r#1 : index, index
}
// eval: @steps(-7) == (0, 0)
// eval: @steps(-6) == (1, -7)
// eval: @steps(-2) == (1, -7)
// eval: @steps(-1) == (2, -9)
// eval: @steps(9) == (4, 2)

// A lower triangle: bounds from the outer loop's number.
func.func @triangle(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %r = affine.for %i = 0 to %n iter_args(%a = %c0) -> (index) {
    %s = affine.for %j = affine_map<(d0) -> (d0)>(%i) to %n step 2 iter_args(%b = %a) -> (index) {
      %p = affine.apply affine_map<(d0, d1) -> (d0 * 10 + d1)>(%i, %j)
      %t = arith.addi %b, %p : index
      affine.yield %t : index
    }
    affine.yield %s : index
  }
  return %r : index
}
// eval: @triangle(0) == 0
// eval: @triangle(1) == 0
// eval: @triangle(3) == 35

// Tiles whose last one is smaller.
func.func @tiles(%n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = affine.for %t = 0 to affine_map<()[s0] -> (s0 ceildiv 4)>()[%n] iter_args(%k = %c0, %s = %c0) -> (index, index) {
    %u:2 = affine.for %i = affine_map<(d0) -> (d0 * 4)>(%t) to min affine_map<(d0)[s0] -> (d0 * 4 + 4, s0)>(%t)[%n] iter_args(%l = %k, %v = %s) -> (index, index) {
      %m = arith.addi %l, %c1 : index
      %w = arith.addi %v, %i : index
      affine.yield %m, %w : index, index
    }
    affine.yield %u#0, %u#1 : index, index
  }
  return %r#0, %r#1 : index, index
}
// eval: @tiles(0) == (0, 0)
// eval: @tiles(1) == (1, 0)
// eval: @tiles(4) == (4, 6)
// eval: @tiles(7) == (7, 21)
// eval: @tiles(13) == (13, 78)

// Conditions on a diagonal band.
func.func @band(%n: index, %w: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = affine.for %i = 0 to %n iter_args(%a = %c0) -> (index) {
    %s = affine.for %j = 0 to %n iter_args(%b = %a) -> (index) {
      %x = affine.if affine_set<(d0, d1)[s0] : (d0 - d1 + s0 >= 0, d1 - d0 + s0 >= 0)>(%i, %j)[%w] -> index {
        affine.yield %c1 : index
      } else {
        affine.yield %c0 : index
      }
      %t = arith.addi %b, %x : index
      affine.yield %t : index
    }
    affine.yield %s : index
  }
  return %r : index
}
// eval: @band(5, 0) == 5
// eval: @band(5, 1) == 13
// eval: @band(5, 4) == 25
// eval: @band(5, -1) == 0

// Equalities and inequalities, with quotients.
func.func @set(%i: index, %n: index) -> (i1, i1, i1) {
  %t = arith.constant true
  %f = arith.constant false
  %a = affine.if affine_set<(d0) : (d0 mod 3 == 0)>(%i) -> i1 {
    affine.yield %t : i1
  } else {
    affine.yield %f : i1
  }
  %b = affine.if affine_set<(d0)[s0] : (d0 floordiv 2 - s0 == 0)>(%i)[%n] -> i1 {
    affine.yield %t : i1
  } else {
    affine.yield %f : i1
  }
  %c = affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0, s0 - d0 >= 0)>(%i)[%n] -> i1 {
    affine.yield %t : i1
  } else {
    affine.yield %f : i1
  }
  return %a, %b, %c : i1, i1, i1
}
// eval: @set(-3, -2) == (true, true, false)
// eval: @set(5, 2) == (false, true, false)
// eval: @set(0, 0) == (true, true, true)
// eval: @set(-1, -1) == (false, true, true)

// In memory: each element is read where the loop before has written it.
func.func @prefix(%n: index) -> i32 {
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<16xi32>
  affine.store %one, %m[0] : memref<16xi32>
  affine.for %i = 1 to 16 {
    %a = affine.load %m[%i - 1] : memref<16xi32>
    %b = arith.addi %a, %a : i32
    affine.store %b, %m[%i] : memref<16xi32>
  }
  %r = affine.load %m[symbol(%n)] : memref<16xi32>
  return %r : i32
}
// eval: @prefix(0) == 1
// eval: @prefix(15) == 32768
