// A tile that does not divide needs a limit, or padding.
// test: opt --split-input-file --verify-diagnostics

func.func @f(%A: memref<60xf32>, %B: memref<60xf32>) {
  // expected-error @+1 {{[E0651]: 'sched.for' op TAIL: tile 16 does not divide 60, and nothing cuts off the rest}}
  sched.for (%i in 60 by 16 dim 0, %j in 16 by 1 dim 0) {
    %a = sched.read %A[%i + %j] : memref<60xf32>
    sched.write %a, %B[%i + %j] : memref<60xf32>
  }
  return
}

// -----

// A limit one too large.
func.func @f(%A: memref<60xf32>, %B: memref<60xf32>) {
  // expected-error @+1 {{TAIL: tile 16 does not divide 60, and nothing cuts off the rest}}
  sched.for (%i in 60 by 16 dim 0, %j in 16 by 1 limit 61 - %i dim 0) {
    %a = sched.read %A[%i + %j] : memref<60xf32>
    sched.write %a, %B[%i + %j] : memref<60xf32>
  }
  return
}

// -----

// Padding that the write does not clip.
func.func @f(%A: memref<60xf32>, %B: memref<60xf32>) {
  %z = arith.constant 0.0 : f32
  // expected-error @+1 {{TAIL: tile 16 does not divide 60, and not every access inside is padded, clipped or in bounds}}
  sched.for (%i in 60 by 16 dim 0 tail pad, %j in 16 by 1 dim 0) {
    %a = sched.read %A[%i + %j] else %z : memref<60xf32>
    sched.write %a, %B[%i + %j] : memref<60xf32>
  }
  return
}
