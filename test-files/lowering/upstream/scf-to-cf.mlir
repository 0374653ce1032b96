// test: opt --pipeline="func.func(convert-scf-to-cf)"
// snapshot:

// Condition, body, rest; names of induction variable and carried value stay.
func.func @sum(%n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (i32) {
    %next = arith.addi %acc, %x : i32
    scf.yield %next : i32
  }
  return %r : i32
}
// check: func.func @sum
// check: cf.br ^bb1(%c0, %zero : index, i32)
// next: ^bb1(%i: index, %acc: i32):
// next: %0 = arith.cmpi slt, %i, %n : index
// next: cf.cond_br %0, ^bb2, ^bb3
// next: ^bb2:
// next: %next = arith.addi %acc, %x
// next: %1 = arith.addi %i, %c1 : index
// next: cf.br ^bb1(%1, %next : index, i32)
// next: ^bb3:
// next: return %acc : i32
// eval: @sum(0, 3) == 0
// eval: @sum(5, 3) == 15

func.func @unsigned(%n: i8) -> i32 {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for unsigned %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (i32) : i8 {
    %next = arith.addi %acc, %one : i32
    scf.yield %next : i32
  }
  return %r : i32
}
// check: func.func @unsigned
// check: arith.cmpi ult, %i, %n : i8
// eval: @unsigned(-56) == 200

// The results are arguments of the rest and keep their name.
func.func @abs(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %negative = arith.cmpi slt, %x, %zero : i32
  %r = scf.if %negative -> (i32) {
    %n = arith.subi %zero, %x : i32
    scf.yield %n : i32
  } else {
    scf.yield %x : i32
  }
  return %r : i32
}
// check: func.func @abs
// check: cf.cond_br %negative, ^bb1, ^bb2
// next: ^bb1:
// next: %n = arith.subi
// next: cf.br ^bb3(%n : i32)
// next: ^bb2:
// next: cf.br ^bb3(%x : i32)
// next: ^bb3(%r: i32):
// next: return %r : i32
// eval: @abs(-4) == 4
// eval: @abs(4) == 4

func.func @if_alone(%c: i1, %m: memref<i32>, %x: i32) {
  scf.if %c {
    memref.store %x, %m[] : memref<i32>
  }
  return
}
// check: func.func @if_alone
// check: cf.cond_br %c, ^bb1, ^bb2
// next: ^bb1:
// next: memref.store
// next: cf.br ^bb2
// next: ^bb2:
// next: return

func.func @collatz(%n: i64) -> i64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %r:2 = scf.while (%x = %n, %steps = %c0) : (i64, i64) -> (i64, i64) {
    %more = arith.cmpi ne, %x, %c1 : i64
    scf.condition(%more) %x, %steps : i64, i64
  } do {
  ^bb0(%y: i64, %done: i64):
    %bit = arith.remsi %y, %c2 : i64
    %odd = arith.cmpi eq, %bit, %c1 : i64
    %next = scf.if %odd -> (i64) {
      %t = arith.muli %y, %c3 : i64
      %u = arith.addi %t, %c1 : i64
      scf.yield %u : i64
    } else {
      %h = arith.divsi %y, %c2 : i64
      scf.yield %h : i64
    }
    %s = arith.addi %done, %c1 : i64
    scf.yield %next, %s : i64, i64
  }
  return %r#1 : i64
}
// check: func.func @collatz
// check: ^bb1(%x: i64, %steps: i64):
// next: %more = arith.cmpi
// next: cf.cond_br %more, ^bb2(%x, %steps : i64, i64), ^bb6
// next: ^bb2(%y: i64, %done: i64):
// check: ^bb6:
// next: return %steps
// eval: @collatz(27) == 111

// A second region that only hands on needs no block.
func.func @do_while(%n: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %r = scf.while (%x = %c1) : (i32) -> i32 {
    %y = arith.addi %x, %x : i32
    %more = arith.cmpi slt, %y, %n : i32
    scf.condition(%more) %y : i32
  } do {
  ^bb0(%y: i32):
    scf.yield %y : i32
  }
  return %r : i32
}
// check: func.func @do_while
// check: ^bb1(%x: i32):
// next: %y = arith.addi
// next: %more =
// next: cf.cond_br %more, ^bb1(%y : i32), ^bb2
// next: ^bb2:
// next: return %y : i32
// eval: @do_while(100) == 128
// eval: @do_while(-1) == 2

func.func @box(%n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r:2 = scf.parallel (%i, %j) = (%c0, %c1) to (%n, %n) step (%c2, %c1) init (%c0, %c1) -> (index, index) {
    %x = arith.addi %i, %j : index
    scf.reduce(%x, %x : index, index) {
    ^bb0(%a: index, %b: index):
      %s = arith.addi %a, %b : index
      scf.reduce.return %s : index
    }, {
    ^bb0(%a: index, %b: index):
      %big = arith.cmpi sgt, %b, %a : index
      %m = scf.if %big -> (index) {
        scf.yield %b : index
      } else {
        scf.yield %a : index
      }
      scf.reduce.return %m : index
    }
  }
  return %r#0, %r#1 : index, index
}
// check: func.func @box
// check-not: scf.
// eval: @box(5) == 54, 8
// eval: @box(0) == 0, 1

func.func @execute_region(%x: i32, %y: i32) -> i32 {
  %less = arith.cmpi slt, %x, %y : i32
  %r = scf.execute_region -> i32 {
    cf.cond_br %less, ^a, ^b
  ^a:
    scf.yield %y : i32
  ^b:
    %z = scf.if %less -> (i32) {
      scf.yield %y : i32
    } else {
      scf.yield %x : i32
    }
    scf.yield %z : i32
  }
  return %r : i32
}
// check: func.func @execute_region
// check-not: scf.
// check: ^{{.*}}(%r: i32):
// next: return %r : i32
// eval: @execute_region(1, 2) == 2
// eval: @execute_region(3, 2) == 3

// Upstream looks at the low 32 bits of the value; here all count.
func.func @index_switch(%x: index, %a: i32) -> i32 {
  %r = scf.index_switch %x -> i32
  case 2 {
    scf.yield %a : i32
  }
  case -5 {
    %b = arith.constant 20 : i32
    scf.yield %b : i32
  }
  default {
    %c = arith.constant 30 : i32
    scf.yield %c : i32
  }
  return %r : i32
}
// check: func.func @index_switch
// next: arith.index_cast %x : index to i64
// next: cf.switch
// eval: @index_switch(2, 7) == 7
// eval: @index_switch(-5, 7) == 20
// eval: @index_switch(4294967298, 7) == 30
