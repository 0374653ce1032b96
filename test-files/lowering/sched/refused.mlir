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

// Merged into what is read too: no part stands for it.
func.func @tasks(%A: memref<64xf32>, %s: memref<65xf32>) {
  sched.for (%i in 64 by 1 : task pw add) {
    %a = sched.read %A[%i] : memref<64xf32>
    %b = sched.read %s[64] : memref<65xf32>
    %c = arith.addf %a, %b : f32
    // expected-error @+1 {{[E0531]: 'sched.write' op merges into a buffer that several tasks of a 'pw' loop share}}
    sched.write %c, %s[0] combine add : memref<65xf32>
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

// -----

// Warps that skip the loop while others copy together.
#sm = #gpu.address_space<workgroup>
func.func @idle(%A: memref<3x32xf32>, %B: memref<3x32xf32>) {
  sched.kernel @idle grid [1, 1, 1] block [128, 1, 1] {
    // expected-error @+1 {{[E0530]: 'sched.for' op leaves threads idle, but all threads of the block meet inside of it}}
    sched.for (%w in 3 by 1 : warp) {
      %b = sched.alloc per warp : memref<32xf32, #sm>
      sched.copy per warp (%x) in (32) by linear %A[%w, %x] to %b[%x] : memref<3x32xf32> to memref<32xf32, #sm>
      sched.for (%l in 32 by 1 : lane) {
        %a = sched.read %b[31 - %l] : memref<32xf32, #sm>
        sched.write %a, %B[%w, %l] : memref<3x32xf32>
      }
    }
  }
  return
}

// -----

func.func @units(%A: memref<8xf32>, %B: memref<8xf32>) {
  // expected-error @+1 {{[E0530]: 'sched.for' op runs at level 'pe', which are units of an FPGA: only C for high-level synthesis has them}}
  sched.for (%i in 8 by 1 : pe) {
    %a = sched.read %A[%i] : memref<8xf32>
    sched.write %a, %B[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @clusters(%A: memref<8xf32>, %B: memref<8xf32>) {
  sched.kernel @clusters grid [4, 1, 1] block [2, 1, 1] cluster [2, 1, 1] {
    sched.for (%c in 8 by 4 : cluster.x) {
      // expected-error @+1 {{[E0530]: 'sched.alloc' op is in a cluster's memory, which blocks of `gpu` cannot reach}}
      %t = sched.alloc : memref<4xf32, "dsm">
      sched.for (%b in 4 by 2 : block.x, %i in 2 by 1 : thread.x) {
        %a = sched.read %A[%c + %b + %i] : memref<8xf32>
        sched.write %a, %t[%b + %i] : memref<4xf32, "dsm">
        sched.write %a, %B[%c + %b + %i] : memref<8xf32>
      }
    }
  }
  return
}

// -----

func.func @hasty(%A: memref<8xf32>, %B: memref<8xf32>) {
  sched.kernel @hasty grid [1, 1, 1] block [8, 1, 1] {
    %b = sched.alloc : memref<8xf32, #gpu.address_space<workgroup>>
    // expected-error @+1 {{[E0530]: 'sched.for' op says 'nowait', but other threads use afterwards what its threads have used}}
    sched.for (%i in 8 by 1 : thread.x nowait) {
      %a = sched.read %A[%i] : memref<8xf32>
      sched.write %a, %b[%i] : memref<8xf32, #gpu.address_space<workgroup>>
    }
    sched.for (%i in 8 by 1 : thread.x) {
      %a = sched.read %b[7 - %i] : memref<8xf32, #gpu.address_space<workgroup>>
      sched.write %a, %B[%i] : memref<8xf32>
    }
  }
  return
}

// -----

// Copies of copies: the message names the loop at which they are too many.
func.func @copies(%A: memref<1048576xf32>, %B: memref<1048576xf32>) {
  // expected-error @+2 {{the copies of the loop over '%j1' are 3178497 ops; a nest has at most 1048576}}
  // expected-note @+1 {{make the loop sequential, or split it and unroll the inner part alone}}
  sched.for (%j1 in 1048576 by 64 dim 0 : unroll) {
    sched.for (%j2 in 64 by 1 dim 0 : unroll) {
      %a = sched.read %A[%j1 + %j2] : memref<1048576xf32>
      sched.write %a, %B[%j1 + %j2] : memref<1048576xf32>
    }
  }
  return
}

// -----

#sm = #gpu.address_space<workgroup>

// Each thread has a part of shared memory for itself: an index of a view does not say which.
func.func @parts(%A: memref<64xf32>) {
  sched.kernel @k grid [1, 1, 1] block [16, 1, 1] {
    sched.for (%i in 16 by 1 dim 0 : thread.x) {
      %t = sched.alloc : memref<2x2xf32, #sm>
      // expected-error @+1 {{[E0530]: 'memref.collapse_shape' op is a view of shared memory that each thread or warp has for itself}}
      %v = memref.collapse_shape %t [[0, 1]] : memref<2x2xf32, #sm> into memref<4xf32, #sm>
      sched.for (%j in 4 by 1 dim 1) {
        %a = sched.read %A[4 * %i + %j] : memref<64xf32>
        sched.write %a, %v[%j] : memref<4xf32, #sm>
      }
      sched.for (%j in 4 by 1 dim 1) {
        %b = sched.read %v[3 - %j] : memref<4xf32, #sm>
        sched.write %b, %A[4 * %i + %j] : memref<64xf32>
      }
    }
  }
  return
}
