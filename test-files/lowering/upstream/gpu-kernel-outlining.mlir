// test: opt --pipeline="builtin.module(gpu-kernel-outlining)"
// snapshot:

#wg = #gpu.address_space<workgroup>

// Constants are arguments too; attributions stay; what is called comes along.
func.func private @twice(%x: i32) -> i32 {
  %y = func.call @same(%x) : (i32) -> i32
  %s = arith.addi %x, %y : i32
  return %s : i32
}
func.func private @same(%x: i32) -> i32 {
  return %x : i32
}
func.func @reverse(%n: index, %at: index) -> i32 {
  %c1 = arith.constant 1 : index
  %out = memref.alloc() : memref<64xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1)
             workgroup(%tile : memref<64xi32, #wg>) {
    %x = arith.index_cast %tx : index to i32
    %y = func.call @twice(%x) : (i32) -> i32
    memref.store %y, %tile[%tx] : memref<64xi32, #wg>
    gpu.barrier
    %from = arith.subi %sx, %tx : index
    %other = arith.subi %from, %c1 : index
    %z = memref.load %tile[%other] : memref<64xi32, #wg>
    memref.store %z, %out[%tx] : memref<64xi32>
    gpu.terminator
  }
  %r = memref.load %out[%at] : memref<64xi32>
  memref.dealloc %out : memref<64xi32>
  return %r : i32
}
// eval: @reverse(64, 0) == 126
// eval: @reverse(5, 3) == 2
// check: module attributes {gpu.container_module}
// check: func.func @reverse
// check: gpu.launch_func @reverse_kernel::@reverse_kernel blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1) args(%c1 : index, %out : memref<64xi32>)
// check: gpu.module @reverse_kernel
// check: gpu.func @reverse_kernel(%c1: index, %out: memref<64xi32>) workgroup(%tile : memref<64xi32, #gpu.address_space<workgroup>>) kernel attributes {known_grid_size = array<i32: 1, 1, 1>} {
// next: %bx = gpu.block_id x
// check: %sz = gpu.block_dim z
// next: arith.index_cast %tx
// check: gpu.return
// check: func.func private @twice
// check: func.func private @same

// Several launches, blocks inside, tokens, names that are given.
func.func @several(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = gpu.alloc host_shared () : memref<2xindex>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %first = arith.cmpi eq, %bx, %c0 : index
    cf.cond_br %first, ^bb1(%n : index), ^bb2
  ^bb1(%v: index):
    memref.store %v, %m[%bx] : memref<2xindex>
    gpu.terminator
  ^bb2:
    cf.br ^bb1(%c2 : index)
  }
  %t = gpu.wait async
  %u = gpu.launch async [%t] blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) module(@device) function(@add) {
    %x = memref.load %m[%c0] : memref<2xindex>
    %y = memref.load %m[%c1] : memref<2xindex>
    %s = arith.addi %x, %y : index
    memref.store %s, %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  gpu.wait [%u]
  %r = memref.load %m[%c0] : memref<2xindex>
  return %r : index
}
// eval: @several(5) == 7
// check: func.func @several
// check: gpu.launch_func @several_kernel::@several_kernel
// check: %u = gpu.launch_func async [%t] @device::@add
// check: gpu.wait [%u]
// check: gpu.module @several_kernel
// check: ^bb1(%v: index)
// check: gpu.module @device
// check: gpu.func @add(
