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

// A chain of sums of a value with itself has 2^64 paths; each value is visited once.
func.func @chain(%n: index, %i: index, %j: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %from = memref.alloc() : memref<8x8xi32>
  %to = memref.alloc() : memref<8x8xi32>
  scf.for %r = %c0 to %c8 step %c1 {
    scf.for %k = %c0 to %c8 step %c1 {
      %p = arith.muli %r, %c8 : index
      %m = arith.addi %p, %k : index
      %v = arith.index_cast %m : index to i32
      memref.store %v, %from[%r, %k] : memref<8x8xi32>
    }
  }
  scf.for %a = %c0 to %c8 step %c1 {
    %d0 = arith.addi %n, %n : index
    %d1 = arith.addi %d0, %d0 : index
    %d2 = arith.addi %d1, %d1 : index
    %d3 = arith.addi %d2, %d2 : index
    %d4 = arith.addi %d3, %d3 : index
    %d5 = arith.addi %d4, %d4 : index
    %d6 = arith.addi %d5, %d5 : index
    %d7 = arith.addi %d6, %d6 : index
    %d8 = arith.addi %d7, %d7 : index
    %d9 = arith.addi %d8, %d8 : index
    %d10 = arith.addi %d9, %d9 : index
    %d11 = arith.addi %d10, %d10 : index
    %d12 = arith.addi %d11, %d11 : index
    %d13 = arith.addi %d12, %d12 : index
    %d14 = arith.addi %d13, %d13 : index
    %d15 = arith.addi %d14, %d14 : index
    %d16 = arith.addi %d15, %d15 : index
    %d17 = arith.addi %d16, %d16 : index
    %d18 = arith.addi %d17, %d17 : index
    %d19 = arith.addi %d18, %d18 : index
    %d20 = arith.addi %d19, %d19 : index
    %d21 = arith.addi %d20, %d20 : index
    %d22 = arith.addi %d21, %d21 : index
    %d23 = arith.addi %d22, %d22 : index
    %d24 = arith.addi %d23, %d23 : index
    %d25 = arith.addi %d24, %d24 : index
    %d26 = arith.addi %d25, %d25 : index
    %d27 = arith.addi %d26, %d26 : index
    %d28 = arith.addi %d27, %d27 : index
    %d29 = arith.addi %d28, %d28 : index
    %d30 = arith.addi %d29, %d29 : index
    %d31 = arith.addi %d30, %d30 : index
    %d32 = arith.addi %d31, %d31 : index
    %d33 = arith.addi %d32, %d32 : index
    %d34 = arith.addi %d33, %d33 : index
    %d35 = arith.addi %d34, %d34 : index
    %d36 = arith.addi %d35, %d35 : index
    %d37 = arith.addi %d36, %d36 : index
    %d38 = arith.addi %d37, %d37 : index
    %d39 = arith.addi %d38, %d38 : index
    %d40 = arith.addi %d39, %d39 : index
    %d41 = arith.addi %d40, %d40 : index
    %d42 = arith.addi %d41, %d41 : index
    %d43 = arith.addi %d42, %d42 : index
    %d44 = arith.addi %d43, %d43 : index
    %d45 = arith.addi %d44, %d44 : index
    %d46 = arith.addi %d45, %d45 : index
    %d47 = arith.addi %d46, %d46 : index
    %d48 = arith.addi %d47, %d47 : index
    %d49 = arith.addi %d48, %d48 : index
    %d50 = arith.addi %d49, %d49 : index
    %d51 = arith.addi %d50, %d50 : index
    %d52 = arith.addi %d51, %d51 : index
    %d53 = arith.addi %d52, %d52 : index
    %d54 = arith.addi %d53, %d53 : index
    %d55 = arith.addi %d54, %d54 : index
    %d56 = arith.addi %d55, %d55 : index
    %d57 = arith.addi %d56, %d56 : index
    %d58 = arith.addi %d57, %d57 : index
    %d59 = arith.addi %d58, %d58 : index
    %d60 = arith.addi %d59, %d59 : index
    %d61 = arith.addi %d60, %d60 : index
    %d62 = arith.addi %d61, %d61 : index
    %d63 = arith.addi %d62, %d62 : index
    scf.for %b = %c0 to %c8 step %c1 {
      %row = arith.addi %b, %d63 : index
      %x = memref.load %from[%row, %a] : memref<8x8xi32>
      memref.store %x, %to[%a, %b] : memref<8x8xi32>
    }
  }
  %v = memref.load %to[%i, %j] : memref<8x8xi32>
  memref.dealloc %from : memref<8x8xi32>
  memref.dealloc %to : memref<8x8xi32>
  return %v : i32
}
// check: func.func @chain
// check: vector.load {{.*}} vector<8xi32>
// not: memref.store %x
// eval: @chain(0, 3, 5) == 43

