// More than the device has for a block is refused, with what it has.
// test: opt --pipeline=gpu-shared-to-dynamic --verify-diagnostics

module attributes {gpu.container_module} {
  func.func @f(%x: memref<32xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@huge blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<32xf32>)
    return
  }
  gpu.module @k {
    // expected-error @+1 {{the kernel keeps 262144 bytes for each block; cuda-sm90 has 232448 for one, of which 49152 without asking}}
    gpu.func @huge(%x: memref<32xf32>) workgroup(%a: memref<256x256xf32, #gpu.address_space<workgroup>>) kernel {
      gpu.return
    }
  }
}
