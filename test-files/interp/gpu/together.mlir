// Shuffles and reductions.
// test: round-trip

func.func @shuffles(%at: index) -> (i32, i32, i32, i32, i32) {
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %two = arith.constant 2 : i32
  %width = arith.constant 32 : i32
  %out = memref.alloc() : memref<40x5xi32>
  %0 = arith.constant 0 : index
  %2 = arith.constant 2 : index
  %3 = arith.constant 3 : index
  %4 = arith.constant 4 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c40, %sy = %c1, %sz = %c1) {
    %x = arith.index_cast %tx : index to i32
    %a, %va = gpu.shuffle xor %x, %two, %width : i32
    %b, %vb = gpu.shuffle up %x, %two, %width : i32
    %c, %vc = gpu.shuffle down %x, %two, %width : i32
    %d, %vd = gpu.shuffle idx %x, %two, %width : i32
    %e, %ve = gpu.rotate %x, 3, 8 : i32
    memref.store %a, %out[%tx, %0] : memref<40x5xi32>
    memref.store %b, %out[%tx, %c1] : memref<40x5xi32>
    memref.store %c, %out[%tx, %2] : memref<40x5xi32>
    memref.store %d, %out[%tx, %3] : memref<40x5xi32>
    memref.store %e, %out[%tx, %4] : memref<40x5xi32>
    gpu.terminator
  }
  %a = memref.load %out[%at, %0] : memref<40x5xi32>
  %b = memref.load %out[%at, %c1] : memref<40x5xi32>
  %c = memref.load %out[%at, %2] : memref<40x5xi32>
  %d = memref.load %out[%at, %3] : memref<40x5xi32>
  %e = memref.load %out[%at, %4] : memref<40x5xi32>
  return %a, %b, %c, %d, %e : i32, i32, i32, i32, i32
}
// eval: @shuffles(5) == (7, 3, 7, 2, 0)
// eval: @shuffles(1) == (3, poison, 3, 2, 4)
// eval: @shuffles(31) == (29, 29, poison, 2, poison)
// eval: @shuffles(39) == (37, 37, poison, 34, 34)

func.func @reduced(%n: index, %at: index) -> (i32, i32, i32, i32, i32) {
  %0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %3 = arith.constant 3 : index
  %4 = arith.constant 4 : index
  %lane = arith.constant 1 : i32
  %out = memref.alloc() : memref<64x5xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    %x = arith.index_cast %tx : index to i32
    %a = gpu.all_reduce add %x {
    } : (i32) -> i32
    %b = gpu.all_reduce %x {
    ^bb0(%l: i32, %r: i32):
      %s = arith.subi %l, %r : i32
      gpu.yield %s : i32
    } : (i32) -> i32
    %c = gpu.subgroup_reduce maxsi %x : (i32) -> i32
    %d = gpu.subgroup_reduce add %x cluster(size = 2, stride = 4) : (i32) -> i32
    %e = gpu.subgroup_broadcast %x, specific_lane %lane : i32
    memref.store %a, %out[%tx, %0] : memref<64x5xi32>
    memref.store %b, %out[%tx, %c1] : memref<64x5xi32>
    memref.store %c, %out[%tx, %2] : memref<64x5xi32>
    memref.store %d, %out[%tx, %3] : memref<64x5xi32>
    memref.store %e, %out[%tx, %4] : memref<64x5xi32>
    gpu.terminator
  }
  %a = memref.load %out[%at, %0] : memref<64x5xi32>
  %b = memref.load %out[%at, %c1] : memref<64x5xi32>
  %c = memref.load %out[%at, %2] : memref<64x5xi32>
  %d = memref.load %out[%at, %3] : memref<64x5xi32>
  %e = memref.load %out[%at, %4] : memref<64x5xi32>
  return %a, %b, %c, %d, %e : i32, i32, i32, i32, i32
}
// eval: @reduced(64, 3) == (2016, -2016, 31, 10, 1)
// eval: @reduced(64, 44) == (2016, -2016, 63, 84, 33)
// eval: @reduced(3, 2) == (3, -3, 2, 2, 1)

