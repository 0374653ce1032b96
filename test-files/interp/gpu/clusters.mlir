// test: round-trip

// Blocks in clusters of 2 and 3: 6 by 3 blocks, so 3 by 1 clusters.
func.func @where(%bx: index, %by: index) -> (index, index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %m = memref.alloc() : memref<6x3x5xindex>
  gpu.launch clusters(%cx, %cy, %cz) in (%sx = %c2, %sy = %c3, %sz = %c1)
             blocks(%x, %y, %z) in (%gx = %c6, %gy = %c3, %gz = %c1)
             threads(%i, %j, %k) in (%tx = %c1, %ty = %c1, %tz = %c1) {
    %id = gpu.cluster_id x
    %inside = gpu.cluster_block_id y
    %count = gpu.cluster_dim x
    %blocks = gpu.cluster_dim_blocks y
    %same = arith.subi %cx, %id : index
    %and = arith.addi %same, %sx : index
    memref.store %id, %m[%x, %y, %c0] : memref<6x3x5xindex>
    memref.store %inside, %m[%x, %y, %c1] : memref<6x3x5xindex>
    memref.store %count, %m[%x, %y, %c2] : memref<6x3x5xindex>
    memref.store %blocks, %m[%x, %y, %c3] : memref<6x3x5xindex>
    memref.store %and, %m[%x, %y, %c4] : memref<6x3x5xindex>
    gpu.terminator
  }
  %r0 = memref.load %m[%bx, %by, %c0] : memref<6x3x5xindex>
  %r1 = memref.load %m[%bx, %by, %c1] : memref<6x3x5xindex>
  %r2 = memref.load %m[%bx, %by, %c2] : memref<6x3x5xindex>
  %r3 = memref.load %m[%bx, %by, %c3] : memref<6x3x5xindex>
  %r4 = memref.load %m[%bx, %by, %c4] : memref<6x3x5xindex>
  memref.dealloc %m : memref<6x3x5xindex>
  return %r0, %r1, %r2, %r3, %r4 : index, index, index, index, index
}
// eval: @where(0, 0) == (0, 0, 3, 3, 2)
// eval: @where(5, 2) == (2, 2, 3, 3, 2)
// eval: @where(3, 1) == (1, 1, 3, 3, 2)

// A grid that is no whole clusters.
func.func @broken(%n: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  gpu.launch clusters(%cx, %cy, %cz) in (%sx = %c2, %sy = %c1, %sz = %c1)
             blocks(%x, %y, %z) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%i, %j, %k) in (%tx = %c1, %ty = %c1, %tz = %c1) {
    gpu.terminator
  }
  return
}
// eval: @broken(4) == ()
// eval: @broken(3) == trap E0304 "3 blocks of the grid are no whole clusters of 2"
