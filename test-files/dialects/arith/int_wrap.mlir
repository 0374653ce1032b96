// Sums, differences and products are modulo 2^width, at both ends of every usual width.
// test: opt --pipeline="func.func(canonicalize,cse)"

func.func @i1(%a: i1, %b: i1) -> (i1, i1, i1) {
  %s = arith.addi %a, %b : i1
  %d = arith.subi %a, %b : i1
  %p = arith.muli %a, %b : i1
  return %s, %d, %p : i1, i1, i1
}
// eval: @i1(false, false) == (false, false, false)
// eval: @i1(false, true) == (true, true, false)
// eval: @i1(true, false) == (true, true, false)
// eval: @i1(true, true) == (false, false, true)

func.func @i8(%a: i8, %b: i8) -> (i8, i8, i8) {
  %s = arith.addi %a, %b : i8
  %d = arith.subi %a, %b : i8
  %p = arith.muli %a, %b : i8
  return %s, %d, %p : i8, i8, i8
}
// eval: @i8(127, 1) == (-128, 126, 127)
// eval: @i8(-128, -128) == (0, 0, 0)
// eval: @i8(-128, 1) == (-127, 127, -128)
// eval: @i8(-128, -1) == (127, -127, -128)
// eval: @i8(16, 16) == (32, 0, 0)
// eval: @i8(-1, -1) == (-2, 0, 1)

func.func @i16(%a: i16, %b: i16) -> (i16, i16, i16) {
  %s = arith.addi %a, %b : i16
  %d = arith.subi %a, %b : i16
  %p = arith.muli %a, %b : i16
  return %s, %d, %p : i16, i16, i16
}
// eval: @i16(32767, 32767) == (-2, 0, 1)
// eval: @i16(-32768, 32767) == (-1, 1, -32768)
// eval: @i16(255, 257) == (512, -2, -1)

func.func @i32(%a: i32, %b: i32) -> (i32, i32, i32) {
  %s = arith.addi %a, %b : i32
  %d = arith.subi %a, %b : i32
  %p = arith.muli %a, %b : i32
  return %s, %d, %p : i32, i32, i32
}
// eval: @i32(2147483647, 1) == (-2147483648, 2147483646, 2147483647)
// eval: @i32(65536, 65536) == (131072, 0, 0)
// eval: @i32(-2147483648, -2147483648) == (0, 0, 0)

func.func @i64(%a: i64, %b: i64) -> (i64, i64, i64) {
  %s = arith.addi %a, %b : i64
  %d = arith.subi %a, %b : i64
  %p = arith.muli %a, %b : i64
  return %s, %d, %p : i64, i64, i64
}
// eval: @i64(9223372036854775807, 1) == (-9223372036854775808, 9223372036854775806, 9223372036854775807)
// eval: @i64(-9223372036854775808, -1) == (9223372036854775807, -9223372036854775807, -9223372036854775808)
// eval: @i64(4294967296, 4294967296) == (8589934592, 0, 0)

func.func @index(%a: index, %b: index) -> (index, index, index) {
  %s = arith.addi %a, %b : index
  %d = arith.subi %a, %b : index
  %p = arith.muli %a, %b : index
  return %s, %d, %p : index, index, index
}
// eval: @index(9223372036854775807, 9223372036854775807) == (-2, 0, 1)
// eval: @index(0, 1) == (1, -1, 0)

// Widths that no machine has.
func.func @odd(%a: i7, %b: i7) -> (i7, i7, i7) {
  %s = arith.addi %a, %b : i7
  %d = arith.subi %a, %b : i7
  %p = arith.muli %a, %b : i7
  return %s, %d, %p : i7, i7, i7
}
// eval: @odd(63, 1) == (-64, 62, 63)
// eval: @odd(-64, -64) == (0, 0, 0)
// eval: @odd(-64, 1) == (-63, 63, -64)
// eval: @odd(8, 8) == (16, 0, -64)

func.func @i128(%a: i128, %b: i128) -> (i128, i128, i128) {
  %s = arith.addi %a, %b : i128
  %d = arith.subi %a, %b : i128
  %p = arith.muli %a, %b : i128
  return %s, %d, %p : i128, i128, i128
}
// eval: @i128(170141183460469231731687303715884105727, 1) == (-170141183460469231731687303715884105728, 170141183460469231731687303715884105726, 170141183460469231731687303715884105727)
// eval: @i128(18446744073709551616, 18446744073709551616) == (36893488147419103232, 0, 0)

// The same, folded: what the interpreter says of the input must be what the constants say.
func.func @folded() -> (i1, i7, i64, index) {
  %t = arith.constant true
  %a = arith.constant 63 : i7
  %one = arith.constant 1 : i7
  %m = arith.constant -9223372036854775808 : i64
  %n = arith.constant -1 : i64
  %x = arith.constant -9223372036854775808 : index
  %p = arith.addi %t, %t : i1
  %q = arith.addi %a, %one : i7
  %r = arith.muli %m, %n : i64
  %s = arith.addi %x, %x : index
  return %p, %q, %r, %s : i1, i7, i64, index
}
// check: func.func @folded
// not: arith.addi
// not: arith.muli
// check: return
// eval: @folded() == (false, -64, -9223372036854775808, 0)
