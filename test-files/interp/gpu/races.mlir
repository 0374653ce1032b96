// Uses of memory that nothing orders.
// test: round-trip

#wg = #gpu.address_space<workgroup>

func.func @same_element() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<4xindex>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
    memref.store %tx, %m[%c0] : memref<4xindex>
    gpu.terminator
  }
  return
}
// eval: @same_element() == trap E0315 "a write here and a write by thread (0, 0, 0) of block (0, 0, 0)"
// eval: @same_element() == trap E0315 "in thread (1, 0, 0) of block (0, 0, 0)"
// eval: @same_element() == trap E0315 "the other use is here"

// Without the barrier a thread reads what its neighbour may not have written yet.
func.func @neighbour(%wait: i1) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<4xindex>
  %out = memref.alloc() : memref<4xindex>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1)
             workgroup(%tile : memref<4xindex, #wg>) {
    memref.store %tx, %tile[%tx] : memref<4xindex, #wg>
    scf.if %wait {
      gpu.barrier
    }
    %n = arith.addi %tx, %c1 : index
    %other = arith.remui %n, %sx : index
    %x = memref.load %tile[%other] : memref<4xindex, #wg>
    memref.store %x, %out[%tx] : memref<4xindex>
    gpu.terminator
  }
  %r = memref.load %out[%c0] : memref<4xindex>
  return %r : index
}
// eval: @neighbour(true) == 1
// eval: @neighbour(false) == trap E0309

// A barrier orders the threads of a block, not blocks.
func.func @blocks() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloc() : memref<1xindex>
  memref.store %c0, %m[%c0] : memref<1xindex>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %first = arith.cmpi eq, %bx, %c0 : index
    scf.if %first {
      memref.store %c1, %m[%c0] : memref<1xindex>
    }
    gpu.barrier
    scf.if %first {
    } else {
      %x = memref.load %m[%c0] : memref<1xindex>
    }
    gpu.terminator
  }
  return
}
// eval: @blocks() == trap E0315 "a read here and a write by thread (0, 0, 0) of block (0, 0, 0)"

// Storage is used again without a barrier between the last read and the next write.
func.func @reuse(%again: i1) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %out = memref.alloc() : memref<4xindex>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1)
             workgroup(%tile : memref<4xindex, #wg>) {
    %sum = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %c0) -> index {
      scf.if %again {
        gpu.barrier
      }
      memref.store %tx, %tile[%tx] : memref<4xindex, #wg>
      gpu.barrier
      %other = arith.subi %c4, %tx : index
      %o = arith.subi %other, %c1 : index
      %x = memref.load %tile[%o] : memref<4xindex, #wg>
      %s = arith.addi %a, %x : index
      scf.yield %s : index
    }
    memref.store %sum, %out[%tx] : memref<4xindex>
    gpu.terminator
  }
  %r = memref.load %out[%c1] : memref<4xindex>
  return %r : index
}
// eval: @reuse(true) == 4
// eval: @reuse(false) == trap E0315 "a read here and a write by thread (1, 0, 0)"

// What the host does after a launch is ordered behind it.
func.func @after() -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<1xindex>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %c1, %m[%c0] : memref<1xindex>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %x = memref.load %m[%c0] : memref<1xindex>
    %y = arith.addi %x, %x : index
    memref.store %y, %m[%c0] : memref<1xindex>
    gpu.terminator
  }
  %r = memref.load %m[%c0] : memref<1xindex>
  return %r : index
}
// eval: @after() == 2
