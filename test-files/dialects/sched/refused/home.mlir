// Memory of a block or thread is made inside of a kernel, that of a device outside.
// test: opt --split-input-file --verify-diagnostics

#sm = #gpu.address_space<workgroup>

func.func @f(%A: memref<64xf32>) {
  sched.for (%i in 64 by 16 dim 0) {
    // expected-error @+1 {{[E0656]: 'sched.alloc' op HOME: a block's shared memory cannot be made outside of a kernel}}
    %t = sched.alloc : memref<16xf32, #sm>
    sched.copy (%r) in (16) %A[%i + %r] to %t[%r] : memref<64xf32> to memref<16xf32, #sm>
  }
  return
}

// -----

#dm = #gpu.address_space<global>

func.func @f(%A: memref<64xf32, #dm>) {
  sched.kernel @f grid [4, 1, 1] block [1, 1, 1] {
    sched.for (%i in 64 by 16 dim 0 : block.x) {
      // expected-error @+1 {{HOME: device memory cannot be made inside of a kernel}}
      %t = sched.alloc : memref<16xf32, #dm>
      sched.copy (%r) in (16) %A[%i + %r] to %t[%r] : memref<64xf32, #dm> to memref<16xf32, #dm>
    }
  }
  return
}
