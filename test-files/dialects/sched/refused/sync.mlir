// All threads of a block arrive where they meet, equally often.
// test: opt --split-input-file --verify-diagnostics

#sm = #gpu.address_space<workgroup>
#dm = #gpu.address_space<global>

func.func @f(%A: memref<64xf32, #dm>, %B: memref<64xf32, #dm>) {
  sched.kernel @f grid [4, 1, 1] block [32, 1, 1] {
    sched.for (%b in 64 by 16 dim 0 : block.x, %i in 16 by 1 dim 0 : thread.x) {
      %t = sched.alloc per block : memref<16xf32, #sm>
      // expected-error @+1 {{[E0660]: 'sched.copy' op SYNC: all 32 threads of the block meet here along x, but the loop around has 16}}
      sched.copy per block (%r) in (16) by linear %A[%b + %r] to %t[%r] : memref<64xf32, #dm> to memref<16xf32, #sm>
      %a = sched.read %t[%i] : memref<16xf32, #sm>
      sched.write %a, %B[%b + %i] : memref<64xf32, #dm>
    }
  }
  return
}

// -----

#sm = #gpu.address_space<workgroup>
#dm = #gpu.address_space<global>

// Rounds that differ from thread to thread.
func.func @f(%A: memref<64xf32, #dm>, %B: memref<16xf32, #dm>) {
  sched.kernel @f grid [1, 1, 1] block [16, 1, 1] {
    sched.for (%i in 16 by 1 dim 0 : thread.x) {
      sched.for (%k in 64 by 16 limit 4 * %i dim 1 pw add) {
        %t = sched.alloc per block : memref<16xf32, #sm>
        // expected-error @+1 {{SYNC: threads of the block meet here, but a loop around runs for some longer than for others}}
        sched.copy per block (%r) in (16) by linear %A[%k + %r] to %t[%r] : memref<64xf32, #dm> to memref<16xf32, #sm>
        %a = sched.read %t[%i] : memref<16xf32, #sm>
        sched.write %a, %B[%i] combine add : memref<16xf32, #dm>
      }
    }
  }
  return
}

// -----

#sm = #gpu.address_space<workgroup>
#dm = #gpu.address_space<global>

// Threads of one row exchange elements, but rows are fewer than the block has threads along y.
func.func @f(%A: memref<4x16xf32, #dm>, %B: memref<4x16xf32, #dm>) {
  sched.kernel @f grid [1, 1, 1] block [16, 8, 1] {
    sched.for (%j in 4 by 1 dim 0 : thread.y) {
      %t = sched.alloc : memref<16xf32, #sm>
      sched.for (%i in 16 by 1 dim 1 : thread.x) {
        %a = sched.read %A[%j, %i] : memref<4x16xf32, #dm>
        sched.write %a, %t[%i] : memref<16xf32, #sm>
      }
      sched.for (%i in 16 by 1 dim 2 : thread.x) {
        // expected-error @+1 {{[E0660]: 'sched.read' op SYNC: waits for other threads of the block, which has 8 along y, but the loop around has 4}}
        %a = sched.read %t[15 - %i] : memref<16xf32, #sm>
        sched.write %a, %B[%j, %i] : memref<4x16xf32, #dm>
      }
    }
  }
  return
}

// -----

#sm = #gpu.address_space<workgroup>
#dm = #gpu.address_space<global>

// Each thread uses what it wrote: nobody waits, and idle rows do no harm.
func.func @f(%A: memref<4x16xf32, #dm>, %B: memref<4x16xf32, #dm>) {
  sched.kernel @f grid [1, 1, 1] block [16, 8, 1] {
    sched.for (%j in 4 by 1 dim 0 : thread.y) {
      %t = sched.alloc : memref<16xf32, #sm>
      sched.for (%i in 16 by 1 dim 1 : thread.x) {
        %a = sched.read %A[%j, %i] : memref<4x16xf32, #dm>
        sched.write %a, %t[%i] : memref<16xf32, #sm>
      }
      sched.for (%i in 16 by 1 dim 2 : thread.x) {
        %a = sched.read %t[%i] : memref<16xf32, #sm>
        sched.write %a, %B[%j, %i] : memref<4x16xf32, #dm>
      }
    }
  }
  return
}

// -----

#sm = #gpu.address_space<workgroup>
#dm = #gpu.address_space<global>

