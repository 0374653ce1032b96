// test: opt --pipeline=canonicalize

// Functions of reals, to a millionth: libraries differ in the last bit. Constants are folded, and no op is left of them.
func.func private @near(%a: f32, %b: f32) -> i1 {
  %d = arith.subf %a, %b : f32
  %e = math.absf %d : f32
  %limit = arith.constant 1.0e-6 : f32
  %near = arith.cmpf ole, %e, %limit : f32
  return %near : i1
}
func.func @acos(%x: f32, %wanted: f32) -> i1 {
  %r = math.acos %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
func.func @acos_folded(%wanted: f32) -> i1 {
  %x = arith.constant 0.625 : f32
  %r = math.acos %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
// eval: @acos(0.625, 0.895664793857865) == true
// eval: @acos_folded(0.895664793857865) == true
// check: func.func @acos_folded
// not: math.
// check: return
func.func @acosh(%x: f32, %wanted: f32) -> i1 {
  %r = math.acosh %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
func.func @acosh_folded(%wanted: f32) -> i1 {
  %x = arith.constant 2.5 : f32
  %r = math.acosh %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
// eval: @acosh(2.5, 1.566799236972411) == true
// eval: @acosh_folded(1.566799236972411) == true
// check: func.func @acosh_folded
// not: math.
// check: return
func.func @asin(%x: f32, %wanted: f32) -> i1 {
  %r = math.asin %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
func.func @asin_folded(%wanted: f32) -> i1 {
  %x = arith.constant 0.625 : f32
  %r = math.asin %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
// eval: @asin(0.625, 0.6751315329370317) == true
// eval: @asin_folded(0.6751315329370317) == true
// check: func.func @asin_folded
// not: math.
// check: return
func.func @asinh(%x: f32, %wanted: f32) -> i1 {
  %r = math.asinh %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
func.func @asinh_folded(%wanted: f32) -> i1 {
  %x = arith.constant 0.625 : f32
  %r = math.asinh %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
// eval: @asinh(0.625, 0.590143685781959) == true
// eval: @asinh_folded(0.590143685781959) == true
// check: func.func @asinh_folded
// not: math.
// check: return
func.func @atan(%x: f32, %wanted: f32) -> i1 {
  %r = math.atan %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
func.func @atan_folded(%wanted: f32) -> i1 {
  %x = arith.constant 0.625 : f32
  %r = math.atan %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
// eval: @atan(0.625, 0.5585993153435624) == true
// eval: @atan_folded(0.5585993153435624) == true
// check: func.func @atan_folded
// not: math.
// check: return
func.func @atanh(%x: f32, %wanted: f32) -> i1 {
  %r = math.atanh %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
func.func @atanh_folded(%wanted: f32) -> i1 {
  %x = arith.constant 0.625 : f32
  %r = math.atanh %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
// eval: @atanh(0.625, 0.7331685343967136) == true
// eval: @atanh_folded(0.7331685343967136) == true
// check: func.func @atanh_folded
// not: math.
// check: return
func.func @cbrt(%x: f32, %wanted: f32) -> i1 {
  %r = math.cbrt %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
func.func @cbrt_folded(%wanted: f32) -> i1 {
  %x = arith.constant 0.625 : f32
  %r = math.cbrt %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
// eval: @cbrt(0.625, 0.8549879733383485) == true
// eval: @cbrt_folded(0.8549879733383485) == true
// check: func.func @cbrt_folded
// not: math.
// check: return
func.func @cos(%x: f32, %wanted: f32) -> i1 {
  %r = math.cos %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
func.func @cos_folded(%wanted: f32) -> i1 {
  %x = arith.constant 0.625 : f32
  %r = math.cos %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
// eval: @cos(0.625, 0.8109631195052179) == true
// eval: @cos_folded(0.8109631195052179) == true
// check: func.func @cos_folded
// not: math.
// check: return
func.func @cosh(%x: f32, %wanted: f32) -> i1 {
  %r = math.cosh %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
func.func @cosh_folded(%wanted: f32) -> i1 {
  %x = arith.constant 0.625 : f32
  %r = math.cosh %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
// eval: @cosh(0.625, 1.2017536929756063) == true
// eval: @cosh_folded(1.2017536929756063) == true
// check: func.func @cosh_folded
// not: math.
// check: return
func.func @erf(%x: f32, %wanted: f32) -> i1 {
  %r = math.erf %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
func.func @erf_folded(%wanted: f32) -> i1 {
  %x = arith.constant 0.625 : f32
  %r = math.erf %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
// eval: @erf(0.625, 0.623240882188418) == true
// eval: @erf_folded(0.623240882188418) == true
// check: func.func @erf_folded
// not: math.
// check: return
func.func @erfc(%x: f32, %wanted: f32) -> i1 {
  %r = math.erfc %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
func.func @erfc_folded(%wanted: f32) -> i1 {
  %x = arith.constant 0.625 : f32
  %r = math.erfc %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
// eval: @erfc(0.625, 0.376759117811582) == true
// eval: @erfc_folded(0.376759117811582) == true
// check: func.func @erfc_folded
// not: math.
// check: return
func.func @exp(%x: f32, %wanted: f32) -> i1 {
  %r = math.exp %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
func.func @exp_folded(%wanted: f32) -> i1 {
  %x = arith.constant 0.625 : f32
  %r = math.exp %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
// eval: @exp(0.625, 1.8682459574322223) == true
// eval: @exp_folded(1.8682459574322223) == true
// check: func.func @exp_folded
// not: math.
// check: return
func.func @exp2(%x: f32, %wanted: f32) -> i1 {
  %r = math.exp2 %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
func.func @exp2_folded(%wanted: f32) -> i1 {
  %x = arith.constant 0.625 : f32
  %r = math.exp2 %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
// eval: @exp2(0.625, 1.5422108254079407) == true
// eval: @exp2_folded(1.5422108254079407) == true
// check: func.func @exp2_folded
// not: math.
// check: return
func.func @expm1(%x: f32, %wanted: f32) -> i1 {
  %r = math.expm1 %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
func.func @expm1_folded(%wanted: f32) -> i1 {
  %x = arith.constant 0.625 : f32
  %r = math.expm1 %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
// eval: @expm1(0.625, 0.8682459574322224) == true
// eval: @expm1_folded(0.8682459574322224) == true
// check: func.func @expm1_folded
// not: math.
// check: return
func.func @log(%x: f32, %wanted: f32) -> i1 {
  %r = math.log %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
func.func @log_folded(%wanted: f32) -> i1 {
  %x = arith.constant 0.625 : f32
  %r = math.log %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
// eval: @log(0.625, -0.4700036292457356) == true
// eval: @log_folded(-0.4700036292457356) == true
// check: func.func @log_folded
// not: math.
// check: return
func.func @log10(%x: f32, %wanted: f32) -> i1 {
  %r = math.log10 %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
func.func @log10_folded(%wanted: f32) -> i1 {
  %x = arith.constant 0.625 : f32
  %r = math.log10 %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
// eval: @log10(0.625, -0.2041199826559248) == true
// eval: @log10_folded(-0.2041199826559248) == true
// check: func.func @log10_folded
// not: math.
// check: return
func.func @log1p(%x: f32, %wanted: f32) -> i1 {
  %r = math.log1p %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
func.func @log1p_folded(%wanted: f32) -> i1 {
  %x = arith.constant 0.625 : f32
  %r = math.log1p %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
// eval: @log1p(0.625, 0.48550781578170077) == true
// eval: @log1p_folded(0.48550781578170077) == true
// check: func.func @log1p_folded
// not: math.
// check: return
func.func @log2(%x: f32, %wanted: f32) -> i1 {
  %r = math.log2 %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
func.func @log2_folded(%wanted: f32) -> i1 {
  %x = arith.constant 0.625 : f32
  %r = math.log2 %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
// eval: @log2(0.625, -0.6780719051126377) == true
// eval: @log2_folded(-0.6780719051126377) == true
// check: func.func @log2_folded
// not: math.
// check: return
func.func @rsqrt(%x: f32, %wanted: f32) -> i1 {
  %r = math.rsqrt %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
func.func @rsqrt_folded(%wanted: f32) -> i1 {
  %x = arith.constant 0.625 : f32
  %r = math.rsqrt %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
// eval: @rsqrt(0.625, 1.2649110640673518) == true
// eval: @rsqrt_folded(1.2649110640673518) == true
// check: func.func @rsqrt_folded
// not: math.
// check: return
func.func @sin(%x: f32, %wanted: f32) -> i1 {
  %r = math.sin %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
func.func @sin_folded(%wanted: f32) -> i1 {
  %x = arith.constant 0.625 : f32
  %r = math.sin %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
// eval: @sin(0.625, 0.5850972729404622) == true
// eval: @sin_folded(0.5850972729404622) == true
// check: func.func @sin_folded
// not: math.
// check: return
func.func @sinh(%x: f32, %wanted: f32) -> i1 {
  %r = math.sinh %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
func.func @sinh_folded(%wanted: f32) -> i1 {
  %x = arith.constant 0.625 : f32
  %r = math.sinh %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
// eval: @sinh(0.625, 0.666492264456616) == true
// eval: @sinh_folded(0.666492264456616) == true
// check: func.func @sinh_folded
// not: math.
// check: return
func.func @tan(%x: f32, %wanted: f32) -> i1 {
  %r = math.tan %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
func.func @tan_folded(%wanted: f32) -> i1 {
  %x = arith.constant 0.625 : f32
  %r = math.tan %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
// eval: @tan(0.625, 0.7214844409909045) == true
// eval: @tan_folded(0.7214844409909045) == true
// check: func.func @tan_folded
// not: math.
// check: return
func.func @tanh(%x: f32, %wanted: f32) -> i1 {
  %r = math.tanh %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
func.func @tanh_folded(%wanted: f32) -> i1 {
  %x = arith.constant 0.625 : f32
  %r = math.tanh %x : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
// eval: @tanh(0.625, 0.5545997223493823) == true
// eval: @tanh_folded(0.5545997223493823) == true
// check: func.func @tanh_folded
// not: math.
// check: return
func.func @two(%x: f32, %y: f32, %wanted: f32) -> i1 {
  %r = math.atan2 %x, %y : f32
  %near = func.call @near(%r, %wanted) : (f32, f32) -> i1
  return %near : i1
}
// eval: @two(1.0, -2.0, 2.677945044588987) == true
// eval: @two(-0.0, -1.0, -3.141592653589793) == true

func.func @constants(%wanted: f32, %power: f32) -> (i1, i1, f32, f32, f32, i1) {
  %x = arith.constant -2.5 : f32
  %y = arith.constant 0.625 : f32
  %a = math.absf %x : f32
  %b = math.ceil %x : f32
  %c = math.trunc %x : f32
  %d = math.isnormal %x : f32
  %e = math.atan2 %y, %x : f32
  %f = math.powf %y, %x : f32
  %g = func.call @near(%e, %wanted) : (f32, f32) -> i1
  %h = func.call @near(%f, %power) : (f32, f32) -> i1
  return %g, %h, %a, %b, %c, %d : i1, i1, f32, f32, f32, i1
}
// eval: @constants(2.896613990462929, 3.2381723240124205) == (true, true, 2.5, -2.0, -2.0, true)
// check: func.func @constants
// not: math.
// check: return
