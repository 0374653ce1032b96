// What reads memory is the same only if nothing in between can have written; allocations never are.
// test: opt --pipeline="func.func(cse)"

func.func @two_buffers(%x: i32, %y: i32) -> (i32, i32) {
  %a = memref.alloca() : memref<i32>
  %b = memref.alloca() : memref<i32>
  memref.store %x, %a[] : memref<i32>
  memref.store %y, %b[] : memref<i32>
  %p = memref.load %a[] : memref<i32>
  %q = memref.load %b[] : memref<i32>
  return %p, %q : i32, i32
}
// check: func.func @two_buffers
// next: memref.alloca
// next: memref.alloca
// eval: @two_buffers(1, 2) == (1, 2)

func.func @written_between(%x: i32, %y: i32) -> (i32, i32, i32) {
  %a = memref.alloca() : memref<i32>
  memref.store %x, %a[] : memref<i32>
  %p = memref.load %a[] : memref<i32>
  %q = memref.load %a[] : memref<i32>
  memref.store %y, %a[] : memref<i32>
  %r = memref.load %a[] : memref<i32>
  return %p, %q, %r : i32, i32, i32
}
// eval: @written_between(1, 2) == (1, 1, 2)

// A call may write anything that it can reach.
func.func private @clobber(%m: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 99 : i32
  memref.store %v, %m[%c0] : memref<1xi32>
  return
}
func.func @call_between(%x: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloca() : memref<1xi32>
  memref.store %x, %a[%c0] : memref<1xi32>
  %p = memref.load %a[%c0] : memref<1xi32>
  func.call @clobber(%a) : (memref<1xi32>) -> ()
  %q = memref.load %a[%c0] : memref<1xi32>
  return %p, %q : i32, i32
}
// eval: @call_between(5) == (5, 99)

// Calls are not pure: each happens.
func.func private @count(%m: memref<1xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %a = memref.load %m[%c0] : memref<1xi32>
  %b = arith.addi %a, %one : i32
  memref.store %b, %m[%c0] : memref<1xi32>
  return %b : i32
}
func.func @calls() -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %m = memref.alloca() : memref<1xi32>
  memref.store %zero, %m[%c0] : memref<1xi32>
  %a = func.call @count(%m) : (memref<1xi32>) -> i32
  %b = func.call @count(%m) : (memref<1xi32>) -> i32
  return %a, %b : i32, i32
}
// check: func.func @calls
// check: call @count
// check: call @count
// eval: @calls() == (1, 2)

// A loop that writes stands between.
func.func @loop_between(%n: index) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m = memref.alloca() : memref<i32>
  memref.store %zero, %m[] : memref<i32>
  %p = memref.load %m[] : memref<i32>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %m[] : memref<i32>
    %b = arith.addi %a, %one : i32
    memref.store %b, %m[] : memref<i32>
  }
  %q = memref.load %m[] : memref<i32>
  return %p, %q : i32, i32
}
// eval: @loop_between(0) == (0, 0)
// eval: @loop_between(3) == (0, 3)

// Through another view of the same memory.
func.func @alias(%x: i32, %y: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloca() : memref<4xi32>
  %v = memref.subview %m[2] [2] [1] : memref<4xi32> to memref<2xi32, strided<[1], offset: 2>>
  memref.store %x, %m[%c2] : memref<4xi32>
  %p = memref.load %m[%c2] : memref<4xi32>
  memref.store %y, %v[%c0] : memref<2xi32, strided<[1], offset: 2>>
  %q = memref.load %m[%c2] : memref<4xi32>
  return %p, %q : i32, i32
}
// eval: @alias(1, 2) == (1, 2)

// Atomic updates each happen, though their operands are the same.
func.func @atomics(%x: i32) -> (i32, i32, i32) {
  %zero = arith.constant 0 : i32
  %m = memref.alloca() : memref<i32>
  memref.store %zero, %m[] : memref<i32>
  %p = memref.atomic_rmw addi %x, %m[] : (i32, memref<i32>) -> i32
  %q = memref.atomic_rmw addi %x, %m[] : (i32, memref<i32>) -> i32
  %r = memref.load %m[] : memref<i32>
  return %p, %q, %r : i32, i32, i32
}
// check: func.func @atomics
// check: memref.atomic_rmw
// check: memref.atomic_rmw
// eval: @atomics(4) == (0, 4, 8)
