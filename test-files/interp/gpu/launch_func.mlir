// Kernels of a device module.
// test: round-trip

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
    gpu.func @dynamic(%out: memref<4xi8>) kernel {
      %x = gpu.thread_id x
      %m = gpu.dynamic_shared_memory : memref<?xi8, #wg>
      %i = arith.index_cast %x : index to i8
      memref.store %i, %m[%x] : memref<?xi8, #wg>
      gpu.barrier
      %c1 = arith.constant 1 : index
      %y = arith.xori %x, %c1 : index
      %j = memref.load %m[%y] : memref<?xi8, #wg>
      memref.store %j, %out[%x] : memref<4xi8>
      gpu.return
    }
    gpu.func @known() kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
      gpu.return
    }
  }

  func.func @reversed(%at: index) -> index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %in = memref.alloc() : memref<8xindex>
    %out = memref.alloc() : memref<8xindex>
    scf.for %i = %c0 to %c8 step %c1 {
      memref.store %i, %in[%i] : memref<8xindex>
    }
    gpu.launch_func @kernels::@reverse blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
        args(%in : memref<8xindex>, %out : memref<8xindex>)
    %r = memref.load %out[%at] : memref<8xindex>
    return %r : index
  }
  // eval: @reversed(0) == 7
  // eval: @reversed(6) == 1

  func.func @dynamic(%bytes: i32) -> i8 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %out = memref.alloc() : memref<4xi8>
    gpu.launch_func @kernels::@dynamic blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
        dynamic_shared_memory_size %bytes args(%out : memref<4xi8>)
    %r = memref.load %out[%c0] : memref<4xi8>
    return %r : i8
  }
  // eval: @dynamic(4) == 1
  // eval: @dynamic(3) == trap E0308

  func.func @known(%n: index) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@known blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
    return
  }
  // eval: @known(4) == ()
  // eval: @known(5) == trap E0304
}
