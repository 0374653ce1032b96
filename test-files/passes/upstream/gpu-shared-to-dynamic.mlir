// Buffers of a block that together have more than 48 KiB are parts of dynamic memory, which launches ask for.
// test: opt --pipeline=gpu-shared-to-dynamic

module attributes {gpu.container_module} {
  // check: func.func @f
  // check: %c65664_i32 = arith.constant 65664 : i32
  // next: gpu.launch_func @k::@large blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) dynamic_shared_memory_size %c65664_i32 args(%x : memref<32xf32>)
  // next: gpu.launch_func @k::@small blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<32xf32>)
  func.func @f(%x: memref<32xf32>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @k::@large blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<32xf32>)
    gpu.launch_func @k::@small blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<32xf32>)
    return
  }
  gpu.module @k {
    // check: gpu.func @large(%x: memref<32xf32>) kernel
    // next: %0 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    // next: %c0 = arith.constant 0 : index
    // next: %a = memref.view %0[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<32xf32, #gpu.address_space<workgroup>>
    // next: %c128 = arith.constant 128 : index
    // next: %b = memref.view %0[%c128][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<64x256xf32, #gpu.address_space<workgroup>>
    gpu.func @large(%x: memref<32xf32>) workgroup(%a: memref<32xf32, #gpu.address_space<workgroup>>, %b: memref<64x256xf32, #gpu.address_space<workgroup>>) kernel {
      %i = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c31 = arith.constant 31 : index
      %v = memref.load %x[%i] : memref<32xf32>
      memref.store %v, %b[%i, %c0] : memref<64x256xf32, #gpu.address_space<workgroup>>
      memref.store %v, %a[%i] : memref<32xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %other = arith.subi %c31, %i : index
      %p = memref.load %b[%other, %c0] : memref<64x256xf32, #gpu.address_space<workgroup>>
      %q = memref.load %a[%i] : memref<32xf32, #gpu.address_space<workgroup>>
      %w = arith.subf %p, %q : f32
      memref.store %w, %x[%i] : memref<32xf32>
      gpu.return
    }
    // check: gpu.func @small(%x: memref<32xf32>) workgroup(%a : memref<48x256xf32, #gpu.address_space<workgroup>>) kernel
    gpu.func @small(%x: memref<32xf32>) workgroup(%a: memref<48x256xf32, #gpu.address_space<workgroup>>) kernel {
      gpu.return
    }
  }
}
