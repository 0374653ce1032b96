// test: opt --pipeline=canonicalize

// Functions of reals in f32: computed in f64 and rounded once.
func.func @acos(%x: f32) -> f32 {
  %r = math.acos %x : f32
  return %r : f32
}
// eval: @acos(0.5) == 1.0471975511965979
func.func @acosh(%x: f32) -> f32 {
  %r = math.acosh %x : f32
  return %r : f32
}
// eval: @acosh(2.0) == 1.3169578969248166
func.func @asin(%x: f32) -> f32 {
  %r = math.asin %x : f32
  return %r : f32
}
// eval: @asin(0.5) == 0.5235987755982989
func.func @asinh(%x: f32) -> f32 {
  %r = math.asinh %x : f32
  return %r : f32
}
// eval: @asinh(0.5) == 0.48121182505960347
func.func @atan(%x: f32) -> f32 {
  %r = math.atan %x : f32
  return %r : f32
}
// eval: @atan(0.5) == 0.4636476090008061
func.func @atanh(%x: f32) -> f32 {
  %r = math.atanh %x : f32
  return %r : f32
}
// eval: @atanh(0.5) == 0.5493061443340548
func.func @cbrt(%x: f32) -> f32 {
  %r = math.cbrt %x : f32
  return %r : f32
}
// eval: @cbrt(10.0) == 2.154434690031884
func.func @cosh(%x: f32) -> f32 {
  %r = math.cosh %x : f32
  return %r : f32
}
// eval: @cosh(0.5) == 1.1276259652063807
func.func @erfc(%x: f32) -> f32 {
  %r = math.erfc %x : f32
  return %r : f32
}
// eval: @erfc(0.5) == 0.4795001221869535
func.func @expm1(%x: f32) -> f32 {
  %r = math.expm1 %x : f32
  return %r : f32
}
// eval: @expm1(0.5) == 0.6487212707001282
func.func @log10(%x: f32) -> f32 {
  %r = math.log10 %x : f32
  return %r : f32
}
// eval: @log10(50.0) == 1.6989700043360187
func.func @sinh(%x: f32) -> f32 {
  %r = math.sinh %x : f32
  return %r : f32
}
// eval: @sinh(0.5) == 0.5210953054937474
func.func @tan(%x: f32) -> f32 {
  %r = math.tan %x : f32
  return %r : f32
}
// eval: @tan(0.5) == 0.5463024898437905
func.func @atan2(%x: f32, %y: f32) -> f32 {
  %r = math.atan2 %x, %y : f32
  return %r : f32
}
// eval: @atan2(1.0, -2.0) == 2.677945044588987
// eval: @atan2(-0.0, -1.0) == -3.141592653589793

