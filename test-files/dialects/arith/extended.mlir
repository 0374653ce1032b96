// Sums with a carry and products of twice the width.
// test: opt --pipeline="func.func(canonicalize)"

func.func @carry(%a: i8, %b: i8) -> (i8, i1) {
  %s, %c = arith.addui_extended %a, %b : i8, i1
  return %s, %c : i8, i1
}
// eval: @carry(127, 1) == (-128, false)
// eval: @carry(-1, 1) == (0, true)
// eval: @carry(-1, -1) == (-2, true)
// eval: @carry(0, 0) == (0, false)
// eval: @carry(-128, -128) == (0, true)

func.func @carry_i1(%a: i1, %b: i1) -> (i1, i1) {
  %s, %c = arith.addui_extended %a, %b : i1, i1
  return %s, %c : i1, i1
}
// eval: @carry_i1(true, true) == (false, true)
// eval: @carry_i1(true, false) == (true, false)

func.func @carry_i64(%a: i64, %b: i64) -> (i64, i1) {
  %s, %c = arith.addui_extended %a, %b : i64, i1
  return %s, %c : i64, i1
}
// eval: @carry_i64(-1, 1) == (0, true)
// eval: @carry_i64(9223372036854775807, 1) == (-9223372036854775808, false)

func.func @carry_elements(%a: vector<3xi8>, %b: vector<3xi8>) -> (vector<3xi8>, vector<3xi1>) {
  %s, %c = arith.addui_extended %a, %b : vector<3xi8>, vector<3xi1>
  return %s, %c : vector<3xi8>, vector<3xi1>
}
// eval: @carry_elements([-1, 127, 0], [2, 127, 0]) == ([1, -2, 0], [true, false, false])

func.func @signed(%a: i8, %b: i8) -> (i8, i8) {
  %l, %h = arith.mulsi_extended %a, %b : i8
  return %l, %h : i8, i8
}
// eval: @signed(-128, -128) == (0, 64)
// eval: @signed(-128, 127) == (-128, -64)
// eval: @signed(-1, 1) == (-1, -1)
// eval: @signed(-1, -1) == (1, 0)
// eval: @signed(127, 127) == (1, 63)

func.func @unsigned(%a: i8, %b: i8) -> (i8, i8) {
  %l, %h = arith.mului_extended %a, %b : i8
  return %l, %h : i8, i8
}
// eval: @unsigned(-1, -1) == (1, -2)
// eval: @unsigned(-128, 2) == (0, 1)
// eval: @unsigned(15, 17) == (-1, 0)
// eval: @unsigned(16, 16) == (0, 1)

// −1 · −1 = 1 has the low bit set and no high one, if signed.
func.func @one_bit(%a: i1, %b: i1) -> (i1, i1, i1, i1) {
  %l, %h = arith.mulsi_extended %a, %b : i1
  %m, %i = arith.mului_extended %a, %b : i1
  return %l, %h, %m, %i : i1, i1, i1, i1
}
// eval: @one_bit(true, true) == (true, false, true, false)
// eval: @one_bit(true, false) == (false, false, false, false)

func.func @i64(%a: i64, %b: i64) -> (i64, i64, i64, i64) {
  %l, %h = arith.mulsi_extended %a, %b : i64
  %m, %i = arith.mului_extended %a, %b : i64
  return %l, %h, %m, %i : i64, i64, i64, i64
}
// eval: @i64(-9223372036854775808, -9223372036854775808) == (0, 4611686018427387904, 0, 4611686018427387904)
// eval: @i64(-1, -1) == (1, 0, 1, -2)
// eval: @i64(4294967296, 4294967296) == (0, 1, 0, 1)
// eval: @i64(-9223372036854775808, 2) == (0, -1, 0, 1)

// By zero both halves are zero, whatever the other one is; by one the high half is the sign, or nothing.
func.func @known(%a: i8) -> (i8, i8, i8, i8) {
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %l, %h = arith.mulsi_extended %a, %zero : i8
  %m, %i = arith.mului_extended %a, %one : i8
  return %l, %h, %m, %i : i8, i8, i8, i8
}
// check: func.func @known
// not: arith.mulsi_extended
// not: arith.mului_extended
// check: return
// eval: @known(-7) == (0, 0, -7, 0)

func.func @folded() -> (i8, i1, i8, i8, i8, i8) {
  %a = arith.constant -1 : i8
  %b = arith.constant -128 : i8
  %s, %c = arith.addui_extended %a, %b : i8, i1
  %l, %h = arith.mulsi_extended %a, %b : i8
  %m, %i = arith.mului_extended %a, %b : i8
  return %s, %c, %l, %h, %m, %i : i8, i1, i8, i8, i8, i8
}
// check: func.func @folded
// not: _extended
// check: return
// eval: @folded() == (127, true, -128, 0, -128, 127)
