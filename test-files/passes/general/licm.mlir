// test: opt --pipeline="func.func(licm)"

// Out of both loops, and what uses it too; the division stays, for the loop may not run.
func.func @nest(%n: index, %x: i32, %y: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (i32) {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> (i32) {
      %p = arith.muli %x, %y : i32
      %q = arith.addi %p, %x : i32
      %d = arith.divsi %x, %y : i32
      %e = arith.addi %d, %q : i32
      %t = arith.addi %b, %e : i32
      scf.yield %t : i32
    }
    scf.yield %s : i32
  }
  return %r : i32
}
// check: func.func @nest
// check: %zero = arith.constant
// next: %p = arith.muli %x, %y
// next: %q = arith.addi %p, %x
// next: scf.for
// next: scf.for
// next: %d = arith.divsi
// eval: @nest(0, 7, 0) == 0
// eval: @nest(2, 7, 2) == 96
