// test: opt --pipeline='func.func(gpu-launch-on-devices)'

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%from: index, %x: memref<64xi32>) kernel {
      gpu.return
    }
  }

  // Each iteration has a device of its own; its second launch comes behind its first, and the host waits behind the loop.
  // check: func.func @devices(%x: memref<64xi32>) {
  // check: %0 = gpu.wait async
  // next: %1 = scf.for %d = %c0 to %c64 step %c16 iter_args(%arg0 = %0) -> (!gpu.async.token) {
  // check: gpu.set_default_device
  // check: %5 = gpu.launch_func async @kernels::@k
  // check: %6 = gpu.launch_func async [%5] @kernels::@k
  // next: %7 = gpu.wait async [%arg0, %6]
  // next: scf.yield %7 : !gpu.async.token
  // check: gpu.wait [%1]
  // check: gpu.set_default_device
  func.func @devices(%x: memref<64xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    scf.for %d = %c0 to %c64 step %c16 {
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1)
        args(%d : index, %x : memref<64xi32>)
      %next = arith.addi %d, %c1 : index
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1)
        args(%next : index, %x : memref<64xi32>)
    } {terrace.devices}
    return
  }

  // What the host does in between keeps launches in their order, as does a loop that nothing marks.
  // check: func.func @host(%x: memref<64xi32>, %v: i32) {
  // not: async
  func.func @host(%x: memref<64xi32>, %v: i32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    scf.for %d = %c0 to %c64 step %c16 {
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1)
        args(%d : index, %x : memref<64xi32>)
      memref.store %v, %x[%d] : memref<64xi32>
    } {terrace.devices}
    scf.for %d = %c0 to %c64 step %c16 {
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1)
        args(%d : index, %x : memref<64xi32>)
    }
    return
  }

  // Devices of two dimensions are counted in one loop, each with a number of its own.
  // check: func.func @grid(%x: memref<64xi32>) {
  // check: scf.for %arg0 = %c0_0 to %{{[0-9]+}} step %c1_1 iter_args(%arg1 = %{{[0-9]+}}) -> (!gpu.async.token) {
  // check: gpu.set_default_device
  // check: arith.divui %arg0
  // check: arith.remui %arg0
  // check: gpu.launch_func async @kernels::@k
  // not: scf.for
  func.func @grid(%x: memref<64xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    scf.for %d = %c0 to %c64 step %c32 {
      scf.for %e = %c0 to %c32 step %c16 {
        %at = arith.addi %d, %e : index
        gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1)
          args(%at : index, %x : memref<64xi32>)
      } {terrace.devices}
    } {terrace.devices}
    return
  }
}
