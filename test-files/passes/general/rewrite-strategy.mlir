// test: opt --pipeline='func.func(rewrite{strategy="topdown(add_add_const | mul_mul_const)*; bottomup(dead)?"})'

// Constants meet, from the outside in, until nothing is left to do; then what nobody needs goes.
func.func @sums(%x: i32) -> (i32, i32) {
  %a = arith.constant 1 : i32
  %b = arith.constant 2 : i32
  %c = arith.constant 4 : i32
  %0 = arith.addi %x, %a : i32
  %1 = arith.addi %0, %b : i32
  %2 = arith.addi %1, %c : i32
  %3 = arith.muli %2, %b : i32
  %4 = arith.muli %3, %c : i32
  %s = arith.subi %a, %b : i32
  %t = arith.muli %x, %s : i32
  return %4, %t : i32, i32
}
// check: func.func @sums
// check: %{{.*}} = arith.addi %x, %c7
// next: arith.muli %{{.*}}, %c8
// next: arith.subi
// eval: @sums(3) == (80, -3)
