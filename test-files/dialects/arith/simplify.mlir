// test: opt --pipeline="builtin.module(func.func(canonicalize))"
// rule: add_negative_left, add_negative_right, addui_extended_sum_only, cmp_const_right, cmp_of_ext
// rule: divf_of_negf, extsi_of_ext, extui_of_extui, index_cast_of_extsi, mulf_of_negf, mulsi_extended_low_only
// rule: mului_extended_low_only, not_cmp, or_of_nan, select_of_masked_operand, select_of_not, select_of_select
// rule: select_to_ext, select_to_not, sub_sub_same, trunci_of_cast, xor_of_ext
// rule: and_of_ext, index_castui_of_extui, or_of_ext

func.func @sub_sub_same(%a: i8, %b: i8) -> i8 {
  %0 = arith.subi %a, %b : i8
  %1 = arith.subi %0, %a : i8
  return %1 : i8
}
// check: func.func @sub_sub_same
// next: arith.constant 0
// next: arith.subi %{{.*}}, %b
// next: return
// eval: @sub_sub_same(100, -128) == -128

func.func @add_negative(%a: i32, %b: i32) -> i32 {
  %c = arith.constant -1 : i32
  %0 = arith.muli %a, %c : i32
  %1 = arith.addi %0, %b : i32
  return %1 : i32
}
// check: func.func @add_negative
// next: arith.subi %b, %a
// next: return
// eval: @add_negative(3, 10) == 7

// The new number is greater, or NaN where the old one is none.
func.func @later(%a: f32, %b: f32) -> i1 {
  %0 = arith.cmpf ogt, %b, %a : f32
  %1 = arith.cmpf une, %b, %b : f32
  %2 = arith.cmpf oeq, %a, %a : f32
  %3 = arith.andi %1, %2 : i1
  %4 = arith.ori %0, %3 : i1
  return %4 : i1
}
// check: func.func @later
// next: %0 = arith.cmpf oeq, %a, %a : f32
// next: %1 = arith.cmpf ugt, %b, %a : f32
// next: %2 = arith.andi %1, %0 : i1
// next: return
// eval: @later(1.0, 2.0) == true
// eval: @later(2.0, 2.0) == false
// eval: @later(2.0, 1.0) == false
// eval: @later(1.0, 0x7FC00000) == true
// eval: @later(0x7FC00000, 1.0) == false
// eval: @later(0x7FC00000, 0x7FC00000) == false

// Less or equal in the other order, and the sides exchanged.
func.func @later_or_equal(%a: f32, %b: f32) -> i1 {
  %0 = arith.cmpf uno, %a, %a : f32
  %1 = arith.cmpf ord, %b, %b : f32
  %2 = arith.andi %1, %0 : i1
  %3 = arith.cmpf ole, %a, %b : f32
  %4 = arith.ori %2, %3 : i1
  return %4 : i1
}
// check: func.func @later_or_equal
// next: %0 = arith.cmpf ord, %b, %b : f32
// next: %1 = arith.cmpf ule, %a, %b : f32
// next: %2 = arith.andi %1, %0 : i1
// next: return
// eval: @later_or_equal(1.0, 2.0) == true
// eval: @later_or_equal(2.0, 2.0) == true
// eval: @later_or_equal(2.0, 1.0) == false
// eval: @later_or_equal(0x7FC00000, 1.0) == true
// eval: @later_or_equal(1.0, 0x7FC00000) == false
// eval: @later_or_equal(0x7FC00000, 0x7FC00000) == false

// One value twice, and a third one: as they are.
func.func @other_nan(%a: f32, %b: f32, %c: f32) -> (i1, i1) {
  %0 = arith.cmpf ogt, %b, %a : f32
  %1 = arith.cmpf une, %c, %c : f32
  %2 = arith.cmpf oeq, %a, %a : f32
  %3 = arith.andi %1, %2 : i1
  %4 = arith.ori %0, %3 : i1
  %5 = arith.cmpf oeq, %c, %c : f32
  %6 = arith.andi %1, %5 : i1
  %7 = arith.ori %0, %6 : i1
  return %4, %7 : i1, i1
}
// check: func.func @other_nan
// not: arith.cmpf ugt
// eval: @other_nan(1.0, 0.5, 0x7FC00000) == (true, false)