// Of constants they are folded to the same: the run leaves none of them.
func.func @acos_folded() -> i1 {
  %x = arith.constant 0.625 : f32
  %a = math.acos %x : f32
  %b = func.call @of_acos(%x) : (f32) -> f32
  %same = arith.cmpf oeq, %a, %b : f32
  return %same : i1
}
func.func private @of_acos(%x: f32) -> f32 {
  %r = math.acos %x : f32
  return %r : f32
}
// eval: @acos_folded() == true
// check: func.func @acos_folded
// not: math.
// check: func.func private @of_acos
func.func @asin_folded() -> i1 {
  %x = arith.constant 0.625 : f32
  %a = math.asin %x : f32
  %b = func.call @of_asin(%x) : (f32) -> f32
  %same = arith.cmpf oeq, %a, %b : f32
  return %same : i1
}
func.func private @of_asin(%x: f32) -> f32 {
  %r = math.asin %x : f32
  return %r : f32
}
// eval: @asin_folded() == true
// check: func.func @asin_folded
// not: math.
// check: func.func private @of_asin
func.func @asinh_folded() -> i1 {
  %x = arith.constant 0.625 : f32
  %a = math.asinh %x : f32
  %b = func.call @of_asinh(%x) : (f32) -> f32
  %same = arith.cmpf oeq, %a, %b : f32
  return %same : i1
}
func.func private @of_asinh(%x: f32) -> f32 {
  %r = math.asinh %x : f32
  return %r : f32
}
// eval: @asinh_folded() == true
// check: func.func @asinh_folded
// not: math.
// check: func.func private @of_asinh
func.func @atan_folded() -> i1 {
  %x = arith.constant 0.625 : f32
  %a = math.atan %x : f32
  %b = func.call @of_atan(%x) : (f32) -> f32
  %same = arith.cmpf oeq, %a, %b : f32
  return %same : i1
}
func.func private @of_atan(%x: f32) -> f32 {
  %r = math.atan %x : f32
  return %r : f32
}
// eval: @atan_folded() == true
// check: func.func @atan_folded
// not: math.
// check: func.func private @of_atan
func.func @atanh_folded() -> i1 {
  %x = arith.constant 0.625 : f32
  %a = math.atanh %x : f32
  %b = func.call @of_atanh(%x) : (f32) -> f32
  %same = arith.cmpf oeq, %a, %b : f32
  return %same : i1
}
func.func private @of_atanh(%x: f32) -> f32 {
  %r = math.atanh %x : f32
  return %r : f32
}
// eval: @atanh_folded() == true
// check: func.func @atanh_folded
// not: math.
// check: func.func private @of_atanh
func.func @cbrt_folded() -> i1 {
  %x = arith.constant 0.625 : f32
  %a = math.cbrt %x : f32
  %b = func.call @of_cbrt(%x) : (f32) -> f32
  %same = arith.cmpf oeq, %a, %b : f32
  return %same : i1
}
func.func private @of_cbrt(%x: f32) -> f32 {
  %r = math.cbrt %x : f32
  return %r : f32
}
// eval: @cbrt_folded() == true
// check: func.func @cbrt_folded
// not: math.
// check: func.func private @of_cbrt
func.func @cos_folded() -> i1 {
  %x = arith.constant 0.625 : f32
  %a = math.cos %x : f32
  %b = func.call @of_cos(%x) : (f32) -> f32
  %same = arith.cmpf oeq, %a, %b : f32
  return %same : i1
}
func.func private @of_cos(%x: f32) -> f32 {
  %r = math.cos %x : f32
  return %r : f32
}
// eval: @cos_folded() == true
// check: func.func @cos_folded
// not: math.
// check: func.func private @of_cos
func.func @cosh_folded() -> i1 {
  %x = arith.constant 0.625 : f32
  %a = math.cosh %x : f32
  %b = func.call @of_cosh(%x) : (f32) -> f32
  %same = arith.cmpf oeq, %a, %b : f32
  return %same : i1
}
func.func private @of_cosh(%x: f32) -> f32 {
  %r = math.cosh %x : f32
  return %r : f32
}
// eval: @cosh_folded() == true
// check: func.func @cosh_folded
// not: math.
// check: func.func private @of_cosh
func.func @erf_folded() -> i1 {
  %x = arith.constant 0.625 : f32
  %a = math.erf %x : f32
  %b = func.call @of_erf(%x) : (f32) -> f32
  %same = arith.cmpf oeq, %a, %b : f32
  return %same : i1
}
func.func private @of_erf(%x: f32) -> f32 {
  %r = math.erf %x : f32
  return %r : f32
}
// eval: @erf_folded() == true
// check: func.func @erf_folded
// not: math.
// check: func.func private @of_erf
func.func @erfc_folded() -> i1 {
  %x = arith.constant 0.625 : f32
  %a = math.erfc %x : f32
  %b = func.call @of_erfc(%x) : (f32) -> f32
  %same = arith.cmpf oeq, %a, %b : f32
  return %same : i1
}
func.func private @of_erfc(%x: f32) -> f32 {
  %r = math.erfc %x : f32
  return %r : f32
}
// eval: @erfc_folded() == true
// check: func.func @erfc_folded
// not: math.
// check: func.func private @of_erfc
func.func @exp_folded() -> i1 {
  %x = arith.constant 0.625 : f32
  %a = math.exp %x : f32
  %b = func.call @of_exp(%x) : (f32) -> f32
  %same = arith.cmpf oeq, %a, %b : f32
  return %same : i1
}
func.func private @of_exp(%x: f32) -> f32 {
  %r = math.exp %x : f32
  return %r : f32
}
// eval: @exp_folded() == true
// check: func.func @exp_folded
// not: math.
// check: func.func private @of_exp
func.func @exp2_folded() -> i1 {
  %x = arith.constant 0.625 : f32
  %a = math.exp2 %x : f32
  %b = func.call @of_exp2(%x) : (f32) -> f32
  %same = arith.cmpf oeq, %a, %b : f32
  return %same : i1
}
func.func private @of_exp2(%x: f32) -> f32 {
  %r = math.exp2 %x : f32
  return %r : f32
}
// eval: @exp2_folded() == true
// check: func.func @exp2_folded
// not: math.
// check: func.func private @of_exp2
func.func @expm1_folded() -> i1 {
  %x = arith.constant 0.625 : f32
  %a = math.expm1 %x : f32
  %b = func.call @of_expm1(%x) : (f32) -> f32
  %same = arith.cmpf oeq, %a, %b : f32
  return %same : i1
}
func.func private @of_expm1(%x: f32) -> f32 {
  %r = math.expm1 %x : f32
  return %r : f32
}
// eval: @expm1_folded() == true
// check: func.func @expm1_folded
// not: math.
// check: func.func private @of_expm1
func.func @log_folded() -> i1 {
  %x = arith.constant 0.625 : f32
  %a = math.log %x : f32
  %b = func.call @of_log(%x) : (f32) -> f32
  %same = arith.cmpf oeq, %a, %b : f32
  return %same : i1
}
func.func private @of_log(%x: f32) -> f32 {
  %r = math.log %x : f32
  return %r : f32
}
// eval: @log_folded() == true
// check: func.func @log_folded
// not: math.
// check: func.func private @of_log
func.func @log10_folded() -> i1 {
  %x = arith.constant 0.625 : f32
  %a = math.log10 %x : f32
  %b = func.call @of_log10(%x) : (f32) -> f32
  %same = arith.cmpf oeq, %a, %b : f32
  return %same : i1
}
func.func private @of_log10(%x: f32) -> f32 {
  %r = math.log10 %x : f32
  return %r : f32
}
// eval: @log10_folded() == true
// check: func.func @log10_folded
// not: math.
// check: func.func private @of_log10
func.func @log1p_folded() -> i1 {
  %x = arith.constant 0.625 : f32
  %a = math.log1p %x : f32
  %b = func.call @of_log1p(%x) : (f32) -> f32
  %same = arith.cmpf oeq, %a, %b : f32
  return %same : i1
}
func.func private @of_log1p(%x: f32) -> f32 {
  %r = math.log1p %x : f32
  return %r : f32
}
// eval: @log1p_folded() == true
// check: func.func @log1p_folded
// not: math.
// check: func.func private @of_log1p
func.func @log2_folded() -> i1 {
  %x = arith.constant 0.625 : f32
  %a = math.log2 %x : f32
  %b = func.call @of_log2(%x) : (f32) -> f32
  %same = arith.cmpf oeq, %a, %b : f32
  return %same : i1
}
func.func private @of_log2(%x: f32) -> f32 {
  %r = math.log2 %x : f32
  return %r : f32
}
// eval: @log2_folded() == true
// check: func.func @log2_folded
// not: math.
// check: func.func private @of_log2
func.func @rsqrt_folded() -> i1 {
  %x = arith.constant 0.625 : f32
  %a = math.rsqrt %x : f32
  %b = func.call @of_rsqrt(%x) : (f32) -> f32
  %same = arith.cmpf oeq, %a, %b : f32
  return %same : i1
}
func.func private @of_rsqrt(%x: f32) -> f32 {
  %r = math.rsqrt %x : f32
  return %r : f32
}
// eval: @rsqrt_folded() == true
// check: func.func @rsqrt_folded
// not: math.
// check: func.func private @of_rsqrt
func.func @sin_folded() -> i1 {
  %x = arith.constant 0.625 : f32
  %a = math.sin %x : f32
  %b = func.call @of_sin(%x) : (f32) -> f32
  %same = arith.cmpf oeq, %a, %b : f32
  return %same : i1
}
func.func private @of_sin(%x: f32) -> f32 {
  %r = math.sin %x : f32
  return %r : f32
}
// eval: @sin_folded() == true
// check: func.func @sin_folded
// not: math.
// check: func.func private @of_sin
func.func @sinh_folded() -> i1 {
  %x = arith.constant 0.625 : f32
  %a = math.sinh %x : f32
  %b = func.call @of_sinh(%x) : (f32) -> f32
  %same = arith.cmpf oeq, %a, %b : f32
  return %same : i1
}
func.func private @of_sinh(%x: f32) -> f32 {
  %r = math.sinh %x : f32
  return %r : f32
}
// eval: @sinh_folded() == true
// check: func.func @sinh_folded
// not: math.
// check: func.func private @of_sinh
func.func @tan_folded() -> i1 {
  %x = arith.constant 0.625 : f32
  %a = math.tan %x : f32
  %b = func.call @of_tan(%x) : (f32) -> f32
  %same = arith.cmpf oeq, %a, %b : f32
  return %same : i1
}
func.func private @of_tan(%x: f32) -> f32 {
  %r = math.tan %x : f32
  return %r : f32
}
// eval: @tan_folded() == true
// check: func.func @tan_folded
// not: math.
// check: func.func private @of_tan
func.func @tanh_folded() -> i1 {
  %x = arith.constant 0.625 : f32
  %a = math.tanh %x : f32
  %b = func.call @of_tanh(%x) : (f32) -> f32
  %same = arith.cmpf oeq, %a, %b : f32
  return %same : i1
}
func.func private @of_tanh(%x: f32) -> f32 {
  %r = math.tanh %x : f32
  return %r : f32
}
// eval: @tanh_folded() == true
// check: func.func @tanh_folded
// not: math.
// check: func.func private @of_tanh
func.func @absf_folded() -> i1 {
  %x = arith.constant 0.625 : f32
  %a = math.absf %x : f32
  %b = func.call @of_absf(%x) : (f32) -> f32
  %same = arith.cmpf oeq, %a, %b : f32
  return %same : i1
}
func.func private @of_absf(%x: f32) -> f32 {
  %r = math.absf %x : f32
  return %r : f32
}
// eval: @absf_folded() == true
// check: func.func @absf_folded
// not: math.
// check: func.func private @of_absf
func.func @ceil_folded() -> i1 {
  %x = arith.constant 0.625 : f32
  %a = math.ceil %x : f32
  %b = func.call @of_ceil(%x) : (f32) -> f32
  %same = arith.cmpf oeq, %a, %b : f32
  return %same : i1
}
func.func private @of_ceil(%x: f32) -> f32 {
  %r = math.ceil %x : f32
  return %r : f32
}
// eval: @ceil_folded() == true
// check: func.func @ceil_folded
// not: math.
// check: func.func private @of_ceil
func.func @trunc_folded() -> i1 {
  %x = arith.constant 0.625 : f32
  %a = math.trunc %x : f32
  %b = func.call @of_trunc(%x) : (f32) -> f32
  %same = arith.cmpf oeq, %a, %b : f32
  return %same : i1
}
func.func private @of_trunc(%x: f32) -> f32 {
  %r = math.trunc %x : f32
  return %r : f32
}
// eval: @trunc_folded() == true
// check: func.func @trunc_folded
// not: math.
// check: func.func private @of_trunc
func.func @acosh_folded() -> i1 {
  %x = arith.constant 2.5 : f32
  %a = math.acosh %x : f32
  %b = func.call @of_acosh(%x) : (f32) -> f32
  %same = arith.cmpf oeq, %a, %b : f32
  return %same : i1
}
func.func private @of_acosh(%x: f32) -> f32 {
  %r = math.acosh %x : f32
  return %r : f32
}
// eval: @acosh_folded() == true
// check: func.func @acosh_folded
// not: math.
// check: func.func private @of_acosh
func.func @of_two() -> (f32, f32, i1) {
  %x = arith.constant 0.625 : f32
  %y = arith.constant -2.5 : f32
  %a = math.atan2 %x, %y : f32
  %b = math.powf %x, %y : f32
  %c = math.isnormal %x : f32
  return %a, %b, %c : f32, f32, i1
}
// eval: @of_two() == (2.896613990462929, 3.2381723240124205, true)
// check: func.func @of_two
// not: math.
