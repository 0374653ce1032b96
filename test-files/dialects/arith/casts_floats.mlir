// Floats and integers, and floats of other formats.
// test: opt --pipeline="func.func(canonicalize)"

// Toward zero; what does not fit is poison, NaN and ∞ too.
func.func @to_signed(%x: f32) -> (i8, i32) {
  %p = arith.fptosi %x : f32 to i8
  %q = arith.fptosi %x : f32 to i32
  return %p, %q : i8, i32
}
// eval: @to_signed(1.9) == (1, 1)
// eval: @to_signed(-1.9) == (-1, -1)
// eval: @to_signed(-0.9) == (0, 0)
// eval: @to_signed(127.9) == (127, 127)
// eval: @to_signed(128.0) == (poison, 128)
// eval: @to_signed(-128.9) == (-128, -128)
// eval: @to_signed(-129.0) == (poison, -129)
// eval: @to_signed(-2147483648.0) == (poison, -2147483648)
// eval: @to_signed(2147483648.0) == (poison, poison)
// eval: @to_signed(0x7FC00000) == (poison, poison)
// eval: @to_signed(-0x7F800000) == (poison, poison)

func.func @to_unsigned(%x: f32) -> (i8, i32) {
  %p = arith.fptoui %x : f32 to i8
  %q = arith.fptoui %x : f32 to i32
  return %p, %q : i8, i32
}
// eval: @to_unsigned(255.9) == (-1, 255)
// eval: @to_unsigned(256.0) == (poison, 256)
// eval: @to_unsigned(-0.9) == (0, 0)
// eval: @to_unsigned(-1.0) == (poison, poison)
// eval: @to_unsigned(4294967040.0) == (poison, -256)
// eval: @to_unsigned(4294967296.0) == (poison, poison)
// eval: @to_unsigned(0x7FC00000) == (poison, poison)

// One bit holds −1 and 0, or 0 and 1.
func.func @to_bit(%x: f32) -> (i1, i1) {
  %p = arith.fptosi %x : f32 to i1
  %q = arith.fptoui %x : f32 to i1
  return %p, %q : i1, i1
}
// eval: @to_bit(-1.5) == (true, poison)
// eval: @to_bit(1.5) == (poison, true)
// eval: @to_bit(0.5) == (false, false)

func.func @to_wide(%x: f64) -> (i64, i64) {
  %p = arith.fptosi %x : f64 to i64
  %q = arith.fptoui %x : f64 to i64
  return %p, %q : i64, i64
}
// eval: @to_wide(9223372036854774784.0) == (9223372036854774784, 9223372036854774784)
// eval: @to_wide(9223372036854775808.0) == (poison, -9223372036854775808)
// eval: @to_wide(-9223372036854775808.0) == (-9223372036854775808, poison)
// eval: @to_wide(18446744073709551616.0) == (poison, poison)

// To nearest, ties to even: 2^24 + 1 has no single of its own.
func.func @from_int(%a: i32) -> (f32, f32, f64, f64) {
  %p = arith.sitofp %a : i32 to f32
  %q = arith.uitofp %a : i32 to f32
  %r = arith.sitofp %a : i32 to f64
  %s = arith.uitofp %a : i32 to f64
  return %p, %q, %r, %s : f32, f32, f64, f64
}
// eval: @from_int(16777217) == (16777216.0, 16777216.0, 16777217.0, 16777217.0)
// eval: @from_int(16777219) == (16777220.0, 16777220.0, 16777219.0, 16777219.0)
// eval: @from_int(-1) == (-1.0, 4294967296.0, -1.0, 4294967295.0)
// eval: @from_int(-2147483648) == (-2147483648.0, 2147483648.0, -2147483648.0, 2147483648.0)
// eval: @from_int(0) == (0.0, 0.0, 0.0, 0.0)

// Rounded once from 64 bits, not by way of a double.
func.func @from_wide(%a: i64) -> (f32, f64) {
  %p = arith.sitofp %a : i64 to f32
  %q = arith.sitofp %a : i64 to f64
  return %p, %q : f32, f64
}
// eval: @from_wide(9007199791611905) == (9007200328482816.0, 9007199791611904.0)
// eval: @from_wide(9223372036854775807) == (9223372036854775808.0, 9223372036854775808.0)

func.func @from_bit(%a: i1) -> (f32, f32) {
  %p = arith.sitofp %a : i1 to f32
  %q = arith.uitofp %a : i1 to f32
  return %p, %q : f32, f32
}
// eval: @from_bit(true) == (-1.0, 1.0)
// eval: @from_bit(false) == (0.0, 0.0)

