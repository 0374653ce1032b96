// Listing 6 with two stages: tiles are doubled, the next round's are copied while this one's are used, one barrier in a round.
// test: opt --pipeline="func.func(sched-legalize,sched-to-scf,canonicalize,cse,promote-buffers,canonicalize,cse,licm)"
// snapshot: after=sched-legalize,sched-to-scf,promote-buffers,licm
// eval: @check() == 97.0

#dm = #gpu.address_space<global>
#rm = #gpu.address_space<private>
#sm = #gpu.address_space<workgroup>
// CHECK-LABEL: func.func @matmul
// CHECK: memref<2x4x8xf32, #gpu.address_space<workgroup>>
// CHECK: gpu.barrier
// CHECK: scf.for
// CHECK: scf.if
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: gpu.terminator
func.func @matmul(%A: memref<8x32xf32, #dm>, %B: memref<32x20xf32, #dm>, %C: memref<8x20xf32, #dm>) {
  %z = arith.constant 0.0 : f32
  sched.kernel @matmul grid [2, 2, 1] block [10, 2, 1] {
    sched.for step 1 at 1 (%j1 in 20 by 10 dim 1 : block.x, %i1 in 8 by 4 dim 0 : block.y, %k1 in 32 by 32 dim 2 : block.z pw add) {
      sched.for step 3 at 2 (%j3 in 10 by 1 dim 1 : thread.x, %i3 in 2 by 1 dim 0 : thread.y, %k3 in 32 by 32 dim 2 : thread.z pw add) {
        %Cr = sched.alloc step 3 at 2 : memref<2x1xf32, #rm>
        sched.copy (%r, %c) in (2, 1) %z to %Cr[%r, %c] : f32 to memref<2x1xf32, #rm>
        sched.for step 4 at 3 (%k4 in 32 by 8 dim 2 pw add stages 2, %i4 in 1 by 1 dim 0, %j4 in 1 by 1 dim 1) {
          %As = sched.alloc per block step 4 at 3 : memref<4x8xf32, #sm>
          %Bs = sched.alloc per block step 4 at 3 : memref<8x10xf32, #sm>
          sched.copy per block step 4 at 3 (%r, %c) in (4, 8) by linear %A[%i1 + %i4 + %r, %k1 + %k3 + %k4 + %c] to %As[%r, %c] : memref<8x32xf32, #dm> to memref<4x8xf32, #sm>
          sched.copy per block step 4 at 3 (%r, %c) in (8, 10) by linear %B[%k1 + %k3 + %k4 + %r, %j1 + %j4 + %c] to %Bs[%r, %c] : memref<32x20xf32, #dm> to memref<8x10xf32, #sm>
          sched.for step 5 at 4 (%k5 in 8 by 2 dim 2 pw add, %i5 in 1 by 1 dim 0, %j5 in 1 by 1 dim 1) {
            sched.for step 6 at 5 (%k6 in 2 by 1 dim 2 pw add, %i6 in 1 by 1 dim 0, %j6 in 1 by 1 dim 1) {
              sched.for step 2 at 6 (%i2 in 4 by 2 dim 0, %j2 in 10 by 10 dim 1, %k2 in 32 by 32 dim 2 pw add) {
                %a = sched.read %As[%i2 + %i3 + %i5 + %i6, %k2 + %k5 + %k6] : memref<4x8xf32, #sm>
                %b = sched.read %Bs[%k2 + %k5 + %k6, %j2 + %j3 + %j5 + %j6] : memref<8x10xf32, #sm>
                %p = arith.mulf %a, %b : f32
                sched.write %p, %Cr[%i2 floordiv 2 + %i4 + %i5 + %i6, %j2 floordiv 10 + %j4 + %j5 + %j6] combine add : memref<2x1xf32, #rm>
              }
            }
          }
        }
        sched.copy step 3 at 2 (%r, %c) in (2, 1) %Cr[%r, %c] to %C[%i1 + %i3 + 2 * %r, %j1 + %j3 + 10 * %c] : memref<2x1xf32, #rm> to memref<8x20xf32, #dm>
      }
    }
  }
  return
}

