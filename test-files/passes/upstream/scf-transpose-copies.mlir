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

// 11 rows of 9 columns: a square of 8, and what it leaves in loops of their own. The last dimension of the source has one element.
func.func @left(%i: index, %j: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c11 = arith.constant 11 : index
  %from = memref.alloc() : memref<11x9x1xi32>
  %to = memref.alloc() : memref<9x11xi32>
  scf.for %r = %c0 to %c11 step %c1 {
    scf.for %k = %c0 to %c9 step %c1 {
      %n = arith.muli %r, %c9 : index
      %m = arith.addi %n, %k : index
      %v = arith.index_cast %m : index to i32
      memref.store %v, %from[%r, %k, %c0] : memref<11x9x1xi32>
    }
  }
  scf.for %a = %c0 to %c9 step %c1 {
    scf.for %b = %c0 to %c11 step %c1 {
      %x = memref.load %from[%b, %a, %c0] : memref<11x9x1xi32>
      memref.store %x, %to[%a, %b] : memref<9x11xi32>
    }
  }
  %v = memref.load %to[%i, %j] : memref<9x11xi32>
  memref.dealloc %from : memref<11x9x1xi32>
  memref.dealloc %to : memref<9x11xi32>
  return %v : i32
}
// check: func.func @left
// check: memref.reinterpret_cast {{.*}} : memref<11x9x1xi32> to memref<11x9xi32>
// check: vector.load {{.*}} vector<8xi32>
// check: memref.store %x
// eval: @left(0, 0) == 0
// eval: @left(8, 0) == 8
// eval: @left(0, 8) == 72
// eval: @left(8, 10) == 98
// eval: @left(3, 9) == 84
// eval: @left(7, 7) == 70

// Ends that are known at run time, in the outer loop as well: squares of 16, of 8 and of 4, then single elements.
func.func @open(%first: index, %end: index, %i: index, %j: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c40 = arith.constant 40 : index
  %m1 = arith.constant -1 : i32
  %from = memref.alloc() : memref<16x40xi32>
  %to = memref.alloc() : memref<40x16xi32>
  scf.for %r = %c0 to %c16 step %c1 {
    scf.for %k = %c0 to %c40 step %c1 {
      %n = arith.muli %r, %c40 : index
      %m = arith.addi %n, %k : index
      %v = arith.index_cast %m : index to i32
      memref.store %v, %from[%r, %k] : memref<16x40xi32>
      memref.store %m1, %to[%k, %r] : memref<40x16xi32>
    }
  }
  scf.for %b = %c0 to %c16 step %c1 {
    %last = arith.minsi %end, %c40 : index
    scf.for %a = %first to %last step %c1 {
      %x = memref.load %from[%b, %a] : memref<16x40xi32>
      memref.store %x, %to[%a, %b] : memref<40x16xi32>
    }
  }
  %v = memref.load %to[%i, %j] : memref<40x16xi32>
  memref.dealloc %from : memref<16x40xi32>
  memref.dealloc %to : memref<40x16xi32>
  return %v : i32
}
// check: func.func @open
// check: vector.load {{.*}} vector<16xi32>
// check: vector.load {{.*}} vector<8xi32>
// check: vector.load {{.*}} vector<4xi32>
// check: memref.store %x
// eval: @open(1, 30, 0, 3) == -1
// eval: @open(1, 30, 1, 3) == 121
// eval: @open(1, 30, 17, 15) == 617
// eval: @open(1, 30, 26, 2) == 106
// eval: @open(1, 30, 29, 7) == 309
// eval: @open(1, 30, 30, 7) == -1
// eval: @open(0, 50, 39, 15) == 639
// eval: @open(5, 3, 4, 0) == -1

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
