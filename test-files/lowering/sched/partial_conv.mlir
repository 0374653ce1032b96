// LIFT's partial convolution at reduced sizes: windows on blocks, kernels and vectors on threads.
// test: opt --pipeline="func.func(sched-legalize)"
// snapshot:
// test: opt --pipeline="func.func(sched-legalize,sched-to-scf,canonicalize,cse,promote-buffers,canonicalize,cse,licm)"
// eval: @check() == -7459.0

#dm = #gpu.address_space<global>
#rm = #gpu.address_space<private>
func.func @partial_conv(%in: memref<8x8x8xf32, #dm>, %w: memref<4x3x3x8xf32, #dm>, %p: memref<4x2x2x3x3x2xf32, #dm>) {
  %z = arith.constant 0.0 : f32
  sched.kernel @partial_conv grid [2, 4, 1] block [2, 3, 1] {
    sched.for (%t in 4 by 1 dim 0 : block.y, %m in 4 by 2 dim 1 : block.x) {
      sched.for (%g in 9 by 3 dim 2 : thread.y, %c in 8 by 4 dim 3 : thread.x) {
        %acc = sched.alloc : memref<2x3xf32, #rm>
        sched.copy (%a, %s) in (2, 3) %z to %acc[%a, %s] : f32 to memref<2x3xf32, #rm>
        sched.for (%u in 72 by 8 dim 3 pw add) {
          %x = sched.alloc : memref<3x4xf32, #rm>
          sched.copy (%s, %l) in (3, 4) by (unroll, vector 4) %in[3 * (%t floordiv 2) + (%g + %s) floordiv 3 + (%u + %c + %l) floordiv 24, 3 * (%t mod 2) + (%g + %s) mod 3 + ((%u + %c + %l) floordiv 8) mod 3, (%u + %c + %l) mod 8] to %x[%s, %l] : memref<8x8x8xf32, #dm> to memref<3x4xf32, #rm>
          sched.for (%a in 2 by 1 dim 1 : unroll) {
            %y = sched.alloc : memref<4xf32, #rm>
            sched.copy (%l) in (4) by (vector 4) %w[%m + %a, (%u + %c + %l) floordiv 24, ((%u + %c + %l) floordiv 8) mod 3, (%u + %c + %l) mod 8] to %y[%l] : memref<4x3x3x8xf32, #dm> to memref<4xf32, #rm>
            sched.for (%s in 3 by 1 dim 2 : unroll) {
              %d = sched.for (%l in 4 by 1 dim 3 : vector pw add) -> f32 {
                %xv = sched.read %x[%s, %l] : memref<3x4xf32, #rm>
                %yv = sched.read %y[%l] : memref<4xf32, #rm>
                %q = arith.mulf %xv, %yv : f32
                sched.yield %q : f32
              }
              sched.write %d, %acc[%a, %s] combine add : memref<2x3xf32, #rm>
            }
          }
        }
        sched.copy (%a, %s) in (2, 3) %acc[%a, %s] to %p[%t, %m floordiv 2, %a, %g floordiv 3, %s, %c floordiv 4] : memref<2x3xf32, #rm> to memref<4x2x2x3x3x2xf32, #dm>
      }
    }
  }
  return
}

func.func private @fill_in(%m: memref<8x8x8xf32, #dm>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 11 : index
  %n0 = arith.constant 8 : index
  %n1 = arith.constant 8 : index
  %n2 = arith.constant 8 : index
  scf.for %i0 = %c0 to %n0 step %c1 {
    scf.for %i1 = %c0 to %n1 step %c1 {
      scf.for %i2 = %c0 to %n2 step %c1 {
        %x1 = arith.muli %i0, %n1 : index
        %l1 = arith.addi %x1, %i1 : index
        %x2 = arith.muli %l1, %n2 : index
        %l2 = arith.addi %x2, %i2 : index
        %a = arith.muli %l2, %c7 : index
        %b = arith.addi %a, %c3 : index
        %c = arith.remui %b, %c11 : index
        %d = arith.subi %c, %c5 : index
        %e = arith.index_cast %d : index to i32
        %f = arith.sitofp %e : i32 to f32
        memref.store %f, %m[%i0, %i1, %i2] : memref<8x8x8xf32, #dm>
      }
    }
  }
  return
}

