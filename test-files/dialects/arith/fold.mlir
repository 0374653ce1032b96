// test: opt --pipeline="func.func(canonicalize)"

// Adding zero returns the other operand, also when the zero stands on the left.
func.func @add_zero(%x: i32) -> (i32, i32) {
  %zero = arith.constant 0 : i32
  %r = arith.addi %x, %zero : i32
  %s = arith.addi %zero, %x : i32
  return %r, %s : i32, i32
}
// eval: @add_zero(-5) == (-5, -5)
// check: func.func @add_zero(%x: i32)
// next: return %x, %x : i32, i32

// Sums wrap.
func.func @wraps() -> i8 {
  %a = arith.constant 127 : i8
  %b = arith.constant 2 : i8
  %r = arith.addi %a, %b : i8
  return %r : i8
}
// eval: @wraps() == -127
// check: arith.constant -127 : i8
// next: return

// Division by zero and the one overflow stay: they are undefined, not ours to decide.
func.func @undefined() -> (i8, i8) {
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %low = arith.constant -128 : i8
  %minus = arith.constant -1 : i8
  %r = arith.divsi %one, %zero : i8
  %s = arith.divsi %low, %minus : i8
  return %r, %s : i8, i8
}
// eval: @undefined() == trap E0301
// check: func.func @undefined
// check: arith.divsi
// next: arith.divsi

// Signed and unsigned read the same bits differently.
func.func @readings() -> (i1, i1, i8, i8) {
  %a = arith.constant -1 : i8
  %b = arith.constant 1 : i8
  %s = arith.cmpi slt, %a, %b : i8
  %u = arith.cmpi ult, %a, %b : i8
  %t = arith.shrsi %a, %b : i8
  %v = arith.shrui %a, %b : i8
  return %s, %u, %t, %v : i1, i1, i8, i8
}
// eval: @readings() == (true, false, -1, 127)
// check: func.func @readings
// not: cmpi
// check: %s = arith.constant true
// next: %u = arith.constant false
// next: %t = arith.constant -1 : i8
// next: %v = arith.constant 127 : i8
// next: return %s, %u, %t, %v : i1, i1, i8, i8

// A shift by the width or more is poison: kept.
func.func @too_far() -> i8 {
  %a = arith.constant 1 : i8
  %b = arith.constant 8 : i8
  %r = arith.shli %a, %b : i8
  return %r : i8
}
// eval: @too_far() == poison
// check: func.func @too_far
// check: arith.shli

// Element by element on dense constants.
func.func @dense() -> vector<3xi32> {
  %a = arith.constant dense<[1, 2, 3]> : vector<3xi32>
  %b = arith.constant dense<10> : vector<3xi32>
  %r = arith.muli %a, %b : vector<3xi32>
  return %r : vector<3xi32>
}
// eval: @dense() == [10, 20, 30]
// check: arith.constant dense<[10, 20, 30]> : vector<3xi32>
// next: return

// −0 is addition's neutral element, +0 is not: −0 + 0 is +0.
func.func @float_zero(%x: f32) -> (f32, f32) {
  %minus = arith.constant -0.0 : f32
  %plus = arith.constant 0.0 : f32
  %r = arith.addf %x, %minus : f32
  %s = arith.addf %x, %plus : f32
  return %r, %s : f32, f32
}
// eval: @float_zero(-0.0) == (-0.0, 0.0)
// eval: @float_zero(1.5) == (1.5, 1.5)
// check: func.func @float_zero(%x: f32)
// check: %s = arith.addf %x,
// next: return %x, %s : f32, f32

// Halves round once.
func.func @halves() -> f16 {
  %a = arith.constant 2048.0 : f16
  %b = arith.constant 1.0 : f16
  %r = arith.addf %a, %b : f16
  return %r : f16
}
// eval: @halves() == 2048.0
// check: arith.constant 2.048000e+03 : f16
// next: return
