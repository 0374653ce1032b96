// Lanes of a read that are a few elements of a row apart: all elements from the first to the last are loaded, none behind it, and
// shuffles keep those of the lanes. Where lanes are masked, elements of other lanes are not touched.
// test: opt --pipeline="func.func(sched-legalize,sched-to-scf,canonicalize,cse)"
// eval: @check() == 0

// Rows of 15 elements: 8 lanes, 2 apart.
func.func @pairs(%A: memref<3x15xi32>, %out: memref<3x8xi32>) {
  sched.for (%i in 3 by 1 dim 0, %j in 8 by 1 dim 1 : vector) {
    %a = sched.read %A[%i, 2 * %j] : memref<3x15xi32>
    sched.write %a, %out[%i, %j] : memref<3x8xi32>
  }
  return
}
// check: @pairs
// check: vector.load %A[%i, %c0] : memref<3x15xi32>, vector<8xi32>
// next: vector.load %A[%i, %c7] : memref<3x15xi32>, vector<8xi32>
// next: vector.shuffle {{.*}} [0, 2, 4, 6, 9, 11, 13, 15]
// not: memref.load
// check: vector.store

// Lanes 3 apart, of which some happen: elements of the others are masked.
func.func @some(%A: memref<11xi32>, %out: memref<4xi32>, %n: index) {
  sched.for (%i in 4 by 4 dim 0) {
    sched.for (%j in 4 by 1 limit %n dim 0 : vector) {
      %a = sched.read %A[3 * %j + 1] : memref<11xi32>
      sched.write %a, %out[%i + %j] : memref<4xi32>
    }
  }
  return
}
// check: @some
// check: vector.create_mask
// check: vector.shuffle {{.*}} : vector<4xi1>
// check: vector.maskedload
// check: vector.maskedload
// check: vector.maskedload

func.func @check() -> i32 {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %n = arith.constant 3 : index
  %z = arith.constant 0 : i32
  %A = memref.alloc() : memref<3x15xi32>
  %B = memref.alloc() : memref<3x8xi32>
  %C = memref.alloc() : memref<11xi32>
  %D = memref.alloc() : memref<4xi32>
  sched.copy (%i, %j) in (3, 8) %z to %B[%i, %j] : i32 to memref<3x8xi32>
  sched.copy (%i) in (4) %z to %D[%i] : i32 to memref<4xi32>
  sched.for (%i in 3 by 1 dim 0, %j in 15 by 1 dim 1) {
    %s = affine.apply affine_map<(d0, d1) -> (16 * d0 + d1)>(%i, %j)
    %v = arith.index_cast %s : index to i32
    sched.write %v, %A[%i, %j] : memref<3x15xi32>
  }
  sched.for (%i in 11 by 1 dim 0) {
    %v = arith.index_cast %i : index to i32
    sched.write %v, %C[%i] : memref<11xi32>
  }
  func.call @pairs(%A, %B) : (memref<3x15xi32>, memref<3x8xi32>) -> ()
  func.call @some(%C, %D, %n) : (memref<11xi32>, memref<4xi32>, index) -> ()
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %d = scf.for %i = %0 to %c3 step %1 iter_args(%s0 = %z) -> (i32) {
    %s1 = scf.for %j = %0 to %c8 step %1 iter_args(%s2 = %s0) -> (i32) {
      %v = memref.load %B[%i, %j] : memref<3x8xi32>
      %s = affine.apply affine_map<(d0, d1) -> (16 * d0 + 2 * d1)>(%i, %j)
      %w = arith.index_cast %s : index to i32
      %e = arith.subi %v, %w : i32
      %q = arith.muli %e, %e : i32
      %t = arith.addi %s2, %q : i32
      scf.yield %t : i32
    }
    scf.yield %s1 : i32
  }
  %d2 = scf.for %i = %0 to %c4 step %1 iter_args(%s0 = %z) -> (i32) {
    %v = memref.load %D[%i] : memref<4xi32>
    %t = arith.addi %s0, %v : i32
    scf.yield %t : i32
  }
  // 1 + 4 + 7
  %twelve = arith.constant 12 : i32
  %e = arith.subi %d2, %twelve : i32
  %r = arith.ori %d, %e : i32
  return %r : i32
}
