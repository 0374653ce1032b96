// What counts as the same expression: attributes, types and order of operands matter, places in the text do not.
// test: opt --pipeline="func.func(cse)"

// Flags differ: the sum that may be poison is not the one that may not.
func.func @flags(%a: i8, %b: i8) -> (i8, i8, i8) {
  %p = arith.addi %a, %b : i8
  %q = arith.addi %a, %b overflow<nsw> : i8
  %r = arith.addi %a, %b : i8
  return %p, %q, %r : i8, i8, i8
}
// check: func.func @flags
// next: %p = arith.addi %a, %b : i8
// next: %q = arith.addi %a, %b overflow<nsw> : i8
// next: return %p, %q, %p
// eval: @flags(1, 2) == (3, 3, 3)
// eval: @flags(127, 1) == (-128, poison, -128)

func.func @order(%a: i32, %b: i32) -> (i32, i32, i32) {
  %p = arith.subi %a, %b : i32
  %q = arith.subi %b, %a : i32
  %r = arith.subi %a, %b : i32
  return %p, %q, %r : i32, i32, i32
}
// check: func.func @order
// next: arith.subi %a, %b
// next: arith.subi %b, %a
// next: return %p, %q, %p
// eval: @order(7, 2) == (5, -5, 5)

func.func @types(%a: i8) -> (i16, i32, i16) {
  %p = arith.extsi %a : i8 to i16
  %q = arith.extsi %a : i8 to i32
  %r = arith.extsi %a : i8 to i16
  return %p, %q, %r : i16, i32, i16
}
// check: func.func @types
// next: arith.extsi
// next: arith.extsi
// next: return %p, %q, %p
// eval: @types(-5) == (-5, -5, -5)

func.func @predicates(%a: i32, %b: i32) -> (i1, i1, i1) {
  %p = arith.cmpi slt, %a, %b : i32
  %q = arith.cmpi ult, %a, %b : i32
  %r = arith.cmpi slt, %a, %b : i32
  return %p, %q, %r : i1, i1, i1
}
// check: func.func @predicates
// next: arith.cmpi slt
// next: arith.cmpi ult
// next: return %p, %q, %p
// eval: @predicates(-1, 1) == (true, false, true)

// −0 and +0 are two constants, and so are two NaN of other bits.
func.func @zeros() -> (f32, f32, f32) {
  %a = arith.constant 0.0 : f32
  %b = arith.constant -0.0 : f32
  %c = arith.constant 0.0 : f32
  return %a, %b, %c : f32, f32, f32
}
// check: func.func @zeros
// next: arith.constant 0.0
// next: arith.constant -0.0
// next: return %a, %b, %a
// eval: @zeros() == (0.0, -0.0, 0.0)

func.func @nans() -> (f32, f32) {
  %a = arith.constant 0x7FC00000 : f32
  %b = arith.constant 0x7FC00001 : f32
  return %a, %b : f32, f32
}
// check: func.func @nans
// next: arith.constant 0x7FC00000
// next: arith.constant 0x7FC00001
// eval: @nans() == (0x7FC00000, 0x7FC00001)

// What a region inside computes anew was computed outside; not the other way round.
func.func @nested(%c: i1, %a: i32) -> (i32, i32, i32) {
  %p = arith.muli %a, %a : i32
  %r = scf.if %c -> (i32) {
    %q = arith.muli %a, %a : i32
    scf.yield %q : i32
  } else {
    %q = arith.addi %a, %a : i32
    scf.yield %q : i32
  }
  %s = arith.addi %a, %a : i32
  return %p, %r, %s : i32, i32, i32
}
// check: func.func @nested
// next: %p = arith.muli
// next: scf.if
// next: scf.yield %p
// next: } else {
// next: arith.addi
// next: scf.yield
// check: %s = arith.addi
// eval: @nested(true, 5) == (25, 25, 10)
// eval: @nested(false, 5) == (25, 10, 10)

// Two branches of one condition do not see each other.
func.func @siblings(%c: i1, %a: i32) -> i32 {
  %r = scf.if %c -> (i32) {
    %q = arith.muli %a, %a : i32
    scf.yield %q : i32
  } else {
    %q = arith.muli %a, %a : i32
    %n = arith.addi %q, %a : i32
    scf.yield %n : i32
  }
  return %r : i32
}
// check: func.func @siblings
// check: arith.muli
// check: arith.muli
// eval: @siblings(true, 3) == 9
// eval: @siblings(false, 3) == 12

// A block that every way goes through shares with those behind it; the two in the middle share nothing.
func.func @blocks(%c: i1, %a: i32) -> i32 {
  %p = arith.muli %a, %a : i32
  cf.cond_br %c, ^one, ^two
^one:
  %q = arith.muli %a, %a : i32
  %u = arith.addi %q, %a : i32
  cf.br ^end(%u : i32)
^two:
  %v = arith.addi %p, %a : i32
  cf.br ^end(%v : i32)
^end(%r: i32):
  %w = arith.muli %a, %a : i32
  %x = arith.subi %r, %w : i32
  return %x : i32
}
// check: func.func @blocks
// check: arith.muli
// not: arith.muli
// check: arith.addi
// check: arith.addi
// check: arith.subi
// eval: @blocks(true, 3) == 3
// eval: @blocks(false, -4) == -4

// A division that is made is made once; were it undefined, it would have been so before.
func.func @division(%a: i32, %b: i32) -> (i32, i32) {
  %p = arith.divsi %a, %b : i32
  %q = arith.divsi %a, %b : i32
  return %p, %q : i32, i32
}
// check: func.func @division
// next: arith.divsi
// next: return %p, %p
// eval: @division(7, 2) == (3, 3)
// eval: @division(7, 0) == trap E0301
