// A step that is not positive is undefined: the interpreter stops, and nothing is folded away.
// test: opt --pipeline="func.func(canonicalize)"

func.func @sum(%from: index, %to: index, %by: index) -> index {
  %c0 = arith.constant 0 : index
  %r = scf.for %i = %from to %to step %by iter_args(%a = %c0) -> (index) {
    %b = arith.addi %a, %i : index
    scf.yield %b : index
  }
  return %r : index
}
// eval: @sum(0, 10, 0) == trap E0314
// eval: @sum(10, 0, -1) == trap E0314
// eval: @sum(0, 10, 4) == 12

// Poison as a bound decides how often the body runs.
func.func @poison_bound(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> (index) {
    %b = arith.addi %a, %i : index
    scf.yield %b : index
  }
  return %r : index
}
// eval: @poison_bound(poison) == trap E0307
// eval: @poison_bound(4) == 6

// Poison that is only carried does nothing.
func.func @poison_carried(%a: i32, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %zero) -> (i32, i32) {
    scf.yield %y, %zero : i32, i32
  }
  return %r#0 : i32
}
// eval: @poison_carried(poison, 1) == 0
// eval: @poison_carried(poison, 0) == poison
