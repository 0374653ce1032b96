// Panamera's reduction in two phases, at reduced sizes.
// test: opt --pipeline="func.func(sched-legalize)"
// test: opt --pipeline="func.func(sched-legalize,sched-to-scf,canonicalize,cse,promote-buffers,canonicalize,cse,licm)"
// eval: @check() == 0.0

#dm = #gpu.address_space<global>
func.func @reduce(%x: memref<3x50xf32, #dm>, %y: memref<3x50xf32, #dm>, %out: memref<3xf32, #dm>) {
  %part = sched.alloc : memref<3x4xf32, #dm>
  sched.kernel @phase1 grid [4, 3, 1] block [4, 1, 1] {
    sched.for (%i1 in 3 by 1 dim 0 : block.y, %j1 in 50 by 16 dim 1 : block.x) {
      %b = sched.for (%j3 in 4 by 1 dim 1 : thread.x pw add via shared) -> f32 {
        %s = sched.for (%j2 in 16 by 4 limit 50 - %j1 - %j3 dim 1 pw add) -> f32 {
          %xv = sched.read %x[%i1, %j1 + %j2 + %j3] : memref<3x50xf32, #dm>
          %yv = sched.read %y[%i1, %j1 + %j2 + %j3] : memref<3x50xf32, #dm>
          %v = arith.addf %xv, %yv : f32
          sched.yield %v : f32
        }
        sched.yield %s : f32
      }
      sched.write %b, %part[%i1, %j1 floordiv 16] : memref<3x4xf32, #dm>
    }
  }
  sched.kernel @phase2 grid [1, 1, 1] block [4, 1, 1] {
    sched.for (%i in 3 by 1 dim 0 : thread.x) {
      %r = sched.for (%q in 4 by 1 dim 2 pw add) -> f32 {
        %v = sched.read %part[%i, %q] : memref<3x4xf32, #dm>
        sched.yield %v : f32
      }
      sched.write %r, %out[%i] : memref<3xf32, #dm>
    }
  }
  return
}

func.func private @fill_x(%m: memref<3x50xf32, #dm>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 11 : index
  %n0 = arith.constant 3 : index
  %n1 = arith.constant 50 : index
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
      memref.store %f, %m[%i0, %i1] : memref<3x50xf32, #dm>
    }
  }
  return
}

func.func private @fill_y(%m: memref<3x50xf32, #dm>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 11 : index
  %n0 = arith.constant 3 : index
  %n1 = arith.constant 50 : index
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
      memref.store %f, %m[%i0, %i1] : memref<3x50xf32, #dm>
    }
  }
  return
}

func.func private @digest(%m: memref<3xf32, #dm>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c13 = arith.constant 13 : index
  %z = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<f32>
  memref.store %z, %sum[] : memref<f32>
  %n0 = arith.constant 3 : index
  scf.for %i0 = %c0 to %n0 step %c1 {
    %a = arith.remui %i0, %c13 : index
    %b = arith.addi %a, %c1 : index
    %c = arith.index_cast %b : index to i32
    %w = arith.sitofp %c : i32 to f32
    %v = memref.load %m[%i0] : memref<3xf32, #dm>
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
  %x = memref.alloc() : memref<3x50xf32, #dm>
  func.call @fill_x(%x) : (memref<3x50xf32, #dm>) -> ()
  %y = memref.alloc() : memref<3x50xf32, #dm>
  func.call @fill_y(%y) : (memref<3x50xf32, #dm>) -> ()
  %out = memref.alloc() : memref<3xf32, #dm>
  func.call @reduce(%x, %y, %out) : (memref<3x50xf32, #dm>, memref<3x50xf32, #dm>, memref<3xf32, #dm>) -> ()
  %r = func.call @digest(%out) : (memref<3xf32, #dm>) -> f32
  memref.dealloc %x : memref<3x50xf32, #dm>
  memref.dealloc %y : memref<3x50xf32, #dm>
  memref.dealloc %out : memref<3xf32, #dm>
  return %r : f32
}
