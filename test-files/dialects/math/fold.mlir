// test: opt --pipeline="func.func(canonicalize)"

// A function that changes nothing the second time is applied once.
func.func @twice(%x: f32, %n: i32) -> (f32, i32) {
  %0 = math.floor %x : f32
  %1 = math.floor %0 : f32
  %2 = math.absi %n : i32
  %3 = math.absi %2 : i32
  return %1, %3 : f32, i32
}
// check: math.floor %x : f32
// next: math.absi %n : i32
// next: return

// Halves go away from zero, or to the even neighbor.
func.func @halves() -> (f32, f32) {
  %a = arith.constant 2.5 : f32
  %r = math.round %a : f32
  %s = math.roundeven %a : f32
  return %r, %s : f32, f32
}
// check: func.func @halves
// check: %r = arith.constant 3.000000e+00 : f32
// check: %s = arith.constant 2.000000e+00 : f32
// next: return

// The root of a negative number is not a number: it stays.
func.func @roots() -> (f64, f64) {
  %a = arith.constant 2.0 : f64
  %b = arith.constant -1.0 : f64
  %r = math.sqrt %a : f64
  %s = math.sqrt %b : f64
  return %r, %s : f64, f64
}
// check: func.func @roots
// check: arith.constant 1.4142135623730951 : f64
// check: math.sqrt

// Bits are counted in the width of the type.
func.func @bits() -> (i8, i8, i8) {
  %a = arith.constant 20 : i8
  %r = math.ctlz %a : i8
  %s = math.cttz %a : i8
  %zero = arith.constant 0 : i8
  %t = math.cttz %zero : i8
  return %r, %s, %t : i8, i8, i8
}
// check: func.func @bits
// check: %r = arith.constant 3 : i8
// check: %s = arith.constant 2 : i8
// check: %t = arith.constant 8 : i8

// Powers wrap; zero to a negative power stays.
func.func @powers() -> (i8, i8) {
  %a = arith.constant 3 : i8
  %b = arith.constant 5 : i8
  %zero = arith.constant 0 : i8
  %minus = arith.constant -1 : i8
  %r = math.ipowi %a, %b : i8
  %s = math.ipowi %zero, %minus : i8
  return %r, %s : i8, i8
}
// check: func.func @powers
// check: arith.constant -13 : i8
// check: math.ipowi

// The sign moves as a bit, also that of zero.
func.func @sign() -> f32 {
  %a = arith.constant 0.0 : f32
  %b = arith.constant -1.0 : f32
  %r = math.copysign %a, %b : f32
  return %r : f32
}
// check: func.func @sign
// check: arith.constant -0.000000e+00 : f32

// An infinity is not finite.
func.func @questions() -> (i1, i1) {
  %a = arith.constant 0x7F800000 : f32
  %r = math.isfinite %a : f32
  %s = math.isinf %a : f32
  return %r, %s : i1, i1
}
// check: func.func @questions
// check: %r = arith.constant false
// check: %s = arith.constant true
