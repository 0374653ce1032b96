// test: opt --pipeline=sched-legalize
// Copies to registers are written out, as registers have no addresses; not more than there are.

func.func @f(%A: memref<64x300xf32>, %B: memref<64x300xf32>) {
  sched.kernel @f grid [1, 1, 1] block [64, 1, 1] {
    sched.for (%i in 64 by 1 : thread.x) {
      %few = sched.alloc : memref<3xf32, #gpu.address_space<private>>
      // check: sched.for (%d in 3 by 1 : unroll)
      sched.copy (%d) in (3) %A[%i, %d] to %few[%d] : memref<64x300xf32> to memref<3xf32, #gpu.address_space<private>>
      %many = sched.alloc : memref<300xf32, #gpu.address_space<private>>
      // check: sched.for (%d in 300 by 1)
      sched.copy (%d) in (300) %A[%i, %d] to %many[%d] : memref<64x300xf32> to memref<300xf32, #gpu.address_space<private>>
      sched.for (%k in 300 by 1) {
        %a = sched.read %many[%k] : memref<300xf32, #gpu.address_space<private>>
        sched.write %a, %B[%i, %k] : memref<64x300xf32>
      }
      sched.copy (%d) in (3) %few[%d] to %B[%i, %d] : memref<3xf32, #gpu.address_space<private>> to memref<64x300xf32>
    }
  }
  return
}
