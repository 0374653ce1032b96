// test: opt --pipeline="builtin.module(scf-parallel-to-calls)"

// Constants are made again inside, the rest is passed; a buffer on the stack belongs to one iteration.
func.func @fill(%m: memref<?x?xindex>, %rows: index, %columns: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%rows, %columns) step (%c1, %c1) {
    %own = memref.alloca() : memref<index>
    %t = arith.muli %i, %c10 : index
    memref.store %t, %own[] : memref<index>
    %u = memref.load %own[] : memref<index>
    %x = arith.addi %u, %j : index
    memref.store %x, %m[%i, %j] : memref<?x?xindex>
    scf.reduce
  }
  return
}
// check: func.func @fill
// check: call @fill_parallel_0(%c0_2, %2, %1, %m) {terrace.parallel}
// check: func.func private @fill_parallel_0(%begin: index, %end: index, %arg0: index, %m: memref<?x?xindex>)
// check: scf.for %flat = %begin to %end
// next: %j = arith.remui %flat, %arg0 : index
// next: %i = arith.divui %flat, %arg0 : index
// next: memref.alloca
// check: memref.store %x, %m[%i, %j]
// check: return

func.func @last(%rows: index, %columns: index) -> index {
  %c1 = arith.constant 1 : index
  %m = memref.alloc(%rows, %columns) : memref<?x?xindex>
  call @fill(%m, %rows, %columns) : (memref<?x?xindex>, index, index) -> ()
  %i = arith.subi %rows, %c1 : index
  %j = arith.subi %columns, %c1 : index
  %x = memref.load %m[%i, %j] : memref<?x?xindex>
  memref.dealloc %m : memref<?x?xindex>
  return %x : index
}
// eval: @last(3, 4) == 23
// eval: @last(1, 1) == 0

// What is reduced is merged in the order of the iterations: subtraction would tell.
func.func @reduce(%low: index, %high: index, %step: index, %first: index) -> index {
  %c3 = arith.constant 3 : index
  %r = scf.parallel (%i) = (%low) to (%high) step (%step) init (%first) -> index {
    %t = arith.muli %i, %c3 : index
    scf.reduce(%t : index) {
    ^bb0(%a: index, %b: index):
      %d = arith.addi %a, %a : index
      %s = arith.subi %d, %b : index
      scf.reduce.return %s : index
    }
  }
  return %r : index
}
// check: func.func @reduce
// check: memref.alloc
// check: {terrace.parallel}
// next: arith.constant
// next: arith.constant
// next: %r = scf.for
// next: memref.load
// next: arith.addi
// next: arith.subi
// next: scf.yield
// check: memref.dealloc
// next: return %r
// eval: @reduce(0, 3, 1, 1) == -4
// eval: @reduce(-2, 3, 2, 1) == 26
// eval: @reduce(3, 0, 1, 7) == 7

// The inner loop runs in order inside of each iteration; two results, known sizes.
func.func @nested(%x: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %r:2 = scf.parallel (%i, %j) = (%c1, %c0) to (%c4, %c4) step (%c1, %c2) init (%c0, %c1) -> (index, index) {
    %inner = scf.parallel (%k) = (%c0) to (%i) step (%c1) init (%x) -> index {
      scf.reduce(%j : index) {
      ^bb0(%a: index, %b: index):
        %s = arith.addi %a, %b : index
        scf.reduce.return %s : index
      }
    }
    scf.reduce(%inner, %i : index, index) {
    ^bb0(%a: index, %b: index):
      %s = arith.addi %a, %b : index
      scf.reduce.return %s : index
    }, {
    ^bb0(%a: index, %b: index):
      %p = arith.muli %a, %b : index
      scf.reduce.return %p : index
    }
  }
  return %r#0, %r#1 : index, index
}
// check: func.func @nested
// check: memref.alloc() : memref<6xindex>
// check: memref.alloc() : memref<6xindex>
// check: func.func private @nested_parallel_0
// not: scf.parallel
// eval: @nested(5) == (42, 36)

// Left alone: how to combine depends on the iteration.
func.func @odd(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%c0) -> index {
    scf.reduce(%i : index) {
    ^bb0(%a: index, %b: index):
      %s = arith.addi %a, %i : index
      scf.reduce.return %s : index
    }
  }
  return %r : index
}
// check: func.func @odd
// check: scf.parallel
// eval: @odd(4) == 6

// Two loops, one of them inside a condition; the first name is taken.
func.func private @two_parallel_0()
func.func @two(%c: i1, %m: memref<4xi32>, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.if %c {
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      memref.store %x, %m[%i] : memref<4xi32>
      scf.reduce
    }
  }
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    memref.store %x, %m[%i] : memref<4xi32>
    scf.reduce
  }
  return
}
// check: func.func @two
// check: scf.if %c
// check: call @two_parallel_1
// check: call @two_parallel_2
// check: func.func private @two_parallel_1
// check: func.func private @two_parallel_2
