// test: opt --pipeline="func.func(scf-parallel-for-to-nested-fors)"

func.func @sum(%n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %r = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) init (%zero) -> i32 {
    scf.reduce(%x : i32) {
    ^bb0(%a: i32, %b: i32):
      %s = arith.addi %a, %b : i32
      scf.reduce.return %s : i32
    }
  }
  return %r : i32
}
// check: func.func @sum
// check: scf.for
// next: scf.for
// next: %s = arith.addi
// eval: @sum(3, 5) == 45
// eval: @sum(0, 5) == 0
