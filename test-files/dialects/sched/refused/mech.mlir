// Contributions meet by a mechanism that the level has, and that the operator allows.
// test: opt --split-input-file --verify-diagnostics

#dm = #gpu.address_space<global>

func.func @f(%A: memref<64xf32, #dm>, %s: memref<1xf32, #dm>) {
  sched.kernel @f grid [4, 1, 1] block [1, 1, 1] {
    // expected-error @+1 {{[E0658]: 'sched.for' op MECH: merges rounded values by atomic updates, whose order differs from run to run}}
    sched.for (%b in 64 by 16 dim 0 : block.x pw add via atomic, %i in 16 by 1 dim 0 pw add) {
      %a = sched.read %A[%b + %i] : memref<64xf32, #dm>
      sched.write %a, %s[0] combine add : memref<1xf32, #dm>
    }
  }
  return
}

// -----

#dm = #gpu.address_space<global>

func.func @f(%A: memref<64xi32, #dm>, %s: memref<1xi32, #dm>) {
  sched.kernel @f grid [4, 1, 1] block [1, 1, 1] {
    // expected-error @+1 {{MECH: merges a value at level 'block.x', whose iterations cannot meet}}
    %r = sched.for (%b in 64 by 16 dim 0 : block.x pw add) -> i32 {
      %q = sched.for (%i in 16 by 1 dim 0 pw add) -> i32 {
        %a = sched.read %A[%b + %i] : memref<64xi32, #dm>
        sched.yield %a : i32
      }
      sched.yield %q : i32
    }
  }
  return
}

// -----

func.func private @f(i32, i32) -> i32
func.func @g(%A: memref<64xi32>, %s: memref<1xi32>) {
  %one = arith.constant 1 : i32
  // expected-error @+1 {{MECH: merges in parallel by '@f', which is not known to be associative}}
  %r = sched.for (%i in 64 by 1 dim 0 : task pw @f init(%one)) -> i32 {
    %a = sched.read %A[%i] : memref<64xi32>
    sched.yield %a : i32
  }
  sched.write %r, %s[0] : memref<1xi32>
  return
}