func.func @not_less(%a: i8, %b: i8) -> i1 {
  %true = arith.constant true
  %0 = arith.cmpi slt, %a, %b : i8
  %1 = arith.xori %0, %true : i1
  return %1 : i1
}
// check: func.func @not_less
// next: arith.cmpi sge, %a, %b
// next: return
// eval: @not_less(-1, 1) == false
// eval: @not_less(1, 1) == true

func.func @constant_right(%a: i8) -> i1 {
  %c = arith.constant 4 : i8
  %0 = arith.cmpi ult, %c, %a : i8
  return %0 : i1
}
// check: func.func @constant_right
// check: arith.cmpi ugt, %a
// eval: @constant_right(5) == true
// eval: @constant_right(4) == false

// Widened with zeros, the signed order is the unsigned one.
func.func @compare_wide(%a: i8, %b: i8) -> (i1, i1) {
  %0 = arith.extui %a : i8 to i32
  %1 = arith.extui %b : i8 to i32
  %2 = arith.cmpi slt, %0, %1 : i32
  %3 = arith.extsi %a : i8 to i32
  %4 = arith.extsi %b : i8 to i32
  %5 = arith.cmpi ult, %3, %4 : i32
  return %2, %5 : i1, i1
}
// check: func.func @compare_wide
// next: arith.cmpi ult, %a, %b : i8
// next: arith.cmpi ult, %a, %b : i8
// next: return
// eval: @compare_wide(1, -1) == (true, true)
// eval: @compare_wide(-1, 1) == (false, false)

func.func @bit_is_set(%b: i1) -> (i1, i1, i1) {
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i32
  %w = arith.extui %b : i1 to i32
  %0 = arith.cmpi eq, %b, %true : i1
  %1 = arith.cmpi ne, %b, %false : i1
  %2 = arith.cmpi ne, %w, %zero : i32
  return %0, %1, %2 : i1, i1, i1
}
// check: func.func @bit_is_set
// next: return %b, %b, %b
// eval: @bit_is_set(true) == (true, true, true)

func.func @narrow_bits(%a: i8, %b: i8) -> i32 {
  %0 = arith.extsi %a : i8 to i32
  %1 = arith.extsi %b : i8 to i32
  %2 = arith.xori %0, %1 : i32
  return %2 : i32
}
// check: func.func @narrow_bits
// next: arith.xori %a, %b : i8
// next: arith.extsi
// eval: @narrow_bits(-1, 5) == -6

func.func @opposite_bits(%a: i8) -> (i8, i8) {
  %m = arith.constant -1 : i8
  %n = arith.xori %a, %m : i8
  %0 = arith.andi %a, %n : i8
  %1 = arith.ori %n, %a : i8
  return %0, %1 : i8, i8
}
// check: func.func @opposite_bits
// not: arith.andi
// eval: @opposite_bits(77) == (0, -1)

func.func @choices(%c: i1, %a: i32, %b: i32) -> (i1, i32, i32, i32, i32) {
  %true = arith.constant true
  %false = arith.constant false
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %n = arith.select %c, %false, %true : i1
  %x = arith.select %n, %a, %b : i32
  %y = arith.select %c, %one, %zero : i32
  %z = arith.select %c, %zero, %one : i32
  %i = arith.select %c, %a, %zero : i32
  %w = arith.select %c, %i, %b : i32
  return %n, %x, %y, %z, %w : i1, i32, i32, i32, i32
}
// check: func.func @choices
// check: %n = arith.xori %c, %true
// check: %x = arith.select %c, %b, %a
// check: %y = arith.extui %c
// check: arith.extui
// check: %w = arith.select %c, %a, %b
// eval: @choices(true, 5, 6) == (false, 6, 1, 0, 5)
// eval: @choices(false, 5, 6) == (true, 5, 0, 1, 6)

