// Convolution 3 × 3 with padding at reduced sizes.
// test: opt --pipeline="func.func(sched-legalize)"
// test: opt --pipeline="func.func(sched-legalize,sched-to-scf,canonicalize,cse,promote-buffers,canonicalize,cse,licm)"
// eval: @check() == -1344.0

func.func @conv(%in: memref<1x6x6x4xf32>, %w: memref<3x3x4x16xf32>, %out: memref<1x6x6x16xf32>) {
  %z = arith.constant 0.0 : f32
  sched.for step 1 at 1 (%n1 in 1 by 1 dim 0 : task, %p1 in 6 by 1 dim 1 : task) {
    %I = sched.alloc step 1 at 1 : memref<3x8x4xf32, "l1">
    sched.copy step 1 at 1 (%y, %x, %c) in (3, 8, 4) by (seq, seq, vector 4) %in[%n1, %p1 + %y - 1, %x - 1, %c] else %z to %I[%y, %x, %c] : memref<1x6x6x4xf32> to memref<3x8x4xf32, "l1">
    sched.for step 2 at 2 (%q2 in 6 by 3 dim 2, %f2 in 16 by 8 dim 3) {
      %acc = sched.alloc step 2 at 2 : memref<3x8xf32, "reg">
      sched.copy (%q, %f) in (3, 8) by (unroll, vector 4) %z to %acc[%q, %f] : f32 to memref<3x8xf32, "reg">
      sched.for step 3 at 3 (%r3 in 3 by 1 dim 4 pw add, %s3 in 3 by 1 dim 5 pw add, %c3 in 4 by 1 dim 6 pw add) {
        sched.for step 4 at 4 (%q4 in 3 by 1 dim 2 : unroll, %f4 in 8 by 4 dim 3 : unroll) {
          sched.for step 5 at 5 (%f5 in 4 by 1 dim 3 : vector) {
            %a = sched.read %I[%r3, %q2 + %q4 + %s3, %c3] : memref<3x8x4xf32, "l1">
            %b = sched.read %w[%r3, %s3, %c3, %f2 + %f4 + %f5] : memref<3x3x4x16xf32>
            %p = arith.mulf %a, %b : f32
            sched.write %p, %acc[%q4, %f4 + %f5] combine add : memref<3x8xf32, "reg">
          }
        }
      }
      sched.copy step 2 at 2 (%q, %f) in (3, 8) by (unroll, vector 4) %acc[%q, %f] to %out[%n1, %p1, %q2 + %q, %f2 + %f] : memref<3x8xf32, "reg"> to memref<1x6x6x16xf32>
    }
  }
  return
}

func.func private @fill_in(%m: memref<1x6x6x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 11 : index
  %n0 = arith.constant 1 : index
  %n1 = arith.constant 6 : index
  %n2 = arith.constant 6 : index
  %n3 = arith.constant 4 : index
  scf.for %i0 = %c0 to %n0 step %c1 {
    scf.for %i1 = %c0 to %n1 step %c1 {
      scf.for %i2 = %c0 to %n2 step %c1 {
        scf.for %i3 = %c0 to %n3 step %c1 {
          %x1 = arith.muli %i0, %n1 : index
          %l1 = arith.addi %x1, %i1 : index
          %x2 = arith.muli %l1, %n2 : index
          %l2 = arith.addi %x2, %i2 : index
          %x3 = arith.muli %l2, %n3 : index
          %l3 = arith.addi %x3, %i3 : index
          %a = arith.muli %l3, %c7 : index
          %b = arith.addi %a, %c3 : index
          %c = arith.remui %b, %c11 : index
          %d = arith.subi %c, %c5 : index
          %e = arith.index_cast %d : index to i32
          %f = arith.sitofp %e : i32 to f32
          memref.store %f, %m[%i0, %i1, %i2, %i3] : memref<1x6x6x4xf32>
        }
      }
    }
  }
  return
}

func.func private @fill_w(%m: memref<3x3x4x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 11 : index
  %n0 = arith.constant 3 : index
  %n1 = arith.constant 3 : index
  %n2 = arith.constant 4 : index
  %n3 = arith.constant 16 : index
  scf.for %i0 = %c0 to %n0 step %c1 {
    scf.for %i1 = %c0 to %n1 step %c1 {
      scf.for %i2 = %c0 to %n2 step %c1 {
        scf.for %i3 = %c0 to %n3 step %c1 {
          %x1 = arith.muli %i0, %n1 : index
          %l1 = arith.addi %x1, %i1 : index
          %x2 = arith.muli %l1, %n2 : index
          %l2 = arith.addi %x2, %i2 : index
          %x3 = arith.muli %l2, %n3 : index
          %l3 = arith.addi %x3, %i3 : index
          %a = arith.muli %l3, %c7 : index
          %b = arith.addi %a, %c3 : index
          %c = arith.remui %b, %c11 : index
          %d = arith.subi %c, %c5 : index
          %e = arith.index_cast %d : index to i32
          %f = arith.sitofp %e : i32 to f32
          memref.store %f, %m[%i0, %i1, %i2, %i3] : memref<3x3x4x16xf32>
        }
      }
    }
  }
  return
}

func.func private @digest(%m: memref<1x6x6x16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c13 = arith.constant 13 : index
  %z = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<f32>
  memref.store %z, %sum[] : memref<f32>
  %n0 = arith.constant 1 : index
  %n1 = arith.constant 6 : index
  %n2 = arith.constant 6 : index
  %n3 = arith.constant 16 : index
  scf.for %i0 = %c0 to %n0 step %c1 {
    scf.for %i1 = %c0 to %n1 step %c1 {
      scf.for %i2 = %c0 to %n2 step %c1 {
        scf.for %i3 = %c0 to %n3 step %c1 {
          %x1 = arith.muli %i0, %n1 : index
          %l1 = arith.addi %x1, %i1 : index
          %x2 = arith.muli %l1, %n2 : index
          %l2 = arith.addi %x2, %i2 : index
          %x3 = arith.muli %l2, %n3 : index
          %l3 = arith.addi %x3, %i3 : index
          %a = arith.remui %l3, %c13 : index
          %b = arith.addi %a, %c1 : index
          %c = arith.index_cast %b : index to i32
          %w = arith.sitofp %c : i32 to f32
          %v = memref.load %m[%i0, %i1, %i2, %i3] : memref<1x6x6x16xf32>
          %p = arith.mulf %v, %w : f32
          %o = memref.load %sum[] : memref<f32>
          %q = arith.addf %o, %p : f32
          memref.store %q, %sum[] : memref<f32>
        }
      }
    }
  }
  %r = memref.load %sum[] : memref<f32>
  memref.dealloc %sum : memref<f32>
  return %r : f32
}

func.func @check() -> f32 {
  %in = memref.alloc() : memref<1x6x6x4xf32>
  func.call @fill_in(%in) : (memref<1x6x6x4xf32>) -> ()
  %w = memref.alloc() : memref<3x3x4x16xf32>
  func.call @fill_w(%w) : (memref<3x3x4x16xf32>) -> ()
  %out = memref.alloc() : memref<1x6x6x16xf32>
  func.call @conv(%in, %w, %out) : (memref<1x6x6x4xf32>, memref<3x3x4x16xf32>, memref<1x6x6x16xf32>) -> ()
  %r = func.call @digest(%out) : (memref<1x6x6x16xf32>) -> f32
  memref.dealloc %in : memref<1x6x6x4xf32>
  memref.dealloc %w : memref<3x3x4x16xf32>
  memref.dealloc %out : memref<1x6x6x16xf32>
  return %r : f32
}
