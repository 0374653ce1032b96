// test: opt --pipeline="func.func(canonicalize, cse, dce)"

func.func @collatz(%n: i64) -> i64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %r:2 = scf.while (%x = %n, %steps = %c0) : (i64, i64) -> (i64, i64) {
    %more = arith.cmpi ne, %x, %c1 : i64
    scf.condition(%more) %x, %steps : i64, i64
  } do {
  ^bb0(%x: i64, %steps: i64):
    %bit = arith.remsi %x, %c2 : i64
    %odd = arith.cmpi eq, %bit, %c1 : i64
    %next = scf.if %odd -> (i64) {
      %t = arith.muli %x, %c3 : i64
      %u = arith.addi %t, %c1 : i64
      scf.yield %u : i64
    } else {
      %h = arith.divsi %x, %c2 : i64
      scf.yield %h : i64
    }
    %s = arith.addi %steps, %c1 : i64
    scf.yield %next, %s : i64, i64
  }
  return %r#1 : i64
}
// eval: @collatz(1) == 0
// eval: @collatz(27) == 111

// Two reductions over a box, in steps.
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
      %s = arith.maxsi %a, %b : index
      scf.reduce.return %s : index
    }
  }
  return %r#0, %r#1 : index, index
}
// eval: @box(4) == (18, 5)
// eval: @box(1) == (0, 1)

func.func @fib(%n: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %small = arith.cmpi sle, %n, %c1 : i32
  %r = scf.if %small -> (i32) {
    scf.yield %n : i32
  } else {
    %a = arith.subi %n, %c1 : i32
    %b = arith.subi %n, %c2 : i32
    %x = func.call @fib(%a) : (i32) -> i32
    %y = func.call @fib(%b) : (i32) -> i32
    %s = arith.addi %x, %y : i32
    scf.yield %s : i32
  }
  return %r : i32
}
// eval: @fib(15) == 610

// One region of several.
func.func @switch(%x: index) -> i32 {
  %r = scf.index_switch %x -> i32
  case 2 {
    %a = arith.constant 10 : i32
    scf.yield %a : i32
  }
  case -5 {
    %b = arith.constant 20 : i32
    scf.yield %b : i32
  }
  default {
    %c = arith.index_cast %x : index to i32
    scf.yield %c : i32
  }
  return %r : i32
}
// eval: @switch(2) == 10
// eval: @switch(-5) == 20
// eval: @switch(3) == 3
// eval: @switch(poison) == trap E0307

// Every point of a box, in steps, in some order: sums need atomic updates.
func.func @points(%n: index) -> i32 {
  %c0 = arith.constant 0 : i32
  %m = memref.alloca() : memref<i32>
  memref.store %c0, %m[] : memref<i32>
  scf.forall (%i, %j) = (1, 0) to (%n, 4) step (2, 3) {
    %s = arith.addi %i, %j : index
    %t = arith.index_cast %s : index to i32
    %old = memref.atomic_rmw addi %t, %m[] : (i32, memref<i32>) -> i32
  }
  %r = memref.load %m[] : memref<i32>
  return %r : i32
}
// eval: @points(1) == 0
// eval: @points(4) == 14
