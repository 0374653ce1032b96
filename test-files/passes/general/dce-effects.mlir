// What has no use and no effect goes, with all that was only for it; effects and ends of blocks stay.
// test: opt --pipeline="func.func(dce)"

func.func @chain(%a: i32, %b: i32) -> i32 {
  %p = arith.addi %a, %b : i32
  %q = arith.muli %p, %p : i32
  %r = arith.xori %q, %a : i32
  return %a : i32
}
// check: func.func @chain(%a: i32, %b: i32)
// next: return %a : i32
// eval: @chain(1, 2) == 1

// A division whose result is not used may go: were it by zero, it would be undefined.
func.func @division(%a: i32, %b: i32) -> i32 {
  %p = arith.addi %a, %b : i32
  %q = arith.muli %b, %b : i32
  return %p : i32
}
// check: func.func @division
// next: arith.addi
// next: return
// eval: @division(1, 0) == 1

// One of two results is used: the op stays whole.
func.func @half_used(%a: i8, %b: i8) -> i1 {
  %s, %c = arith.addui_extended %a, %b : i8, i1
  return %c : i1
}
// check: func.func @half_used
// check: arith.addui_extended
// eval: @half_used(-1, 1) == true

func.func @written(%x: i32) -> i32 {
  %m = memref.alloca() : memref<i32>
  memref.store %x, %m[] : memref<i32>
  %dead = memref.load %m[] : memref<i32>
  %r = memref.load %m[] : memref<i32>
  return %r : i32
}
// check: func.func @written
// check: memref.store
// check: memref.load
// not: memref.load
// check: return
// eval: @written(3) == 3

// A condition of which nothing is used, whose regions do nothing.
func.func @pure_region(%c: i1, %a: i32) -> i32 {
  %r = scf.if %c -> (i32) {
    %p = arith.addi %a, %a : i32
    scf.yield %p : i32
  } else {
    scf.yield %a : i32
  }
  return %a : i32
}
// check: func.func @pure_region
// next: return %a
// eval: @pure_region(true, 4) == 4

// One whose region writes.
func.func @writing_region(%c: i1, %x: i32, %y: i32) -> i32 {
  %m = memref.alloca() : memref<i32>
  memref.store %x, %m[] : memref<i32>
  %r = scf.if %c -> (i32) {
    memref.store %y, %m[] : memref<i32>
    scf.yield %y : i32
  } else {
    scf.yield %x : i32
  }
  %s = memref.load %m[] : memref<i32>
  return %s : i32
}
// check: func.func @writing_region
// check: scf.if
// check: memref.store
// eval: @writing_region(true, 1, 2) == 2
// eval: @writing_region(false, 1, 2) == 1

// A loop that may not end is not removed by mistake where it counts: its result is used.
func.func @counted(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> (index) {
    %dead = arith.muli %i, %i : index
    %b = arith.addi %a, %c1 : index
    scf.yield %b : index
  }
  return %r : index
}
// check: func.func @counted
// check: scf.for
// not: arith.muli
// check: arith.addi
// eval: @counted(5) == 5

func.func @assertion(%a: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %c = arith.cmpi ne, %a, %zero : i32
  cf.assert %c, "zero"
  return %a : i32
}
// check: func.func @assertion
// check: cf.assert
// eval: @assertion(1) == 1
// eval: @assertion(0) == trap E0311

func.func private @writes(%m: memref<i32>) -> i32 {
  %v = arith.constant 7 : i32
  memref.store %v, %m[] : memref<i32>
  return %v : i32
}
func.func @call(%x: i32) -> i32 {
  %m = memref.alloca() : memref<i32>
  memref.store %x, %m[] : memref<i32>
  %unused = func.call @writes(%m) : (memref<i32>) -> i32
  %r = memref.load %m[] : memref<i32>
  return %r : i32
}
// check: func.func @call
// check: call @writes
// eval: @call(1) == 7