func.func @choose_equal(%a: i32, %b: i32) -> (i32, i32, i32) {
  %c = arith.cmpi eq, %a, %b : i32
  %d = arith.cmpi ne, %a, %b : i32
  %0 = arith.select %c, %a, %b : i32
  %1 = arith.select %d, %a, %b : i32
  %2 = arith.select %c, %b, %a : i32
  return %0, %1, %2 : i32, i32, i32
}
// check: func.func @choose_equal
// next: return %b, %a, %a
// eval: @choose_equal(1, 2) == (2, 1, 1)

func.func @casts(%a: i8, %b: i64) -> (i16, i8, i64, i64, i8) {
  %0 = arith.extsi %a : i8 to i32
  %1 = arith.trunci %0 : i32 to i16
  %2 = arith.trunci %b : i64 to i32
  %3 = arith.trunci %2 : i32 to i8
  %4 = arith.extui %a : i8 to i32
  %5 = arith.extsi %4 : i32 to i64
  %6 = arith.extsi %0 : i32 to i64
  %7 = arith.extui %2 : i32 to i64
  %8 = arith.trunci %7 : i64 to i8
  return %1, %3, %5, %6, %8 : i16, i8, i64, i64, i8
}
// check: func.func @casts
// next: arith.extsi %a : i8 to i16
// next: arith.trunci %b : i64 to i8
// next: arith.extui %a : i8 to i64
// next: arith.extsi %a : i8 to i64
// next: arith.trunci %b : i64 to i8
// next: return
// eval: @casts(-1, 513) == (-1, 1, 255, -1, 1)

// What is cut off in between does not come back.
func.func @through_index(%a: i64, %b: index, %c: i32) -> (i64, index, index) {
  %0 = arith.index_cast %a : i64 to index
  %1 = arith.index_cast %0 : index to i64
  %2 = arith.index_cast %b : index to i32
  %3 = arith.index_cast %2 : i32 to index
  %4 = arith.extsi %c : i32 to i64
  %5 = arith.index_cast %4 : i64 to index
  return %1, %3, %5 : i64, index, index
}
// check: func.func @through_index
// next: arith.index_cast %b : index to i32
// next: arith.index_cast
// next: arith.index_cast %c : i32 to index
// next: return %a
// eval: @through_index(7, 4294967297, -2) == (7, 1, -2)

func.func @products(%a: i32, %b: i32, %x: f32, %y: f32) -> (i32, i32, f32, f32) {
  %0 = arith.muli %a, %b overflow<nsw> : i32
  %1 = arith.divsi %0, %b : i32
  %2 = arith.divui %0, %b : i32
  %3 = arith.negf %x : f32
  %4 = arith.negf %y : f32
  %5 = arith.mulf %3, %4 : f32
  %6 = arith.divf %3, %4 : f32
  return %1, %2, %5, %6 : i32, i32, f32, f32
}
// check: func.func @products
// next: arith.muli
// next: arith.divui
// next: arith.mulf %x, %y
// next: arith.divf %x, %y
// next: return %a
// eval: @products(6, 3, 4.0, -2.0) == (6, 6, -8.0, -2.0)

func.func @halves(%a: i32, %b: i32) -> (i32, i1, i32, i32, i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s, %c = arith.addui_extended %a, %zero : i32, i1
  %t, %d = arith.addui_extended %a, %b : i32, i1
  %l, %h = arith.mului_extended %a, %one : i32
  %m, %k = arith.mulsi_extended %a, %b : i32
  return %s, %c, %t, %h, %m : i32, i1, i32, i32, i32
}
// check: func.func @halves
// check: %t = arith.addi %a, %b
// next: %m = arith.muli %a, %b
// next: return %a, %c, %t, %h, %m
// eval: @halves(-1, 2) == (-1, false, 1, 0, -2)

