// test: opt --pipeline="func.func(scf-transpose-copies)"

// Rows of 12 read along the outer loop, written along the inner one: squares of 4.
func.func @turned(%i: index, %j: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  %c12 = arith.constant 12 : index
  %c14 = arith.constant 14 : index
  %from = memref.alloc() : memref<10x14xi32>
  %to = memref.alloc() : memref<12x8xi32>
  scf.for %r = %c0 to %c10 step %c1 {
    scf.for %k = %c0 to %c14 step %c1 {
      %n = arith.muli %r, %c14 : index
      %m = arith.addi %n, %k : index
      %v = arith.index_cast %m : index to i32
      memref.store %v, %from[%r, %k] : memref<10x14xi32>
    }
  }
  scf.for %a = %c0 to %c12 step %c1 {
    %column = arith.addi %a, %c1 : index
    scf.for %b = %c0 to %c8 step %c1 {
      %row = arith.addi %b, %c2 : index
      %x = memref.load %from[%row, %column] : memref<10x14xi32>
      memref.store %x, %to[%a, %b] : memref<12x8xi32>
    }
  }
  %v = memref.load %to[%i, %j] : memref<12x8xi32>
  memref.dealloc %from : memref<10x14xi32>
  memref.dealloc %to : memref<12x8xi32>
  return %v : i32
}
// check: func.func @turned
// check: scf.for %a = %c0 to %c12 step %c4
// check: scf.for %b = %c0 to %c8 step %c4
// check: vector.load {{.*}} vector<4xi32>
// check: vector.shuffle {{.*}} [0, 4, 2, 6]
// next: vector.shuffle {{.*}} [1, 5, 3, 7]
// check: vector.shuffle {{.*}} [0, 1, 4, 5]
// check: vector.store {{.*}} vector<4xi32>
// not: memref.store %x
// eval: @turned(0, 0) == 29
// eval: @turned(3, 0) == 32
// eval: @turned(0, 3) == 71
// eval: @turned(6, 5) == 105
// eval: @turned(11, 7) == 138

// Neighbors are neighbors on both sides, or the memory may be the same: the copies stay.
func.func @stays(%from: memref<8x8xf32>, %to: memref<8x8xf32>, %own: memref<8x8xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %a = %c0 to %c8 step %c1 {
    scf.for %b = %c0 to %c8 step %c1 {
      %x = memref.load %from[%a, %b] : memref<8x8xf32>
      memref.store %x, %own[%a, %b] : memref<8x8xf32>
    }
  }
  scf.for %a = %c0 to %c8 step %c1 {
    scf.for %b = %c0 to %c8 step %c1 {
      %x = memref.load %from[%b, %a] : memref<8x8xf32>
      memref.store %x, %to[%a, %b] : memref<8x8xf32>
    }
  }
  return
}
// check: func.func @stays
// not: vector.shuffle
