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
