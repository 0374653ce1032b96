// Effects of a kernel are spread over all its blocks, and blocks do not wait for each other.
// test: opt --split-input-file --verify-diagnostics

func.func @f(%A: memref<64xf32>, %B: memref<64xf32>) {
  sched.kernel @f grid [4, 1, 1] block [64, 1, 1] {
    sched.for (%i in 64 by 1 dim 0 : thread.x) {
      %a = sched.read %A[%i] : memref<64xf32>
      // expected-error @+1 {{[E0653]: 'sched.write' op GRID: each of the 4 blocks along x does this again}}
      sched.write %a, %B[%i] : memref<64xf32>
    }
  }
  return
}

// -----

func.func @f(%A: memref<64xf32>) {
  sched.kernel @f grid [64, 1, 1] block [1, 1, 1] {
    sched.for (%t in 10 by 1 dim 1 ordered) {
      // expected-error @+1 {{GRID: blocks start again in each round of a loop around them, and read what blocks of the round before wrote}}
      sched.for (%i in 64 by 1 dim 0 : block.x) {
        %a = sched.read %A[%i] : memref<64xf32>
        sched.write %a, %A[%i] : memref<64xf32>
      }
    }
  }
  return
}