// Halves end at 65504; 65520 is the first that rounds to ∞.
func.func @from_int_to_half(%a: i32) -> f16 {
  %p = arith.sitofp %a : i32 to f16
  return %p : f16
}
// eval: @from_int_to_half(65519) == 65504.0
// eval: @from_int_to_half(65520) == 0x7C00
// eval: @from_int_to_half(2049) == 2048.0
// eval: @from_int_to_half(-2051) == -2052.0

func.func @narrow(%x: f32) -> (f16, bf16) {
  %p = arith.truncf %x : f32 to f16
  %q = arith.truncf %x : f32 to bf16
  return %p, %q : f16, bf16
}
// eval: @narrow(65519.996) == (65504.0, 0x4780)
// eval: @narrow(65520.0) == (0x7C00, 0x4780)
// eval: @narrow(0x7F7FFFFF) == (0x7C00, 0x7F80)
// eval: @narrow(0x33000000) == (0.0, 0x3300)
// eval: @narrow(0x33000001) == (0x0001, 0x3300)
// eval: @narrow(-0.0) == (-0.0, -0.0)
// eval: @narrow(0x3F808000) == (0x3C04, 0x3F80)
// eval: @narrow(0x3F818000) == (0x3C0C, 0x3F82)

// Widening is exact, subnormals included.
func.func @widen(%a: f16, %b: bf16) -> (f32, f32, f64) {
  %p = arith.extf %a : f16 to f32
  %q = arith.extf %b : bf16 to f32
  %r = arith.extf %a : f16 to f64
  return %p, %q, %r : f32, f32, f64
}
// eval: @widen(0x0001, 0x0001) == (0x33800000, 0x00010000, 0x3E70000000000000)
// eval: @widen(65504.0, 1.0) == (65504.0, 1.0, 65504.0)
// eval: @widen(-0x7C00, -0.0) == (-0x7F800000, -0.0, -0x7FF0000000000000)

// Narrowed twice is rounded twice, so that the two casts are not one.
func.func @twice(%x: f64) -> (f16, f16) {
  %p = arith.truncf %x : f64 to f32
  %q = arith.truncf %p : f32 to f16
  %r = arith.truncf %x : f64 to f16
  return %q, %r : f16, f16
}
// eval: @twice(1.00048828127) == (0x3C00, 0x3C01)
// eval: @twice(1.5) == (1.5, 1.5)

// Bits read as another type, whatever they mean.
func.func @bits(%x: f32, %a: i16, %d: f64) -> (i32, f16, bf16, i64) {
  %p = arith.bitcast %x : f32 to i32
  %q = arith.bitcast %a : i16 to f16
  %r = arith.bitcast %a : i16 to bf16
  %s = arith.bitcast %d : f64 to i64
  return %p, %q, %r, %s : i32, f16, bf16, i64
}
// eval: @bits(1.0, 15360, 1.0) == (1065353216, 1.0, 0x3C00, 4607182418800017408)
// eval: @bits(-0.0, -32768, -0.0) == (-2147483648, -0.0, -0.0, -9223372036854775808)
// eval: @bits(0x7FC00001, 0, 0.0) == (2143289345, 0.0, 0.0, 0)

func.func @bits_there_and_back(%x: f32, %v: vector<2xi32>) -> (f32, vector<2xi32>) {
  %p = arith.bitcast %x : f32 to i32
  %q = arith.bitcast %p : i32 to f32
  %r = arith.bitcast %v : vector<2xi32> to vector<2xf32>
  %s = arith.bitcast %r : vector<2xf32> to vector<2xi32>
  return %q, %s : f32, vector<2xi32>
}
// check: func.func @bits_there_and_back(%x: f32, %v: vector<2xi32>)
// next: return %x, %v
// eval: @bits_there_and_back(0x7FC00001, [-1, 0]) == (0x7FC00001, [-1, 0])

func.func @folded() -> (i8, i8, f32, f16, f64, i32) {
  %a = arith.constant -3.75 : f32
  %b = arith.constant 200.5 : f32
  %c = arith.constant -1 : i16
  %p = arith.fptosi %a : f32 to i8
  %q = arith.fptoui %b : f32 to i8
  %r = arith.uitofp %c : i16 to f32
  %s = arith.truncf %b : f32 to f16
  %t = arith.extf %a : f32 to f64
  %u = arith.bitcast %a : f32 to i32
  return %p, %q, %r, %s, %t, %u : i8, i8, f32, f16, f64, i32
}
// check: func.func @folded
// not: arith.fpto
// not: arith.uitofp
// not: arith.truncf
// not: arith.extf
// not: arith.bitcast
// check: return
// eval: @folded() == (-3, -56, 65535.0, 200.5, -3.75, -1066401792)

// A constant that does not fit is not folded to a number.
func.func @too_large() -> i8 {
  %a = arith.constant 300.0 : f32
  %p = arith.fptosi %a : f32 to i8
  return %p : i8
}
// eval: @too_large() == poison
