// Kernels on the host: a loop over the threads for each piece between two places where they wait.
// test: opt --pipeline="gpu-launch-to-parallel,canonicalize,cse"
// eval: @both() == (7, 0)
// eval: @kept() == (0, 4, 8)
// eval: @swapped() == (3, 1)
// eval: @sum(1) == 0
// eval: @sum(64) == 2016
// eval: @own() == (10, 11)
// eval: @chosen(1) == 12
// eval: @chosen(0) == 2
// eval: @shuffled(0) == (1, 2)
// eval: @shuffled(5) == (4, 6)
// eval: @places() == (3, 4)
// eval: @filled() == 9

#wg = #gpu.address_space<workgroup>

// One piece before the barrier, one after it.
func.func @both() -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %out = memref.alloc() : memref<8xindex>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) workgroup(%tile : memref<8xindex, #wg>) {
    memref.store %tx, %tile[%tx] : memref<8xindex, #wg>
    gpu.barrier
    %other = arith.subi %c7, %tx : index
    %v = memref.load %tile[%other] : memref<8xindex, #wg>
    memref.store %v, %out[%tx] : memref<8xindex>
    gpu.terminator
  }
  %a = memref.load %out[%c0] : memref<8xindex>
  %b = memref.load %out[%c7] : memref<8xindex>
  return %a, %b : index, index
}
// check: func.func @both()

// A loop around a barrier is taken once per block; what threads carry through it is in a buffer.
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
// check: func.func @kept()

// Carried values that change places.
func.func @swapped() -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %out = memref.alloc() : memref<2xindex>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c1, %sz = %c1) {
    %far = arith.addi %tx, %c2 : index
    %x:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %far, %b = %tx) -> (index, index) {
      gpu.barrier
      scf.yield %b, %a : index, index
    }
    %first = arith.cmpi eq, %tx, %c1 : index
    scf.if %first {
      memref.store %x#1, %out[%c0] : memref<2xindex>
      memref.store %x#0, %out[%c1] : memref<2xindex>
    }
    gpu.terminator
  }
  %a = memref.load %out[%c0] : memref<2xindex>
  %b = memref.load %out[%c1] : memref<2xindex>
  return %a, %b : index, index
}
// check: func.func @swapped()

// A tree: the trip count of the loop is carried by each thread, and asserted to be the same.
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
// check: func.func @sum(
// check: cf.assert %{{.*}}, "threads that wait for each other do not come to the same place"

// Memory of a thread that is used on both sides of a barrier is a part of a buffer; on one side only it stays where it is.
func.func @own() -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %ten = arith.constant 10 : i32
  %out = memref.alloc() : memref<2xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c1, %sz = %c1)
             private(%mine : memref<2xi32, #gpu.address_space<private>>) {
    %x = arith.index_cast %tx : index to i32
    memref.store %ten, %mine[%c0] : memref<2xi32, #gpu.address_space<private>>
    memref.store %x, %mine[%c1] : memref<2xi32, #gpu.address_space<private>>
    gpu.barrier
    %a = memref.load %mine[%c0] : memref<2xi32, #gpu.address_space<private>>
    %b = memref.load %mine[%c1] : memref<2xi32, #gpu.address_space<private>>
    %here = memref.alloca() : memref<i32>
    %s = arith.addi %a, %b : i32
    memref.store %s, %here[] : memref<i32>
    %t = memref.load %here[] : memref<i32>
    memref.store %t, %out[%tx] : memref<2xi32>
    gpu.terminator
  }
  %a = memref.load %out[%c0] : memref<2xi32>
  %b = memref.load %out[%c1] : memref<2xi32>
  return %a, %b : i32, i32
}
// check: func.func @own()
// check: memref.alloc() : memref<2x2xi32, #gpu.address_space<private>>

