// test: opt --pipeline="func.func(promote-buffers)"

// A register tile of two accumulators: two carried values, no memory.
func.func @tile(%n: index, %x: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %tile = memref.alloca() : memref<2xf32>
  memref.store %zero, %tile[%c0] : memref<2xf32>
  memref.store %x, %tile[%c1] : memref<2xf32>
  scf.for %k = %c0 to %n step %c1 {
    %a = memref.load %tile[%c0] : memref<2xf32>
    %b = arith.addf %a, %x : f32
    memref.store %b, %tile[%c0] : memref<2xf32>
    %d = memref.load %tile[%c1] : memref<2xf32>
    %e = arith.mulf %d, %x : f32
    memref.store %e, %tile[%c1] : memref<2xf32>
  }
  %r = memref.load %tile[%c0] : memref<2xf32>
  %s = memref.load %tile[%c1] : memref<2xf32>
  return %r, %s : f32, f32
}
// check: func.func @tile
// not: memref
// check: %0:2 = scf.for %k = %c0 to %n step %c1 iter_args(%arg0 = %zero, %arg1 = %x) -> (f32, f32)
// next: %b = arith.addf %arg0, %x
// next: %e = arith.mulf %arg1, %x
// next: scf.yield %b, %e : f32, f32
// check: return %0#0, %0#1
// eval: @tile(0, 2.0) == (0.0, 2.0)
// eval: @tile(3, 2.0) == (6.0, 16.0)

// What is loaded and never stored in the loop is not carried.
func.func @invariant(%n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xi32>
  memref.store %x, %m[%c1] : memref<2xi32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x) -> (i32) {
    %v = memref.load %m[%c1] : memref<2xi32>
    %b = arith.addi %a, %v : i32
    scf.yield %b : i32
  }
  memref.dealloc %m : memref<2xi32>
  return %r : i32
}
// check: func.func @invariant
// not: memref
// check: %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x) -> (i32)
// next: arith.addi %a, %x
// eval: @invariant(3, 5) == 20

// Scratch memory written before it is read in every iteration is not carried.
func.func @scratch(%n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<i32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x) -> (i32) {
    %d = arith.addi %a, %a : i32
    memref.store %d, %m[] : memref<i32>
    %v = memref.load %m[] : memref<i32>
    scf.yield %v : i32
  }
  return %r : i32
}
// check: func.func @scratch
// not: ub.poison
// check: scf.for %k = %c0 to %n step %c1 iter_args(%a = %x) -> (i32)
// next: %d = arith.addi
// next: scf.yield %d : i32
// eval: @scratch(3, 5) == 40

// A condition gives what its regions store; a missing else gives what was there.
func.func @condition(%c: i1, %x: i32, %y: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<2xi32>
  memref.store %x, %m[%c0] : memref<2xi32>
  scf.if %c {
    memref.store %y, %m[%c0] : memref<2xi32>
    memref.store %y, %m[%c1] : memref<2xi32>
  }
  scf.if %c {
    memref.store %x, %m[%c1] : memref<2xi32>
  } else {
    memref.store %x, %m[%c1] : memref<2xi32>
  }
  %r = memref.load %m[%c0] : memref<2xi32>
  %s = memref.load %m[%c1] : memref<2xi32>
  return %r, %s : i32, i32
}
// check: func.func @condition
// not: memref
// check: %0 = scf.if %c -> (i32)
// next: scf.yield %y : i32
// check: else
// next: scf.yield %x : i32
// check: return %0, %x
// eval: @condition(true, 1, 2) == (2, 1)
// eval: @condition(false, 1, 2) == (1, 1)

// Through a nest, a while loop and a region; the loop's own results keep their place.
func.func @nest(%n: index, %x: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %m = memref.alloca() : memref<1xi32>
  memref.store %x, %m[%c0] : memref<1xi32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (i32) {
    scf.for %j = %c0 to %n step %c1 {
      %v = memref.load %m[%c0] : memref<1xi32>
      %w = arith.addi %v, %one : i32
      memref.store %w, %m[%c0] : memref<1xi32>
    }
    %p = memref.load %m[%c0] : memref<1xi32>
    %q = arith.addi %a, %p : i32
    scf.yield %q : i32
  }
  memref.store %r, %m[%c0] : memref<1xi32>
  scf.while : () -> () {
    %v = memref.load %m[%c0] : memref<1xi32>
    %below = arith.cmpi slt, %v, %one : i32
    scf.condition(%below)
  } do {
    %v = memref.load %m[%c0] : memref<1xi32>
    %w = arith.addi %v, %one : i32
    memref.store %w, %m[%c0] : memref<1xi32>
    scf.yield
  }
  scf.execute_region {
    %v = memref.load %m[%c0] : memref<1xi32>
    %w = arith.addi %v, %v : i32
    memref.store %w, %m[%c0] : memref<1xi32>
    scf.yield
  }
  %s = memref.load %m[%c0] : memref<1xi32>
  return %r, %s : i32, i32
}
// check: func.func @nest
// not: memref
// check: %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %arg0 = %x) -> (i32, i32)
// check: return
// eval: @nest(2, 0) == (6, 12)
// eval: @nest(0, -7) == (-7, 2)

