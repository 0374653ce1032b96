// Row sums and a dot product: lanes and copies keep partial sums, with a tail that lanes mask.
// test: opt --pipeline="func.func(sched-legalize)"
// test: opt --pipeline="func.func(sched-legalize,sched-to-scf,canonicalize,cse,promote-buffers,canonicalize,cse,licm)"
// eval: @check() == 2692.0

func.func @sums(%A: memref<11x37xf32>, %v: memref<37xf32>, %out: memref<12xf32>) {
  sched.for (%i in 11 by 1 dim 0 : task) {
    %r = sched.for (%j in 37 by 8 dim 1 pw add) -> f32 {
      %q = sched.for (%j2 in 8 by 4 dim 1 : unroll pw add) -> f32 {
        %p = sched.for (%j3 in 4 by 1 limit 37 - %j - %j2 dim 1 : vector pw add) -> f32 {
          %a = sched.read %A[%i, %j + %j2 + %j3] : memref<11x37xf32>
          %b = sched.read %v[%j + %j2 + %j3] : memref<37xf32>
          %c = arith.mulf %a, %b : f32
          sched.yield %c : f32
        }
        sched.yield %p : f32
      }
      sched.yield %q : f32
    }
    sched.write %r, %out[%i] : memref<12xf32>
  }
  %z = arith.constant 2.0 : f32
  %d = sched.for (%j in 37 by 1 : task pw add init(%z)) -> f32 {
    %b = sched.read %v[%j] : memref<37xf32>
    %c = arith.mulf %b, %b : f32
    sched.yield %c : f32
  }
  sched.write %d, %out[11] : memref<12xf32>
  return
}

func.func private @fill_A(%m: memref<11x37xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 11 : index
  %n0 = arith.constant 11 : index
  %n1 = arith.constant 37 : index
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
      memref.store %f, %m[%i0, %i1] : memref<11x37xf32>
    }
  }
  return
}

func.func private @fill_v(%m: memref<37xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 11 : index
  %n0 = arith.constant 37 : index
  scf.for %i0 = %c0 to %n0 step %c1 {
    %a = arith.muli %i0, %c7 : index
    %b = arith.addi %a, %c3 : index
    %c = arith.remui %b, %c11 : index
    %d = arith.subi %c, %c5 : index
    %e = arith.index_cast %d : index to i32
    %f = arith.sitofp %e : i32 to f32
    memref.store %f, %m[%i0] : memref<37xf32>
  }
  return
}

func.func private @digest(%m: memref<12xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c13 = arith.constant 13 : index
  %z = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<f32>
  memref.store %z, %sum[] : memref<f32>
  %n0 = arith.constant 12 : index
  scf.for %i0 = %c0 to %n0 step %c1 {
    %a = arith.remui %i0, %c13 : index
    %b = arith.addi %a, %c1 : index
    %c = arith.index_cast %b : index to i32
    %w = arith.sitofp %c : i32 to f32
    %v = memref.load %m[%i0] : memref<12xf32>
    %p = arith.mulf %v, %w : f32
    %o = memref.load %sum[] : memref<f32>
    %q = arith.addf %o, %p : f32
    memref.store %q, %sum[] : memref<f32>
  }
  %r = memref.load %sum[] : memref<f32>
  memref.dealloc %sum : memref<f32>
  return %r : f32
}

func.func @check() -> f32 {
  %A = memref.alloc() : memref<11x37xf32>
  func.call @fill_A(%A) : (memref<11x37xf32>) -> ()
  %v = memref.alloc() : memref<37xf32>
  func.call @fill_v(%v) : (memref<37xf32>) -> ()
  %out = memref.alloc() : memref<12xf32>
  func.call @sums(%A, %v, %out) : (memref<11x37xf32>, memref<37xf32>, memref<12xf32>) -> ()
  %r = func.call @digest(%out) : (memref<12xf32>) -> f32
  memref.dealloc %A : memref<11x37xf32>
  memref.dealloc %v : memref<37xf32>
  memref.dealloc %out : memref<12xf32>
  return %r : f32
}
