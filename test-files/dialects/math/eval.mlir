// test: round-trip

// Exact ones.
func.func @exact(%x: f32) -> (f32, f32, f32, f32, f32, f32, f32) {
  %a = math.absf %x : f32
  %b = math.floor %x : f32
  %c = math.ceil %x : f32
  %d = math.round %x : f32
  %e = math.roundeven %x : f32
  %f = math.trunc %x : f32
  %g = math.sqrt %a : f32
  return %a, %b, %c, %d, %e, %f, %g : f32, f32, f32, f32, f32, f32, f32
}
// eval: @exact(-6.25) == (6.25, -7.0, -6.0, -6.0, -6.0, -6.0, 2.5)
// eval: @exact(2.5) == (2.5, 2.0, 3.0, 3.0, 2.0, 2.0, 0x3FCA62C2)

// The rest, by the last bit where the value is known.
func.func @functions(%x: f64) -> (f64, f64, f64, f64, f64, f64, f64) {
  %a = math.exp %x : f64
  %b = math.log1p %x : f64
  %c = math.sin %x : f64
  %d = math.cos %x : f64
  %e = math.tanh %x : f64
  %f = math.erf %x : f64
  %g = math.rsqrt %x : f64
  return %a, %b, %c, %d, %e, %f, %g : f64, f64, f64, f64, f64, f64, f64
}
// eval: @functions(0.0) == (1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0x7FF0000000000000)

func.func @halves(%x: f16, %y: bf16) -> (f16, bf16) {
  %a = math.exp2 %x : f16
  %b = math.log2 %y : bf16
  return %a, %b : f16, bf16
}
// eval: @halves(3.0, 0.5) == (8.0, -1.0)
// eval: @halves(16.0, 0.0) == (0x7C00, 0xFF80)

func.func @several(%x: f32, %y: f32, %n: i32) -> (f32, f32, f32, f32, f32) {
  %a = math.powf %x, %y : f32
  %b = math.fpowi %x, %n : f32, i32
  %c = math.copysign %x, %y : f32
  %d = math.clampf %x to [%y, %x] : f32
  %e = math.fma %x, %y, %x : f32
  return %a, %b, %c, %d, %e : f32, f32, f32, f32, f32
}
// eval: @several(2.0, -1.0, 3) == (0.5, 8.0, -2.0, 2.0, 0.0)
// eval: @several(-2.0, 3.0, -3) == (-8.0, -0.125, 2.0, -2.0, -8.0)

func.func @both(%x: vector<2xf32>) -> (vector<2xf32>, vector<2xf32>) {
  %s, %c = math.sincos %x : vector<2xf32>
  return %s, %c : vector<2xf32>, vector<2xf32>
}
// eval: @both([0.0, 0.0]) == ([0.0, 0.0], [1.0, 1.0])

func.func @ints(%x: i8, %n: i8) -> (i8, i8, i8, i8, i8) {
  %a = math.absi %x : i8
  %b = math.ctlz %x : i8
  %c = math.cttz %x : i8
  %d = math.ctpop %x : i8
  %e = math.ipowi %x, %n : i8
  return %a, %b, %c, %d, %e : i8, i8, i8, i8, i8
}
// eval: @ints(-128, 2) == (-128, 0, 7, 1, 0)
// eval: @ints(3, 5) == (3, 6, 0, 2, -13)
// eval: @ints(0, 0) == (0, 8, 8, 0, 1)
// eval: @ints(-1, -3) == (1, 0, 0, 8, -1)
// eval: @ints(0, -1) == trap E0301

func.func @questions(%x: f32) -> (i1, i1, i1, i1) {
  %a = math.isfinite %x : f32
  %b = math.isinf %x : f32
  %c = math.isnan %x : f32
  %d = math.isnormal %x : f32
  return %a, %b, %c, %d : i1, i1, i1, i1
}
// eval: @questions(1.0) == (true, false, false, true)
// eval: @questions(0x00000001) == (true, false, false, false)
// eval: @questions(0x7F800000) == (false, true, false, false)
// eval: @questions(0x7FC00000) == (false, false, true, false)
// eval: @questions(poison) == (poison, poison, poison, poison)

// What a flag promises and does not hold is poison.
func.func @promise(%x: f32) -> f32 {
  %r = math.log %x fastmath<ninf> : f32
  return %r : f32
}
// eval: @promise(1.0) == 0.0
// eval: @promise(0.0) == poison