// Never written: poison, which nothing may depend on.
func.func @unwritten(%c: i1, %x: i32) -> i32 {
  %m = memref.alloca() : memref<i32>
  scf.if %c {
    memref.store %x, %m[] : memref<i32>
  }
  %r = memref.load %m[] : memref<i32>
  return %r : i32
}
// check: func.func @unwritten
// next: ub.poison : i32
// eval: @unwritten(true, 4) == 4

// Kept: an index that is not constant, a parallel loop that stores, a buffer that is passed on, one outside of its bounds.
func.func @kept(%n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %a = memref.alloca() : memref<4xi32>
  memref.store %x, %a[%n] : memref<4xi32>
  %b = memref.alloca() : memref<i32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %x, %b[] : memref<i32>
    scf.reduce
  }
  %c = memref.alloca() : memref<4xi32>
  %d = memref.cast %c : memref<4xi32> to memref<?xi32>
  memref.store %x, %d[%c0] : memref<?xi32>
  %e = memref.alloca() : memref<4xi32>
  %p = memref.load %a[%c0] : memref<4xi32>
  %q = memref.load %b[] : memref<i32>
  %r = memref.load %c[%c0] : memref<4xi32>
  %s = memref.load %e[%c9] : memref<4xi32>
  return %r : i32
}
// check: func.func @kept
// check: memref.alloca() : memref<4xi32>
// check: memref.alloca() : memref<i32>
// check: memref.alloca() : memref<4xi32>
// check: memref.alloca() : memref<4xi32>

// A parallel loop may read what was stored before it.
func.func @reads(%n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<i32>
  memref.store %x, %m[] : memref<i32>
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%x) -> i32 {
    %v = memref.load %m[] : memref<i32>
    scf.reduce(%v : i32) {
    ^bb0(%p: i32, %q: i32):
      %s = arith.addi %p, %q : i32
      scf.reduce.return %s : i32
    }
  }
  return %r : i32
}
// check: func.func @reads
// not: memref
// check: scf.reduce(%x : i32)
// eval: @reads(2, 5) == 15

// Lanes of a mask and single lanes of what is a vector elsewhere: choices, insertions, extractions.
func.func @lanes(%n: index, %mask: vector<4xi1>, %v: vector<4xf32>, %x: f32) -> (vector<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zeros = arith.constant dense<0.0> : vector<4xf32>
  %m = memref.alloca() : memref<1x4xf32>
  vector.store %zeros, %m[%c0, %c0] : memref<1x4xf32>, vector<4xf32>
  memref.store %x, %m[%c0, %c2] : memref<1x4xf32>
  scf.for %k = %c0 to %n step %c1 {
    %a = vector.maskedload %m[%c0, %c0], %mask, %v : memref<1x4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %b = arith.addf %a, %v : vector<4xf32>
    vector.maskedstore %m[%c0, %c0], %mask, %b : memref<1x4xf32>, vector<4xi1>, vector<4xf32>
  }
  %r = vector.load %m[%c0, %c0] : memref<1x4xf32>, vector<4xf32>
  %s = memref.load %m[%c0, %c2] : memref<1x4xf32>
  return %r, %s : vector<4xf32>, f32
}
// check: func.func @lanes
// not: memref
// check: vector.insert %x
// check: scf.for {{.*}} iter_args
// next: %a = arith.select %mask, {{.*}}, %v
// next: %b = arith.addf %a, %v
// next: arith.select %mask, %b,
// next: scf.yield
// check: vector.extract
// eval: @lanes(2, [true, false, true, true], [1.0, 2.0, 3.0, 4.0], 10.0) == ([2.0, 0.0, 16.0, 8.0], 16.0)
// eval: @lanes(0, [true, false, true, true], [1.0, 2.0, 3.0, 4.0], 10.0) == ([0.0, 0.0, 10.0, 0.0], 10.0)
