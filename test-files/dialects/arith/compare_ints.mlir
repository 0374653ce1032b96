// All ten comparisons of integers, on numbers where the two orders differ.
// test: opt --pipeline="func.func(canonicalize)"

func.func @i8(%a: i8, %b: i8) -> (i1, i1, i1, i1, i1, i1, i1, i1, i1, i1) {
  %eq = arith.cmpi eq, %a, %b : i8
  %ne = arith.cmpi ne, %a, %b : i8
  %slt = arith.cmpi slt, %a, %b : i8
  %sle = arith.cmpi sle, %a, %b : i8
  %sgt = arith.cmpi sgt, %a, %b : i8
  %sge = arith.cmpi sge, %a, %b : i8
  %ult = arith.cmpi ult, %a, %b : i8
  %ule = arith.cmpi ule, %a, %b : i8
  %ugt = arith.cmpi ugt, %a, %b : i8
  %uge = arith.cmpi uge, %a, %b : i8
  return %eq, %ne, %slt, %sle, %sgt, %sge, %ult, %ule, %ugt, %uge : i1, i1, i1, i1, i1, i1, i1, i1, i1, i1
}
// eval: @i8(5, 5) == (true, false, false, true, false, true, false, true, false, true)
// eval: @i8(-128, 127) == (false, true, true, true, false, false, false, false, true, true)
// eval: @i8(127, -128) == (false, true, false, false, true, true, true, true, false, false)
// eval: @i8(-1, 0) == (false, true, true, true, false, false, false, false, true, true)
// eval: @i8(0, 1) == (false, true, true, true, false, false, true, true, false, false)
// eval: @i8(-2, -1) == (false, true, true, true, false, false, true, true, false, false)

// One bit that is set is −1 to the signed orders, and 1 to the unsigned ones.
func.func @i1(%a: i1, %b: i1) -> (i1, i1, i1, i1, i1, i1) {
  %eq = arith.cmpi eq, %a, %b : i1
  %slt = arith.cmpi slt, %a, %b : i1
  %sge = arith.cmpi sge, %a, %b : i1
  %ult = arith.cmpi ult, %a, %b : i1
  %ule = arith.cmpi ule, %a, %b : i1
  %ugt = arith.cmpi ugt, %a, %b : i1
  return %eq, %slt, %sge, %ult, %ule, %ugt : i1, i1, i1, i1, i1, i1
}
// eval: @i1(true, false) == (false, true, false, false, false, true)
// eval: @i1(false, true) == (false, false, true, true, true, false)
// eval: @i1(true, true) == (true, false, true, false, true, false)

func.func @index(%a: index, %b: index) -> (i1, i1, i1, i1) {
  %slt = arith.cmpi slt, %a, %b : index
  %sge = arith.cmpi sge, %a, %b : index
  %ult = arith.cmpi ult, %a, %b : index
  %uge = arith.cmpi uge, %a, %b : index
  return %slt, %sge, %ult, %uge : i1, i1, i1, i1
}
// eval: @index(-9223372036854775808, 9223372036854775807) == (true, false, false, true)
// eval: @index(0, -1) == (false, true, true, false)

// Nothing is less than the least, nothing is above the greatest, and a value is as large as itself.
func.func @known(%a: i8) -> (i1, i1, i1, i1, i1, i1) {
  %least = arith.constant -128 : i8
  %most = arith.constant 127 : i8
  %zero = arith.constant 0 : i8
  %ones = arith.constant -1 : i8
  %p = arith.cmpi slt, %a, %least : i8
  %q = arith.cmpi sgt, %a, %most : i8
  %r = arith.cmpi ult, %a, %zero : i8
  %s = arith.cmpi ugt, %a, %ones : i8
  %t = arith.cmpi ule, %a, %a : i8
  %u = arith.cmpi ne, %a, %a : i8
  return %p, %q, %r, %s, %t, %u : i1, i1, i1, i1, i1, i1
}
// eval: @known(0) == (false, false, false, false, true, false)
// eval: @known(-128) == (false, false, false, false, true, false)
// eval: @known(127) == (false, false, false, false, true, false)
// eval: @known(-1) == (false, false, false, false, true, false)

func.func @same(%a: i32) -> (i1, i1, i1, i1, i1, i1, i1, i1, i1, i1) {
  %eq = arith.cmpi eq, %a, %a : i32
  %ne = arith.cmpi ne, %a, %a : i32
  %slt = arith.cmpi slt, %a, %a : i32
  %sle = arith.cmpi sle, %a, %a : i32
  %sgt = arith.cmpi sgt, %a, %a : i32
  %sge = arith.cmpi sge, %a, %a : i32
  %ult = arith.cmpi ult, %a, %a : i32
  %ule = arith.cmpi ule, %a, %a : i32
  %ugt = arith.cmpi ugt, %a, %a : i32
  %uge = arith.cmpi uge, %a, %a : i32
  return %eq, %ne, %slt, %sle, %sgt, %sge, %ult, %ule, %ugt, %uge : i1, i1, i1, i1, i1, i1, i1, i1, i1, i1
}
// check: func.func @same
// not: arith.cmpi
// check: return
// eval: @same(-3) == (true, false, false, true, false, true, false, true, false, true)

func.func @elements(%a: vector<4xi16>, %b: vector<4xi16>) -> (vector<4xi1>, vector<4xi1>) {
  %s = arith.cmpi slt, %a, %b : vector<4xi16>
  %u = arith.cmpi ult, %a, %b : vector<4xi16>
  return %s, %u : vector<4xi1>, vector<4xi1>
}
// eval: @elements([-1, 0, 7, -32768], [0, -1, 7, 32767]) == ([true, false, false, true], [false, true, false, false])

// The constant goes to the right, and the comparison turns round.
func.func @turned(%a: i8) -> (i1, i1, i1, i1) {
  %c = arith.constant 3 : i8
  %p = arith.cmpi slt, %c, %a : i8
  %q = arith.cmpi uge, %c, %a : i8
  %r = arith.cmpi eq, %c, %a : i8
  %s = arith.cmpi sle, %c, %a : i8
  return %p, %q, %r, %s : i1, i1, i1, i1
}
// check: func.func @turned
// check: arith.cmpi sgt, %a, %c : i8
// next: arith.cmpi ule, %a, %c : i8
// next: arith.cmpi eq, %a, %c : i8
// next: arith.cmpi sge, %a, %c : i8
// eval: @turned(3) == (false, true, true, true)
// eval: @turned(4) == (true, false, false, true)
// eval: @turned(-1) == (false, false, false, false)
