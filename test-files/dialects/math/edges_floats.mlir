// Exact functions of floats at the ends of their formats: rounding, signs, classes.
// test: opt --pipeline="func.func(canonicalize)"

func.func @rounded(%x: f32) -> (f32, f32, f32, f32, f32) {
  %a = math.floor %x : f32
  %b = math.ceil %x : f32
  %c = math.trunc %x : f32
  %d = math.round %x : f32
  %e = math.roundeven %x : f32
  return %a, %b, %c, %d, %e : f32, f32, f32, f32, f32
}
// eval: @rounded(0.5) == (0.0, 1.0, 0.0, 1.0, 0.0)
// eval: @rounded(1.5) == (1.0, 2.0, 1.0, 2.0, 2.0)
// eval: @rounded(-0.5) == (-1.0, -0.0, -0.0, -1.0, -0.0)
// eval: @rounded(-1.5) == (-2.0, -1.0, -1.0, -2.0, -2.0)
// eval: @rounded(-0.0) == (-0.0, -0.0, -0.0, -0.0, -0.0)
// eval: @rounded(0.49999997) == (0.0, 1.0, 0.0, 0.0, 0.0)
// eval: @rounded(8388607.5) == (8388607.0, 8388608.0, 8388607.0, 8388608.0, 8388608.0)
// eval: @rounded(8388609.0) == (8388609.0, 8388609.0, 8388609.0, 8388609.0, 8388609.0)
// eval: @rounded(1.0e30) == (1.0e30, 1.0e30, 1.0e30, 1.0e30, 1.0e30)
// eval: @rounded(-0x7F800000) == (-0x7F800000, -0x7F800000, -0x7F800000, -0x7F800000, -0x7F800000)
// eval: @rounded(0x00000001) == (0.0, 1.0, 0.0, 0.0, 0.0)

func.func @rounded_double(%x: f64) -> (f64, f64, f64, f64, f64) {
  %a = math.floor %x : f64
  %b = math.ceil %x : f64
  %c = math.trunc %x : f64
  %d = math.round %x : f64
  %e = math.roundeven %x : f64
  return %a, %b, %c, %d, %e : f64, f64, f64, f64, f64
}
// eval: @rounded_double(0.49999999999999994) == (0.0, 1.0, 0.0, 0.0, 0.0)
// eval: @rounded_double(4503599627370495.5) == (4503599627370495.0, 4503599627370496.0, 4503599627370495.0, 4503599627370496.0, 4503599627370496.0)
// eval: @rounded_double(-2.5) == (-3.0, -2.0, -2.0, -3.0, -2.0)

func.func @signs(%x: f32, %y: f32) -> (f32, f32) {
  %a = math.absf %x : f32
  %b = math.copysign %x, %y : f32
  return %a, %b : f32, f32
}
// eval: @signs(-0.0, 1.0) == (0.0, 0.0)
// eval: @signs(0.0, -0.0) == (0.0, -0.0)
// eval: @signs(-2.5, -0.0) == (2.5, -2.5)
// eval: @signs(0xFFC00001, 1.0) == (0x7FC00001, 0x7FC00001)
// eval: @signs(-0x7F800000, 0x7FC00000) == (0x7F800000, 0x7F800000)

// Once rounded: the product of 1 + 2^-12 with itself less 1 keeps the last bit.
func.func @fma(%x: f32, %y: f32, %z: f32) -> (f32, f32) {
  %a = math.fma %x, %y, %z : f32
  %p = arith.mulf %x, %y : f32
  %b = arith.addf %p, %z : f32
  return %a, %b : f32, f32
}
// eval: @fma(0x3F800800, 0x3F800800, -0x3F801000) == (0x33800000, 0.0)
// eval: @fma(2.0, 3.0, 4.0) == (10.0, 10.0)
// eval: @fma(0.0, -1.0, 0.0) == (0.0, 0.0)
// eval: @fma(0.0, -1.0, -0.0) == (-0.0, -0.0)
// eval: @fma(3.0e38, 10.0, -0x7F7FFFFF) == (0x7F800000, 0x7F800000)
// eval: @fma(3.0e38, 2.0, -0x7F7FFFFF) == (259717653075346340000000000000000000000.0, 0x7F800000)

func.func @roots(%x: f64) -> f64 {
  %a = math.sqrt %x : f64
  return %a : f64
}
// eval: @roots(0.0) == 0.0
// eval: @roots(-0.0) == -0.0
// eval: @roots(2.0) == 0x3FF6A09E667F3BCD
// eval: @roots(0x7FF0000000000000) == 0x7FF0000000000000
// eval: @roots(0x0000000000000001) == 0x1E60000000000000

func.func @classes(%x: f32) -> (i1, i1, i1, i1) {
  %a = math.isfinite %x : f32
  %b = math.isinf %x : f32
  %c = math.isnan %x : f32
  %d = math.isnormal %x : f32
  return %a, %b, %c, %d : i1, i1, i1, i1
}
// eval: @classes(1.0) == (true, false, false, true)
// eval: @classes(-0.0) == (true, false, false, false)
// eval: @classes(0x007FFFFF) == (true, false, false, false)
// eval: @classes(0x00800000) == (true, false, false, true)
// eval: @classes(0x7F7FFFFF) == (true, false, false, true)
// eval: @classes(-0x7F800000) == (false, true, false, false)
// eval: @classes(0x7F800001) == (false, false, true, false)
// eval: @classes(0xFFFFFFFF) == (false, false, true, false)

func.func @classes_half(%x: f16) -> (i1, i1, i1, i1) {
  %a = math.isfinite %x : f16
  %b = math.isinf %x : f16
  %c = math.isnan %x : f16
  %d = math.isnormal %x : f16
  return %a, %b, %c, %d : i1, i1, i1, i1
}
// eval: @classes_half(65504.0) == (true, false, false, true)
// eval: @classes_half(0x0001) == (true, false, false, false)
// eval: @classes_half(0x7C00) == (false, true, false, false)
// eval: @classes_half(0x7C01) == (false, false, true, false)

// Kept between two bounds: NaN stays NaN.
func.func @clamped(%x: f32, %low: f32, %high: f32) -> f32 {
  %a = math.clampf %x to [%low, %high] : f32
  return %a : f32
}
// eval: @clamped(0.5, 0.0, 1.0) == 0.5
// eval: @clamped(-0.5, 0.0, 1.0) == 0.0
// eval: @clamped(1.5, 0.0, 1.0) == 1.0
// eval: @clamped(0x7FC00000, 0.0, 1.0) == 0x7FC00000
// eval: @clamped(0x7F800000, -1.0, 1.0) == 1.0