// Ten rows for four threads: in the last strip two threads have none, and those of the others exchange elements.
func.func @f(%A: memref<10x16xf32, #dm>, %B: memref<10x16xf32, #dm>) {
  sched.kernel @f grid [1, 1, 1] block [16, 4, 1] {
    sched.for (%s in 10 by 4 dim 0 tail mask, %j in 4 by 1 limit 10 - %s dim 0 : thread.y) {
      %t = sched.alloc : memref<16xf32, #sm>
      sched.for (%i in 16 by 1 dim 1 : thread.x) {
        %a = sched.read %A[%s + %j, %i] : memref<10x16xf32, #dm>
        sched.write %a, %t[%i] : memref<16xf32, #sm>
      }
      sched.for (%i in 16 by 1 dim 2 : thread.x) {
        // expected-error @+1 {{[E0660]: 'sched.read' op SYNC: waits for other threads of the block, but 10 iterations go round in strips of 4 for its threads along y: 2 of these have none in the last strip}}
        %a = sched.read %t[15 - %i] : memref<16xf32, #sm>
        sched.write %a, %B[%s + %j, %i] : memref<10x16xf32, #dm>
      }
    }
  }
  return
}

// -----

// The fifth to seventh warps do not come.
func.func @f(%A: memref<13xf32>) {
  sched.kernel @f grid [1, 1, 1] block [224, 1, 1] {
    sched.for (%s in 13 by 7 dim 0, %w in 7 by 1 limit 13 - %s dim 0 : warp.x) {
      %t = sched.alloc per block : memref<7xf32, #gpu.address_space<workgroup>>
      // expected-error @+1 {{[E0660]: 'sched.copy' op SYNC: all threads of the block meet here, but the loop around leaves some out by a limit}}
      sched.copy per block (%d) in (7) %A[%d] to %t[%d] : memref<13xf32> to memref<7xf32, #gpu.address_space<workgroup>>
    }
  }
  return
}

// -----

#dm = #gpu.address_space<global>
#sm = #gpu.address_space<workgroup>

// What is written in one round is read in the next, and nothing in the same.
func.func @f(%A: memref<4x16xf32, #dm>, %B: memref<4x16xf32, #dm>) {
  sched.kernel @k grid [1, 1, 1] block [16, 8, 1] {
    %S = sched.alloc : memref<4x9x16xf32, #sm>
    sched.for (%y in 4 by 1 : thread.y) {
      sched.for (%r in 8 by 1 ordered) {
        sched.for (%x in 16 by 1 : thread.x) {
          %a = sched.read %A[%y, %x] : memref<4x16xf32, #dm>
          sched.write %a, %S[%y, %r + 1, %x] : memref<4x9x16xf32, #sm>
        }
        sched.for (%z in 16 by 1 : thread.x) {
          // expected-error @+1 {{SYNC: waits for other threads of the block, which has 8 along y, but the loop around has 4}}
          %b = sched.read %S[%y, %r, 15 - %z] : memref<4x9x16xf32, #sm>
          sched.write %b, %B[%y, %z] : memref<4x16xf32, #dm>
        }
      }
    }
  }
  return
}

// -----

// Only some threads come into the branch, and would wait there for each other.
func.func @f(%in: memref<6x4xi32>, %out: memref<6x4xi32>) {
  sched.kernel @f grid [1, 1, 1] block [6, 4, 1] {
    sched.for (%i in 6 by 1 dim 0 : thread.x) {
      %three = arith.constant 3 : index
      %some = arith.cmpi slt, %i, %three : index
      scf.if %some {
        %tile = sched.alloc : memref<4xi32, #gpu.address_space<workgroup>>
        sched.for (%j in 4 by 1 dim 1 : thread.y) {
          %v = sched.read %in[%i, %j] : memref<6x4xi32>
          sched.write %v, %tile[%j] : memref<4xi32, #gpu.address_space<workgroup>>
        }
        sched.for (%j in 4 by 1 dim 1 : thread.y) {
          // expected-error @+1 {{SYNC: waits for other threads of the block, but only those come for which a condition holds}}
          %v = sched.read %tile[3 - %j] : memref<4xi32, #gpu.address_space<workgroup>>
          sched.write %v, %out[%i, %j] : memref<6x4xi32>
        }
      }
    }
  }
  return
}

// -----

// All threads of a block come, or none: the condition is the block's.
func.func @f(%in: memref<6x4xi32>, %out: memref<6x4xi32>) {
  sched.kernel @f grid [6, 1, 1] block [1, 4, 1] {
    sched.for (%i in 6 by 1 dim 0 : block.x) {
      %three = arith.constant 3 : index
      %some = arith.cmpi slt, %i, %three : index
      scf.if %some {
        %tile = sched.alloc : memref<4xi32, #gpu.address_space<workgroup>>
        sched.for (%j in 4 by 1 dim 1 : thread.y) {
          %v = sched.read %in[%i, %j] : memref<6x4xi32>
          sched.write %v, %tile[%j] : memref<4xi32, #gpu.address_space<workgroup>>
        }
        sched.for (%j in 4 by 1 dim 1 : thread.y) {
          %v = sched.read %tile[3 - %j] : memref<4xi32, #gpu.address_space<workgroup>>
          sched.write %v, %out[%i, %j] : memref<6x4xi32>
        }
      }
    }
  }
  return
}
