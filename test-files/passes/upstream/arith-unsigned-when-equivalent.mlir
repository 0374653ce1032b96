// test: opt --pipeline=arith-unsigned-when-equivalent

// Half of a byte is never negative; a sum of two halves may be.
func.func @halves(%a: i8, %b: i8) -> (i8, i1, i1, i32) {
  %c1 = arith.constant 1 : i8
  %h = arith.shrui %a, %c1 : i8
  %k = arith.shrui %b, %c1 : i8
  %q = arith.divsi %h, %k : i8
  %less = arith.cmpi slt, %h, %k : i8
  %s = arith.addi %h, %k : i8
  %sum = arith.cmpi slt, %s, %k : i8
  %w = arith.extsi %q : i8 to i32
  return %q, %less, %sum, %w : i8, i1, i1, i32
}
// check: func.func @halves
// check: %q = arith.divui %h, %k
// next: %less = arith.cmpi ult
// check: %sum = arith.cmpi slt
// next: %w = arith.extui %q
// eval: @halves(20, 4) == (5, false, false, 5)
// eval: @halves(-1, -1) == (1, false, true, 1)
