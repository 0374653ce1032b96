// Shared memory of a block is not larger than that of any device.
// test: opt --split-input-file --verify-diagnostics

#sm = #gpu.address_space<workgroup>
#dm = #gpu.address_space<global>

func.func @f(%A: memref<1024x64xf32, #dm>, %B: memref<1024x64xf32, #dm>) {
  sched.kernel @f grid [1, 1, 1] block [64, 1, 1] {
    // expected-error @+1 {{[E0662]: 'sched.alloc' op CAP: a block's shared memory holds 262144 bytes (262144 of them here), and no device has more than 232448}}
    %t = sched.alloc : memref<1024x64xf32, #sm>
    sched.for (%j in 64 by 1 dim 1 : thread.x, %i in 1024 by 1 dim 0) {
      %a = sched.read %A[%i, %j] : memref<1024x64xf32, #dm>
      sched.write %a, %t[%i, %j] : memref<1024x64xf32, #sm>
    }
    sched.for (%j in 64 by 1 dim 1 : thread.x, %i in 1024 by 1 dim 0) {
      %a = sched.read %t[%i, %j] : memref<1024x64xf32, #sm>
      sched.write %a, %B[%i, %j] : memref<1024x64xf32, #dm>
    }
  }
  return
}
