// test: opt --pipeline="func.func(scf-for-to-while)"

func.func @sum(%n: i32, %x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %r = scf.for %i = %c0 to %n step %c3 iter_args(%s = %x) -> (i32) : i32 {
    %t = arith.addi %s, %i : i32
    scf.yield %t : i32
  }
  return %r : i32
}
// check: func.func @sum
// not: scf.for
// check: scf.while
// check: arith.cmpi slt
// eval: @sum(10, 1) == 19
// eval: @sum(-4, 7) == 7
