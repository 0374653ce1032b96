// Poison goes through every op but the choice that does not take it.
// test: opt --pipeline="func.func(canonicalize)"

func.func @through(%a: i8, %x: f32) -> (i8, i8, i1, i16, f32, f32) {
  %one = arith.constant 1 : i8
  %p = arith.addi %a, %one : i8
  %q = arith.andi %a, %one : i8
  %r = arith.cmpi eq, %a, %one : i8
  %s = arith.extsi %a : i8 to i16
  %t = arith.negf %x : f32
  %u = arith.mulf %x, %x : f32
  return %p, %q, %r, %s, %t, %u : i8, i8, i1, i16, f32, f32
}
// eval: @through(poison, poison) == (poison, poison, poison, poison, poison, poison)
// eval: @through(1, 2.0) == (2, 1, true, 1, -2.0, 4.0)

// The value that is not chosen does not matter; the condition does.
func.func @choice(%c: i1, %a: i8, %b: i8) -> i8 {
  %r = arith.select %c, %a, %b : i8
  return %r : i8
}
// eval: @choice(true, 5, poison) == 5
// eval: @choice(false, poison, 6) == 6
// eval: @choice(true, poison, 6) == poison
// eval: @choice(poison, 5, 6) == poison

func.func @choice_of_elements(%c: vector<3xi1>, %a: vector<3xi8>, %b: vector<3xi8>) -> vector<3xi8> {
  %r = arith.select %c, %a, %b : vector<3xi1>, vector<3xi8>
  return %r : vector<3xi8>
}
// eval: @choice_of_elements([true, false, poison], [1, poison, 3], [poison, 5, 6]) == [1, 5, poison]

// x · 0 and x & 0 may be 0 even for a poison x: poison may become any value.
func.func @absorbed(%a: i8) -> (i8, i8) {
  %zero = arith.constant 0 : i8
  %p = arith.muli %a, %zero : i8
  %q = arith.andi %a, %zero : i8
  return %p, %q : i8, i8
}
// check: func.func @absorbed
// next: %zero = arith.constant 0 : i8
// next: return %zero, %zero
// eval: @absorbed(poison) == (poison, poison)
// eval: @absorbed(-1) == (0, 0)

// To divide by poison, or poison by what may be −1, is undefined; a poison dividend is not.
func.func @divided(%a: i8, %b: i8) -> i8 {
  %p = arith.divui %a, %b : i8
  return %p : i8
}
// eval: @divided(poison, 3) == poison
// eval: @divided(3, poison) == trap E0307
// eval: @divided(9, 3) == 3

// Constants of a kind that only `ub` has: nothing is computed with them.
func.func @constant(%a: i8) -> (i8, i8) {
  %u = ub.poison : i8
  %p = arith.addi %a, %u : i8
  %c = arith.constant true
  %q = arith.select %c, %a, %u : i8
  return %p, %q : i8, i8
}
// check: func.func @constant
// check: return %{{.*}}, %a
// eval: @constant(4) == (poison, 4)

// Fast-math promises that are broken.
func.func @promised(%x: f32, %y: f32) -> (f32, f32, f32) {
  %p = arith.addf %x, %y fastmath<nnan> : f32
  %q = arith.addf %x, %y fastmath<ninf> : f32
  %r = arith.addf %x, %y : f32
  return %p, %q, %r : f32, f32, f32
}
// eval: @promised(1.0, 2.0) == (3.0, 3.0, 3.0)
// eval: @promised(0x7F800000, 1.0) == (0x7F800000, poison, 0x7F800000)
// eval: @promised(0x7FC00000, 1.0) == (poison, 0x7FC00000, 0x7FC00000)
// eval: @promised(3.0e38, 3.0e38) == (0x7F800000, poison, 0x7F800000)
