// All sixteen comparisons of floats: less, equal, greater, and unordered where one is NaN.
// test: opt --pipeline="func.func(canonicalize)"

func.func @ordered_f32(%a: f32, %b: f32) -> (i1, i1, i1, i1, i1, i1, i1, i1) {
  %0 = arith.cmpf false, %a, %b : f32
  %1 = arith.cmpf oeq, %a, %b : f32
  %2 = arith.cmpf ogt, %a, %b : f32
  %3 = arith.cmpf oge, %a, %b : f32
  %4 = arith.cmpf olt, %a, %b : f32
  %5 = arith.cmpf ole, %a, %b : f32
  %6 = arith.cmpf one, %a, %b : f32
  %7 = arith.cmpf ord, %a, %b : f32
  return %0, %1, %2, %3, %4, %5, %6, %7 : i1, i1, i1, i1, i1, i1, i1, i1
}
// eval: @ordered_f32(1.0, 2.0) == (false, false, false, false, true, true, true, true)
// eval: @ordered_f32(2.0, 1.0) == (false, false, true, true, false, false, true, true)
// eval: @ordered_f32(-0.0, 0.0) == (false, true, false, true, false, true, false, true)
// eval: @ordered_f32(0x7F800000, 0x7F800000) == (false, true, false, true, false, true, false, true)
// eval: @ordered_f32(0x7FC00000, 1.0) == (false, false, false, false, false, false, false, false)
// eval: @ordered_f32(0x7FC00000, 0x7FC00000) == (false, false, false, false, false, false, false, false)
// eval: @ordered_f32(-0x7F800000, 0x7F800000) == (false, false, false, false, true, true, true, true)

func.func @unordered_f32(%a: f32, %b: f32) -> (i1, i1, i1, i1, i1, i1, i1, i1) {
  %0 = arith.cmpf ueq, %a, %b : f32
  %1 = arith.cmpf ugt, %a, %b : f32
  %2 = arith.cmpf uge, %a, %b : f32
  %3 = arith.cmpf ult, %a, %b : f32
  %4 = arith.cmpf ule, %a, %b : f32
  %5 = arith.cmpf une, %a, %b : f32
  %6 = arith.cmpf uno, %a, %b : f32
  %7 = arith.cmpf true, %a, %b : f32
  return %0, %1, %2, %3, %4, %5, %6, %7 : i1, i1, i1, i1, i1, i1, i1, i1
}
// eval: @unordered_f32(1.0, 2.0) == (false, false, false, true, true, true, false, true)
// eval: @unordered_f32(2.0, 1.0) == (false, true, true, false, false, true, false, true)
// eval: @unordered_f32(-0.0, 0.0) == (true, false, true, false, true, false, false, true)
// eval: @unordered_f32(0x7F800000, 0x7F800000) == (true, false, true, false, true, false, false, true)
// eval: @unordered_f32(0x7FC00000, 1.0) == (true, true, true, true, true, true, true, true)
// eval: @unordered_f32(0x7FC00000, 0x7FC00000) == (true, true, true, true, true, true, true, true)
// eval: @unordered_f32(-0x7F800000, 0x7F800000) == (false, false, false, true, true, true, false, true)

func.func @ordered_f64(%a: f64, %b: f64) -> (i1, i1, i1, i1, i1, i1, i1, i1) {
  %0 = arith.cmpf false, %a, %b : f64
  %1 = arith.cmpf oeq, %a, %b : f64
  %2 = arith.cmpf ogt, %a, %b : f64
  %3 = arith.cmpf oge, %a, %b : f64
  %4 = arith.cmpf olt, %a, %b : f64
  %5 = arith.cmpf ole, %a, %b : f64
  %6 = arith.cmpf one, %a, %b : f64
  %7 = arith.cmpf ord, %a, %b : f64
  return %0, %1, %2, %3, %4, %5, %6, %7 : i1, i1, i1, i1, i1, i1, i1, i1
}
// eval: @ordered_f64(1.0, 2.0) == (false, false, false, false, true, true, true, true)
// eval: @ordered_f64(2.0, 1.0) == (false, false, true, true, false, false, true, true)
// eval: @ordered_f64(-0.0, 0.0) == (false, true, false, true, false, true, false, true)
// eval: @ordered_f64(0x7FF0000000000000, 0x7FF0000000000000) == (false, true, false, true, false, true, false, true)
// eval: @ordered_f64(0x7FF8000000000000, 1.0) == (false, false, false, false, false, false, false, false)
// eval: @ordered_f64(0x7FF8000000000000, 0x7FF8000000000000) == (false, false, false, false, false, false, false, false)
// eval: @ordered_f64(-0x7FF0000000000000, 0x7FF0000000000000) == (false, false, false, false, true, true, true, true)