func.func private @fill_w(%m: memref<4x3x3x8xf32, #dm>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 11 : index
  %n0 = arith.constant 4 : index
  %n1 = arith.constant 3 : index
  %n2 = arith.constant 3 : index
  %n3 = arith.constant 8 : index
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
          memref.store %f, %m[%i0, %i1, %i2, %i3] : memref<4x3x3x8xf32, #dm>
        }
      }
    }
  }
  return
}

func.func private @digest(%m: memref<4x2x2x3x3x2xf32, #dm>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c13 = arith.constant 13 : index
  %z = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<f32>
  memref.store %z, %sum[] : memref<f32>
  %n0 = arith.constant 4 : index
  %n1 = arith.constant 2 : index
  %n2 = arith.constant 2 : index
  %n3 = arith.constant 3 : index
  %n4 = arith.constant 3 : index
  %n5 = arith.constant 2 : index
  scf.for %i0 = %c0 to %n0 step %c1 {
    scf.for %i1 = %c0 to %n1 step %c1 {
      scf.for %i2 = %c0 to %n2 step %c1 {
        scf.for %i3 = %c0 to %n3 step %c1 {
          scf.for %i4 = %c0 to %n4 step %c1 {
            scf.for %i5 = %c0 to %n5 step %c1 {
              %x1 = arith.muli %i0, %n1 : index
              %l1 = arith.addi %x1, %i1 : index
              %x2 = arith.muli %l1, %n2 : index
              %l2 = arith.addi %x2, %i2 : index
              %x3 = arith.muli %l2, %n3 : index
              %l3 = arith.addi %x3, %i3 : index
              %x4 = arith.muli %l3, %n4 : index
              %l4 = arith.addi %x4, %i4 : index
              %x5 = arith.muli %l4, %n5 : index
              %l5 = arith.addi %x5, %i5 : index
              %a = arith.remui %l5, %c13 : index
              %b = arith.addi %a, %c1 : index
              %c = arith.index_cast %b : index to i32
              %w = arith.sitofp %c : i32 to f32
              %v = memref.load %m[%i0, %i1, %i2, %i3, %i4, %i5] : memref<4x2x2x3x3x2xf32, #dm>
              %p = arith.mulf %v, %w : f32
              %o = memref.load %sum[] : memref<f32>
              %q = arith.addf %o, %p : f32
              memref.store %q, %sum[] : memref<f32>
            }
          }
        }
      }
    }
  }
  %r = memref.load %sum[] : memref<f32>
  memref.dealloc %sum : memref<f32>
  return %r : f32
}

func.func @check() -> f32 {
  %in = memref.alloc() : memref<8x8x8xf32, #dm>
  func.call @fill_in(%in) : (memref<8x8x8xf32, #dm>) -> ()
  %w = memref.alloc() : memref<4x3x3x8xf32, #dm>
  func.call @fill_w(%w) : (memref<4x3x3x8xf32, #dm>) -> ()
  %out = memref.alloc() : memref<4x2x2x3x3x2xf32, #dm>
  func.call @partial_conv(%in, %w, %out) : (memref<8x8x8xf32, #dm>, memref<4x3x3x8xf32, #dm>, memref<4x2x2x3x3x2xf32, #dm>) -> ()
  %r = func.call @digest(%out) : (memref<4x2x2x3x3x2xf32, #dm>) -> f32
  memref.dealloc %in : memref<8x8x8xf32, #dm>
  memref.dealloc %w : memref<4x3x3x8xf32, #dm>
  memref.dealloc %out : memref<4x2x2x3x3x2xf32, #dm>
  return %r : f32
}
