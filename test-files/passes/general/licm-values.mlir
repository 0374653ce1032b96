// What is the same in every iteration moves out, if it cannot do harm where the loop does not run.
// test: opt --pipeline="func.func(licm)"

func.func @moves(%n: index, %a: i32, %b: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
    %p = arith.muli %a, %b : i32
    %q = arith.addi %p, %a : i32
    %t = arith.addi %s, %q : i32
    scf.yield %t : i32
  }
  return %r : i32
}
// check: func.func @moves
// check: arith.muli %a, %b
// next: arith.addi %p, %a
// next: scf.for
// next: arith.addi %s, %q
// eval: @moves(0, 2, 3) == 0
// eval: @moves(3, 2, 3) == 24

// A division by what may be zero stays: a loop without iterations never divides.
func.func @division_stays(%n: index, %a: i32, %b: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
    %q = arith.divsi %a, %b : i32
    %t = arith.addi %s, %q : i32
    scf.yield %t : i32
  }
  return %r : i32
}
// check: func.func @division_stays
// check: scf.for
// next: arith.divsi
// eval: @division_stays(0, 1, 0) == 0
// eval: @division_stays(1, 1, 0) == trap E0301
// eval: @division_stays(2, 7, 2) == 6

// By a constant that is neither zero nor −1 a division is harmless.
func.func @known_division_moves(%n: index, %a: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
    %q = arith.divui %a, %three : i32
    %t = arith.addi %s, %q : i32
    scf.yield %t : i32
  }
  return %r : i32
}
// eval: @known_division_moves(0, 9) == 0
// eval: @known_division_moves(4, 9) == 12

// What is carried, or depends on the number of the iteration, stays.
func.func @stays(%n: index, %a: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (index) {
    %p = arith.muli %s, %a : index
    %q = arith.addi %p, %i : index
    scf.yield %q : index
  }
  return %r : index
}
// check: func.func @stays
// check: scf.for
// next: arith.muli %s, %a
// next: arith.addi %p, %i
// eval: @stays(3, 2) == 20

// Out of two loops at once, or out of the inner one only.
func.func @two_loops(%n: index, %a: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> (index) {
    %t = scf.for %j = %c0 to %n step %c1 iter_args(%u = %s) -> (index) {
      %p = arith.muli %a, %a : index
      %q = arith.addi %p, %i : index
      %v = arith.addi %u, %q : index
      scf.yield %v : index
    }
    scf.yield %t : index
  }
  return %r : index
}
// check: func.func @two_loops
// check: arith.muli %a, %a
// next: scf.for %i
// next: arith.addi %p, %i
// next: scf.for %j
// next: arith.addi %u, %q
// eval: @two_loops(0, 5) == 0
// eval: @two_loops(3, 2) == 45

// A read of what the loop writes stays, and so does the write.
func.func @memory(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %m = memref.alloca() : memref<i32>
  memref.store %one, %m[] : memref<i32>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %m[] : memref<i32>
    %b = arith.addi %a, %a : i32
    memref.store %b, %m[] : memref<i32>
  }
  %r = memref.load %m[] : memref<i32>
  return %r : i32
}
// check: func.func @memory
// check: scf.for
// next: memref.load
// eval: @memory(0) == 1
// eval: @memory(10) == 1024

// A read of an element that may not be there, in a loop that may not run.
func.func @read_stays(%n: index, %k: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %all = arith.constant dense<[5, 6]> : vector<2xi32>
  %m = memref.alloca() : memref<2xi32>
  vector.store %all, %m[%c0] : memref<2xi32>, vector<2xi32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
    %a = memref.load %m[%k] : memref<2xi32>
    %b = arith.addi %s, %a : i32
    scf.yield %b : i32
  }
  return %r : i32
}
// check: func.func @read_stays
// check: scf.for
// next: memref.load
// eval: @read_stays(0, 9) == 0
// eval: @read_stays(3, 1) == 18
// eval: @read_stays(1, 2) == trap E0308

// In a `while` the first region runs at least once, the second may not at all.
func.func @in_while(%a: i32, %b: i32) -> i32 {
  %one = arith.constant 1 : i32
  %r = scf.while (%x = %one) : (i32) -> i32 {
    %limit = arith.muli %a, %b : i32
    %more = arith.cmpi slt, %x, %limit : i32
    scf.condition(%more) %x : i32
  } do {
  ^bb0(%x: i32):
    %y = arith.addi %x, %x : i32
    scf.yield %y : i32
  }
  return %r : i32
}
// eval: @in_while(3, 5) == 16
// eval: @in_while(0, 5) == 1
