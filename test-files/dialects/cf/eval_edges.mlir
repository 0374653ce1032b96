// Control flow between blocks: arguments move all at once, ends of switches, loops that meet in the middle.
// test: opt --pipeline="func.func(canonicalize,cse)"

// Two values change places on each way back.
func.func @swap(%n: i32, %a: i32, %b: i32) -> (i32, i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%n, %a, %b : i32, i32, i32)
^head(%k: i32, %x: i32, %y: i32):
  %more = arith.cmpi sgt, %k, %zero : i32
  cf.cond_br %more, ^body, ^exit
^body:
  %l = arith.subi %k, %one : i32
  cf.br ^head(%l, %y, %x : i32, i32, i32)
^exit:
  return %x, %y : i32, i32
}
// eval: @swap(0, 1, 2) == (1, 2)
// eval: @swap(1, 1, 2) == (2, 1)
// eval: @swap(2, 1, 2) == (1, 2)

// Three values go round.
func.func @rotate(%n: i32, %a: i32, %b: i32, %c: i32) -> (i32, i32, i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%n, %a, %b, %c : i32, i32, i32, i32)
^head(%k: i32, %x: i32, %y: i32, %z: i32):
  %done = arith.cmpi sle, %k, %zero : i32
  %l = arith.subi %k, %one : i32
  cf.cond_br %done, ^exit, ^head(%l, %y, %z, %x : i32, i32, i32, i32)
^exit:
  return %x, %y, %z : i32, i32, i32
}
// eval: @rotate(0, 1, 2, 3) == (1, 2, 3)
// eval: @rotate(1, 1, 2, 3) == (2, 3, 1)
// eval: @rotate(2, 1, 2, 3) == (3, 1, 2)
// eval: @rotate(3, 1, 2, 3) == (1, 2, 3)

// Both ways lead to the same block, with other arguments.
func.func @same_block(%c: i1, %a: i32, %b: i32) -> i32 {
  cf.cond_br %c, ^end(%a : i32), ^end(%b : i32)
^end(%r: i32):
  return %r : i32
}
// eval: @same_block(true, 1, 2) == 1
// eval: @same_block(false, 1, 2) == 2

func.func @switch_i8(%x: i8) -> i32 {
  %a = arith.constant 1 : i32
  %b = arith.constant 2 : i32
  %c = arith.constant 3 : i32
  cf.switch %x : i8, [
    default: ^end(%c : i32),
    -128: ^end(%a : i32),
    127: ^end(%b : i32)
  ]
^end(%r: i32):
  return %r : i32
}
// eval: @switch_i8(-128) == 1
// eval: @switch_i8(127) == 2
// eval: @switch_i8(0) == 3

func.func @switch_i64(%x: i64) -> i32 {
  %a = arith.constant 1 : i32
  %b = arith.constant 2 : i32
  %c = arith.constant 3 : i32
  cf.switch %x : i64, [
    default: ^end(%c : i32),
    9223372036854775807: ^end(%a : i32),
    -9223372036854775808: ^end(%b : i32)
  ]
^end(%r: i32):
  return %r : i32
}
// eval: @switch_i64(9223372036854775807) == 1
// eval: @switch_i64(-9223372036854775808) == 2
// eval: @switch_i64(-1) == 3

func.func @switch_default_only(%x: i32, %a: i32) -> i32 {
  cf.switch %x : i32, [
    default: ^end(%a : i32)
  ]
^end(%r: i32):
  return %r : i32
}
// eval: @switch_default_only(3, 7) == 7

// Two loops, one in the other, with a way out of both.
func.func @first_product(%n: i32, %wanted: i32) -> (i32, i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant -1 : i32
  cf.br ^rows(%one : i32)
^rows(%i: i32):
  %rows = arith.cmpi sle, %i, %n : i32
  cf.cond_br %rows, ^columns(%one : i32), ^found(%none, %none : i32, i32)
^columns(%j: i32):
  %columns = arith.cmpi sle, %j, %i : i32
  cf.cond_br %columns, ^test, ^next
^test:
  %p = arith.muli %i, %j : i32
  %hit = arith.cmpi eq, %p, %wanted : i32
  %k = arith.addi %j, %one : i32
  cf.cond_br %hit, ^found(%i, %j : i32, i32), ^columns(%k : i32)
^next:
  %l = arith.addi %i, %one : i32
  cf.br ^rows(%l : i32)
^found(%a: i32, %b: i32):
  return %a, %b : i32, i32
}
// eval: @first_product(10, 21) == (7, 3)
// eval: @first_product(10, 36) == (6, 6)
// eval: @first_product(10, 11) == (-1, -1)
// eval: @first_product(0, 1) == (-1, -1)

func.func @assert(%a: i32, %b: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %fine = arith.cmpi ne, %b, %zero : i32
  cf.assert %fine, "the divisor is zero"
  %q = arith.divsi %a, %b : i32
  return %q : i32
}
// eval: @assert(9, 3) == 3
// eval: @assert(9, 0) == trap E0311 "the divisor is zero"

func.func @decided_by_poison(%c: i1) -> i32 {
  %a = arith.constant 1 : i32
  %b = arith.constant 2 : i32
  cf.cond_br %c, ^yes, ^no
^yes:
  return %a : i32
^no:
  return %b : i32
}
// eval: @decided_by_poison(true) == 1
