// Reads of one row that are shifted by less than a vector: one is read, the others are cut out of it and of what the next iteration
// begins with. The last iteration reads as it is written. Not in loops whose iterations depend on each other, nor behind writes.
// test: opt --pipeline="func.func(sched-legalize,sched-to-scf,canonicalize,cse)"
// eval: @check() == 1128.0

func.func @three(%A: memref<2x50xf32>, %out: memref<2x48xf32>) {
  sched.for (%i in 2 by 1 dim 0, %j in 48 by 16 dim 1) {
    sched.for (%j2 in 16 by 1 dim 1 : vector) {
      %a = sched.read %A[%i, %j + %j2] {sched.carried} : memref<2x50xf32>
      %b = sched.read %A[%i, %j + %j2 + 1] {sched.carried} : memref<2x50xf32>
      %c = sched.read %A[%i, %j + %j2 + 2] {sched.carried} : memref<2x50xf32>
      %0 = arith.subf %c, %a : f32
      %1 = arith.mulf %0, %b : f32
      sched.write %1, %out[%i, %j + %j2] : memref<2x48xf32>
    }
  }
  return
}
// check: @three
// check: scf.for
// check: %a = vector.load %A[%i, %c0]
// next: scf.for %j = %c0 to %c32 step %c16 iter_args({{.*}} = %a) -> (vector<16xf32>)
// check: vector.load
// next: vector.shuffle {{.*}} [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
// next: vector.shuffle {{.*}} [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]
// not: vector.load
// check: scf.yield
// check: vector.load
// next: vector.load
// next: arith.subf
// check: vector.store

func.func @moves(%A: memref<2x50xf32>) {
  sched.for (%j in 48 by 16 dim 0 ordered) {
    sched.for (%j2 in 16 by 1 dim 0 : vector) {
      %a = sched.read %A[0, %j + %j2 + 1] {sched.carried} : memref<2x50xf32>
      %b = sched.read %A[0, %j + %j2 + 2] {sched.carried} : memref<2x50xf32>
      %0 = arith.addf %a, %b : f32
      sched.write %0, %A[1, %j + %j2] : memref<2x50xf32>
    }
  }
  return
}
// check: @moves
// not: vector.shuffle

func.func @behind(%A: memref<50xf32>, %out: memref<2x48xf32>) {
  sched.for (%j in 48 by 16 dim 0) {
    sched.for (%j2 in 16 by 1 dim 0 : vector) {
      %a = sched.read %A[%j + %j2] {sched.carried} : memref<50xf32>
      sched.write %a, %out[0, %j + %j2] : memref<2x48xf32>
      %b = sched.read %A[%j + %j2 + 1] {sched.carried} : memref<50xf32>
      sched.write %b, %out[1, %j + %j2] : memref<2x48xf32>
    }
  }
  return
}
// check: @behind
// not: vector.shuffle

// (c - a) * b is 2 j + 2 where element j of a row is j; of the other it is four times as much.
func.func @check() -> f32 {
  %A = memref.alloc() : memref<2x50xf32>
  %out = memref.alloc() : memref<2x48xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c48 = arith.constant 48 : index
  %c50 = arith.constant 50 : index
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c50 step %c1 {
      %f = arith.addi %i, %c1 : index
      %p = arith.muli %f, %j : index
      %q = arith.index_cast %p : index to i32
      %v = arith.sitofp %q : i32 to f32
      memref.store %v, %A[%i, %j] : memref<2x50xf32>
    }
  }
  func.call @three(%A, %out) : (memref<2x50xf32>, memref<2x48xf32>) -> ()
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %j = %c0 to %c48 step %c1 iter_args(%all = %zero) -> (f32) {
    %x = memref.load %out[%c0, %j] : memref<2x48xf32>
    %y = memref.load %out[%c1, %j] : memref<2x48xf32>
    %four = arith.constant 4.0 : f32
    %w = arith.mulf %four, %x : f32
    %d = arith.subf %w, %y : f32
    %k = arith.index_cast %j : index to i32
    %e = arith.sitofp %k : i32 to f32
    %s = arith.addf %d, %e : f32
    %t = arith.addf %all, %s : f32
    scf.yield %t : f32
  }
  memref.dealloc %A : memref<2x50xf32>
  memref.dealloc %out : memref<2x48xf32>
  return %sum : f32
}
