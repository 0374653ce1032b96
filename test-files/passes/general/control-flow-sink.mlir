// test: opt --pipeline="func.func(control-flow-sink)"

// Into one way, then further in; what both ways need stays.
func.func @ways(%c: i1, %d: i1, %a: i32, %b: i32) -> i32 {
  %x = arith.addi %a, %b : i32
  %y = arith.muli %x, %b : i32
  %both = arith.subi %a, %b : i32
  %r = scf.if %c -> i32 {
    %q = scf.if %d -> i32 {
      scf.yield %y : i32
    } else {
      scf.yield %both : i32
    }
    scf.yield %q : i32
  } else {
    scf.yield %both : i32
  }
  return %r : i32
}
// check: func.func @ways
// next: %both = arith.subi
// next: scf.if %c
// next: scf.if %d
// next: %x = arith.addi
// next: %y = arith.muli
// next: scf.yield %y
// eval: @ways(true, true, 2, 3) == 15
// eval: @ways(false, true, 2, 3) == -1

// A division that is not needed may stay undone; a loop's body runs several times, so nothing moves there.
func.func @once(%c: i1, %n: index, %a: i32, %b: i32, %m: memref<4xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %q = arith.divsi %a, %b : i32
  %l = memref.load %m[%c0] : memref<4xi32>
  %s = arith.addi %a, %b : i32
  %r = scf.if %c -> i32 {
    %t = arith.addi %q, %l : i32
    scf.yield %t : i32
  } else {
    scf.yield %a : i32
  }
  scf.for %i = %c0 to %n step %c1 {
    memref.store %s, %m[%i] : memref<4xi32>
  }
  return %r : i32
}
// check: func.func @once
// check: %l = memref.load
// next: %s = arith.addi
// next: scf.if %c
// next: %q = arith.divsi
// next: %t = arith.addi %q, %l
// check: scf.for
// next: memref.store %s

// What affine ops store moves like anything else, and so does an index that is as good inside: sums of symbols, sizes.
func.func @indices(%c: i1, %m: memref<?xi32>, %n: index, %a: i32) {
  %c0 = arith.constant 0 : index
  %v = arith.addi %a, %a : i32
  %sum = arith.addi %n, %n : index
  %size = memref.dim %m, %c0 : memref<?xi32>
  %i = affine.apply affine_map<()[s0, s1] -> (s0 + s1)>()[%sum, %size]
  scf.if %c {
    affine.store %v, %m[symbol(%i)] : memref<?xi32>
  }
  return
}
// check: func.func @indices
// next: scf.if %c
// check: affine.store

// A quotient is an index of an affine op only where it is computed for the whole function, also if only a sum needs it.
// What a size is the size of stays too.
func.func @places(%c: i1, %s: memref<8xi32>, %m: memref<?xi32>, %n: index, %a: i32) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %q = arith.divui %n, %c8 : index
  %sum = arith.addi %q, %c8 : index
  %view = memref.cast %s : memref<8xi32> to memref<?xi32>
  %size = memref.dim %view, %c0 : memref<?xi32>
  scf.if %c {
    affine.for %j = 0 to %size {
      affine.store %a, %m[%j] : memref<?xi32>
    }
    affine.store %a, %m[symbol(%sum)] : memref<?xi32>
  }
  return
}
// check: func.func @places
// check: %q = arith.divui
// next: %view = memref.cast
// next: scf.if %c
// check: %sum = arith.addi %q
// check: affine.for

// One of its users is outside: it stays for all that are inside.
func.func @shared(%c: i1, %a: i32) -> i32 {
  %x = arith.addi %a, %a : i32
  %r = scf.if %c -> i32 {
    %p = arith.muli %x, %x : i32
    %q = arith.muli %p, %x : i32
    scf.yield %q : i32
  } else {
    scf.yield %a : i32
  }
  %s = arith.addi %x, %r : i32
  return %s : i32
}
// check: func.func @shared
// next: %x = arith.addi
// next: scf.if %c
// eval: @shared(true, 1) == 10
