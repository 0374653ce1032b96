// Shifts by nothing, by the most that is allowed, and by too much.
// test: opt --pipeline="func.func(canonicalize)"

func.func @i8(%a: i8, %b: i8) -> (i8, i8, i8) {
  %l = arith.shli %a, %b : i8
  %s = arith.shrsi %a, %b : i8
  %u = arith.shrui %a, %b : i8
  return %l, %s, %u : i8, i8, i8
}
// eval: @i8(-77, 0) == (-77, -77, -77)
// eval: @i8(-77, 1) == (102, -39, 89)
// eval: @i8(-1, 7) == (-128, -1, 1)
// eval: @i8(127, 7) == (-128, 0, 0)
// eval: @i8(1, 8) == (poison, poison, poison)
// eval: @i8(1, -1) == (poison, poison, poison)

// One bit can only be shifted by zero.
func.func @i1(%a: i1, %b: i1) -> (i1, i1, i1) {
  %l = arith.shli %a, %b : i1
  %s = arith.shrsi %a, %b : i1
  %u = arith.shrui %a, %b : i1
  return %l, %s, %u : i1, i1, i1
}
// eval: @i1(true, false) == (true, true, true)
// eval: @i1(true, true) == (poison, poison, poison)

func.func @i64(%a: i64, %b: i64) -> (i64, i64, i64) {
  %l = arith.shli %a, %b : i64
  %s = arith.shrsi %a, %b : i64
  %u = arith.shrui %a, %b : i64
  return %l, %s, %u : i64, i64, i64
}
// eval: @i64(-1, 63) == (-9223372036854775808, -1, 1)
// eval: @i64(-9223372036854775808, 32) == (0, -2147483648, 2147483648)
// eval: @i64(1, 64) == (poison, poison, poison)

func.func @index(%a: index, %b: index) -> (index, index, index) {
  %l = arith.shli %a, %b : index
  %s = arith.shrsi %a, %b : index
  %u = arith.shrui %a, %b : index
  return %l, %s, %u : index, index, index
}
// eval: @index(-2, 1) == (-4, -1, 9223372036854775807)
// eval: @index(-2, 63) == (0, -1, 1)

// `exact`: no bit that is one falls out.
func.func @exact(%a: i8, %b: i8) -> (i8, i8) {
  %s = arith.shrsi %a, %b exact : i8
  %u = arith.shrui %a, %b exact : i8
  return %s, %u : i8, i8
}
// eval: @exact(-8, 3) == (-1, 31)
// eval: @exact(-8, 4) == (poison, poison)
// eval: @exact(0, 7) == (0, 0)

// So for divisions: no remainder.
func.func @exact_division(%a: i8, %b: i8) -> (i8, i8) {
  %s = arith.divsi %a, %b exact : i8
  %u = arith.divui %a, %b exact : i8
  return %s, %u : i8, i8
}
// eval: @exact_division(-8, 2) == (-4, 124)
// eval: @exact_division(7, 2) == (poison, poison)

func.func @by_zero(%a: i16) -> (i16, i16, i16) {
  %zero = arith.constant 0 : i16
  %l = arith.shli %a, %zero : i16
  %s = arith.shrsi %a, %zero : i16
  %u = arith.shrui %a, %zero : i16
  return %l, %s, %u : i16, i16, i16
}
// check: func.func @by_zero(%a: i16)
// next: return %a, %a, %a : i16, i16, i16
// eval: @by_zero(-32768) == (-32768, -32768, -32768)

func.func @folded() -> (i8, i8, i8) {
  %a = arith.constant -77 : i8
  %three = arith.constant 3 : i8
  %l = arith.shli %a, %three : i8
  %s = arith.shrsi %a, %three : i8
  %u = arith.shrui %a, %three : i8
  return %l, %s, %u : i8, i8, i8
}
// check: func.func @folded
// not: arith.sh
// check: return
// eval: @folded() == (-104, -10, 22)

func.func @elements(%a: vector<4xi8>, %b: vector<4xi8>) -> vector<4xi8> {
  %l = arith.shrsi %a, %b : vector<4xi8>
  return %l : vector<4xi8>
}
// eval: @elements([-128, 64, 1, 5], [7, 6, 1, 9]) == [-1, 1, 0, poison]
