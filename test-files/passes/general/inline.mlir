// test: opt --pipeline="builtin.module(inline)"

// A body is inlined with what was inlined into it.
func.func private @twice(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  return %y : i32
}
func.func @fourfold(%x: i32) -> i32 {
  %y = call @twice(%x) : (i32) -> i32
  %z = call @twice(%y) : (i32) -> i32
  return %z : i32
}
func.func @eightfold(%x: i32) -> i32 {
  %y = call @fourfold(%x) : (i32) -> i32
  %z = call @twice(%y) : (i32) -> i32
  return %z : i32
}
// check: func.func @eightfold
// next: %y = arith.addi %x, %x
// next: %y_0 = arith.addi %y, %y
// next: %y_1 = arith.addi %y_0, %y_0
// next: return %y_1
// eval: @eightfold(5) == 40

// Several blocks go in between the halves of the caller's block.
func.func private @abs(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %negative = arith.cmpi slt, %x, %zero : i32
  cf.cond_br %negative, ^turn(%x : i32), ^keep
^turn(%y: i32):
  %n = arith.subi %zero, %y : i32
  return %n : i32
^keep:
  return %x : i32
}
func.func @distance(%a: i32, %b: i32) -> i32 {
  %d = arith.subi %a, %b : i32
  %r = call @abs(%d) : (i32) -> i32
  return %r : i32
}
// check: func.func @distance
// check: cf.cond_br %negative, ^turn(%d : i32), ^keep
// next: ^turn(%y: i32):
// next: %n = arith.subi
// next: cf.br ^bb3(%n : i32)
// next: ^keep:
// next: cf.br ^bb3(%d : i32)
// next: ^bb3(%r: i32):
// next: return %r
// eval: @distance(3, 10) == 7
// eval: @distance(10, 3) == 7

// In a structured op, they go into a region of their own.
func.func @sum(%n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (i32) {
    %a = call @abs(%x) : (i32) -> i32
    %s = arith.addi %acc, %a : i32
    scf.yield %s : i32
  }
  return %r : i32
}
// check: func.func @sum
// check: scf.for
// next: %a = scf.execute_region -> i32 {
// check: ^turn(%y: i32):
// next: %n_1 = arith.subi
// next: scf.yield %n_1
// next: ^keep:
// next: scf.yield %x
// check: arith.addi %acc, %a
// eval: @sum(3, -2) == 6

// Recursion stays, also through another function, and also from outside.
func.func private @even(%n: i32) -> i1 {
  %zero = arith.constant 0 : i32
  %is = arith.cmpi eq, %n, %zero : i32
  cf.cond_br %is, ^end(%is : i1), ^more
^more:
  %one = arith.constant 1 : i32
  %m = arith.subi %n, %one : i32
  %o = call @odd(%m) : (i32) -> i1
  cf.br ^end(%o : i1)
^end(%r: i1):
  return %r : i1
}
func.func private @odd(%n: i32) -> i1 {
  %e = call @even(%n) : (i32) -> i1
  %true = arith.constant true
  %o = arith.xori %e, %true : i1
  return %o : i1
}
func.func @is_even(%n: i32) -> i1 {
  %e = call @even(%n) : (i32) -> i1
  return %e : i1
}
// check: func.func private @even
// check: call @odd
// check: func.func private @odd
// next: call @even
// check: func.func @is_even
// next: call @even
// eval: @is_even(4) == true

// Marked calls, marked functions, declarations and parallel ranges stay.
func.func private @kept(%x: i32) -> i32 attributes {no_inline} {
  return %x : i32
}
func.func private @unknown(i32)
func.func private @range(%begin: index, %end: index) {
  return
}
func.func @stay(%x: i32, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  call @unknown(%x) : (i32) -> ()
  call @range(%c0, %n) {terrace.parallel} : (index, index) -> ()
  %y = call @kept(%x) : (i32) -> i32
  return %y : i32
}
// check: func.func @stay
// check: call @unknown
// next: call @range
// next: call @kept
