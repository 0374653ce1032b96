// Layers and labels pair up, and a layer tiles a dimension once.
// test: opt --split-input-file --verify-diagnostics

func.func @f(%A: memref<64xf32>, %B: memref<64xf32>) {
  sched.for step 1 at 1 (%i in 64 by 8 dim 0) {
    // expected-error @+1 {{[E0663]: 'sched.for' op STEP: step 2 at 1 stands inside of step 1 at 1: a layer has one label}}
    sched.for step 2 at 1 (%j in 8 by 1 dim 0) {
      %a = sched.read %A[%i + %j] : memref<64xf32>
      sched.write %a, %B[%i + %j] : memref<64xf32>
    }
  }
  return
}

// -----

func.func @f(%A: memref<64xf32>, %B: memref<64xf32>) {
  // expected-error @+1 {{STEP: layer 1 has two loops of dimension 0}}
  sched.for step 1 at 1 (%i in 64 by 8 dim 0, %j in 8 by 1 dim 0) {
    %a = sched.read %A[%i + %j] : memref<64xf32>
    sched.write %a, %B[%i + %j] : memref<64xf32>
  }
  return
}
