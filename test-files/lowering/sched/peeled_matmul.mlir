// Unpacked matrix product whose last tiles are peeled.
// test: opt --pipeline="func.func(sched-legalize)"
// snapshot:
// test: opt --pipeline="func.func(sched-legalize,sched-to-scf,canonicalize,cse,promote-buffers,canonicalize,cse,licm)"
// eval: @check() == -2336.0

func.func @matmul(%A: memref<23x17xf32>, %B: memref<17x19xf32>, %C: memref<23x19xf32>) {
  %z = arith.constant 0.0 : f32
  sched.for (%j1 in 19 by 8 dim 1 : task, %i1 in 23 by 5 dim 0 tail peel) {
    %Cr = sched.alloc : memref<5x8xf32, "reg">
    sched.copy (%i, %j) in (5, 8) by (unroll, vector 4) %z to %Cr[%i, %j] : f32 to memref<5x8xf32, "reg">
    sched.for (%k in 17 by 1 dim 2 pw add) {
      sched.for (%i2 in 5 by 1 limit 23 - %i1 dim 0 : unroll, %j3 in 8 by 4 dim 1 : unroll, %j4 in 4 by 1 limit 19 - %j1 - %j3 dim 1 : vector) {
        %a = sched.read %A[%i1 + %i2, %k] : memref<23x17xf32>
        %b = sched.read %B[%k, %j1 + %j3 + %j4] : memref<17x19xf32>
        %p = arith.mulf %a, %b : f32
        sched.write %p, %Cr[%i2, %j3 + %j4] combine add : memref<5x8xf32, "reg">
      }
    }
    sched.copy (%i, %j) in (5, 8) by (unroll, vector 4) %Cr[%i, %j] to %C[%i1 + %i, %j1 + %j] clip : memref<5x8xf32, "reg"> to memref<23x19xf32>
  }
  return
}

func.func private @fill_A(%m: memref<23x17xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 11 : index
  %n0 = arith.constant 23 : index
  %n1 = arith.constant 17 : index
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
      memref.store %f, %m[%i0, %i1] : memref<23x17xf32>
    }
  }
  return
}

func.func private @fill_B(%m: memref<17x19xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 11 : index
  %n0 = arith.constant 17 : index
  %n1 = arith.constant 19 : index
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
      memref.store %f, %m[%i0, %i1] : memref<17x19xf32>
    }
  }
  return
}

func.func private @digest(%m: memref<23x19xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c13 = arith.constant 13 : index
  %z = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<f32>
  memref.store %z, %sum[] : memref<f32>
  %n0 = arith.constant 23 : index
  %n1 = arith.constant 19 : index
  scf.for %i0 = %c0 to %n0 step %c1 {
    scf.for %i1 = %c0 to %n1 step %c1 {
      %x1 = arith.muli %i0, %n1 : index
      %l1 = arith.addi %x1, %i1 : index
      %a = arith.remui %l1, %c13 : index
      %b = arith.addi %a, %c1 : index
      %c = arith.index_cast %b : index to i32
      %w = arith.sitofp %c : i32 to f32
      %v = memref.load %m[%i0, %i1] : memref<23x19xf32>
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
  %A = memref.alloc() : memref<23x17xf32>
  func.call @fill_A(%A) : (memref<23x17xf32>) -> ()
  %B = memref.alloc() : memref<17x19xf32>
  func.call @fill_B(%B) : (memref<17x19xf32>) -> ()
  %out = memref.alloc() : memref<23x19xf32>
  func.call @matmul(%A, %B, %out) : (memref<23x17xf32>, memref<17x19xf32>, memref<23x19xf32>) -> ()
  %r = func.call @digest(%out) : (memref<23x19xf32>) -> f32
  memref.dealloc %A : memref<23x17xf32>
  memref.dealloc %B : memref<17x19xf32>
  memref.dealloc %out : memref<23x19xf32>
  return %r : f32
}
