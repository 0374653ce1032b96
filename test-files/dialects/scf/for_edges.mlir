// Loops at the ends of what a loop can be: no trip, one, bounds that the step does not meet, ends of the type.
// test: opt --pipeline="func.func(canonicalize,cse)"
// test: opt --pipeline="convert-scf-to-cf"

func.func @count(%from: index, %to: index, %by: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant -1 : index
  %r:2 = scf.for %i = %from to %to step %by iter_args(%n = %c0, %last = %m) -> (index, index) {
    %o = arith.addi %n, %c1 : index
    scf.yield %o, %i : index, index
  }
  return %r#0, %r#1 : index, index
}
// eval: @count(0, 0, 1) == (0, -1)
// eval: @count(5, 4, 1) == (0, -1)
// eval: @count(0, 1, 1) == (1, 0)
// eval: @count(0, 1, 100) == (1, 0)
// eval: @count(0, 7, 3) == (3, 6)
// eval: @count(0, 6, 3) == (2, 3)
// eval: @count(-5, 6, 5) == (3, 5)
// eval: @count(-3, -1, 1) == (2, -2)
// eval: @count(9223372036854775800, 9223372036854775807, 1) == (7, 9223372036854775806)
// eval: @count(-9223372036854775808, -9223372036854775806, 1) == (2, -9223372036854775807)

// Bounds of a narrow type wrap nowhere either.
func.func @narrow(%from: i8, %to: i8, %by: i8) -> (i32, i8) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant 0 : i8
  %r:2 = scf.for %i = %from to %to step %by iter_args(%n = %c0, %last = %z) -> (i32, i8) : i8 {
    %o = arith.addi %n, %c1 : i32
    scf.yield %o, %i : i32, i8
  }
  return %r#0, %r#1 : i32, i8
}
// eval: @narrow(-128, 127, 1) == (255, 126)
// eval: @narrow(0, 100, 50) == (2, 50)
// eval: @narrow(10, -10, 1) == (0, 0)

// What is carried is swapped: all of it moves at once.
func.func @swap(%n: index, %a: i32, %b: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (i32, i32) {
    scf.yield %y, %x : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
// eval: @swap(0, 1, 2) == (1, 2)
// eval: @swap(1, 1, 2) == (2, 1)
// eval: @swap(4, 1, 2) == (1, 2)
// eval: @swap(5, 1, 2) == (2, 1)

// The inner loop's bounds are the outer loop's numbers, and it may have none of them.
func.func @triangle(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> (index) {
    %s = scf.for %j = %c0 to %i step %c1 iter_args(%b = %a) -> (index) {
      %p = arith.muli %i, %j : index
      %q = arith.addi %b, %p : index
      scf.yield %q : index
    }
    scf.yield %s : index
  }
  return %r : index
}
// eval: @triangle(0) == 0
// eval: @triangle(1) == 0
// eval: @triangle(2) == 0
// eval: @triangle(5) == 35

// The step is read once, before the loop, and so are the bounds.
func.func @bounds_once(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<1xindex>
  memref.store %n, %m[%c0] : memref<1xindex>
  %to = memref.load %m[%c0] : memref<1xindex>
  %r = scf.for %i = %c0 to %to step %c1 iter_args(%a = %c0) -> (index) {
    memref.store %c0, %m[%c0] : memref<1xindex>
    %b = arith.addi %a, %c1 : index
    scf.yield %b : index
  }
  return %r : index
}
// eval: @bounds_once(6) == 6

// Powers, by squaring: a condition in a loop that carries three values.
func.func @power(%x: i64, %n: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %r:3 = scf.for %i = %c0 to %c6 step %c1 iter_args(%p = %one, %b = %x, %e = %n) -> (i64, i64, i64) {
    %bit = arith.andi %e, %one : i64
    %odd = arith.cmpi ne, %bit, %zero : i64
    %q = scf.if %odd -> (i64) {
      %t = arith.muli %p, %b : i64
      scf.yield %t : i64
    } else {
      scf.yield %p : i64
    }
    %sq = arith.muli %b, %b : i64
    %half = arith.shrui %e, %one : i64
    scf.yield %q, %sq, %half : i64, i64, i64
  }
  return %r#0 : i64
}
// eval: @power(3, 0) == 1
// eval: @power(3, 13) == 1594323
// eval: @power(-2, 63) == -9223372036854775808
// eval: @power(0, 0) == 1