// A poison value that is shown to others is poison there, and the sum of it.
func.func @poison() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %p = ub.poison : i32
  %out = memref.alloc() : memref<2xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c1, %sz = %c1) {
    %a = gpu.all_reduce add %p {
    } : (i32) -> i32
    memref.store %a, %out[%tx] : memref<2xi32>
    gpu.terminator
  }
  %r = memref.load %out[%c0] : memref<2xi32>
  return %r : i32
}
// eval: @poison() == poison

// Order of the block is that of its threads, the first dimension fastest.
func.func @ids(%at: index) -> (index, index, index, index, index, index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c20 = arith.constant 20 : index
  %out = memref.alloc() : memref<160x6xindex>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c4)
             threads(%tx, %ty, %tz) in (%sx = %c5, %sy = %c4, %sz = %c1) {
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %b = gpu.block_id z
    %g = gpu.global_id x
    %lane = gpu.lane_id
    %groups = gpu.num_subgroups : index
    %row = arith.muli %ty, %c5 : index
    %t = arith.addi %row, %tx : index
    %bs = arith.muli %bz, %c2 : index
    %bb = arith.addi %bs, %bx : index
    %s = arith.muli %bb, %c20 : index
    %n = arith.addi %s, %t : index
    memref.store %x, %out[%n, %c0] : memref<160x6xindex>
    memref.store %y, %out[%n, %c1] : memref<160x6xindex>
    memref.store %b, %out[%n, %c2] : memref<160x6xindex>
    memref.store %g, %out[%n, %c3] : memref<160x6xindex>
    memref.store %lane, %out[%n, %c4] : memref<160x6xindex>
    memref.store %groups, %out[%n, %c5] : memref<160x6xindex>
    gpu.terminator
  }
  %a = memref.load %out[%at, %c0] : memref<160x6xindex>
  %b = memref.load %out[%at, %c1] : memref<160x6xindex>
  %c = memref.load %out[%at, %c2] : memref<160x6xindex>
  %d = memref.load %out[%at, %c3] : memref<160x6xindex>
  %e = memref.load %out[%at, %c4] : memref<160x6xindex>
  %f = memref.load %out[%at, %c5] : memref<160x6xindex>
  return %a, %b, %c, %d, %e, %f : index, index, index, index, index, index
}
// eval: @ids(0) == (0, 0, 0, 0, 0, 1)
// eval: @ids(37) == (2, 3, 0, 7, 17, 1)
// eval: @ids(159) == (4, 3, 3, 9, 19, 1)

// The first lane sees all parts, each lane gets its part of the result.
func.func @warp(%at: index) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %out = memref.alloc() : memref<4x2xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
    %x = arith.index_cast %tx : index to i32
    %v = vector.broadcast %x : i32 to vector<2xi32>
    %r, %s = gpu.warp_execute_on_lane_0(%tx)[4] args(%v : vector<2xi32>) -> (vector<2xi32>, i32) {
    ^bb0(%all: vector<8xi32>):
      %twice = arith.addi %all, %all : vector<8xi32>
      %sum = vector.reduction <add>, %all : vector<8xi32> into i32
      gpu.yield %twice, %sum : vector<8xi32>, i32
    }
    %y = vector.extract %r[1] : i32 from vector<2xi32>
    memref.store %y, %out[%tx, %c0] : memref<4x2xi32>
    memref.store %s, %out[%tx, %c1] : memref<4x2xi32>
    gpu.terminator
  }
  %a = memref.load %out[%at, %c0] : memref<4x2xi32>
  %b = memref.load %out[%at, %c1] : memref<4x2xi32>
  return %a, %b : i32, i32
}
// eval: @warp(0) == (0, 12)
// eval: @warp(3) == (6, 12)
