// Five divisions and two remainders: which way they round, and what they refuse.
// test: opt --pipeline="func.func(canonicalize)"

func.func @signed(%a: i8, %b: i8) -> (i8, i8, i8, i8) {
  %q = arith.divsi %a, %b : i8
  %f = arith.floordivsi %a, %b : i8
  %c = arith.ceildivsi %a, %b : i8
  %r = arith.remsi %a, %b : i8
  return %q, %f, %c, %r : i8, i8, i8, i8
}
// eval: @signed(7, 2) == (3, 3, 4, 1)
// eval: @signed(-7, 2) == (-3, -4, -3, -1)
// eval: @signed(7, -2) == (-3, -4, -3, 1)
// eval: @signed(-7, -2) == (3, 3, 4, -1)
// eval: @signed(6, 3) == (2, 2, 2, 0)
// eval: @signed(-6, 3) == (-2, -2, -2, 0)
// eval: @signed(0, -5) == (0, 0, 0, 0)
// eval: @signed(127, 127) == (1, 1, 1, 0)
// eval: @signed(-128, 127) == (-1, -2, -1, -1)
// eval: @signed(127, -128) == (0, -1, 0, 127)
// eval: @signed(-128, -128) == (1, 1, 1, 0)
// eval: @signed(-128, 1) == (-128, -128, -128, 0)
// eval: @signed(1, 127) == (0, 0, 1, 1)
// eval: @signed(-1, 127) == (0, -1, 0, -1)

func.func @unsigned(%a: i8, %b: i8) -> (i8, i8, i8) {
  %q = arith.divui %a, %b : i8
  %c = arith.ceildivui %a, %b : i8
  %r = arith.remui %a, %b : i8
  return %q, %c, %r : i8, i8, i8
}
// eval: @unsigned(7, 2) == (3, 4, 1)
// eval: @unsigned(0, 2) == (0, 0, 0)
// eval: @unsigned(-1, 2) == (127, -128, 1)
// eval: @unsigned(-1, -1) == (1, 1, 0)
// eval: @unsigned(1, -1) == (0, 1, 1)
// eval: @unsigned(-128, -1) == (0, 1, -128)
// eval: @unsigned(-1, 1) == (-1, -1, 0)

func.func @divsi(%a: i8, %b: i8) -> i8 {
  %q = arith.divsi %a, %b : i8
  return %q : i8
}
// eval: @divsi(1, 0) == trap E0301
// eval: @divsi(-128, -1) == trap E0301
// eval: @divsi(0, 0) == trap E0301

func.func @floordivsi(%a: i8, %b: i8) -> i8 {
  %q = arith.floordivsi %a, %b : i8
  return %q : i8
}
// eval: @floordivsi(1, 0) == trap E0301
// eval: @floordivsi(-128, -1) == trap E0301

func.func @ceildivsi(%a: i8, %b: i8) -> i8 {
  %q = arith.ceildivsi %a, %b : i8
  return %q : i8
}
// eval: @ceildivsi(1, 0) == trap E0301
// eval: @ceildivsi(-128, -1) == trap E0301

func.func @divui(%a: i8, %b: i8) -> i8 {
  %q = arith.divui %a, %b : i8
  return %q : i8
}
// eval: @divui(1, 0) == trap E0301

func.func @ceildivui(%a: i8, %b: i8) -> i8 {
  %q = arith.ceildivui %a, %b : i8
  return %q : i8
}
// eval: @ceildivui(0, 0) == trap E0301

func.func @remsi(%a: i8, %b: i8) -> i8 {
  %q = arith.remsi %a, %b : i8
  return %q : i8
}
// eval: @remsi(5, 0) == trap E0301
// eval: @remsi(-128, 1) == 0

func.func @remui(%a: i8, %b: i8) -> i8 {
  %q = arith.remui %a, %b : i8
  return %q : i8
}
// eval: @remui(5, 0) == trap E0301

