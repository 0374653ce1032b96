// test: round-trip

// Which block, subgroup and lane a thread is in, and how many there are: 2 blocks of 64 threads.
func.func @where(%b: index, %t: index) -> (index, index, index, index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %m = memref.alloc() : memref<2x64x4xindex>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c2, %gy = %c1, %gz = %c1)
             threads(%i, %j, %k) in (%bx = %c64, %by = %c1, %bz = %c1) {
    %grid = gpu.grid_dim x
    %group = gpu.subgroup_id : index
    %size = gpu.subgroup_size : index
    %groups = gpu.num_subgroups : index
    memref.store %grid, %m[%x, %i, %c0] : memref<2x64x4xindex>
    memref.store %group, %m[%x, %i, %c1] : memref<2x64x4xindex>
    memref.store %size, %m[%x, %i, %c2] : memref<2x64x4xindex>
    memref.store %groups, %m[%x, %i, %c3] : memref<2x64x4xindex>
    gpu.terminator
  }
  %r0 = memref.load %m[%b, %t, %c0] : memref<2x64x4xindex>
  %r1 = memref.load %m[%b, %t, %c1] : memref<2x64x4xindex>
  %r2 = memref.load %m[%b, %t, %c2] : memref<2x64x4xindex>
  %r3 = memref.load %m[%b, %t, %c3] : memref<2x64x4xindex>
  memref.dealloc %m : memref<2x64x4xindex>
  return %r0, %r1, %r2, %r3 : index, index, index, index
}
// eval: @where(0, 0) == (2, 0, 32, 2)
// eval: @where(1, 33) == (2, 1, 32, 2)
