// Loops whose number of trips is known: none, one, or what they carry does not change.
// test: opt --pipeline="func.func(canonicalize)"
// rule: for_zero_trips, for_one_trip, for_carried

func.func @none(%x: i32) -> i32 {
  %c5 = arith.constant 5 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c5 to %c5 step %c1 iter_args(%a = %x) -> (i32) {
    %b = arith.muli %a, %a : i32
    scf.yield %b : i32
  }
  return %r : i32
}
// check: func.func @none(%x: i32)
// next: return %x : i32
// eval: @none(7) == 7

func.func @none_below(%x: i32) -> i32 {
  %c5 = arith.constant 5 : index
  %m = arith.constant -5 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c5 to %m step %c1 iter_args(%a = %x) -> (i32) {
    %b = arith.muli %a, %a : i32
    scf.yield %b : i32
  }
  return %r : i32
}
// check: func.func @none_below(%x: i32)
// next: return %x : i32
// eval: @none_below(7) == 7

// One trip, since the step is larger than what lies between the bounds.
func.func @one(%x: index) -> index {
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %r = scf.for %i = %c3 to %c5 step %c7 iter_args(%a = %x) -> (index) {
    %b = arith.muli %a, %i : index
    scf.yield %b : index
  }
  return %r : index
}
// check: func.func @one(%x: index)
// not: scf.for
// check: arith.muli %x, %c3
// eval: @one(7) == 21

// One trip that ends at the greatest number.
func.func @one_at_the_end(%x: index) -> index {
  %from = arith.constant 9223372036854775802 : index
  %to = arith.constant 9223372036854775807 : index
  %by = arith.constant 5 : index
  %r = scf.for %i = %from to %to step %by iter_args(%a = %x) -> (index) {
    %b = arith.xori %a, %i : index
    scf.yield %b : index
  }
  return %r : index
}
// check: func.func @one_at_the_end
// not: scf.for
// check: return
// eval: @one_at_the_end(0) == 9223372036854775802

// Two trips are not one.
func.func @two(%x: index) -> index {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %x) -> (index) {
    %b = arith.muli %a, %x : index
    scf.yield %b : index
  }
  return %r : index
}
// check: func.func @two
// check: scf.for
// eval: @two(3) == 27

// A value that is carried unchanged is the one from before, if the loop runs or not.
func.func @unchanged(%n: index, %x: i32, %y: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (i32, i32) {
    %c = arith.addi %b, %a : i32
    scf.yield %a, %c : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
// check: func.func @unchanged
// check: scf.for %{{.*}} iter_args(%b = %y) -> (i32) {
// next: arith.addi %b, %x : i32
// eval: @unchanged(0, 5, 1) == (5, 1)
// eval: @unchanged(3, 5, 1) == (5, 16)

// A result that is not used, of a value that the body does not read, is not carried.
func.func @unused(%n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (i32, i32) {
    %c = arith.addi %a, %a : i32
    %d = arith.muli %a, %x : i32
    scf.yield %d, %c : i32, i32
  }
  return %r#0 : i32
}
// check: func.func @unused
// not: arith.addi
// check: return
// eval: @unused(2, 3) == 27

// What happens to memory stays, though nothing is carried.
func.func @effect(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m = memref.alloca() : memref<i32>
  memref.store %zero, %m[] : memref<i32>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %m[] : memref<i32>
    %b = arith.addi %a, %one : i32
    memref.store %b, %m[] : memref<i32>
  }
  %r = memref.load %m[] : memref<i32>
  return %r : i32
}
// check: func.func @effect
// check: scf.for
// check: memref.store
// eval: @effect(0) == 0
// eval: @effect(9) == 9