// A condition that is the same for all threads, with a value.
func.func @chosen(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %out = memref.alloc() : memref<i32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) workgroup(%tile : memref<4xi32, #wg>) {
    %x = arith.index_cast %tx : index to i32
    memref.store %x, %tile[%tx] : memref<4xi32, #wg>
    %yes = arith.cmpi eq, %n, %c1 : index
    %r = scf.if %yes -> i32 {
      gpu.barrier
      %other = arith.xori %tx, %c1 : index
      %v = memref.load %tile[%other] : memref<4xi32, #wg>
      %w = arith.muli %v, %two : i32
      gpu.barrier
      %s = arith.addi %w, %three : i32
      scf.yield %s : i32
    } else {
      scf.yield %two : i32
    }
    %last = arith.cmpi eq, %tx, %c2 : index
    scf.if %last {
      %s = arith.addi %r, %three : i32
      %known = arith.select %yes, %s, %two : i32
      memref.store %known, %out[] : memref<i32>
    }
    gpu.terminator
  }
  %r = memref.load %out[] : memref<i32>
  return %r : i32
}
// check: func.func @chosen(

// Threads of a subgroup show each other values: through a buffer.
func.func @shuffled(%at: index) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %one = arith.constant 1 : i32
  %width = arith.constant 32 : i32
  %out = memref.alloc() : memref<40x2xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c40, %sy = %c1, %sz = %c1) {
    %x = arith.index_cast %tx : index to i32
    %a, %va = gpu.shuffle xor %x, %one, %width : i32
    %b, %vb = gpu.rotate %a, 3, 4 : i32
    %lane = gpu.lane_id
    %l = arith.index_cast %lane : index to i32
    %c = arith.addi %a, %one : i32
    %same = arith.cmpi eq, %l, %x : i32
    %d = arith.select %same, %c, %b : i32
    %e = arith.addi %d, %one : i32
    %far = arith.constant 4 : index
    %later = arith.cmpi ult, %tx, %far : index
    %f = arith.select %later, %d, %e : i32
    memref.store %a, %out[%tx, %c0] : memref<40x2xi32>
    memref.store %f, %out[%tx, %c1] : memref<40x2xi32>
    gpu.terminator
  }
  %a = memref.load %out[%at, %c0] : memref<40x2xi32>
  %b = memref.load %out[%at, %c1] : memref<40x2xi32>
  return %a, %b : i32, i32
}
// check: func.func @shuffled(

// Blocks and threads in three dimensions, and what ops ask of them.
func.func @places() -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %out = memref.alloc() : memref<4x4xindex>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c2)
             threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c1, %sz = %c2) {
    %x = gpu.global_id x
    %z = gpu.global_id z
    %w = gpu.block_dim x
    %g = gpu.grid_dim z
    %wide = arith.muli %w, %g : index
    %s = arith.addi %x, %z : index
    %none = arith.cmpi eq, %x, %c0 : index
    %r = arith.select %none, %wide, %s : index
    memref.store %r, %out[%x, %z] : memref<4x4xindex>
    gpu.terminator
  }
  %a = memref.load %out[%c2, %c1] : memref<4x4xindex>
  %b = memref.load %out[%c0, %c1] : memref<4x4xindex>
  return %a, %b : index, index
}
// check: func.func @places()
// check: scf.parallel (%{{.*}}, %{{.*}}) =

// Memory of the device, asynchronously.
func.func @filled() -> i32 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %nine = arith.constant 9 : i32
  %host = memref.alloc() : memref<3x2xi32>
  %t0 = gpu.wait async
  %m, %t1 = gpu.alloc async [%t0] () : memref<3x2xi32>
  %t2 = gpu.memset async [%t1] %m, %nine : memref<3x2xi32>, i32
  %t3 = gpu.memcpy async [%t2] %host, %m : memref<3x2xi32>, memref<3x2xi32>
  %t4 = gpu.dealloc async [%t3] %m : memref<3x2xi32>
  gpu.wait [%t4]
  %r = memref.load %host[%c2, %c1] : memref<3x2xi32>
  return %r : i32
}
// check: func.func @filled()
// check-not: gpu.
