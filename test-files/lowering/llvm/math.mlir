// test: opt --pipeline="convert-scf-to-cf"
// not: scf.

// Formats with few bits: rounded once, from f64 too.
func.func @narrow(%x: f64) -> (f16, bf16, f32) {
  %a = arith.truncf %x : f64 to f16
  %b = arith.truncf %x : f64 to bf16
  %c = arith.mulf %b, %b : bf16
  %d = arith.extf %c : bf16 to f32
  return %a, %b, %d : f16, bf16, f32
}
// eval: @narrow(1.0) == (1.000000e+00, 1.000000e+00, 1.000000e+00)
// eval: @narrow(1.001953126) == (1.001953e+00, 1.000000e+00, 1.000000e+00)
// eval: @narrow(1.00390625000001) == (1.003906e+00, 1.007812e+00, 1.015625e+00)

func.func @rounded(%x: f32) -> (f32, f32, f32, f32, f32) {
  %a = math.floor %x : f32
  %b = math.ceil %x : f32
  %c = math.trunc %x : f32
  %d = math.round %x : f32
  %e = math.roundeven %x : f32
  return %a, %b, %c, %d, %e : f32, f32, f32, f32, f32
}
// eval: @rounded(2.5) == (2.000000e+00, 3.000000e+00, 2.000000e+00, 3.000000e+00, 2.000000e+00)
// eval: @rounded(-2.5) == (-3.000000e+00, -2.000000e+00, -2.000000e+00, -3.000000e+00, -2.000000e+00)

func.func @exact(%x: f32, %y: f32, %z: f32) -> (f32, f32, f32, f32, f32) {
  %a = math.absf %x : f32
  %b = math.copysign %x, %y : f32
  %c = math.fma %x, %y, %z : f32
  %d = math.sqrt %a : f32
  %e = math.clampf %x to [%y, %z] : f32
  return %a, %b, %c, %d, %e : f32, f32, f32, f32, f32
}
// eval: @exact(4.0, -2.0, 3.0) == (4.000000e+00, -4.000000e+00, -5.000000e+00, 2.000000e+00, 3.000000e+00)
// eval: @exact(-9.0, -2.0, 3.0) == (9.000000e+00, -9.000000e+00, 2.100000e+01, 3.000000e+00, -2.000000e+00)

func.func @bits(%x: i8) -> (i8, i8, i8, i8) {
  %a = math.absi %x : i8
  %b = math.ctlz %x : i8
  %c = math.cttz %x : i8
  %d = math.ctpop %x : i8
  return %a, %b, %c, %d : i8, i8, i8, i8
}
// eval: @bits(0) == (0, 8, 8, 0)
// eval: @bits(-128) == (-128, 0, 7, 1)
// eval: @bits(20) == (20, 3, 2, 2)

func.func @questions(%x: f32) -> (i1, i1, i1, i1) {
  %a = math.isfinite %x : f32
  %b = math.isinf %x : f32
  %c = math.isnan %x : f32
  %d = math.isnormal %x : f32
  return %a, %b, %c, %d : i1, i1, i1, i1
}
// eval: @questions(1.5) == (true, false, false, true)
// eval: @questions(0.0) == (true, false, false, false)
// eval: @questions(0x7F800000) == (false, true, false, false)
// eval: @questions(0x7FC00000) == (false, false, true, false)

// Extremes and NaN, divisions that round.
func.func @extremes(%x: f32, %y: f32) -> (f32, f32, f32, f32) {
  %a = arith.maximumf %x, %y : f32
  %b = arith.maxnumf %x, %y : f32
  %c = arith.minimumf %x, %y : f32
  %d = arith.minnumf %x, %y : f32
  return %a, %b, %c, %d : f32, f32, f32, f32
}
// eval: @extremes(1.0, 2.0) == (2.000000e+00, 2.000000e+00, 1.000000e+00, 1.000000e+00)
// eval: @extremes(1.0, 0x7FC00000) == (0x7FC00000, 1.000000e+00, 0x7FC00000, 1.000000e+00)
func.func @divisions(%x: i8, %y: i8) -> (i8, i8, i8, i8) {
  %a = arith.ceildivsi %x, %y : i8
  %b = arith.floordivsi %x, %y : i8
  %c = arith.ceildivui %x, %y : i8
  %d = arith.remsi %x, %y : i8
  return %a, %b, %c, %d : i8, i8, i8, i8
}
// eval: @divisions(7, 2) == (4, 3, 4, 1)
// eval: @divisions(-7, 2) == (-3, -4, 125, -1)
// eval: @divisions(7, -2) == (-3, -4, 1, 1)
// eval: @divisions(-128, 127) == (-1, -2, 2, -1)
// eval: @divisions(127, -128) == (0, -1, 1, 127)

// Halves of products and carries.
func.func @extended(%x: i8, %y: i8) -> (i8, i8, i8, i8, i8, i1) {
  %a, %b = arith.mulsi_extended %x, %y : i8
  %c, %d = arith.mului_extended %x, %y : i8
  %e, %f = arith.addui_extended %x, %y : i8, i1
  return %a, %b, %c, %d, %e, %f : i8, i8, i8, i8, i8, i1
}
// eval: @extended(-1, -1) == (1, 0, 1, -2, -2, true)
// eval: @extended(100, 3) == (44, 1, 44, 1, 103, false)
