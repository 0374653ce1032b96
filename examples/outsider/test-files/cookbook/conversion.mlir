// test: opt --pipeline="money-to-integers" --stats
// rule: of_as_integer, cents_of_integer, add_as_integers

// Amounts become integers in arguments, results, calls, loops, branches and memory.
func.func private @given(!money.amount<"EUR">) -> !money.amount<"EUR">
func.func @twice(%a: !money.amount<"EUR">) -> !money.amount<"EUR"> {
  %s = money.add %a, %a : !money.amount<"EUR">
  return %s : !money.amount<"EUR">
}
// check: func.func private @given(i64) -> i64
// check: func.func @twice(%a: i64) -> i64 {
// next: arith.addi %a, %a : i64

func.func @sum(%n: index, %cents: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = money.of %cents : !money.amount<"EUR">
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> (!money.amount<"EUR">) {
    %t = func.call @twice(%acc) : (!money.amount<"EUR">) -> !money.amount<"EUR">
    scf.yield %t : !money.amount<"EUR">
  }
  %r = money.cents %s : !money.amount<"EUR">
  return %r : i64
}
// check: func.func @sum
// not: money
// check: iter_args(%acc = %cents) -> (i64)
// eval: @sum(3, 5) == 40

func.func @larger(%a: !money.amount<"EUR">, %b: !money.amount<"EUR">) -> !money.amount<"EUR"> {
  %x = money.cents %a : !money.amount<"EUR">
  %y = money.cents %b : !money.amount<"EUR">
  %c = arith.cmpi sgt, %x, %y : i64
  cf.cond_br %c, ^end(%a : !money.amount<"EUR">), ^end(%b : !money.amount<"EUR">)
^end(%r: !money.amount<"EUR">):
  return %r : !money.amount<"EUR">
}
// check: func.func @larger(%a: i64, %b: i64) -> i64
// check: arith.cmpi sgt, %a, %b : i64
// check: ^end(%r: i64)