func.func @unordered_f64(%a: f64, %b: f64) -> (i1, i1, i1, i1, i1, i1, i1, i1) {
  %0 = arith.cmpf ueq, %a, %b : f64
  %1 = arith.cmpf ugt, %a, %b : f64
  %2 = arith.cmpf uge, %a, %b : f64
  %3 = arith.cmpf ult, %a, %b : f64
  %4 = arith.cmpf ule, %a, %b : f64
  %5 = arith.cmpf une, %a, %b : f64
  %6 = arith.cmpf uno, %a, %b : f64
  %7 = arith.cmpf true, %a, %b : f64
  return %0, %1, %2, %3, %4, %5, %6, %7 : i1, i1, i1, i1, i1, i1, i1, i1
}
// eval: @unordered_f64(1.0, 2.0) == (false, false, false, true, true, true, false, true)
// eval: @unordered_f64(2.0, 1.0) == (false, true, true, false, false, true, false, true)
// eval: @unordered_f64(-0.0, 0.0) == (true, false, true, false, true, false, false, true)
// eval: @unordered_f64(0x7FF0000000000000, 0x7FF0000000000000) == (true, false, true, false, true, false, false, true)
// eval: @unordered_f64(0x7FF8000000000000, 1.0) == (true, true, true, true, true, true, true, true)
// eval: @unordered_f64(0x7FF8000000000000, 0x7FF8000000000000) == (true, true, true, true, true, true, true, true)
// eval: @unordered_f64(-0x7FF0000000000000, 0x7FF0000000000000) == (false, false, false, true, true, true, false, true)

func.func @ordered_f16(%a: f16, %b: f16) -> (i1, i1, i1, i1, i1, i1, i1, i1) {
  %0 = arith.cmpf false, %a, %b : f16
  %1 = arith.cmpf oeq, %a, %b : f16
  %2 = arith.cmpf ogt, %a, %b : f16
  %3 = arith.cmpf oge, %a, %b : f16
  %4 = arith.cmpf olt, %a, %b : f16
  %5 = arith.cmpf ole, %a, %b : f16
  %6 = arith.cmpf one, %a, %b : f16
  %7 = arith.cmpf ord, %a, %b : f16
  return %0, %1, %2, %3, %4, %5, %6, %7 : i1, i1, i1, i1, i1, i1, i1, i1
}
// eval: @ordered_f16(1.0, 2.0) == (false, false, false, false, true, true, true, true)
// eval: @ordered_f16(2.0, 1.0) == (false, false, true, true, false, false, true, true)
// eval: @ordered_f16(-0.0, 0.0) == (false, true, false, true, false, true, false, true)
// eval: @ordered_f16(0x7E00, 1.0) == (false, false, false, false, false, false, false, false)

func.func @unordered_f16(%a: f16, %b: f16) -> (i1, i1, i1, i1, i1, i1, i1, i1) {
  %0 = arith.cmpf ueq, %a, %b : f16
  %1 = arith.cmpf ugt, %a, %b : f16
  %2 = arith.cmpf uge, %a, %b : f16
  %3 = arith.cmpf ult, %a, %b : f16
  %4 = arith.cmpf ule, %a, %b : f16
  %5 = arith.cmpf une, %a, %b : f16
  %6 = arith.cmpf uno, %a, %b : f16
  %7 = arith.cmpf true, %a, %b : f16
  return %0, %1, %2, %3, %4, %5, %6, %7 : i1, i1, i1, i1, i1, i1, i1, i1
}
// eval: @unordered_f16(1.0, 2.0) == (false, false, false, true, true, true, false, true)
// eval: @unordered_f16(2.0, 1.0) == (false, true, true, false, false, true, false, true)
// eval: @unordered_f16(-0.0, 0.0) == (true, false, true, false, true, false, false, true)
// eval: @unordered_f16(0x7E00, 1.0) == (true, true, true, true, true, true, true, true)

