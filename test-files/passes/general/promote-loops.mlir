// Local buffers become values: through loops, conditions, and with elements of their own.
// test: opt --pipeline="func.func(promote-buffers)"
// test: opt --pipeline="func.func(promote-buffers,canonicalize,cse,dce)"

func.func @straight(%x: i32, %y: i32) -> i32 {
  %m = memref.alloca() : memref<i32>
  memref.store %x, %m[] : memref<i32>
  %a = memref.load %m[] : memref<i32>
  memref.store %y, %m[] : memref<i32>
  %b = memref.load %m[] : memref<i32>
  %r = arith.subi %a, %b : i32
  return %r : i32
}
// check: func.func @straight
// not: memref.
// check: return
// eval: @straight(7, 2) == 5

func.func @sum(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<index>
  memref.store %c0, %m[] : memref<index>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %m[] : memref<index>
    %b = arith.addi %a, %i : index
    memref.store %b, %m[] : memref<index>
  }
  %r = memref.load %m[] : memref<index>
  return %r : index
}
// check: func.func @sum
// not: memref.
// check: iter_args
// not: memref.
// check: return
// eval: @sum(0) == 0
// eval: @sum(5) == 10

// Written on one way only.
func.func @one_way(%c: i1, %x: i32, %y: i32) -> i32 {
  %m = memref.alloca() : memref<i32>
  memref.store %x, %m[] : memref<i32>
  scf.if %c {
    memref.store %y, %m[] : memref<i32>
  }
  %r = memref.load %m[] : memref<i32>
  return %r : i32
}
// check: func.func @one_way
// not: memref.
// check: return
// eval: @one_way(true, 1, 2) == 2
// eval: @one_way(false, 1, 2) == 1

// Never written before it is read: what is read does not matter.
func.func @one_way_only(%c: i1, %x: i32) -> i32 {
  %m = memref.alloca() : memref<i32>
  scf.if %c {
    memref.store %x, %m[] : memref<i32>
  }
  %r = memref.load %m[] : memref<i32>
  return %r : i32
}
// eval: @one_way_only(true, 4) == 4

// Two elements with constant places are two values.
func.func @elements(%n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<2xindex>
  memref.store %c0, %m[%c0] : memref<2xindex>
  memref.store %c1, %m[%c1] : memref<2xindex>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %m[%c0] : memref<2xindex>
    %b = memref.load %m[%c1] : memref<2xindex>
    %s = arith.addi %a, %b : index
    memref.store %b, %m[%c0] : memref<2xindex>
    memref.store %s, %m[%c1] : memref<2xindex>
  }
  %p = memref.load %m[%c0] : memref<2xindex>
  %q = memref.load %m[%c1] : memref<2xindex>
  return %p, %q : index, index
}
// check: func.func @elements
// check: scf.for
// not: memref.
// check: return
// eval: @elements(0) == (0, 1)
// eval: @elements(10) == (55, 89)

// An index that is not known keeps the buffer.
func.func @unknown_place(%i: index, %x: i32, %y: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<2xi32>
  memref.store %x, %m[%c0] : memref<2xi32>
  memref.store %y, %m[%c1] : memref<2xi32>
  %r = memref.load %m[%i] : memref<2xi32>
  return %r : i32
}
// check: func.func @unknown_place
// check: memref.load
// eval: @unknown_place(0, 5, 6) == 5
// eval: @unknown_place(1, 5, 6) == 6
// eval: @unknown_place(2, 5, 6) == trap E0308

// A buffer that goes to another function keeps its place in memory.
func.func private @reads(%m: memref<i32>) -> i32 {
  %r = memref.load %m[] : memref<i32>
  return %r : i32
}
func.func @escapes(%x: i32) -> i32 {
  %m = memref.alloca() : memref<i32>
  memref.store %x, %m[] : memref<i32>
  %r = func.call @reads(%m) : (memref<i32>) -> i32
  return %r : i32
}
// check: func.func @escapes
// check: memref.store
// check: call @reads
// eval: @escapes(8) == 8

// Two loops, and a condition inside: the last element that is larger than a limit.
func.func @last_above(%n: index, %limit: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m1 = arith.constant -1 : index
  %m = memref.alloca() : memref<index>
  memref.store %m1, %m[] : memref<index>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %i step %c1 {
      %p = arith.muli %i, %j : index
      %big = arith.cmpi sgt, %p, %limit : index
      scf.if %big {
        memref.store %p, %m[] : memref<index>
      }
    }
  }
  %r = memref.load %m[] : memref<index>
  return %r : index
}
// eval: @last_above(0, 0) == -1
// eval: @last_above(5, 5) == 12
// eval: @last_above(4, 100) == -1
