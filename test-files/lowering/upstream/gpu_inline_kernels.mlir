// Kernels of a device module become launched regions again; the module goes with the last launch.
// test: opt --pipeline="gpu-inline-kernels"
// test: opt --pipeline="gpu-inline-kernels,gpu-launch-to-parallel,canonicalize"
// eval: @reversed(0) == 7
// eval: @reversed(6) == 1

#wg = #gpu.address_space<workgroup>
#pr = #gpu.address_space<private>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @reverse(%in: memref<8xindex>, %out: memref<8xindex>) workgroup(%tile : memref<8xindex, #wg>)
        private(%own : memref<1xindex, #pr>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %x = gpu.thread_id x
      %n = gpu.block_dim x
      %v = memref.load %in[%x] : memref<8xindex>
      memref.store %v, %own[%c0] : memref<1xindex, #pr>
      %w = memref.load %own[%c0] : memref<1xindex, #pr>
      memref.store %w, %tile[%x] : memref<8xindex, #wg>
      gpu.barrier
      %a = arith.subi %n, %x : index
      %b = arith.subi %a, %c1 : index
      %y = memref.load %tile[%b] : memref<8xindex, #wg>
      memref.store %y, %out[%x] : memref<8xindex>
      gpu.return
    }
  }

  func.func @reversed(%at: index) -> index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %one = arith.constant 1 : i32
    %eight = arith.constant 8 : i32
    %in = memref.alloc() : memref<8xindex>
    %out = memref.alloc() : memref<8xindex>
    scf.for %i = %c0 to %c8 step %c1 {
      memref.store %i, %in[%i] : memref<8xindex>
    }
    gpu.launch_func @kernels::@reverse blocks in (%one, %one, %one) threads in (%eight, %one, %one) : i32
        args(%in : memref<8xindex>, %out : memref<8xindex>)
    %r = memref.load %out[%at] : memref<8xindex>
    return %r : index
  }
}
// check: module {
// next: func.func @reversed(
// check: gpu.launch blocks(
