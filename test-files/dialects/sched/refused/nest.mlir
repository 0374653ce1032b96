// Wider levels stand outside.
// test: opt --split-input-file --verify-diagnostics

func.func @f(%A: memref<64xf32>, %B: memref<64xf32>) {
  sched.for (%i in 64 by 16 dim 0 : vector) {
    // expected-error @+1 {{[E0652]: 'sched.for' op NEST: level 'task' cannot stand inside of level 'vector'}}
    sched.for (%j in 16 by 1 dim 0 : task) {
      %a = sched.read %A[%i + %j] : memref<64xf32>
      sched.write %a, %B[%i + %j] : memref<64xf32>
    }
  }
  return
}

// -----

func.func @f(%A: memref<64xf32>, %B: memref<64xf32>) {
  sched.kernel @f grid [4, 1, 1] block [64, 1, 1] {
    // expected-error @+1 {{NEST: level 'thread.x' cannot stand inside of level 'thread.x'}}
    sched.for (%b in 64 by 16 dim 0 : block.x, %i in 16 by 4 dim 0 : thread.x, %j in 4 by 1 dim 0 : thread.x) {
      %a = sched.read %A[%b + %i + %j] : memref<64xf32>
      sched.write %a, %B[%b + %i + %j] : memref<64xf32>
    }
  }
  return
}

// -----

func.func @f(%A: memref<64xf32>, %B: memref<64xf32>) {
  sched.kernel @f grid [4, 1, 1] block [64, 1, 1] {
    // expected-error @+1 {{NEST: uses an axis that a 'global' loop spreads over blocks and threads already}}
    sched.for (%b in 64 by 16 dim 0 : global.x, %i in 16 by 1 dim 0 : thread.x) {
      %a = sched.read %A[%b + %i] : memref<64xf32>
      sched.write %a, %B[%b + %i] : memref<64xf32>
    }
  }
  return
}
