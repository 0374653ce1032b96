// test: opt --pipeline="func.func(money-count,money-to-arith)"
// rule: cents_of, cents_add

// The amounts are gone; what is left adds integers.
func.func @total(%a: i64, %b: i64) -> i64 {
  %x = money.of %a : !money.amount<"EUR">
  %y = money.of %b : !money.amount<"EUR">
  %s = money.add %x, %y : !money.amount<"EUR">
  %c = money.cents %s : !money.amount<"EUR">
  return %c : i64
}
// check: func.func @total(%a: i64, %b: i64) -> i64
// not: money
// next: %c = arith.addi %a, %b : i64
// next: return %c
// eval: @total(3, 4) == 7
