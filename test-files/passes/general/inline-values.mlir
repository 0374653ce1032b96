// Calls become bodies: arguments, several results, control flow, nests of calls, and what is left alone.
// test: opt --pipeline="inline"

func.func private @swap(%a: i32, %b: i32) -> (i32, i32) {
  return %b, %a : i32, i32
}
func.func @several_results(%a: i32, %b: i32) -> (i32, i32) {
  %p:2 = func.call @swap(%a, %b) : (i32, i32) -> (i32, i32)
  %q:2 = func.call @swap(%p#0, %a) : (i32, i32) -> (i32, i32)
  return %q#0, %q#1 : i32, i32
}
// check: func.func @several_results
// next: return %a, %b
// eval: @several_results(1, 2) == (1, 2)

// The same callee twice: values of the two bodies do not meet.
func.func private @square(%x: i32) -> i32 {
  %y = arith.muli %x, %x : i32
  return %y : i32
}
func.func @twice(%a: i32, %b: i32) -> i32 {
  %p = func.call @square(%a) : (i32) -> i32
  %q = func.call @square(%b) : (i32) -> i32
  %r = arith.subi %p, %q : i32
  return %r : i32
}
// check: func.func @twice
// next: arith.muli %a, %a
// next: arith.muli %b, %b
// next: arith.subi
// eval: @twice(5, 3) == 16

func.func private @fourth(%x: i32) -> i32 {
  %y = func.call @square(%x) : (i32) -> i32
  %z = func.call @square(%y) : (i32) -> i32
  return %z : i32
}
func.func @nested(%a: i32) -> i32 {
  %r = func.call @fourth(%a) : (i32) -> i32
  return %r : i32
}
// check: func.func @nested
// not: call
// check: return
// eval: @nested(-3) == 81

// A body of loops and conditions.
func.func private @sum_to(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> (index) {
    %t = arith.addi %s, %i : index
    scf.yield %t : index
  }
  return %r : index
}
func.func @in_a_loop(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> (index) {
    %p = func.call @sum_to(%i) : (index) -> index
    %t = arith.addi %s, %p : index
    scf.yield %t : index
  }
  return %r : index
}
// check: func.func @in_a_loop
// check: scf.for
// not: call @sum_to
// check: scf.for
// eval: @in_a_loop(0) == 0
// eval: @in_a_loop(5) == 10

// A function that calls itself is called.
func.func @factorial(%n: i32) -> i32 {
  %one = arith.constant 1 : i32
  %small = arith.cmpi sle, %n, %one : i32
  %r = scf.if %small -> (i32) {
    scf.yield %one : i32
  } else {
    %m = arith.subi %n, %one : i32
    %p = func.call @factorial(%m) : (i32) -> i32
    %q = arith.muli %n, %p : i32
    scf.yield %q : i32
  }
  return %r : i32
}
// check: func.func @factorial
// check: call @factorial
// eval: @factorial(0) == 1
// eval: @factorial(10) == 3628800

// Two that call each other.
func.func @even(%n: i32) -> i1 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %t = arith.constant true
  %done = arith.cmpi eq, %n, %zero : i32
  %r = scf.if %done -> (i1) {
    scf.yield %t : i1
  } else {
    %m = arith.subi %n, %one : i32
    %p = func.call @odd(%m) : (i32) -> i1
    scf.yield %p : i1
  }
  return %r : i1
}
func.func @odd(%n: i32) -> i1 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %f = arith.constant false
  %done = arith.cmpi eq, %n, %zero : i32
  %r = scf.if %done -> (i1) {
    scf.yield %f : i1
  } else {
    %m = arith.subi %n, %one : i32
    %p = func.call @even(%m) : (i32) -> i1
    scf.yield %p : i1
  }
  return %r : i1
}
// eval: @even(10) == true
// eval: @even(7) == false
// eval: @odd(7) == true

// Buffers of the body: each call has its own.
func.func private @scratch(%x: i32) -> i32 {
  %m = memref.alloca() : memref<i32>
  memref.store %x, %m[] : memref<i32>
  %a = memref.load %m[] : memref<i32>
  %b = arith.addi %a, %a : i32
  memref.store %b, %m[] : memref<i32>
  %r = memref.load %m[] : memref<i32>
  return %r : i32
}
func.func @buffers(%a: i32) -> i32 {
  %p = func.call @scratch(%a) : (i32) -> i32
  %q = func.call @scratch(%p) : (i32) -> i32
  return %q : i32
}
// eval: @buffers(3) == 12

// Effects keep their order.
func.func private @append(%m: memref<i32>, %d: i32) {
  %ten = arith.constant 10 : i32
  %a = memref.load %m[] : memref<i32>
  %b = arith.muli %a, %ten : i32
  %c = arith.addi %b, %d : i32
  memref.store %c, %m[] : memref<i32>
  return
}
func.func @order(%x: i32, %y: i32, %z: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %m = memref.alloca() : memref<i32>
  memref.store %zero, %m[] : memref<i32>
  func.call @append(%m, %x) : (memref<i32>, i32) -> ()
  func.call @append(%m, %y) : (memref<i32>, i32) -> ()
  func.call @append(%m, %z) : (memref<i32>, i32) -> ()
  %r = memref.load %m[] : memref<i32>
  return %r : i32
}
// check: func.func @order
// not: call
// check: return
// eval: @order(1, 2, 3) == 123