func.func @ordered_bf16(%a: bf16, %b: bf16) -> (i1, i1, i1, i1, i1, i1, i1, i1) {
  %0 = arith.cmpf false, %a, %b : bf16
  %1 = arith.cmpf oeq, %a, %b : bf16
  %2 = arith.cmpf ogt, %a, %b : bf16
  %3 = arith.cmpf oge, %a, %b : bf16
  %4 = arith.cmpf olt, %a, %b : bf16
  %5 = arith.cmpf ole, %a, %b : bf16
  %6 = arith.cmpf one, %a, %b : bf16
  %7 = arith.cmpf ord, %a, %b : bf16
  return %0, %1, %2, %3, %4, %5, %6, %7 : i1, i1, i1, i1, i1, i1, i1, i1
}
// eval: @ordered_bf16(1.0, 2.0) == (false, false, false, false, true, true, true, true)
// eval: @ordered_bf16(2.0, 1.0) == (false, false, true, true, false, false, true, true)
// eval: @ordered_bf16(-0.0, 0.0) == (false, true, false, true, false, true, false, true)
// eval: @ordered_bf16(0x7FC0, 1.0) == (false, false, false, false, false, false, false, false)

func.func @unordered_bf16(%a: bf16, %b: bf16) -> (i1, i1, i1, i1, i1, i1, i1, i1) {
  %0 = arith.cmpf ueq, %a, %b : bf16
  %1 = arith.cmpf ugt, %a, %b : bf16
  %2 = arith.cmpf uge, %a, %b : bf16
  %3 = arith.cmpf ult, %a, %b : bf16
  %4 = arith.cmpf ule, %a, %b : bf16
  %5 = arith.cmpf une, %a, %b : bf16
  %6 = arith.cmpf uno, %a, %b : bf16
  %7 = arith.cmpf true, %a, %b : bf16
  return %0, %1, %2, %3, %4, %5, %6, %7 : i1, i1, i1, i1, i1, i1, i1, i1
}
// eval: @unordered_bf16(1.0, 2.0) == (false, false, false, true, true, true, false, true)
// eval: @unordered_bf16(2.0, 1.0) == (false, true, true, false, false, true, false, true)
// eval: @unordered_bf16(-0.0, 0.0) == (true, false, true, false, true, false, false, true)
// eval: @unordered_bf16(0x7FC0, 1.0) == (true, true, true, true, true, true, true, true)

// A float that is compared with itself: only NaN differs, so that neither `oeq` nor `une` is known.
func.func @itself(%a: f32) -> (i1, i1, i1, i1) {
  %p = arith.cmpf oeq, %a, %a : f32
  %q = arith.cmpf une, %a, %a : f32
  %r = arith.cmpf false, %a, %a : f32
  %s = arith.cmpf true, %a, %a : f32
  return %p, %q, %r, %s : i1, i1, i1, i1
}
// check: func.func @itself
// check: arith.cmpf oeq, %a, %a
// check: arith.cmpf une, %a, %a
// eval: @itself(1.0) == (true, false, false, true)
// eval: @itself(0x7FC00000) == (false, true, false, true)

// Folded: the constant NaN decides, whatever the other one is.
func.func @nan(%a: f32) -> (i1, i1) {
  %n = arith.constant 0x7FC00000 : f32
  %p = arith.cmpf olt, %a, %n : f32
  %q = arith.cmpf ult, %n, %a : f32
  return %p, %q : i1, i1
}
// eval: @nan(1.0) == (false, true)
// eval: @nan(0x7FC00000) == (false, true)

func.func @folded() -> (i1, i1, i1, i1) {
  %n = arith.constant 0x7FC00000 : f32
  %z = arith.constant 0.0 : f32
  %m = arith.constant -0.0 : f32
  %p = arith.cmpf oeq, %z, %m : f32
  %q = arith.cmpf olt, %m, %z : f32
  %r = arith.cmpf uno, %n, %z : f32
  %s = arith.cmpf one, %n, %z : f32
  return %p, %q, %r, %s : i1, i1, i1, i1
}
// check: func.func @folded
// not: arith.cmpf
// check: return
// eval: @folded() == (true, false, true, false)
