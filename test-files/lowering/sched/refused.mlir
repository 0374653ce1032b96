// What has no way down, with what would have one.
// test: opt --pipeline="func.func(sched-legalize,sched-to-scf)" --split-input-file --verify-diagnostics

func.func @lanes(%A: memref<16x16xf32>, %s: memref<16xf32>) {
  sched.for (%i in 16 by 1 : vector) {
    // expected-error @+1 {{[E0532]: 'sched.for' op has a bound that differs from lane to lane of the vector loop around}}
    %r = sched.for (%j in 16 by 1 limit %i pw add) -> f32 {
      %a = sched.read %A[%j, %i] : memref<16x16xf32>
      sched.yield %a : f32
    }
    sched.write %r, %s[%i] : memref<16xf32>
  }
  return
}

// -----

func.func @tasks(%A: memref<64xf32>, %s: memref<1xf32>) {
  sched.for (%i in 64 by 1 : task pw add) {
    %a = sched.read %A[%i] : memref<64xf32>
    // expected-error @+1 {{[E0531]: 'sched.write' op merges into a buffer that several tasks of a 'pw' loop share}}
    sched.write %a, %s[0] combine add : memref<1xf32>
  }
  return
}

// -----

func.func @calls(%A: memref<64xf32>, %B: memref<64xf32>) {
  sched.for (%i in 64 by 16, %l in 16 by 1 : vector) {
    %a = sched.read %A[%i + %l] : memref<64xf32>
    %c0 = arith.constant 0.0 : f32
    %p = arith.cmpf ogt, %a, %c0 : f32
    // expected-error @+1 {{[E0532]: 'scf.if' op decides differently from lane to lane}}
    %b = scf.if %p -> (f32) {
      scf.yield %a : f32
    } else {
      scf.yield %c0 : f32
    }
    sched.write %b, %B[%i + %l] : memref<64xf32>
  }
  return
}

// -----

func.func private @f(f32, f32) -> f32 attributes {sched.operator = {associative}}
func.func @empty(%A: memref<64xf32>, %s: memref<1xf32>) {
  // expected-error @+1 {{[E0533]: 'sched.for' op starts from nothing: its operator has no neutral element}}
  %r = sched.for (%i in 64 by 1 pw @f) -> f32 {
    %a = sched.read %A[%i] : memref<64xf32>
    sched.yield %a : f32
  }
  sched.write %r, %s[0] : memref<1xf32>
  return
}
