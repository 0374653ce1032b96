// `scf.parallel`: boxes without points, several reductions, an order that does not matter.
// test: opt --pipeline="func.func(canonicalize)"
// rule: parallel_zero_trips, parallel_one_trip

func.func @box(%n: index, %m: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %big = arith.constant 1000 : index
  %r:2 = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) init (%c0, %big) -> (index, index) {
    %p = arith.muli %i, %j : index
    %d = arith.subi %i, %j : index
    scf.reduce(%p, %d : index, index) {
    ^bb0(%a: index, %b: index):
      %s = arith.addi %a, %b : index
      scf.reduce.return %s : index
    }, {
    ^bb0(%a: index, %b: index):
      %s = arith.minsi %a, %b : index
      scf.reduce.return %s : index
    }
  }
  return %r#0, %r#1 : index, index
}
// eval: @box(0, 0) == (0, 1000)
// eval: @box(0, 5) == (0, 1000)
// eval: @box(5, 0) == (0, 1000)
// eval: @box(1, 1) == (0, 0)
// eval: @box(3, 4) == (18, -3)

func.func @no_trips(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %r = scf.parallel (%i, %j) = (%c0, %c5) to (%c5, %c5) step (%c1, %c1) init (%x) -> i32 {
    scf.reduce(%x : i32) {
    ^bb0(%a: i32, %b: i32):
      %s = arith.addi %a, %b : i32
      scf.reduce.return %s : i32
    }
  }
  return %r : i32
}
// check: func.func @no_trips(%x: i32)
// next: return %x
// eval: @no_trips(4) == 4

// A dimension with one iteration is none.
func.func @one_trip(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %r = scf.parallel (%i, %j) = (%c3, %c0) to (%c4, %n) step (%c1, %c1) init (%c0) -> index {
    %p = arith.muli %i, %j : index
    scf.reduce(%p : index) {
    ^bb0(%a: index, %b: index):
      %s = arith.addi %a, %b : index
      scf.reduce.return %s : index
    }
  }
  return %r : index
}
// check: func.func @one_trip
// check: scf.parallel (%j) = (%c0) to (%n)
// eval: @one_trip(0) == 0
// eval: @one_trip(4) == 18

// Different elements, in any order.
func.func @transposed(%i: index, %j: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %m = memref.alloca() : memref<3x2xi32>
  scf.parallel (%a, %b) = (%c0, %c0) to (%c2, %c3) step (%c1, %c1) {
    %p = arith.muli %a, %c10 : index
    %q = arith.addi %p, %b : index
    %w = arith.index_cast %q : index to i32
    memref.store %w, %m[%b, %a] : memref<3x2xi32>
    scf.reduce
  }
  %r = memref.load %m[%i, %j] : memref<3x2xi32>
  return %r : i32
}
// eval: @transposed(0, 0) == 0
// eval: @transposed(2, 1) == 12
// eval: @transposed(1, 0) == 1

// Two iterations write one element: a race, whatever the order.
func.func @race(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<1xindex>
  memref.store %c0, %m[%c0] : memref<1xindex>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %i, %m[%c0] : memref<1xindex>
    scf.reduce
  }
  %r = memref.load %m[%c0] : memref<1xindex>
  return %r : index
}
// eval: @race(0) == 0
// eval: @race(1) == 0
// eval: @race(2) == trap E0315
