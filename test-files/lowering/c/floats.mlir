// test: opt --emit=openmp
// Arithmetic of floats in C: extremes state what NaN and the two zeros give.

func.func @f_addf_f32(%a: f32, %b: f32) -> f32 {
  %r = arith.addf %a, %b : f32
  return %r : f32
}
// check: float f_addf_f32(float a, float b) {
// next: return a + b;
// eval: @f_addf_f32(1.5, 2.25) == 3.75

func.func @f_subf_f32(%a: f32, %b: f32) -> f32 {
  %r = arith.subf %a, %b : f32
  return %r : f32
}
// check: float f_subf_f32(float a, float b) {
// next: return a - b;
// eval: @f_subf_f32(1.5, 2.25) == -0.75

func.func @f_mulf_f32(%a: f32, %b: f32) -> f32 {
  %r = arith.mulf %a, %b : f32
  return %r : f32
}
// check: float f_mulf_f32(float a, float b) {
// next: return a * b;
// eval: @f_mulf_f32(1.5, -2.0) == -3.0

func.func @f_divf_f32(%a: f32, %b: f32) -> f32 {
  %r = arith.divf %a, %b : f32
  return %r : f32
}
// check: float f_divf_f32(float a, float b) {
// next: return a / b;
// eval: @f_divf_f32(1.0, 0.0) == inf
// eval: @f_divf_f32(-3.0, 4.0) == -0.75

func.func @f_remf_f32(%a: f32, %b: f32) -> f32 {
  %r = arith.remf %a, %b : f32
  return %r : f32
}
// check: float f_remf_f32(float a, float b) {
// next: return fmodf(a, b);
// eval: @f_remf_f32(-7.5, 2.0) == -1.5
// eval: @f_remf_f32(7.5, -2.0) == 1.5

func.func @f_minimumf_f32(%a: f32, %b: f32) -> f32 {
  %r = arith.minimumf %a, %b : f32
  return %r : f32
}
// check: float f_minimumf_f32(float a, float b) {
// next: return terrace_minimum_f32(a, b);
// eval: @f_minimumf_f32(1.0, nan) == nan
// eval: @f_minimumf_f32(0.0, -0.0) == -0.0

func.func @f_maximumf_f32(%a: f32, %b: f32) -> f32 {
  %r = arith.maximumf %a, %b : f32
  return %r : f32
}
// check: float f_maximumf_f32(float a, float b) {
// next: return terrace_maximum_f32(a, b);
// eval: @f_maximumf_f32(nan, 1.0) == nan
// eval: @f_maximumf_f32(-0.0, 0.0) == 0.0

func.func @f_minnumf_f32(%a: f32, %b: f32) -> f32 {
  %r = arith.minnumf %a, %b : f32
  return %r : f32
}
// check: float f_minnumf_f32(float a, float b) {
// next: return terrace_minnum_f32(a, b);
// eval: @f_minnumf_f32(1.0, nan) == 1.0

func.func @f_maxnumf_f32(%a: f32, %b: f32) -> f32 {
  %r = arith.maxnumf %a, %b : f32
  return %r : f32
}
// check: float f_maxnumf_f32(float a, float b) {
// next: return terrace_maxnum_f32(a, b);
// eval: @f_maxnumf_f32(nan, 1.0) == 1.0
// eval: @f_maxnumf_f32(2.0, 3.0) == 3.0

func.func @f_negf_f32(%a: f32) -> f32 {
  %r = arith.negf %a : f32
  return %r : f32
}
// check: float f_negf_f32(float a) {
// next: return -a;
// eval: @f_negf_f32(0.0) == -0.0

func.func @f_addf_f64(%a: f64, %b: f64) -> f64 {
  %r = arith.addf %a, %b : f64
  return %r : f64
}
// check: double f_addf_f64(double a, double b) {
// next: return a + b;
// eval: @f_addf_f64(1.5, 2.25) == 3.75

func.func @f_subf_f64(%a: f64, %b: f64) -> f64 {
  %r = arith.subf %a, %b : f64
  return %r : f64
}
// check: double f_subf_f64(double a, double b) {
// next: return a - b;
// eval: @f_subf_f64(1.5, 2.25) == -0.75

func.func @f_mulf_f64(%a: f64, %b: f64) -> f64 {
  %r = arith.mulf %a, %b : f64
  return %r : f64
}
// check: double f_mulf_f64(double a, double b) {
// next: return a * b;
// eval: @f_mulf_f64(1.5, -2.0) == -3.0

func.func @f_divf_f64(%a: f64, %b: f64) -> f64 {
  %r = arith.divf %a, %b : f64
  return %r : f64
}
// check: double f_divf_f64(double a, double b) {
// next: return a / b;
// eval: @f_divf_f64(1.0, 0.0) == inf
// eval: @f_divf_f64(-3.0, 4.0) == -0.75

func.func @f_remf_f64(%a: f64, %b: f64) -> f64 {
  %r = arith.remf %a, %b : f64
  return %r : f64
}
// check: double f_remf_f64(double a, double b) {
// next: return fmod(a, b);
// eval: @f_remf_f64(-7.5, 2.0) == -1.5
// eval: @f_remf_f64(7.5, -2.0) == 1.5

func.func @f_minimumf_f64(%a: f64, %b: f64) -> f64 {
  %r = arith.minimumf %a, %b : f64
  return %r : f64
}
// check: double f_minimumf_f64(double a, double b) {
// next: return terrace_minimum_f64(a, b);
// eval: @f_minimumf_f64(1.0, nan) == nan
// eval: @f_minimumf_f64(0.0, -0.0) == -0.0

func.func @f_maximumf_f64(%a: f64, %b: f64) -> f64 {
  %r = arith.maximumf %a, %b : f64
  return %r : f64
}
// check: double f_maximumf_f64(double a, double b) {
// next: return terrace_maximum_f64(a, b);
// eval: @f_maximumf_f64(nan, 1.0) == nan
// eval: @f_maximumf_f64(-0.0, 0.0) == 0.0

func.func @f_minnumf_f64(%a: f64, %b: f64) -> f64 {
  %r = arith.minnumf %a, %b : f64
  return %r : f64
}
// check: double f_minnumf_f64(double a, double b) {
// next: return terrace_minnum_f64(a, b);
// eval: @f_minnumf_f64(1.0, nan) == 1.0

func.func @f_maxnumf_f64(%a: f64, %b: f64) -> f64 {
  %r = arith.maxnumf %a, %b : f64
  return %r : f64
}
// check: double f_maxnumf_f64(double a, double b) {
// next: return terrace_maxnum_f64(a, b);
// eval: @f_maxnumf_f64(nan, 1.0) == 1.0
// eval: @f_maxnumf_f64(2.0, 3.0) == 3.0

func.func @f_negf_f64(%a: f64) -> f64 {
  %r = arith.negf %a : f64
  return %r : f64
}
// check: double f_negf_f64(double a) {
// next: return -a;
// eval: @f_negf_f64(0.0) == -0.0
