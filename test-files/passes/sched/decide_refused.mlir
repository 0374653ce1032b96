// Values of open parameters that are none, or that a nest has not the right to.
// test: opt --pipeline="func.func(sched-decide{values=p=1.0,q=1.1,b=0,m=threads},sched-legalize)" --split-input-file --verify-diagnostics

func.func @limit(%A: memref<8xf32>, %B: memref<8xf32>) {
  // expected-error @+1 {{[E0536]: 'sched.for' op has a bound that depends on a loop which would stand inside of it}}
  sched.for (%i in 8 by 3 dim 0 perm @p, %j in 3 by 1 limit 8 - %i dim 0) {
    %a = sched.read %A[%i + %j] : memref<8xf32>
    sched.write %a, %B[%i + %j] : memref<8xf32>
  }
  return
}

// -----

func.func private @f(i32, i32) -> i32 attributes {sched.operator = {associative}}
func.func @order(%A: memref<4x4xi32>, %B: memref<1xi32>) {
  // expected-error @+1 {{[E0536]: 'sched.for' op would merge in another order, which its operator or its order word forbids}}
  sched.for (%i in 4 by 1 dim 0 pw @f perm @p, %j in 4 by 1 dim 1 pw @f) {
    %a = sched.read %A[%i, %j] : memref<4x4xi32>
    sched.write %a, %B[0] combine @f : memref<1xi32>
  }
  return
}

// -----

func.func @none(%A: memref<4x4xi32>, %B: memref<4x4xi32>) {
  // expected-error @+1 {{[E0536]: 'sched.for' op has 2 loops to order, and '1.1' is no order of them}}
  sched.for (%i in 4 by 1 dim 0 perm @q, %j in 4 by 1 dim 1) {
    %a = sched.read %A[%i, %j] : memref<4x4xi32>
    sched.write %a, %B[%i, %j] : memref<4x4xi32>
  }
  return
}

// -----

func.func @carries(%A: memref<4x4xi32>, %B: memref<4x4xi32>) {
  // expected-error @+1 {{[E0536]: 'sched.for' op gives or carries values, and stays where it is}}
  sched.for (%i in 4 by 1 ordered perm @p, %j in 4 by 1) {
    %a = sched.read %A[%i, %j] : memref<4x4xi32>
    sched.write %a, %B[%i, %j] : memref<4x4xi32>
  }
  return
}

// -----

func.func @written(%A: memref<4xi32>, %B: memref<4xi32>) {
  // expected-error @+1 {{[E0536]: 'sched.alloc' op cannot be left out: what its copy reads is written where it is used}}
  %t = sched.alloc when @b : memref<4xi32>
  sched.copy (%i) in (4) %A[%i] to %t[%i] when @b : memref<4xi32> to memref<4xi32>
  sched.for (%i in 4 by 1) {
    %a = sched.read %t[3 - %i] : memref<4xi32>
    sched.write %a, %A[%i] : memref<4xi32>
  }
  return
}

// -----

func.func @twice(%A: memref<4xi32>, %B: memref<4xi32>) {
  // expected-error @+1 {{[E0536]: 'sched.alloc' op cannot be left out: exactly one other copy has to set it}}
  %t = sched.alloc when @b : memref<4xi32>
  sched.copy (%i) in (4) %A[%i] to %t[%i] when @b : memref<4xi32> to memref<4xi32>
  sched.copy (%i) in (4) %B[%i] to %t[%i] combine add : memref<4xi32> to memref<4xi32>
  sched.for (%i in 4 by 1) {
    %a = sched.read %t[%i] : memref<4xi32>
    sched.write %a, %B[%i] : memref<4xi32>
  }
  return
}

// -----

func.func @level(%A: memref<4xi32>, %B: memref<4xi32>) {
  // expected-error @+1 {{[E0536]: 'sched.for' op has no level 'threads'}}
  sched.for (%i in 4 by 1 : @m) {
    %a = sched.read %A[%i] : memref<4xi32>
    sched.write %a, %B[%i] : memref<4xi32>
  }
  return
}

// -----

func.func @open(%A: memref<4x4xi32>, %B: memref<4x4xi32>) {
  // expected-error @+1 {{[E0536]: 'sched.for' op depends on '@r', which is not decided yet}}
  sched.for (%i in 4 by 1 dim 0 perm @r, %j in 4 by 1 dim 1) {
    %a = sched.read %A[%i, %j] : memref<4x4xi32>
    sched.write %a, %B[%i, %j] : memref<4x4xi32>
  }
  return
}
