// test: opt --pipeline="func.func(scf-stream-copies)"

// Rows of 15 elements that follow each other on both sides: one row of 225, whose first line begins anywhere.
func.func @block(%a: index, %i: index, %j: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c15 = arith.constant 15 : index
  %none = arith.constant -1 : i32
  %m = memref.alloc() : memref<3x15x15xi32>
  %t = memref.alloc() : memref<15x15xi32>
  scf.for %b = %c0 to %c3 step %c1 {
    scf.for %r = %c0 to %c15 step %c1 {
      scf.for %k = %c0 to %c15 step %c1 {
        memref.store %none, %m[%b, %r, %k] : memref<3x15x15xi32>
        %p = arith.muli %r, %c15 : index
        %q = arith.addi %p, %k : index
        %v = arith.index_cast %q : index to i32
        memref.store %v, %t[%r, %k] : memref<15x15xi32>
      }
    }
  }
  scf.for %r = %c0 to %c15 step %c1 {
    scf.for %k = %c0 to %c15 step %c1 {
      %x = memref.load %t[%r, %k] : memref<15x15xi32>
      memref.store %x, %m[%a, %r, %k] {sched.nontemporal} : memref<3x15x15xi32>
    }
  }
  %v = memref.load %m[%i, %j, %c0] : memref<3x15x15xi32>
  memref.dealloc %m : memref<3x15x15xi32>
  memref.dealloc %t : memref<15x15xi32>
  return %v : i32
}
// check: func.func @block
// check: memref.reinterpret_cast %t to offset: [0], sizes: [225], strides: [1]
// check: memref.reinterpret_cast %m to offset: [0], sizes: [675], strides: [1]
// check: memref.extract_aligned_pointer_as_index %m
// check: vector.maskedload
// check: vector.maskedstore
// check: vector.maskedload
// check: vector.maskedstore
// check: scf.for
// check: vector.load
// check: vector.store {{.*}} {alignment = 64 : i64, nontemporal = true} : memref<675xi32>, vector<16xi32>
// not: memref.store
// eval: @block(0, 0, 0) == 0
// eval: @block(0, 0, 14) == 210
// eval: @block(0, 1, 0) == -1
// eval: @block(1, 0, 14) == -1
// eval: @block(1, 1, 0) == 0
// eval: @block(1, 1, 7) == 105
// eval: @block(2, 2, 14) == 210
// eval: @block(2, 1, 14) == -1

// Rows apart in the result: each is a row of its own, of vectors of two.
func.func @rows(%from: memref<9x150xf32> {llvm.noalias}, %to: memref<9x151xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c150 = arith.constant 150 : index
  scf.for %r = %c0 to %c9 step %c1 {
    scf.for %k = %c0 to %c150 step %c1 {
      %x = memref.load %from[%r, %k] : memref<9x150xf32>
      memref.store %x, %to[%r, %k] {sched.nontemporal} : memref<9x151xf32>
    }
  }
  return
}
// check: func.func @rows
// check: scf.for %r = %c0 to %c9 step %c1
// check: scf.for
// check: vector.store {{.*}} nontemporal = true} : memref<1359xf32>, vector<16xf32>

// Another name may stand for the same memory.
func.func @aliases(%from: memref<15x15xf32>, %to: memref<15x15xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  scf.for %r = %c0 to %c15 step %c1 {
    scf.for %k = %c0 to %c15 step %c1 {
      %x = memref.load %from[%r, %k] : memref<15x15xf32>
      memref.store %x, %to[%r, %k] {sched.nontemporal} : memref<15x15xf32>
    }
  }
  return
}
// check: func.func @aliases
// not: vector.store

// Rows that change places are no row.
func.func @turned(%from: memref<15x15xf32> {llvm.noalias}, %to: memref<15x15xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  scf.for %r = %c0 to %c15 step %c1 {
    scf.for %k = %c0 to %c15 step %c1 {
      %x = memref.load %from[%k, %r] : memref<15x15xf32>
      memref.store %x, %to[%r, %k] {sched.nontemporal} : memref<15x15xf32>
    }
  }
  return
}
// check: func.func @turned
// not: vector.store

// A view that each iteration makes for itself is no buffer of a row.
func.func @moving(%bytes: memref<4800xi8> {llvm.noalias}, %to: memref<600xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c600 = arith.constant 600 : index
  scf.for %i = %c0 to %c600 step %c1 {
    %b = arith.muli %i, %c4 : index
    %v = memref.view %bytes[%b][] : memref<4800xi8> to memref<600xf32>
    %x = memref.load %v[%i] : memref<600xf32>
    memref.store %x, %to[%i] {sched.nontemporal} : memref<600xf32>
  }
  return
}
// check: func.func @moving
// not: vector.store

// Elements of 35 bits take more room than 4 bytes.
func.func @wide(%from: memref<600xi35> {llvm.noalias}, %to: memref<600xi35> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c600 = arith.constant 600 : index
  scf.for %i = %c0 to %c600 step %c1 {
    %x = memref.load %from[%i] : memref<600xi35>
    memref.store %x, %to[%i] {sched.nontemporal} : memref<600xi35>
  }
  return
}
// check: func.func @wide
// not: vector.store
