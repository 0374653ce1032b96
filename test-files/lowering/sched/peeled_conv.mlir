// A padded convolution and a product with a short last block, as mdh.md's plans have them: the parts in the middle test nothing.
// test: opt --pipeline="func.func(sched-legalize,sched-to-scf,canonicalize,cse,promote-buffers,canonicalize,cse,licm)"
// eval: @check() == 0

// Rows p2 and columns q3 in three parts each; the taps r4 have bounds only where rows are cut, q5 are copies with known ones.
// CHECK-LABEL: func.func @conv
// CHECK: scf.parallel
func.func @conv(%I: memref<8x12x2xi32>, %w: memref<3x3x2xi32>, %O: memref<8x12xi32>) {
  %z = arith.constant 0 : i32
  sched.copy (%p, %q) in (8, 12) %z to %O[%p, %q] : i32 to memref<8x12xi32>
  sched.for (%p1 in 8 by 4 dim 1 : task) {
    sched.for (%p2 in 4 by 1 dim 1 tail peel) {
      sched.for (%q3 in 12 by 4 dim 2 tail peel) {
        sched.for (%r4 in 3 by 1 from 1 - %p1 - %p2 limit 9 - %p1 - %p2 dim 4 pw add, %s4 in 3 by 1 dim 5 : unroll pw add, %c4 in 2 by 1 dim 6 pw add) {
          sched.for (%q5 in 4 by 1 from 1 - %q3 - %s4 limit 13 - %q3 - %s4 dim 2 : unroll) {
            %a = sched.read %I[%p1 + %p2 + %r4 - 1, %q3 + %q5 + %s4 - 1, %c4] : memref<8x12x2xi32>
            %b = sched.read %w[%r4, %s4, %c4] : memref<3x3x2xi32>
            %p = arith.muli %a, %b : i32
            sched.write %p, %O[%p1 + %p2, %q3 + %q5] combine add : memref<8x12xi32>
          }
        }
      }
    }
  }
  return
}

// 22 rows in tasks of 12, tiles of 4: the last task has two and a half tiles.
// CHECK-LABEL: func.func @rows
// CHECK: scf.parallel
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK-NOT: create_mask
// CHECK: scf.yield
func.func @rows(%A: memref<22x8xi32>, %B: memref<22x8xi32>) {
  sched.for (%i2 in 22 by 12 dim 0 : task) {
    sched.for (%i3 in 12 by 4 limit 22 - %i2 dim 0 tail peel) {
      sched.for (%j in 8 by 1 dim 1, %i4 in 4 by 1 limit 22 - %i2 - %i3 dim 0 : unroll) {
        %a = sched.read %A[%i2 + %i3 + %i4, %j] : memref<22x8xi32>
        %d = arith.addi %a, %a : i32
        sched.write %d, %B[%i2 + %i3 + %i4, %j] clip : memref<22x8xi32>
      }
    }
  }
  return
}

func.func @check() -> i32 {
  %I = memref.alloc() : memref<8x12x2xi32>
  %w = memref.alloc() : memref<3x3x2xi32>
  %O = memref.alloc() : memref<8x12xi32>
  %A = memref.alloc() : memref<22x8xi32>
  %B = memref.alloc() : memref<22x8xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c22 = arith.constant 22 : index
  %zero = arith.constant 0 : i32
  scf.for %p = %c0 to %c8 step %c1 {
    scf.for %q = %c0 to %c12 step %c1 {
      scf.for %c = %c0 to %c2 step %c1 {
        %x = arith.muli %p, %c7 : index
        %y = arith.muli %q, %c3 : index
        %u = arith.addi %x, %y : index
        %v = arith.addi %u, %c : index
        %r = arith.remui %v, %c5 : index
        %k = arith.index_cast %r : index to i32
        memref.store %k, %I[%p, %q, %c] : memref<8x12x2xi32>
      }
    }
  }
  scf.for %r = %c0 to %c3 step %c1 {
    scf.for %s = %c0 to %c3 step %c1 {
      scf.for %c = %c0 to %c2 step %c1 {
        %x = arith.muli %r, %c3 : index
        %y = arith.addi %x, %s : index
        %u = arith.muli %y, %c2 : index
        %v = arith.addi %u, %c : index
        %m = arith.remui %v, %c7 : index
        %k = arith.index_cast %m : index to i32
        memref.store %k, %w[%r, %s, %c] : memref<3x3x2xi32>
      }
    }
  }
  scf.for %i = %c0 to %c22 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %x = arith.muli %i, %c8 : index
      %y = arith.addi %x, %j : index
      %k = arith.index_cast %y : index to i32
      memref.store %k, %A[%i, %j] : memref<22x8xi32>
    }
  }
  func.call @conv(%I, %w, %O) : (memref<8x12x2xi32>, memref<3x3x2xi32>, memref<8x12xi32>) -> ()
  func.call @rows(%A, %B) : (memref<22x8xi32>, memref<22x8xi32>) -> ()
  %w1 = scf.for %p = %c0 to %c8 step %c1 iter_args(%w0 = %zero) -> i32 {
    %row = scf.for %q = %c0 to %c12 step %c1 iter_args(%v0 = %w0) -> i32 {
      %sum = scf.for %r = %c0 to %c3 step %c1 iter_args(%s0 = %zero) -> i32 {
        %sr = scf.for %s = %c0 to %c3 step %c1 iter_args(%s1 = %s0) -> i32 {
          %pr = arith.addi %p, %r : index
          %qs = arith.addi %q, %s : index
          %x = arith.subi %pr, %c1 : index
          %y = arith.subi %qs, %c1 : index
          %inx = arith.cmpi ult, %x, %c8 : index
          %iny = arith.cmpi ult, %y, %c12 : index
          %in = arith.andi %inx, %iny : i1
          %t = scf.if %in -> i32 {
            %u = scf.for %c = %c0 to %c2 step %c1 iter_args(%s2 = %s1) -> i32 {
              %a = memref.load %I[%x, %y, %c] : memref<8x12x2xi32>
              %b = memref.load %w[%r, %s, %c] : memref<3x3x2xi32>
              %m = arith.muli %a, %b : i32
              %n = arith.addi %s2, %m : i32
              scf.yield %n : i32
            }
            scf.yield %u : i32
          } else {
            scf.yield %s1 : i32
          }
          scf.yield %t : i32
        }
        scf.yield %sr : i32
      }
      %o = memref.load %O[%p, %q] : memref<8x12xi32>
      %d = arith.subi %o, %sum : i32
      %e = arith.ori %d, %v0 : i32
      scf.yield %e : i32
    }
    scf.yield %row : i32
  }
  %w2 = scf.for %i = %c0 to %c22 step %c1 iter_args(%v0 = %w1) -> i32 {
    %row = scf.for %j = %c0 to %c8 step %c1 iter_args(%v1 = %v0) -> i32 {
      %a = memref.load %A[%i, %j] : memref<22x8xi32>
      %b = memref.load %B[%i, %j] : memref<22x8xi32>
      %t = arith.addi %a, %a : i32
      %d = arith.subi %b, %t : i32
      %e = arith.ori %d, %v1 : i32
      scf.yield %e : i32
    }
    scf.yield %row : i32
  }
  return %w2 : i32
}
