// test: opt --pipeline="sched-to-scf" --verify-diagnostics
// A loop whose level is a parameter still.

func.func @f(%A: memref<8xf32>, %B: memref<8xf32>) {
  // expected-error@+1 {{is at the level '@m', which is not decided yet}}
  sched.for (%i in 8 by 1 dim 0 : @m) {
    %a = sched.read %A[%i] : memref<8xf32>
    sched.write %a, %B[%i] : memref<8xf32>
  }
  return
}
