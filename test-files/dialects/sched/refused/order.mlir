// Contributions come in the order of the source where order shows.
// test: opt --split-input-file --verify-diagnostics

func.func @f(%A: memref<64xf32>, %s: memref<1xf32>) {
  // expected-error @+1 {{[E0659]: 'sched.for' op ORDER: promises the order of the source, but runs at level 'task'}}
  %r = sched.for (%i in 64 by 1 dim 0 : task pw add source) -> f32 {
    %a = sched.read %A[%i] : memref<64xf32>
    sched.yield %a : f32
  }
  sched.write %r, %s[0] : memref<1xf32>
  return
}

// -----

// Interleaved partial sums of an operator that does not commute.
func.func private @f(i32, i32) -> i32 attributes {sched.operator = {associative}}
func.func @g(%A: memref<64xi32>, %s: memref<1xi32>) {
  %one = arith.constant 1 : i32
  %r = sched.for (%i in 8 by 1 dim 0 pw @f init(%one)) -> i32 {
    // expected-error @+1 {{ORDER: stands inside of a loop over parts of its tiles, so that contributions come in another order, which an operator that does not commute forbids}}
    %q = sched.for (%j in 64 by 8 dim 0 pw @f init(%one)) -> i32 {
      %a = sched.read %A[%i + %j] : memref<64xi32>
      sched.yield %a : i32
    }
    sched.yield %q : i32
  }
  sched.write %r, %s[0] : memref<1xi32>
  return
}

// -----

// What is carried from iteration to iteration has one order.
func.func @carried(%A: memref<64xf32>, %s: memref<1xf32>) {
  %z = arith.constant 0.0 : f32
  // expected-error @+1 {{ORDER: each iteration builds on the one before, but runs at level 'task'}}
  %r = sched.for (%i in 64 by 1 dim 0 : task ordered carry(%x = %z)) -> f32 {
    %a = sched.read %A[%i] : memref<64xf32>
    %y = arith.subf %a, %x : f32
    sched.yield %y : f32
  }
  sched.write %r, %s[0] : memref<1xf32>
  return
}
