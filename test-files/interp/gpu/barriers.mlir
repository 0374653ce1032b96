// Sums over a block by a tree in workgroup memory: what one thread writes others read behind a barrier.
// test: round-trip

#wg = #gpu.address_space<workgroup>

func.func @sum(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %out = memref.alloc() : memref<i32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1)
             workgroup(%tile : memref<64xi32, #wg>) {
    %value = arith.index_cast %tx : index to i32
    memref.store %value, %tile[%tx] : memref<64xi32, #wg>
    gpu.barrier
    %half = arith.divui %sx, %c2 : index
    %last = scf.while (%step = %half) : (index) -> index {
      %more = arith.cmpi ugt, %step, %c0 : index
      scf.condition(%more) %step : index
    } do {
    ^bb0(%step: index):
      %mine = arith.cmpi ult, %tx, %step : index
      scf.if %mine {
        %other = arith.addi %tx, %step : index
        %a = memref.load %tile[%tx] : memref<64xi32, #wg>
        %b = memref.load %tile[%other] : memref<64xi32, #wg>
        %s = arith.addi %a, %b : i32
        memref.store %s, %tile[%tx] : memref<64xi32, #wg>
      }
      gpu.barrier
      %next = arith.divui %step, %c2 : index
      scf.yield %next : index
    }
    %first = arith.cmpi eq, %tx, %c0 : index
    scf.if %first {
      %s = memref.load %tile[%c0] : memref<64xi32, #wg>
      memref.store %s, %out[] : memref<i32>
    }
    gpu.terminator
  }
  %r = memref.load %out[] : memref<i32>
  memref.dealloc %out : memref<i32>
  return %r : i32
}
// eval: @sum(1) == 0
// eval: @sum(2) == 1
// eval: @sum(64) == 2016

// Each thread keeps what it has computed while it waits, in every place where it can wait.
func.func @kept() -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %out = memref.alloc() : memref<3xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c3, %sy = %c1, %sz = %c1) {
    %x = arith.index_cast %tx : index to i32
    %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> i32 {
      gpu.barrier
      %b = arith.addi %a, %x : i32
      scf.yield %b : i32
    }
    gpu.barrier
    memref.store %sum, %out[%tx] : memref<3xi32>
    gpu.terminator
  }
  %a = memref.load %out[%c0] : memref<3xi32>
  %b = memref.load %out[%c1] : memref<3xi32>
  %c = memref.load %out[%c2] : memref<3xi32>
  return %a, %b, %c : i32, i32, i32
}
// eval: @kept() == (0, 4, 8)

// Blocks follow each other with workgroup memory of their own.
func.func @fresh() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i7 = arith.constant 7 : i32
  %out = memref.alloc() : memref<2xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1)
             workgroup(%tile : memref<1xi32, #wg>) {
    %first = arith.cmpi eq, %bx, %c0 : index
    scf.if %first {
      memref.store %i7, %tile[%c0] : memref<1xi32, #wg>
    }
    %x = memref.load %tile[%c0] : memref<1xi32, #wg>
    memref.store %x, %out[%bx] : memref<2xi32>
    gpu.terminator
  }
  %r = memref.load %out[%c0] : memref<2xi32>
  return %r : i32
}
// eval: @fresh() == trap E0309 "thread (0, 0, 0) of block (1, 0, 0)"
