// Copies into panels with groups of a few rows innermost: rows are read as vectors, interleaved, and stored whole.
// test: opt --pipeline="func.func(sched-legalize,sched-to-scf,canonicalize,cse)"
// eval: @check() == 0

// Groups of 4 of 5 rows: the second group ends in zeros, as do columns from 13 on.
func.func @fours(%A: memref<5x13xi32>, %P: memref<2x16x4xi32>) {
  %z = arith.constant 0 : i32
  sched.copy (%j, %g, %q) in (16, 2, 4) %A[4 * %g + %q, %j] else %z to %P[%g, %j, %q] : memref<5x13xi32> to memref<2x16x4xi32>
  return
}
// check: @fours
// check: vector.maskedload
// check: vector.shuffle {{.*}} [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23] : vector<16xi32>, vector<16xi32>
// check: vector.store {{.*}} : memref<2x64xi32>, vector<16xi32>
// not: memref.store

// A third of a group is no group.
func.func @threes(%A: memref<6x16xi32>, %P: memref<2x16x3xi32>) {
  sched.copy (%j, %g, %q) in (16, 2, 3) %A[3 * %g + %q, %j] to %P[%g, %j, %q] : memref<6x16xi32> to memref<2x16x3xi32>
  return
}
// check: @threes
// not: vector.shuffle
// check: memref.store

// Writes of two lanes' vectors next to each other are groups, in whatever loops they stand.
func.func @pairs(%A: memref<3x8xi32>, %B: memref<3x8xi32>, %P: memref<3x8x2xi32>) {
  sched.for (%i in 3 by 1 dim 0, %j in 8 by 1 dim 1 : vector) {
    %a = sched.read %A[%i, %j] : memref<3x8xi32>
    %b = sched.read %B[%i, %j] : memref<3x8xi32>
    sched.write %a, %P[%i, %j, 0] : memref<3x8x2xi32>
    sched.write %b, %P[%i, %j, 1] : memref<3x8x2xi32>
  }
  return
}
// check: @pairs
// check: vector.shuffle {{.*}} [0, 8, 1, 9, 2, 10, 3, 11]
// check: vector.shuffle {{.*}} [4, 12, 5, 13, 6, 14, 7, 15]
// not: memref.store

// The end of a dynamic dimension is no number: lanes are stored one by one.
func.func @dynamic(%A: memref<8xi32>, %B: memref<8xi32>, %P: memref<?x2xi32>) {
  sched.for (%j in 8 by 1 dim 0 : vector) {
    %a = sched.read %A[%j] : memref<8xi32>
    %b = sched.read %B[%j] : memref<8xi32>
    sched.write %a, %P[%j, 0] : memref<?x2xi32>
    sched.write %b, %P[%j, 1] : memref<?x2xi32>
  }
  return
}
// check: @dynamic
// not: vector.shuffle
// check: @check

// Differences of P[g, j, q] from A[4 g + q, j], or 0 outside, and of the pairs from theirs.
func.func @check() -> i32 {
  %0 = arith.constant 0 : i32
  %A = memref.alloc() : memref<5x13xi32>
  %P = memref.alloc() : memref<2x16x4xi32>
  %B = memref.alloc() : memref<3x8xi32>
  %C = memref.alloc() : memref<3x8xi32>
  %Q = memref.alloc() : memref<3x8x2xi32>
  sched.for (%i in 5 by 1 dim 0, %j in 13 by 1 dim 1) {
    %s = affine.apply affine_map<(d0, d1) -> (16 * d0 + d1 + 1)>(%i, %j)
    %v = arith.index_cast %s : index to i32
    sched.write %v, %A[%i, %j] : memref<5x13xi32>
  }
  sched.for (%i in 3 by 1 dim 0, %j in 8 by 1 dim 1) {
    %s = affine.apply affine_map<(d0, d1) -> (8 * d0 + d1 + 1)>(%i, %j)
    %v = arith.index_cast %s : index to i32
    %w = arith.muli %v, %v : i32
    sched.write %v, %B[%i, %j] : memref<3x8xi32>
    sched.write %w, %C[%i, %j] : memref<3x8xi32>
  }
  func.call @fours(%A, %P) : (memref<5x13xi32>, memref<2x16x4xi32>) -> ()
  func.call @pairs(%B, %C, %Q) : (memref<3x8xi32>, memref<3x8xi32>, memref<3x8x2xi32>) -> ()
  %count = memref.alloc() : memref<1xi32>
  sched.write %0, %count[0] : memref<1xi32>
  sched.for (%g in 2 by 1 dim 0 pw add, %j in 16 by 1 dim 1 pw add, %q in 4 by 1 dim 2 pw add) {
    %a = sched.read %A[4 * %g + %q, %j] else %0 : memref<5x13xi32>
    %p = sched.read %P[%g, %j, %q] : memref<2x16x4xi32>
    %differ = arith.cmpi ne, %a, %p : i32
    %one = arith.extui %differ : i1 to i32
    sched.write %one, %count[0] combine add : memref<1xi32>
  }
  sched.for (%i in 3 by 1 dim 0 pw add, %j in 8 by 1 dim 1 pw add) {
    %b = sched.read %B[%i, %j] : memref<3x8xi32>
    %c = sched.read %C[%i, %j] : memref<3x8xi32>
    %p = sched.read %Q[%i, %j, 0] : memref<3x8x2xi32>
    %q = sched.read %Q[%i, %j, 1] : memref<3x8x2xi32>
    %first = arith.cmpi ne, %b, %p : i32
    %second = arith.cmpi ne, %c, %q : i32
    %differ = arith.ori %first, %second : i1
    %one = arith.extui %differ : i1 to i32
    sched.write %one, %count[0] combine add : memref<1xi32>
  }
  %i = arith.constant 0 : index
  %all = memref.load %count[%i] : memref<1xi32>
  return %all : i32
}
