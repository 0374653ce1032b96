// Rounding, the largest numbers and the smallest ones of each format.
// test: opt --pipeline="func.func(canonicalize)"

// Ties go to the even one: 2048 + 1 lies in the middle of 2048 and 2050.
func.func @half(%a: f16, %b: f16) -> (f16, f16, f16, f16) {
  %s = arith.addf %a, %b : f16
  %d = arith.subf %a, %b : f16
  %p = arith.mulf %a, %b : f16
  %q = arith.divf %a, %b : f16
  return %s, %d, %p, %q : f16, f16, f16, f16
}
// eval: @half(2048.0, 1.0) == (2048.0, 2047.0, 2048.0, 2048.0)
// eval: @half(2050.0, 1.0) == (2052.0, 2049.0, 2050.0, 2050.0)
// eval: @half(65504.0, 65504.0) == (0x7C00, 0.0, 0x7C00, 1.0)
// eval: @half(65504.0, 16.0) == (0x7C00, 65472.0, 0x7C00, 4094.0)
// eval: @half(65504.0, 8.0) == (65504.0, 65504.0, 0x7C00, 8188.0)
// eval: @half(0x0001, 0x0001) == (0x0002, 0.0, 0.0, 1.0)
// eval: @half(0x0400, 2.0) == (2.0, -2.0, 0x0800, 0x0200)

// Eight bits of significand: 256 + 1 lies in the middle of 256 and 258.
func.func @brain(%a: bf16, %b: bf16) -> (bf16, bf16, bf16) {
  %s = arith.addf %a, %b : bf16
  %p = arith.mulf %a, %b : bf16
  %q = arith.divf %a, %b : bf16
  return %s, %p, %q : bf16, bf16, bf16
}
// eval: @brain(256.0, 1.0) == (256.0, 256.0, 256.0)
// eval: @brain(258.0, 1.0) == (260.0, 258.0, 258.0)
// eval: @brain(1.0, 3.0) == (4.0, 3.0, 0x3EAB)
// eval: @brain(0x7F7F, 0x7F7F) == (0x7F80, 0x7F80, 1.0)
// eval: @brain(0x0080, 0x4000) == (2.0, 0x0100, 0x0040)

func.func @single(%a: f32, %b: f32) -> (f32, f32, f32) {
  %s = arith.addf %a, %b : f32
  %p = arith.mulf %a, %b : f32
  %q = arith.divf %a, %b : f32
  return %s, %p, %q : f32, f32, f32
}
// eval: @single(16777216.0, 1.0) == (16777216.0, 16777216.0, 16777216.0)
// eval: @single(0x7F7FFFFF, 0x7F7FFFFF) == (0x7F800000, 0x7F800000, 1.0)
// eval: @single(0x00800000, 2.0) == (2.0, 0x01000000, 0x00400000)
// eval: @single(0x00000001, 2.0) == (2.0, 0x00000002, 0.0)
// eval: @single(0x00000003, 2.0) == (2.0, 0x00000006, 0x00000002)
// eval: @single(-1.0, 0.0) == (-1.0, -0.0, -0x7F800000)

func.func @double(%a: f64, %b: f64) -> (f64, f64, f64) {
  %s = arith.addf %a, %b : f64
  %p = arith.mulf %a, %b : f64
  %q = arith.divf %a, %b : f64
  return %s, %p, %q : f64, f64, f64
}
// eval: @double(9007199254740992.0, 1.0) == (9007199254740992.0, 9007199254740992.0, 9007199254740992.0)
// eval: @double(0x7FEFFFFFFFFFFFFF, 0x7FEFFFFFFFFFFFFF) == (0x7FF0000000000000, 0x7FF0000000000000, 1.0)
// eval: @double(0x0000000000000001, 2.0) == (2.0, 0x0000000000000002, 0.0)
// eval: @double(0.1, 0.2) == (0x3FD3333333333334, 0x3F947AE147AE147C, 0.5)

// The remainder is exact, and has the dividend's sign, of zero too.
func.func @remainder(%a: f32, %b: f32) -> f32 {
  %r = arith.remf %a, %b : f32
  return %r : f32
}
// eval: @remainder(5.5, 2.0) == 1.5
// eval: @remainder(-5.5, 2.0) == -1.5
// eval: @remainder(5.5, -2.0) == 1.5
// eval: @remainder(4.0, 2.0) == 0.0
// eval: @remainder(-4.0, 2.0) == -0.0
// eval: @remainder(1.0, 0x7F800000) == 1.0
// eval: @remainder(1.0e30, 7.0) == 1.0

// In a narrow format each op rounds: no excess precision is carried on.
func.func @no_excess(%a: f16, %b: f16, %c: f16) -> f16 {
  %s = arith.addf %a, %b : f16
  %d = arith.subf %s, %c : f16
  return %d : f16
}
// eval: @no_excess(2048.0, 1.0, 2048.0) == 0.0
// eval: @no_excess(65504.0, 65504.0, 65504.0) == 0x7C00

func.func @folded() -> (f16, bf16, f64) {
  %a = arith.constant 2050.0 : f16
  %b = arith.constant 1.0 : f16
  %c = arith.constant 258.0 : bf16
  %d = arith.constant 1.0 : bf16
  %e = arith.constant 0.1 : f64
  %f = arith.constant 0.2 : f64
  %p = arith.addf %a, %b : f16
  %q = arith.addf %c, %d : bf16
  %r = arith.addf %e, %f : f64
  return %p, %q, %r : f16, bf16, f64
}
// check: func.func @folded
// not: arith.addf
// check: return
// eval: @folded() == (2052.0, 260.0, 0x3FD3333333333334)
