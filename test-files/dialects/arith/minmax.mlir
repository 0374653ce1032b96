// Smaller and larger ones: signed, unsigned, and floats in the two ways to treat NaN.
// test: opt --pipeline="func.func(canonicalize)"

func.func @ints(%a: i8, %b: i8) -> (i8, i8, i8, i8) {
  %p = arith.minsi %a, %b : i8
  %q = arith.maxsi %a, %b : i8
  %r = arith.minui %a, %b : i8
  %s = arith.maxui %a, %b : i8
  return %p, %q, %r, %s : i8, i8, i8, i8
}
// eval: @ints(-128, 127) == (-128, 127, 127, -128)
// eval: @ints(-1, 0) == (-1, 0, 0, -1)
// eval: @ints(5, 5) == (5, 5, 5, 5)
// eval: @ints(-3, -2) == (-3, -2, -3, -2)

func.func @one_bit(%a: i1, %b: i1) -> (i1, i1, i1, i1) {
  %p = arith.minsi %a, %b : i1
  %q = arith.maxsi %a, %b : i1
  %r = arith.minui %a, %b : i1
  %s = arith.maxui %a, %b : i1
  return %p, %q, %r, %s : i1, i1, i1, i1
}
// eval: @one_bit(true, false) == (true, false, false, true)
// eval: @one_bit(false, false) == (false, false, false, false)

// `minimumf` and `maximumf`: NaN wins, and −0 is less than +0.
func.func @ieee(%a: f32, %b: f32) -> (f32, f32) {
  %p = arith.minimumf %a, %b : f32
  %q = arith.maximumf %a, %b : f32
  return %p, %q : f32, f32
}
// eval: @ieee(1.5, -2.0) == (-2.0, 1.5)
// eval: @ieee(-0.0, 0.0) == (-0.0, 0.0)
// eval: @ieee(0.0, -0.0) == (-0.0, 0.0)
// eval: @ieee(0x7FC00000, 1.0) == (0x7FC00000, 0x7FC00000)
// eval: @ieee(1.0, 0x7FC00000) == (0x7FC00000, 0x7FC00000)
// eval: @ieee(-0x7F800000, 0x7F800000) == (-0x7F800000, 0x7F800000)

// `minnumf` and `maxnumf`: a number wins over NaN.
func.func @number(%a: f32, %b: f32) -> (f32, f32) {
  %p = arith.minnumf %a, %b : f32
  %q = arith.maxnumf %a, %b : f32
  return %p, %q : f32, f32
}
// eval: @number(1.5, -2.0) == (-2.0, 1.5)
// eval: @number(0x7FC00000, 1.0) == (1.0, 1.0)
// eval: @number(1.0, 0x7FC00000) == (1.0, 1.0)
// eval: @number(0x7FC00000, 0x7FC00000) == (0x7FC00000, 0x7FC00000)
// eval: @number(0x7F800000, 0x7FC00000) == (0x7F800000, 0x7F800000)

func.func @double(%a: f64, %b: f64) -> (f64, f64, f64, f64) {
  %p = arith.minimumf %a, %b : f64
  %q = arith.maximumf %a, %b : f64
  %r = arith.minnumf %a, %b : f64
  %s = arith.maxnumf %a, %b : f64
  return %p, %q, %r, %s : f64, f64, f64, f64
}
// eval: @double(-4.5, 1.0e300) == (-4.5, 1.0e300, -4.5, 1.0e300)
// eval: @double(0x7FF8000000000000, 2.0) == (0x7FF8000000000000, 0x7FF8000000000000, 2.0, 2.0)

func.func @half(%a: f16, %b: f16) -> (f16, f16, f16, f16) {
  %p = arith.minimumf %a, %b : f16
  %q = arith.maximumf %a, %b : f16
  %r = arith.minnumf %a, %b : f16
  %s = arith.maxnumf %a, %b : f16
  return %p, %q, %r, %s : f16, f16, f16, f16
}
// eval: @half(65504.0, -65504.0) == (-65504.0, 65504.0, -65504.0, 65504.0)
// eval: @half(0x7E00, 1.0) == (0x7E00, 0x7E00, 1.0, 1.0)

// The extreme of a value and itself, or of a value and the order's own ends.
func.func @known(%a: i8) -> (i8, i8, i8, i8, i8, i8, i8, i8) {
  %least = arith.constant -128 : i8
  %most = arith.constant 127 : i8
  %zero = arith.constant 0 : i8
  %ones = arith.constant -1 : i8
  %p = arith.minsi %a, %a : i8
  %q = arith.maxui %a, %a : i8
  %r = arith.minsi %a, %least : i8
  %s = arith.minsi %a, %most : i8
  %t = arith.maxsi %a, %least : i8
  %u = arith.maxsi %a, %most : i8
  %v = arith.minui %a, %zero : i8
  %w = arith.maxui %a, %ones : i8
  return %p, %q, %r, %s, %t, %u, %v, %w : i8, i8, i8, i8, i8, i8, i8, i8
}
// check: func.func @known
// not: arith.min
// not: arith.max
// check: return %a, %a, %least, %a, %a, %most, %zero, %ones
// eval: @known(0) == (0, 0, -128, 0, 0, 127, 0, -1)
// eval: @known(-128) == (-128, -128, -128, -128, -128, 127, 0, -1)

func.func @known_unsigned(%a: i8) -> (i8, i8) {
  %zero = arith.constant 0 : i8
  %ones = arith.constant -1 : i8
  %p = arith.minui %a, %ones : i8
  %q = arith.maxui %a, %zero : i8
  return %p, %q : i8, i8
}
// check: func.func @known_unsigned(%a: i8)
// next: return %a, %a : i8, i8
// eval: @known_unsigned(-5) == (-5, -5)

// +∞ is neutral for `minnumf` only where no NaN comes in, so that it is kept.
func.func @neutral(%a: f32) -> (f32, f32) {
  %inf = arith.constant 0x7F800000 : f32
  %p = arith.minnumf %a, %inf : f32
  %q = arith.minimumf %a, %inf : f32
  return %p, %q : f32, f32
}
// eval: @neutral(3.0) == (3.0, 3.0)
// eval: @neutral(0x7FC00000) == (0x7F800000, 0x7FC00000)

func.func @folded() -> (f32, f32, f32, i8) {
  %m = arith.constant -0.0 : f32
  %z = arith.constant 0.0 : f32
  %n = arith.constant 0x7FC00000 : f32
  %a = arith.constant -1 : i8
  %b = arith.constant 1 : i8
  %p = arith.minimumf %z, %m : f32
  %q = arith.maximumf %m, %n : f32
  %r = arith.maxnumf %n, %z : f32
  %s = arith.minui %a, %b : i8
  return %p, %q, %r, %s : f32, f32, f32, i8
}
// check: func.func @folded
// not: arith.m
// check: return
// eval: @folded() == (-0.0, 0x7FC00000, 0.0, 1)