// Wide ends, where a detour through doubles would be wrong.
func.func @wide(%a: i64, %b: i64) -> (i64, i64, i64, i64) {
  %q = arith.divsi %a, %b : i64
  %f = arith.floordivsi %a, %b : i64
  %c = arith.ceildivsi %a, %b : i64
  %r = arith.remsi %a, %b : i64
  return %q, %f, %c, %r : i64, i64, i64, i64
}
// eval: @wide(9223372036854775807, 2) == (4611686018427387903, 4611686018427387903, 4611686018427387904, 1)
// eval: @wide(-9223372036854775808, 3) == (-3074457345618258602, -3074457345618258603, -3074457345618258602, -2)
// eval: @wide(9223372036854775807, -9223372036854775808) == (0, -1, 0, 9223372036854775807)
// eval: @wide(-9223372036854775807, -1) == (9223372036854775807, 9223372036854775807, 9223372036854775807, 0)

func.func @wide_unsigned(%a: i64, %b: i64) -> (i64, i64, i64) {
  %q = arith.divui %a, %b : i64
  %c = arith.ceildivui %a, %b : i64
  %r = arith.remui %a, %b : i64
  return %q, %c, %r : i64, i64, i64
}
// eval: @wide_unsigned(-1, 10) == (1844674407370955161, 1844674407370955162, 5)
// eval: @wide_unsigned(9223372036854775807, -1) == (0, 1, 9223372036854775807)

func.func @index(%a: index, %b: index) -> (index, index, index, index, index) {
  %q = arith.divsi %a, %b : index
  %f = arith.floordivsi %a, %b : index
  %c = arith.ceildivsi %a, %b : index
  %r = arith.remsi %a, %b : index
  %u = arith.remui %a, %b : index
  return %q, %f, %c, %r, %u : index, index, index, index, index
}
// eval: @index(-13, 5) == (-2, -3, -2, -3, 3)
// eval: @index(13, 5) == (2, 2, 3, 3, 3)

// Folded in each direction, and never where the op is undefined.
func.func @folded() -> (i8, i8, i8, i8, i8, i8) {
  %a = arith.constant -7 : i8
  %b = arith.constant 2 : i8
  %q = arith.divsi %a, %b : i8
  %f = arith.floordivsi %a, %b : i8
  %c = arith.ceildivsi %a, %b : i8
  %r = arith.remsi %a, %b : i8
  %u = arith.divui %a, %b : i8
  %v = arith.ceildivui %a, %b : i8
  return %q, %f, %c, %r, %u, %v : i8, i8, i8, i8, i8, i8
}
// check: func.func @folded
// not: arith.divsi
// not: arith.floordivsi
// not: arith.ceildivsi
// not: arith.remsi
// not: arith.divui
// not: arith.ceildivui
// check: return
// eval: @folded() == (-3, -4, -3, -1, 124, 125)

// By one: the dividend; its remainder: zero.
func.func @by_one(%a: i8) -> (i8, i8, i8, i8, i8, i8, i8) {
  %one = arith.constant 1 : i8
  %q = arith.divsi %a, %one : i8
  %u = arith.divui %a, %one : i8
  %f = arith.floordivsi %a, %one : i8
  %c = arith.ceildivsi %a, %one : i8
  %d = arith.ceildivui %a, %one : i8
  %r = arith.remsi %a, %one : i8
  %s = arith.remui %a, %one : i8
  return %q, %u, %f, %c, %d, %r, %s : i8, i8, i8, i8, i8, i8, i8
}
// check: func.func @by_one(%a: i8)
// next: arith.constant 0 : i8
// next: return %a, %a, %a, %a, %a,
// eval: @by_one(-128) == (-128, -128, -128, -128, -128, 0, 0)

// A dead division by zero may go: to divide by zero is undefined, so that nothing has to stop.
func.func @zero_is_kept(%a: i8) -> (i8, i8) {
  %zero = arith.constant 0 : i8
  %q = arith.divui %a, %zero : i8
  %r = arith.remsi %a, %zero : i8
  return %q, %r : i8, i8
}
// check: func.func @zero_is_kept
// check: arith.divui
// next: arith.remsi
// eval: @zero_is_kept(3) == trap E0301
