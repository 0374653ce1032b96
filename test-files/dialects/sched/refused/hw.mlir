// Trips fit grid and block; blocks and threads are inside of a kernel.
// test: opt --split-input-file --verify-diagnostics

func.func @f(%A: memref<64xf32>, %B: memref<64xf32>) {
  sched.kernel @f grid [4, 1, 1] block [8, 1, 1] {
    // expected-error @+1 {{[E0654]: 'sched.for' op HW: 16 iterations at level 'thread.x', but the kernel has 8 threads in a block}}
    sched.for (%b in 64 by 16 dim 0 : block.x, %i in 16 by 1 dim 0 : thread.x) {
      %a = sched.read %A[%b + %i] : memref<64xf32>
      sched.write %a, %B[%b + %i] : memref<64xf32>
    }
  }
  return
}

// -----

func.func @f(%A: memref<64xf32>, %B: memref<64xf32>) {
  // expected-error @+1 {{HW: level 'block.x' is part of a grid, and there is no kernel around}}
  sched.for (%b in 64 by 1 dim 0 : block.x) {
    %a = sched.read %A[%b] : memref<64xf32>
    sched.write %a, %B[%b] : memref<64xf32>
  }
  return
}
