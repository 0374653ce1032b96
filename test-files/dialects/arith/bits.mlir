// `and`, `or`, `xor`: all bits set, none, the same twice, the opposite.
// test: opt --pipeline="func.func(canonicalize)"

func.func @tables(%a: i1, %b: i1) -> (i1, i1, i1) {
  %p = arith.andi %a, %b : i1
  %q = arith.ori %a, %b : i1
  %r = arith.xori %a, %b : i1
  return %p, %q, %r : i1, i1, i1
}
// eval: @tables(false, false) == (false, false, false)
// eval: @tables(false, true) == (false, true, true)
// eval: @tables(true, false) == (false, true, true)
// eval: @tables(true, true) == (true, true, false)

func.func @wide(%a: i64, %b: i64) -> (i64, i64, i64) {
  %p = arith.andi %a, %b : i64
  %q = arith.ori %a, %b : i64
  %r = arith.xori %a, %b : i64
  return %p, %q, %r : i64, i64, i64
}
// eval: @wide(-9223372036854775808, 9223372036854775807) == (0, -1, -1)
// eval: @wide(-1, 12345) == (12345, -1, -12346)

func.func @index(%a: index, %b: index) -> (index, index, index) {
  %p = arith.andi %a, %b : index
  %q = arith.ori %a, %b : index
  %r = arith.xori %a, %b : index
  return %p, %q, %r : index, index, index
}
// eval: @index(12, 10) == (8, 14, 6)
// eval: @index(-1, -9223372036854775808) == (-9223372036854775808, -1, 9223372036854775807)

func.func @none(%a: i8) -> (i8, i8, i8) {
  %zero = arith.constant 0 : i8
  %p = arith.andi %a, %zero : i8
  %q = arith.ori %a, %zero : i8
  %r = arith.xori %a, %zero : i8
  return %p, %q, %r : i8, i8, i8
}
// check: func.func @none(%a: i8)
// next: %zero = arith.constant 0 : i8
// next: return %zero, %a, %a
// eval: @none(-86) == (0, -86, -86)

func.func @all(%a: i8) -> (i8, i8) {
  %ones = arith.constant -1 : i8
  %p = arith.andi %a, %ones : i8
  %q = arith.ori %a, %ones : i8
  return %p, %q : i8, i8
}
// check: func.func @all(%a: i8)
// next: %ones = arith.constant -1 : i8
// next: return %a, %ones
// eval: @all(77) == (77, -1)

func.func @same(%a: i8) -> (i8, i8, i8) {
  %p = arith.andi %a, %a : i8
  %q = arith.ori %a, %a : i8
  %r = arith.xori %a, %a : i8
  return %p, %q, %r : i8, i8, i8
}
// check: func.func @same(%a: i8)
// next: %r = arith.constant 0 : i8
// next: return %a, %a, %r
// eval: @same(-1) == (-1, -1, 0)

// Flipped twice by the same value.
func.func @flipped(%a: i8, %b: i8) -> (i8, i8) {
  %p = arith.xori %a, %b : i8
  %q = arith.xori %p, %b : i8
  %r = arith.xori %a, %p : i8
  return %q, %r : i8, i8
}
// eval: @flipped(-7, 99) == (-7, 99)

func.func @nested(%a: i8, %b: i8) -> (i8, i8) {
  %p = arith.andi %a, %b : i8
  %q = arith.andi %p, %b : i8
  %r = arith.ori %a, %b : i8
  %s = arith.ori %r, %a : i8
  return %q, %s : i8, i8
}
// eval: @nested(12, 10) == (8, 14)

// Only a constant of all ones flips a comparison; this one flips one bit of eight.
func.func @one_bit_of_eight(%a: i8) -> i8 {
  %one = arith.constant 1 : i8
  %p = arith.xori %a, %one : i8
  return %p : i8
}
// check: func.func @one_bit_of_eight
// check: arith.xori %a
// eval: @one_bit_of_eight(6) == 7
// eval: @one_bit_of_eight(-1) == -2

func.func @elements(%a: vector<2x2xi8>) -> vector<2x2xi8> {
  %m = arith.constant dense<[[-1, 0], [15, -16]]> : vector<2x2xi8>
  %p = arith.andi %a, %m : vector<2x2xi8>
  return %p : vector<2x2xi8>
}
// eval: @elements([85, 85, 85, 85]) == [85, 0, 5, 80]

func.func @folded() -> (i8, i8, i8) {
  %a = arith.constant 12 : i8
  %b = arith.constant 10 : i8
  %p = arith.andi %a, %b : i8
  %q = arith.ori %a, %b : i8
  %r = arith.xori %a, %b : i8
  return %p, %q, %r : i8, i8, i8
}
// check: func.func @folded
// not: arith.andi
// not: arith.ori
// not: arith.xori
// check: return
// eval: @folded() == (8, 14, 6)
