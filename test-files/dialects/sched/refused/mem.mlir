// Iterations that run at the same time share only memory that their level shares.
// test: opt --split-input-file --verify-diagnostics

#rm = #gpu.address_space<private>
#dm = #gpu.address_space<global>

func.func @f(%A: memref<64xf32, #dm>, %B: memref<64xf32, #dm>) {
  sched.kernel @f grid [4, 1, 1] block [16, 1, 1] {
    sched.for (%b in 64 by 16 dim 0 : block.x) {
      // The threads' registers, made where the block has none.
      %t = sched.alloc : memref<16xf32, #rm>
      sched.for (%i in 16 by 1 dim 0 : thread.x) {
        %a = sched.read %A[%b + %i] : memref<64xf32, #dm>
        // expected-error @+1 {{[E0655]: 'sched.write' op MEM: iterations at level 'thread.x' cannot share registers}}
        sched.write %a, %t[%i] : memref<16xf32, #rm>
      }
    }
  }
  return
}

// -----

// What the threads of a block copy together cannot come from registers that each of them has.
#rm = #gpu.address_space<private>
#sm = #gpu.address_space<workgroup>
#dm = #gpu.address_space<global>

func.func @together(%A: memref<64xf32, #dm>, %B: memref<64xf32, #dm>) {
  sched.kernel @together grid [4, 1, 1] block [16, 1, 1] {
    sched.for (%b in 64 by 16 dim 0 : block.x) {
      sched.for (%i in 16 by 1 dim 0 : thread.x) {
        %r = sched.alloc : memref<1xf32, #rm>
        sched.copy (%d) in (1) %A[%b + %i + %d] to %r[%d] : memref<64xf32, #dm> to memref<1xf32, #rm>
        %s = sched.alloc per block : memref<1xf32, #sm>
        // expected-error @+1 {{[E0655]: 'sched.copy' op MEM: is done together, but each iteration at level 'thread.x' has a buffer of its own}}
        sched.copy per block (%d) in (1) %r[%d] to %s[%d] : memref<1xf32, #rm> to memref<1xf32, #sm>
        %a = sched.read %r[0] : memref<1xf32, #rm>
        sched.write %a, %B[%b + %i] : memref<64xf32, #dm>
      }
    }
  }
  return
}

// -----

// Threads copy together what each of them has for itself.
func.func @f(%A: memref<64xf32>) {
  sched.kernel @f grid [1, 1, 1] block [32, 1, 1] {
    %t = sched.alloc : memref<64xf32, #gpu.address_space<private>>
    // expected-error @+1 {{[E0655]: 'sched.copy' op MEM: is done together, but each thread has a buffer of its own}}
    sched.copy per block (%d) in (64) %A[%d] to %t[%d] : memref<64xf32> to memref<64xf32, #gpu.address_space<private>>
  }
  return
}
