// Affine ops on constants and on each other: simpler maps, the same values.
// test: opt --pipeline="func.func(canonicalize)"

func.func @constants() -> (index, index, index, index, index) {
  %a = arith.constant -7 : index
  %n = arith.constant 3 : index
  %p = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%a)[%n]
  %q = affine.apply affine_map<(d0)[s0] -> (d0 ceildiv s0)>(%a)[%n]
  %r = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>(%a)[%n]
  %s = affine.min affine_map<(d0)[s0] -> (d0, s0)>(%a)[%n]
  %t = affine.max affine_map<(d0)[s0] -> (d0, s0 * s0)>(%a)[%n]
  return %p, %q, %r, %s, %t : index, index, index, index, index
}
// check: func.func @constants
// not: affine.
// check: return
// eval: @constants() == (-3, -2, 2, -7, 9)

// An apply of an apply is one.
func.func @composed(%i: index) -> index {
  %a = affine.apply affine_map<(d0) -> (d0 * 4 + 3)>(%i)
  %b = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%a)
  return %b : index
}
// eval: @composed(0) == 0
// eval: @composed(5) == 5
// eval: @composed(-5) == -5

// The identity is its operand.
func.func @identity(%i: index, %j: index) -> (index, index) {
  %a = affine.apply affine_map<(d0) -> (d0)>(%i)
  %b = affine.apply affine_map<(d0, d1) -> (d0 + d1 - d0)>(%i, %j)
  return %a, %b : index, index
}
// check: func.func @identity(%i: index, %j: index)
// not: affine.apply
// check: return %i, %j
// eval: @identity(3, 4) == (3, 4)

// i · 6 mod 3 is zero, i · 6 floordiv 3 is i · 2.
func.func @multiples(%i: index) -> (index, index) {
  %a = affine.apply affine_map<(d0) -> ((d0 * 6) mod 3)>(%i)
  %b = affine.apply affine_map<(d0) -> ((d0 * 6) floordiv 3)>(%i)
  return %a, %b : index, index
}
// eval: @multiples(7) == (0, 14)
// eval: @multiples(-7) == (0, -14)

func.func @one_result(%i: index) -> (index, index) {
  %a = affine.min affine_map<(d0) -> (d0 + 1)>(%i)
  %b = affine.max affine_map<(d0) -> (d0 * 2)>(%i)
  return %a, %b : index, index
}
// check: func.func @one_result
// not: affine.min
// not: affine.max
// check: return
// eval: @one_result(5) == (6, 10)

// A loop without iterations, and one whose bounds say so only together.
func.func @no_trips(%x: i32) -> i32 {
  %r = affine.for %i = 5 to 5 iter_args(%a = %x) -> (i32) {
    %b = arith.muli %a, %a : i32
    affine.yield %b : i32
  }
  %s = affine.for %i = 7 to 3 iter_args(%a = %r) -> (i32) {
    %b = arith.muli %a, %a : i32
    affine.yield %b : i32
  }
  return %s : i32
}
// check: func.func @no_trips(%x: i32)
// next: return %x
// eval: @no_trips(3) == 3

// Sets that hold always, or never.
func.func @sets(%i: index) -> (i32, i32) {
  %a = arith.constant 1 : i32
  %b = arith.constant 2 : i32
  %r = affine.if affine_set<(d0) : (1 >= 0)>(%i) -> i32 {
    affine.yield %a : i32
  } else {
    affine.yield %b : i32
  }
  %s = affine.if affine_set<(d0) : (-1 >= 0)>(%i) -> i32 {
    affine.yield %a : i32
  } else {
    affine.yield %b : i32
  }
  return %r, %s : i32, i32
}
// eval: @sets(0) == (1, 2)
// eval: @sets(-9) == (1, 2)

func.func @parts() -> (index, index, index) {
  %n = arith.constant 23 : index
  %a, %b = affine.delinearize_index %n into (5, 6) : index, index
  %c = affine.linearize_index [%b, %a] by (6, 5) : index
  return %a, %b, %c : index, index, index
}
// eval: @parts() == (3, 5, 28)

// A constant place in an access goes into the map.
func.func @access(%x: i32) -> i32 {
  %c2 = arith.constant 2 : index
  %m = memref.alloca() : memref<8xi32>
  affine.store %x, %m[symbol(%c2) * 3 + 1] : memref<8xi32>
  %r = affine.load %m[7] : memref<8xi32>
  return %r : i32
}
// check: func.func @access
// check: affine.store %x, %m[7]
// eval: @access(6) == 6
