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
