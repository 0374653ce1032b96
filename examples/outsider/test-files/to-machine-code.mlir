// test: opt --pipeline="func.func(money-to-arith),to-host"

// Ops of this crate meet the passes of terrace-opt, and nothing of either is left.
func.func @shares(%cents: i64, %count: i64) -> i64 {
  %x = money.of %cents : !money.amount<"EUR">
  %sum = money.add %x, %x : !money.amount<"EUR">
  %total = money.cents %sum : !money.amount<"EUR">
  %share = arith.divsi %total, %count : i64
  return %share : i64
}
// check: func.func @shares(%cents: i64, %count: i64) -> i64
// next: %total = arith.addi %cents, %cents : i64
// next: %share = arith.divsi %total, %count : i64
// next: return %share
// eval: @shares(300, 4) == 150
