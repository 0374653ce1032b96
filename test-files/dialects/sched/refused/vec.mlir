// Lanes are one element or neighbours.
// test: opt --split-input-file --verify-diagnostics

func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>) {
  sched.for (%i in 64 by 1 dim 0, %j in 64 by 16 dim 1, %l in 16 by 1 dim 1 : vector) {
    // expected-error @+1 {{[E0661]: 'sched.read' op VEC: lanes are neither one element nor neighbours in memory}}
    %a = sched.read %A[%j + %l, %i] : memref<64x64xf32>
    sched.write %a, %B[%i, %j + %l] : memref<64x64xf32>
  }
  return
}

// -----
// Reads may be a few elements apart, writes may not.
func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>) {
  sched.for (%i in 64 by 1 dim 0, %l in 16 by 1 dim 1 : vector) {
    %a = sched.read %A[%i, 4 * %l] : memref<64x64xf32>
    // expected-error @+1 {{[E0661]: 'sched.write' op VEC: lanes are neither one element nor neighbours in memory}}
    sched.write %a, %B[%i, 2 * %l] : memref<64x64xf32>
  }
  return
}