// Bytes: rows of 16 are interleaved with those half of the rows further on, four times. 3 of 19 columns are left.
func.func @bytes(%i: index, %j: index) -> i8 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c19 = arith.constant 19 : index
  %from = memref.alloc() : memref<16x19xi8>
  %to = memref.alloc() : memref<19x16xi8>
  scf.for %r = %c0 to %c16 step %c1 {
    scf.for %k = %c0 to %c19 step %c1 {
      %n = arith.muli %r, %c19 : index
      %m = arith.addi %n, %k : index
      %v = arith.index_cast %m : index to i8
      memref.store %v, %from[%r, %k] : memref<16x19xi8>
    }
  }
  scf.for %a = %c0 to %c19 step %c1 {
    scf.for %b = %c0 to %c16 step %c1 {
      %x = memref.load %from[%b, %a] : memref<16x19xi8>
      memref.store %x, %to[%a, %b] : memref<19x16xi8>
    }
  }
  %v = memref.load %to[%i, %j] : memref<19x16xi8>
  memref.dealloc %from : memref<16x19xi8>
  memref.dealloc %to : memref<19x16xi8>
  return %v : i8
}
// check: func.func @bytes
// check: vector.load {{.*}} vector<16xi8>
// check: vector.shuffle {{.*}} [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23]
// next: vector.shuffle {{.*}} [8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31]
// check: vector.store {{.*}} vector<16xi8>
// eval: @bytes(0, 0) == 0
// eval: @bytes(1, 0) == 1
// eval: @bytes(0, 1) == 19
// eval: @bytes(15, 6) == -127
// eval: @bytes(7, 13) == -2
// eval: @bytes(18, 12) == -10
// eval: @bytes(16, 15) == 45

// Of two bytes: rows of 8, and columns in squares of 4.
func.func @halves(%i: index, %j: index) -> f16 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %from = memref.alloc() : memref<8x12xf16>
  %to = memref.alloc() : memref<12x8xf16>
  scf.for %r = %c0 to %c8 step %c1 {
    scf.for %k = %c0 to %c12 step %c1 {
      %n = arith.muli %r, %c12 : index
      %m = arith.addi %n, %k : index
      %w = arith.index_cast %m : index to i32
      %v = arith.sitofp %w : i32 to f16
      memref.store %v, %from[%r, %k] : memref<8x12xf16>
    }
  }
  scf.for %a = %c0 to %c12 step %c1 {
    scf.for %b = %c0 to %c8 step %c1 {
      %x = memref.load %from[%b, %a] : memref<8x12xf16>
      memref.store %x, %to[%a, %b] : memref<12x8xf16>
    }
  }
  %v = memref.load %to[%i, %j] : memref<12x8xf16>
  memref.dealloc %from : memref<8x12xf16>
  memref.dealloc %to : memref<12x8xf16>
  return %v : f16
}
// check: func.func @halves
// check: vector.shuffle {{.*}} [0, 4, 1, 5]
// not: memref.store %x
// eval: @halves(0, 0) == 0.0
// eval: @halves(3, 5) == 63.0
// eval: @halves(11, 7) == 95.0
// eval: @halves(6, 1) == 18.0
