// Functions of integers at the ends of their types.
// test: opt --pipeline="func.func(canonicalize)"

func.func @i1(%a: i1) -> (i1, i1, i1, i1) {
  %p = math.absi %a : i1
  %q = math.ctlz %a : i1
  %r = math.cttz %a : i1
  %s = math.ctpop %a : i1
  return %p, %q, %r, %s : i1, i1, i1, i1
}
// eval: @i1(false) == (false, true, true, false)
// eval: @i1(true) == (true, false, false, true)

func.func @i8(%a: i8) -> (i8, i8, i8, i8) {
  %p = math.absi %a : i8
  %q = math.ctlz %a : i8
  %r = math.cttz %a : i8
  %s = math.ctpop %a : i8
  return %p, %q, %r, %s : i8, i8, i8, i8
}
// eval: @i8(1) == (1, 7, 0, 1)
// eval: @i8(-1) == (1, 0, 0, 8)
// eval: @i8(127) == (127, 1, 0, 7)
// eval: @i8(-128) == (-128, 0, 7, 1)
// eval: @i8(0) == (0, 8, 8, 0)

func.func @i64(%a: i64) -> (i64, i64, i64, i64) {
  %p = math.absi %a : i64
  %q = math.ctlz %a : i64
  %r = math.cttz %a : i64
  %s = math.ctpop %a : i64
  return %p, %q, %r, %s : i64, i64, i64, i64
}
// eval: @i64(-9223372036854775808) == (-9223372036854775808, 0, 63, 1)
// eval: @i64(9223372036854775807) == (9223372036854775807, 1, 0, 63)
// eval: @i64(0) == (0, 64, 64, 0)
// eval: @i64(4294967296) == (4294967296, 31, 32, 1)

func.func @index(%a: index) -> (index, index, index, index) {
  %p = math.absi %a : index
  %q = math.ctlz %a : index
  %r = math.cttz %a : index
  %s = math.ctpop %a : index
  return %p, %q, %r, %s : index, index, index, index
}
// eval: @index(-6) == (6, 0, 1, 62)
// eval: @index(6) == (6, 61, 1, 2)

// To a negative power: only 1 and −1 have integers for it; 0 has none.
func.func @power(%a: i32, %b: i32) -> i32 {
  %r = math.ipowi %a, %b : i32
  return %r : i32
}
// eval: @power(2, 10) == 1024
// eval: @power(0, 0) == 1
// eval: @power(-3, 3) == -27
// eval: @power(2, 31) == -2147483648
// eval: @power(2, 32) == 0
// eval: @power(3, 40) == 689956897
// eval: @power(1, -5) == 1
// eval: @power(-1, -5) == -1
// eval: @power(-1, -4) == 1
// eval: @power(7, -1) == 0
// eval: @power(-7, -2) == 0
// eval: @power(-1, 2147483647) == -1

func.func @float_power(%a: f64, %b: i32) -> f64 {
  %r = math.fpowi %a, %b : f64, i32
  return %r : f64
}
// eval: @float_power(2.0, 10) == 1024.0
// eval: @float_power(2.0, -2) == 0.25
// eval: @float_power(0.0, 0) == 1.0
// eval: @float_power(-3.0, 3) == -27.0
// eval: @float_power(-0.0, -1) == -0x7FF0000000000000
// eval: @float_power(1.0, 2147483647) == 1.0

func.func @elements(%v: vector<4xi16>) -> (vector<4xi16>, vector<4xi16>) {
  %p = math.absi %v : vector<4xi16>
  %q = math.ctpop %v : vector<4xi16>
  return %p, %q : vector<4xi16>, vector<4xi16>
}
// eval: @elements([-32768, 32767, -1, 0]) == ([-32768, 32767, 1, 0], [1, 15, 16, 0])

func.func @folded() -> (i8, i8, i8, i8, i8) {
  %a = arith.constant -128 : i8
  %b = arith.constant 3 : i8
  %p = math.absi %a : i8
  %q = math.ctlz %b : i8
  %r = math.cttz %a : i8
  %s = math.ctpop %b : i8
  %t = math.ipowi %b, %b : i8
  return %p, %q, %r, %s, %t : i8, i8, i8, i8, i8
}
// check: func.func @folded
// not: math.
// check: return
// eval: @folded() == (-128, 6, 7, 2, 27)