func.func @constant_halves() -> (i8, i1, i8, i8, i8, i8) {
  %a = arith.constant -3 : i8
  %b = arith.constant 100 : i8
  %s, %c = arith.addui_extended %a, %b : i8, i1
  %l, %h = arith.mului_extended %a, %b : i8
  %m, %k = arith.mulsi_extended %a, %b : i8
  return %s, %c, %l, %h, %m, %k : i8, i1, i8, i8, i8, i8
}
// check: func.func @constant_halves
// not: extended
// eval: @constant_halves() == (97, true, -44, 98, -44, -2)

// A masked sum under its own mask: the inner choice is decided where the sum is chosen.
func.func @masked(%m: vector<4xi1>, %a: vector<4xf32>, %b: vector<4xf32>, %c: vector<4xf32>) -> vector<4xf32> {
  %p = arith.mulf %a, %b : vector<4xf32>
  %s = arith.select %m, %c, %p : vector<4xi1>, vector<4xf32>
  %f = vector.fma %a, %b, %s : vector<4xf32>
  %r = arith.select %m, %f, %c : vector<4xi1>, vector<4xf32>
  return %r : vector<4xf32>
}
// check: func.func @masked
// next: %f = vector.fma %a, %b, %c
// next: %r = arith.select %m, %f, %c
// next: return
// eval: @masked([true, false, true, false], [1.0, 2.0, 3.0, 4.0], [1.0, 1.0, 2.0, 2.0], [10.0, 20.0, 30.0, 40.0]) == [11.0, 20.0, 36.0, 40.0]

func.func @added_negative(%x: i8, %y: i8) -> (i8, i8) {
  %minus = arith.constant -1 : i8
  %a = arith.muli %x, %minus : i8
  %r = arith.addi %y, %a : i8
  %s = arith.addi %a, %y : i8
  return %r, %s : i8, i8
}
// check: func.func @added_negative
// next: %r = arith.subi %y, %x
// eval: @added_negative(3, 10) == (7, 7)

func.func @widened_twice(%x: i8) -> i32 {
  %a = arith.extui %x : i8 to i16
  %r = arith.extui %a : i16 to i32
  return %r : i32
}
// check: func.func @widened_twice
// next: %r = arith.extui %x : i8 to i32
// eval: @widened_twice(-1) == 255

func.func @low_half(%a: i32, %b: i32) -> i32 {
  %l, %h = arith.mului_extended %a, %b : i32
  return %l : i32
}
// check: func.func @low_half
// next: %l = arith.muli %a, %b
// eval: @low_half(3, -4) == -12

// Bits of what was widened alike are widened once; an index is made of the narrow value.
func.func @widened_bits(%a: i8, %b: i8) -> (i32, i32, index) {
  %x = arith.extui %a : i8 to i32
  %y = arith.extui %b : i8 to i32
  %and = arith.andi %x, %y : i32
  %or = arith.ori %x, %y : i32
  %i = arith.index_castui %x : i32 to index
  return %and, %or, %i : i32, i32, index
}
// check: func.func @widened_bits
// check: arith.andi %a, %b : i8
// check: arith.ori %a, %b : i8
// check: %i = arith.index_castui %a : i8 to index
// eval: @widened_bits(-1, 6) == (6, 255, 255)

func.func @choose_itself(%c: i1) -> (i1, i1, i1, i1) {
  %true = arith.constant true
  %false = arith.constant false
  %0 = arith.select %c, %c, %true : i1
  %1 = arith.select %c, %c, %false : i1
  %2 = arith.select %c, %false, %c : i1
  %3 = arith.select %c, %true, %c : i1
  return %0, %1, %2, %3 : i1, i1, i1, i1
}
// check: func.func @choose_itself
// check: return %true, %c, %false, %c
// eval: @choose_itself(true) == (true, true, false, true)
// eval: @choose_itself(false) == (true, false, false, false)
