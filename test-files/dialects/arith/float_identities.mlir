// What is the same for reals and not for floats stays; what is the same for floats goes.
// test: opt --pipeline="func.func(canonicalize)"

// x + 0 is not x for x = −0; x − 0 is x, and x + −0 is x.
func.func @zero(%x: f32) -> (f32, f32, f32, f32, f32) {
  %z = arith.constant 0.0 : f32
  %m = arith.constant -0.0 : f32
  %a = arith.addf %x, %z : f32
  %b = arith.addf %x, %m : f32
  %c = arith.subf %x, %z : f32
  %d = arith.subf %x, %m : f32
  %e = arith.subf %z, %x : f32
  return %a, %b, %c, %d, %e : f32, f32, f32, f32, f32
}
// check: func.func @zero
// check: %a = arith.addf %x, %z
// check: %d = arith.subf %x,
// check: %e = arith.subf %z, %x
// next: return %a, %x, %x, %d, %e
// eval: @zero(-0.0) == (0.0, -0.0, -0.0, 0.0, 0.0)
// eval: @zero(0.0) == (0.0, 0.0, 0.0, 0.0, 0.0)
// eval: @zero(2.5) == (2.5, 2.5, 2.5, 2.5, -2.5)
// eval: @zero(0x7FC00000) == (0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000)

// x · 0 is −0, +0 or NaN.
func.func @times_zero(%x: f32) -> f32 {
  %z = arith.constant 0.0 : f32
  %a = arith.mulf %x, %z : f32
  return %a : f32
}
// check: func.func @times_zero
// check: arith.mulf
// eval: @times_zero(-3.0) == -0.0
// eval: @times_zero(3.0) == 0.0
// eval: @times_zero(0x7FC00000) == 0x7FC00000

func.func @one(%x: f32) -> (f32, f32, f32) {
  %one = arith.constant 1.0 : f32
  %a = arith.mulf %x, %one : f32
  %b = arith.mulf %one, %x : f32
  %c = arith.divf %x, %one : f32
  return %a, %b, %c : f32, f32, f32
}
// check: func.func @one(%x: f32)
// next: return %x, %x, %x : f32, f32, f32
// eval: @one(-0.0) == (-0.0, -0.0, -0.0)
// eval: @one(0x7F800000) == (0x7F800000, 0x7F800000, 0x7F800000)

// x − x and x ÷ x are no constants: ∞ − ∞ and 0 ÷ 0 are NaN.
func.func @itself(%x: f64) -> (f64, f64) {
  %a = arith.subf %x, %x : f64
  %b = arith.divf %x, %x : f64
  return %a, %b : f64, f64
}
// check: func.func @itself
// check: arith.subf %x, %x
// check: arith.divf %x, %x
// eval: @itself(3.5) == (0.0, 1.0)

// Twice negated is the value, its sign and payload too.
func.func @negated(%x: f32) -> f32 {
  %a = arith.negf %x : f32
  %b = arith.negf %a : f32
  return %b : f32
}
// check: func.func @negated(%x: f32)
// next: return %x : f32
// eval: @negated(-0.0) == -0.0
// eval: @negated(0x7FC00001) == 0x7FC00001

// The sign bit alone changes.
func.func @sign(%x: f32) -> f32 {
  %a = arith.negf %x : f32
  return %a : f32
}
// eval: @sign(0.0) == -0.0
// eval: @sign(-0.0) == 0.0
// eval: @sign(0x7FC00000) == 0xFFC00000
// eval: @sign(0x00000001) == 0x80000001

// −a · −b = a · b and −a ÷ −b = a ÷ b, exactly.
func.func @two_signs(%x: f32, %y: f32) -> (f32, f32) {
  %a = arith.negf %x : f32
  %b = arith.negf %y : f32
  %p = arith.mulf %a, %b : f32
  %q = arith.divf %a, %b : f32
  return %p, %q : f32, f32
}
// check: func.func @two_signs
// next: arith.mulf %x, %y
// next: arith.divf %x, %y
// eval: @two_signs(3.0, -2.0) == (-6.0, -1.5)
// eval: @two_signs(0.0, -1.0) == (-0.0, -0.0)

// Sums of three are rounded twice, in this order.
func.func @order(%x: f32, %y: f32, %z: f32) -> (f32, f32) {
  %a = arith.addf %x, %y : f32
  %b = arith.addf %a, %z : f32
  %c = arith.addf %y, %z : f32
  %d = arith.addf %x, %c : f32
  return %b, %d : f32, f32
}
// eval: @order(1.0e8, -1.0e8, 1.0) == (1.0, 0.0)
// eval: @order(16777216.0, 1.0, 1.0) == (16777216.0, 16777218.0)

func.func @constants() -> (f32, f32, f32, f32) {
  %third = arith.constant 3.0 : f32
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %big = arith.constant 3.0e38 : f32
  %a = arith.divf %one, %third : f32
  %b = arith.divf %one, %zero : f32
  %c = arith.addf %big, %big : f32
  %d = arith.subf %zero, %zero : f32
  return %a, %b, %c, %d : f32, f32, f32, f32
}
// check: func.func @constants
// not: arith.divf
// not: arith.addf
// not: arith.subf
// check: return
// eval: @constants() == (0x3EAAAAAB, 0x7F800000, 0x7F800000, 0.0)