func.func private @fill_A(%m: memref<8x32xf32, #dm>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 11 : index
  %n0 = arith.constant 8 : index
  %n1 = arith.constant 32 : index
  scf.for %i0 = %c0 to %n0 step %c1 {
    scf.for %i1 = %c0 to %n1 step %c1 {
      %x1 = arith.muli %i0, %n1 : index
      %l1 = arith.addi %x1, %i1 : index
      %a = arith.muli %l1, %c7 : index
      %b = arith.addi %a, %c3 : index
      %c = arith.remui %b, %c11 : index
      %d = arith.subi %c, %c5 : index
      %e = arith.index_cast %d : index to i32
      %f = arith.sitofp %e : i32 to f32
      memref.store %f, %m[%i0, %i1] : memref<8x32xf32, #dm>
    }
  }
  return
}

func.func private @fill_B(%m: memref<32x20xf32, #dm>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 11 : index
  %n0 = arith.constant 32 : index
  %n1 = arith.constant 20 : index
  scf.for %i0 = %c0 to %n0 step %c1 {
    scf.for %i1 = %c0 to %n1 step %c1 {
      %x1 = arith.muli %i0, %n1 : index
      %l1 = arith.addi %x1, %i1 : index
      %a = arith.muli %l1, %c7 : index
      %b = arith.addi %a, %c3 : index
      %c = arith.remui %b, %c11 : index
      %d = arith.subi %c, %c5 : index
      %e = arith.index_cast %d : index to i32
      %f = arith.sitofp %e : i32 to f32
      memref.store %f, %m[%i0, %i1] : memref<32x20xf32, #dm>
    }
  }
  return
}

func.func private @digest(%m: memref<8x20xf32, #dm>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c13 = arith.constant 13 : index
  %z = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<f32>
  memref.store %z, %sum[] : memref<f32>
  %n0 = arith.constant 8 : index
  %n1 = arith.constant 20 : index
  scf.for %i0 = %c0 to %n0 step %c1 {
    scf.for %i1 = %c0 to %n1 step %c1 {
      %x1 = arith.muli %i0, %n1 : index
      %l1 = arith.addi %x1, %i1 : index
      %a = arith.remui %l1, %c13 : index
      %b = arith.addi %a, %c1 : index
      %c = arith.index_cast %b : index to i32
      %w = arith.sitofp %c : i32 to f32
      %v = memref.load %m[%i0, %i1] : memref<8x20xf32, #dm>
      %p = arith.mulf %v, %w : f32
      %o = memref.load %sum[] : memref<f32>
      %q = arith.addf %o, %p : f32
      memref.store %q, %sum[] : memref<f32>
    }
  }
  %r = memref.load %sum[] : memref<f32>
  memref.dealloc %sum : memref<f32>
  return %r : f32
}

func.func @check() -> f32 {
  %A = memref.alloc() : memref<8x32xf32, #dm>
  func.call @fill_A(%A) : (memref<8x32xf32, #dm>) -> ()
  %B = memref.alloc() : memref<32x20xf32, #dm>
  func.call @fill_B(%B) : (memref<32x20xf32, #dm>) -> ()
  %out = memref.alloc() : memref<8x20xf32, #dm>
  func.call @matmul(%A, %B, %out) : (memref<8x32xf32, #dm>, memref<32x20xf32, #dm>, memref<8x20xf32, #dm>) -> ()
  %r = func.call @digest(%out) : (memref<8x20xf32, #dm>) -> f32
  memref.dealloc %A : memref<8x32xf32, #dm>
  memref.dealloc %B : memref<32x20xf32, #dm>
  memref.dealloc %out : memref<8x20xf32, #dm>
  return %r : f32
}
